"""Whether a JSON value is in a disjunct: this is how enumerations are intersected with everything else.

``enum`` lists values, so an intersection with it is a filter, whatever stands beside::

    {"enum": ["a", "bb", 3], "maxLength": 1}    one of ["a", 3]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from schema_compiler.schema.algebra.disjunction import UNSTATED, Complement, Disjunct, InexpressibleError, SchemaAlgebra
from schema_compiler.schema.algebra.languages import holds
from schema_compiler.schema.algebra.numbers import contains_number, is_number
from schema_compiler.schema.algebra.values import json_key
from schema_compiler.schema.ir import (
    AnyValue,
    Array,
    Boolean,
    Contains,
    Enumeration,
    Never,
    Null,
    Number,
    Object,
    Piece,
    Property,
    Reference,
    Schema,
    Sentence,
    String,
    Union,
)

__all__ = ["admits"]


def admits(disjunct: Disjunct, value: Any, algebra: SchemaAlgebra) -> bool:
    """Whether the Python value ``value``, as ``json.loads`` gives it, is one of the values of ``disjunct``.

    Raises ``InexpressibleError`` for a text beside a grammar, ``CompileBudgetError`` where an automaton gets too large,
    and what ``algebra.shape`` raises.
    """
    match disjunct:
        case AnyValue():
            return True
        case Never():
            return False
        case Null():
            return value is None
        case Boolean():
            return isinstance(value, bool)
        case Number(quoted=True) | String():
            return isinstance(value, str) and holds(disjunct, value)
        case Sentence():
            if isinstance(value, str):
                raise InexpressibleError(f"the value {value!r} beside {disjunct}")
            return False
        case Piece(base):
            if admits(base, value, algebra):
                raise InexpressibleError(f"the value {value!r} beside {disjunct}")
            return False
        case Number():
            return is_number(value) and contains_number(disjunct, value)
        case Array():
            return isinstance(value, list) and _admits_items(disjunct, value, algebra)
        case Object():
            return isinstance(value, dict) and _admits_members(disjunct, value, algebra)
        case Enumeration(values):
            return json_key(value) in map(json_key, values)
        case Union(options):
            return any(admits(option, value, algebra) for option in options)
        case Complement(excluded):
            return _is_of_type(excluded, value) and not admits(excluded, value, algebra)
        case Reference():
            return disjunct == UNSTATED or any(admits(part, value, algebra) for part in algebra.shape(disjunct))
        case _:
            assert_never(disjunct)


def _is_of_type(excluded: Schema, value: Any) -> bool:
    """Whether ``value`` is of the JSON type of ``excluded``, one of those that a ``Complement`` has."""
    match excluded:
        case Number(quoted=False):
            return is_number(value)
        case Number() | String() | Sentence():
            return isinstance(value, str)
        case Array():
            return isinstance(value, list)
        case _:
            return isinstance(value, dict)


def _admits_items(array: Array, items: list[Any], algebra: SchemaAlgebra) -> bool:
    schemas = [*array.prefix, *[array.items] * (len(items) - len(array.prefix))]
    return (
        array.min_items <= len(items)
        and (array.max_items is None or len(items) <= array.max_items)
        and (not array.unique or len(set(map(json_key, items))) == len(items))
        and all(admits(schema, item, algebra) for schema, item in zip(schemas, items, strict=False))
        and all(_contains_enough(contained, items, algebra) for contained in array.contains)
    )


def _contains_enough(contained: Contains, items: list[Any], algebra: SchemaAlgebra) -> bool:
    """Whether as many items as ``contained`` asks for, and no more than it admits, are in its schemas."""
    schemas = [*contained.prefix, *[contained.items] * (len(items) - len(contained.prefix))]
    count = sum(admits(schema, item, algebra) for schema, item in zip(schemas, items, strict=False))
    return contained.minimum <= count and (contained.maximum is None or count <= contained.maximum)


def _admits_members(schema: Object, members: dict[str, Any], algebra: SchemaAlgebra) -> bool:
    declared = {item.name: item for item in schema.properties}
    return (
        schema.min_properties <= len(members)
        and (schema.max_properties is None or len(members) <= schema.max_properties)
        and all(item.name in members for item in schema.properties if item.required)
        and all(admits(_member_schema(schema, declared, name), member, algebra) for name, member in members.items())
        and schema.obligations == frozenset().union(*_obligations_met(schema, declared, members, algebra))
    )


def _obligations_met(
    schema: Object, declared: dict[str, Property], members: dict[str, Any], algebra: SchemaAlgebra
) -> Iterator[frozenset[int]]:
    """The obligations of each alternative that the members take."""
    for alternative in schema.alternatives:
        if alternative.schema is None:
            is_taken = alternative.names not in members
        elif isinstance(alternative.names, str):
            is_taken = alternative.names in members and admits(alternative.schema, members[alternative.names], algebra)
        else:
            undeclared = (name for name in members if name not in declared and holds(alternative.names, name))
            is_taken = any(admits(alternative.schema, members[name], algebra) for name in undeclared)
        if is_taken:
            yield alternative.obligations


def _member_schema(schema: Object, declared: dict[str, Property], name: str) -> Schema:
    """The schema of the values under the key ``name``: as declared, by a rule, or ``Never``."""
    if name in declared:
        return declared[name].schema
    return next((rule.schema for rule in schema.rules if holds(rule.names, name)), Never())
