"""What an item or a member must be to satisfy several schemas at once: its own, and those it is counted for.

An array with ``contains`` sorts its items into cells, an object with demands gets its ways of meeting them, each with
the schema that the place itself demands joined in::

    [integer*] has{1,} (5 or more)          items: integer and (5 or more), counted; integer, not counted

Only an item that may be too many must be known not to count, so the negation is needed for an upper limit only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.disjunction import SchemaAlgebra
from schema_compiler.schema.algebra.intersection import meet_keys
from schema_compiler.schema.ir import (
    Alternative,
    AnyValue,
    Array,
    Contains,
    ItemClass,
    Never,
    Number,
    Object,
    Schema,
    String,
)

__all__ = ["with_item_classes", "with_joined_alternatives"]

_MOST_CONTAINS = 5
"""So many ``contains`` may meet in one array; their combinations double with each."""
_MOST_ALTERNATIVES = 256
"""So many combinations of demands one member may meet."""


def with_item_classes(array: Array, algebra: SchemaAlgebra) -> Array:
    """``array`` with its ``item_classes``; its prefix is as long as the longest of its ``contains``."""
    _limit(len(array.contains), "contains", _MOST_CONTAINS)
    length = max(len(array.prefix), *(len(contained.prefix) for contained in array.contains))
    prefix = (*array.prefix, *(array.items,) * (length - len(array.prefix)))
    places = ((schema, place) for place, schema in enumerate((*prefix, array.items)))
    item_classes = tuple(tuple(_cells(schema, place, array.contains, algebra)) for schema, place in places)
    return replace(array, prefix=prefix, item_classes=item_classes)


def _cells(schema: Schema, place: int, contained: tuple[Contains, ...], algebra: SchemaAlgebra) -> Iterator[ItemClass]:
    for counted in _subsets(len(contained)):
        inside = schema
        for number, one in enumerate(contained):
            wanted = one.prefix[place] if place < len(one.prefix) else one.items
            if number in counted:
                inside = algebra.join(inside, wanted)
            elif one.maximum is not None:
                inside = algebra.join(inside, algebra.negate(wanted))
        if not isinstance(inside, Never):
            yield ItemClass(inside, frozenset(counted))


def with_joined_alternatives(made: Object, algebra: SchemaAlgebra) -> Object:
    """``made`` with all ways of meeting demands, several with one member among them."""
    members = chain.from_iterable(
        _member_alternatives(made, item.name, item.schema, algebra) for item in made.properties
    )
    undeclared = chain.from_iterable(_key_alternatives(made, rule.names, rule.schema, algebra) for rule in made.rules)
    return replace(made, alternatives=(*_absences(made), *members, *undeclared))


def _absences(made: Object) -> Iterator[Alternative]:
    for item in made.properties:
        obligations = [
            alternative.obligations
            for alternative in made.alternatives
            if alternative.schema is None and alternative.names == item.name
        ]
        if obligations:
            yield Alternative(frozenset().union(*obligations), item.name, None)


def _member_alternatives(made: Object, name: str, schema: Schema, algebra: SchemaAlgebra) -> Iterator[Alternative]:
    alternatives = [
        alternative for alternative in made.alternatives if alternative.names == name and alternative.schema is not None
    ]
    yield from _joined(name, alternatives, schema, algebra)


def _key_alternatives(
    made: Object, keys: String | Number, schema: Schema, algebra: SchemaAlgebra
) -> Iterator[Alternative]:
    alternatives = [alternative for alternative in made.alternatives if not isinstance(alternative.names, str)]
    yield from _joined(keys, alternatives, schema, algebra)


def _joined(
    keys: str | String | Number, alternatives: Sequence[Alternative], schema: Schema, algebra: SchemaAlgebra
) -> list[Alternative]:
    """Each choice of ``alternatives``, one for a demand at most, as one way for members of ``keys`` and ``schema``."""
    choices = [Alternative(frozenset(), keys, schema)]
    for obligation in sorted(frozenset().union(*(alternative.obligations for alternative in alternatives))):
        own = [alternative for alternative in alternatives if obligation in alternative.obligations]
        choices += [
            both for one in choices for alternative in own if (both := _both(one, alternative, algebra)) is not None
        ]
        _limit(len(choices), "combinations of demands", _MOST_ALTERNATIVES)
    return choices[1:]


def _both(left: Alternative, right: Alternative, algebra: SchemaAlgebra) -> Alternative | None:
    """A member that is a way of either; ``right`` may speak of fewer keys."""
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


def _limit(count: int, what: str, most: int) -> None:
    if count > most:
        raise CompileBudgetError(f"{count} {what} in one place: the limit is {most}")
