"""Whether a JSON value is in a form: the way enumerations meet everything else.

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
    Property,
    Reference,
    Schema,
    Sentence,
    String,
    Union,
)

__all__ = ["admits"]


def admits(disjunct: Disjunct, value: Any, algebra: SchemaAlgebra) -> bool:
    """Whether ``value`` is one of the values of ``disjunct``."""
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
            return _same_type(excluded, value) and not admits(excluded, value, algebra)
        case Reference():
            return disjunct == UNSTATED or any(admits(part, value, algebra) for part in algebra.shape(disjunct))
        case _:
            assert_never(disjunct)


def _same_type(excluded: Schema, value: Any) -> bool:
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
        and all(_contains(contained, items, algebra) for contained in array.contains)
    )


def _contains(contained: Contains, items: list[Any], algebra: SchemaAlgebra) -> bool:
    schemas = [*contained.prefix, *[contained.items] * (len(items) - len(contained.prefix))]
    count = sum(admits(schema, item, algebra) for schema, item in zip(schemas, items, strict=False))
    return contained.minimum <= count and (contained.maximum is None or count <= contained.maximum)


def _admits_members(made: Object, members: dict[str, Any], algebra: SchemaAlgebra) -> bool:
    declared = {item.name: item for item in made.properties}
    return (
        made.min_properties <= len(members)
        and (made.max_properties is None or len(members) <= made.max_properties)
        and all(item.name in members for item in made.properties if item.required)
        and all(admits(_member_schema(made, declared, name), member, algebra) for name, member in members.items())
        and made.obligations == frozenset().union(*_met(made, declared, members, algebra))
    )


def _met(
    made: Object, declared: dict[str, Property], members: dict[str, Any], algebra: SchemaAlgebra
) -> Iterator[frozenset[int]]:
    """The demands that the members meet, way by way."""
    for alternative in made.alternatives:
        if alternative.schema is None:
            found = alternative.names not in members
        elif isinstance(alternative.names, str):
            found = alternative.names in members and admits(alternative.schema, members[alternative.names], algebra)
        else:
            undeclared = (name for name in members if name not in declared and holds(alternative.names, name))
            found = any(admits(alternative.schema, members[name], algebra) for name in undeclared)
        if found:
            yield alternative.obligations


def _member_schema(made: Object, declared: dict[str, Property], name: str) -> Schema:
    if name in declared:
        return declared[name].schema
    return next((rule.schema for rule in made.rules if holds(rule.names, name)), Never())
