"""The schema of an item or a member that counts for several things at once: its own schema, joined with theirs.

An array with ``contains`` sorts its items into item classes, by what an item counts for. An item of a class is in
``items`` and in the schemas of all ``contains`` that it counts for::

    [integer*] has{1,} (number in [5, inf))
    item classes: integer and (number in [5, inf)), which counts; integer, which does not count

An item class needs the negation of a schema that it does not count for only where too many could count: with an upper
limit. An object with obligations gets its alternatives in the same way: one member may take several at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, product

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.disjunction import SchemaAlgebra
from schema_compiler.schema.algebra.intersection import meet_keys
from schema_compiler.schema.ir import (
    Alternative,
    AnyValue,
    Array,
    Contains,
    ItemClass,
    KeyRule,
    Never,
    Number,
    Object,
    Property,
    Schema,
    String,
)

__all__ = ["with_item_classes", "with_joined_alternatives"]

_MOST_CONTAINS = 5
"""How many ``contains`` one array may have. Each doubles its item classes, every one of which becomes a schema.

32 item classes for each index are the most; chosen, not measured.
"""
_MOST_ALTERNATIVES = 256
"""How many combinations of obligations one member may meet. Each obligation multiplies them, every one is a schema.

A power of two, reached by eight obligations with one alternative each; chosen, not measured.
"""


def with_item_classes(array: Array, algebra: SchemaAlgebra) -> Array:
    """``array``, which has ``contains``, with its ``item_classes``; its prefix is as long as the longest of theirs.

    Raises ``CompileBudgetError`` for too many ``contains``.
    """
    _check_limit(len(array.contains), "contains", _MOST_CONTAINS)
    length = max(len(array.prefix), *(len(contained.prefix) for contained in array.contains))
    prefix = (*array.prefix, *(array.items,) * (length - len(array.prefix)))
    item_classes = tuple(
        tuple(_item_classes(schema, index, array.contains, algebra))
        for index, schema in enumerate((*prefix, array.items))
    )
    return replace(array, prefix=prefix, item_classes=item_classes)


def _item_classes(
    schema: Schema, index: int, contained: tuple[Contains, ...], algebra: SchemaAlgebra
) -> Iterator[ItemClass]:
    """The classes of the item at ``index``, whose own schema is ``schema``; those surely without values left out."""
    for counted in _subsets(len(contained)):
        joined = schema
        for number, one in enumerate(contained):
            wanted = one.prefix[index] if index < len(one.prefix) else one.items
            if number in counted:
                joined = algebra.join(joined, wanted)
            elif one.maximum is not None:
                joined = algebra.join(joined, algebra.negate(wanted))
        if not isinstance(joined, Never):
            yield ItemClass(joined, frozenset(counted))


def with_joined_alternatives(schema: Object, algebra: SchemaAlgebra) -> Object:
    """``schema`` with an alternative for each combination of alternatives that one member, or one absence, can take.

    Raises ``CompileBudgetError`` for too many combinations, and what ``meet_keys`` raises.
    """
    members = (_member_alternatives(schema, item, algebra) for item in schema.properties)
    undeclared = (_undeclared_alternatives(schema, rule, algebra) for rule in schema.rules)
    return replace(schema, alternatives=(*_absences(schema), *chain.from_iterable(chain(members, undeclared))))


def _absences(schema: Object) -> Iterator[Alternative]:
    """One alternative for each property whose absence meets obligations."""
    for item in schema.properties:
        absent = [one for one in schema.alternatives if one.schema is None and one.names == item.name]
        if absent:
            yield Alternative(frozenset().union(*(one.obligations for one in absent)), item.name, None)


def _member_alternatives(schema: Object, item: Property, algebra: SchemaAlgebra) -> list[Alternative]:
    own = [one for one in schema.alternatives if one.names == item.name and one.schema is not None]
    return _combinations(item.name, item.schema, own, algebra)


def _undeclared_alternatives(schema: Object, rule: KeyRule, algebra: SchemaAlgebra) -> list[Alternative]:
    own = [one for one in schema.alternatives if not isinstance(one.names, str)]
    return _combinations(rule.names, rule.schema, own, algebra)


def _combinations(
    keys: str | String | Number, schema: Schema, alternatives: Sequence[Alternative], algebra: SchemaAlgebra
) -> list[Alternative]:
    """What a member with one of ``keys`` and a value of ``schema`` can take of ``alternatives``.

    For each obligation it takes one of its alternatives, or none; the combination of nothing is left out.
    """
    combined = [Alternative(frozenset(), keys, schema)]
    for obligation in sorted(frozenset().union(*(one.obligations for one in alternatives))):
        own = [one for one in alternatives if obligation in one.obligations]
        pairs = [_join_alternatives(left, right, algebra) for left, right in product(combined, own)]
        combined += [joined for joined in pairs if joined is not None]
        _check_limit(len(combined), "combinations of obligations", _MOST_ALTERNATIVES)
    return combined[1:]


def _join_alternatives(left: Alternative, right: Alternative, algebra: SchemaAlgebra) -> Alternative | None:
    """The members that take both, with the keys that are in both; ``None`` if there are surely none."""
    schema = algebra.join(left.schema or AnyValue(), right.schema or AnyValue())
    keys = left.names
    if not isinstance(keys, str) and not isinstance(right.names, str):
        shared = meet_keys(keys, right.names)
        if isinstance(shared, Never):
            return None
        keys = shared
    return None if isinstance(schema, Never) else Alternative(left.obligations | right.obligations, keys, schema)


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(count), size) for size in range(count + 1))


def _check_limit(count: int, what: str, most: int) -> None:
    if count > most:
        raise CompileBudgetError(f"{count} {what} in one place: the limit is {most}")
