"""All values that a form does not hold: the meaning of ``not``, and of the "else" side of ``if``.

A value is outside a form if it is outside every atom of it, and outside an atom if it is of another type or
breaks one of the atom's limits. Each limit has a complement of its own; together they are a union::

    not {"type": "string", "minLength": 3, "pattern": "^a"}
    null | boolean | number | string{0,2} | string !/^a/ | [any*] | {string: any}

What no atom can say (a number that is not whole, an array with some bad item) stays as ``Outside``; it does no
harm as long as another keyword excludes the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Any, assert_never

from schema_compiler.schema.forms import ANY, TYPES, UNSTATED, Atom, Form, Names, Outside, enumeration, form, kind
from schema_compiler.schema.intersection import meet
from schema_compiler.schema.numbers import exact, numbers_between, numbers_beyond
from schema_compiler.schema.schema import (
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    KeyRule,
    Never,
    Null,
    Number,
    Object,
    Pattern,
    Property,
    Reference,
    Schema,
    String,
    Union,
)

__all__ = ["complement", "open_object"]

_FEW = 8
"""Up to so many items are told apart one by one where an array may hold a bad one."""


def complement(outer: Form, names: Names) -> Form:
    """Every JSON value that is in no atom of ``outer``."""
    return reduce(lambda left, atom: meet(left, form(_outside(atom, names)), names), outer, ANY)


def open_object(*properties: Property, min_properties: int = 0, max_properties: int | None = None) -> Object:
    """An object of which nothing else is known."""
    return Object(properties, (KeyRule(String(), AnyValue()),), min_properties, max_properties)


def _outside(atom: Atom, names: Names) -> Iterator[Atom]:
    match atom:
        case Never():
            yield AnyValue()
        case AnyValue():
            yield Never("its negation admits everything")
        case Enumeration(values):
            yield from _outside_values(values, names)
        case Outside(excluded):
            yield from _other_types({kind(excluded)})
            yield excluded
        case Null() | Boolean():
            yield from _other_types({kind(atom)})
        case Number():
            yield from _other_types({kind(atom)})
            yield from _outside_number(atom)
        case String():
            yield from _other_types({"string"})
            yield from _outside_string(atom)
        case Array():
            yield from _other_types({"array"})
            yield from _outside_array(atom, names)
        case Object():
            yield from _other_types({"object"})
            yield from _outside_object(atom, names)
        case Union(options):
            yield from complement(options, names)
        case Reference():
            yield from complement(names.shape(atom), names)
        case _:
            assert_never(atom)


def _other_types(types: set[str]) -> Iterator[Schema]:
    return (atom for name, atom in TYPES.items() if name not in types)


def _outside_values(values: Iterable[Any], names: Names) -> Iterator[Atom]:
    groups: dict[str, list[Any]] = {}
    for value in values:
        groups.setdefault(_type_of(value), []).append(value)
    yield from _other_types(set(groups))
    if len(groups.get("boolean", ())) == 1:
        yield enumeration([not groups["boolean"][0]])
    if "number" in groups:
        yield from numbers_between([exact(value) for value in groups["number"]])
    if "string" in groups:
        yield String(patterns=(Pattern(rf"^(?:{'|'.join(map(_literal, groups['string']))})$", negated=True),))
    for name in ("array", "object"):
        if name in groups:
            inside = tuple(map(_structure, groups[name]))
            yield from (atom for atom in complement(inside, names) if kind(atom) == name)


def _type_of(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "number"


def _literal(text: str) -> str:
    """``text`` as an ECMA-262 pattern; only the syntax characters may be escaped there."""
    return re.sub(r"[\^$\\.*+?()\[\]{}|/]", r"\\\g<0>", text)


def _structure(value: Any) -> Schema:
    """The array or object ``value`` as a schema with one value."""
    if isinstance(value, list):
        items = tuple(enumeration([item]) for item in value)
        return Array(items, Never("no more items"), len(items), len(items))
    return Object(tuple(Property(name, enumeration([member]), required=True) for name, member in value.items()))


def _outside_number(number: Number) -> Iterator[Atom]:
    if number.quoted or number.max_digits is not None or number.decimal_places is not None:
        yield Outside(number)
        return
    yield from numbers_beyond(number)
    unbounded = replace(number, minimum=None, maximum=None, exclusive_minimum=False, exclusive_maximum=False)
    if unbounded != Number():
        yield Outside(unbounded)


def _outside_string(string: String) -> Iterator[Atom]:
    if string.min_length:
        yield String(max_length=string.min_length - 1)
    if string.max_length is not None:
        yield String(min_length=string.max_length + 1)
    for pattern in string.patterns:
        yield String(patterns=(replace(pattern, negated=not pattern.negated),))
    if string.formats:
        yield Outside(String(formats=string.formats))


def _outside_array(array: Array, names: Names) -> Iterator[Atom]:
    if array.min_items:
        yield Array(max_items=array.min_items - 1)
    if array.max_items is not None:
        yield Array(min_items=array.max_items + 1)
    places = len(array.prefix)
    if array.max_items is not None and array.max_items <= _FEW:
        places = array.max_items
    for index in range(places):
        schema = array.prefix[index] if index < len(array.prefix) else array.items
        yield from _with_bad_item(index, names.negate(schema))
    if places == len(array.prefix) and not isinstance(array.items, AnyValue | Never):
        yield Outside(Array(array.prefix, array.items))
    if array.unique:
        yield Outside(Array(unique=True))


def _with_bad_item(index: int, bad: Schema) -> Iterator[Atom]:
    if not isinstance(bad, Never):
        yield Array((AnyValue(),) * index + (bad,), min_items=index + 1)


def _outside_object(made: Object, names: Names) -> Iterator[Atom]:
    if made.min_properties:
        yield open_object(max_properties=made.min_properties - 1)
    if made.max_properties is not None:
        yield open_object(min_properties=made.max_properties + 1)
    for item in made.properties:
        if item.required:
            yield open_object(Property(item.name, Never("absent"), required=False))
        bad = names.negate(item.schema)
        if not isinstance(bad, Never):
            yield open_object(Property(item.name, bad, required=True))
    if not _is_open(made):
        yield from _with_bad_key(made)


def _is_open(made: Object) -> bool:
    return any(rule.names == String() and rule.schema in (AnyValue(), UNSTATED) for rule in made.rules)


def _with_bad_key(made: Object) -> Iterator[Atom]:
    """Objects with an undeclared key, of a closed object whose properties are all required: one key too many."""
    if not made.rules and all(item.required for item in made.properties):
        yield open_object(min_properties=len(made.properties) + 1)
    else:
        yield Outside(replace(made, min_properties=0, max_properties=None))
