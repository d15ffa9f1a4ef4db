"""All values that a disjunction does not hold: the meaning of ``not``, and of the "else" side of ``if``.

By De Morgan's laws, a value is outside a disjunction if it is outside every disjunct. It is outside a disjunct if it is
of another type or breaks one of the disjunct's limits. The complement of each limit is a disjunct of its own::

    not {"type": "string", "minLength": 3, "pattern": "^a"}
    null | boolean | number | string{0,2} | string !/^a/ | [any*] | {string: any}

An array with a bad item ``contains`` one. An object with a bad member gets an obligation: to differ from every good
object, with one ``Alternative`` for each property or key in which it may differ. What no schema describes (arrays in
which two items are equal) stays a ``Complement``, which does no harm as long as another keyword excludes the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from typing import Any, assert_never

from schema_compiler.regular.formats import max_length
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.disjunction import (
    ANY,
    TYPES,
    UNSTATED,
    Complement,
    Disjunct,
    Disjunction,
    InexpressibleError,
    SchemaAlgebra,
    disjunction,
    enumeration,
    kind,
)
from schema_compiler.schema.algebra.intersection import meet, meet_disjuncts, meet_keys
from schema_compiler.schema.algebra.numbers import exact, numbers_between, numbers_not_in
from schema_compiler.schema.ir import (
    OPEN_RULES,
    Alternative,
    AnyValue,
    Array,
    Boolean,
    Contains,
    Enumeration,
    KeyRule,
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

__all__ = ["complement", "fewer_than", "open_object"]


def complement(outer: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """Every JSON value that is in no disjunct of ``outer``.

    Raises ``InexpressibleError`` where no disjunction expresses it, ``CompileBudgetError`` where that would take too
    many disjuncts, and what ``algebra.shape`` raises.
    """
    result = ANY
    for disjunct in outer:
        result = meet(result, disjunction(_complement_of(disjunct, algebra)), algebra)
    return result


def open_object(*properties: Property, min_properties: int = 0, max_properties: int | None = None) -> Object:
    """An object with these properties, of which nothing else is known."""
    return Object(properties, OPEN_RULES, min_properties, max_properties)


def _complement_of(disjunct: Disjunct, algebra: SchemaAlgebra) -> Iterator[Disjunct]:
    """Disjuncts whose union is the complement of one disjunct."""
    match disjunct:
        case Never():
            yield AnyValue()
        case AnyValue():
            yield Never("its negation admits everything")
        case Enumeration(values):
            yield from _complement_of_values(values, algebra)
        case Complement(excluded):
            yield from _other_types({kind(excluded)})
            yield excluded
        case Null() | Boolean():
            yield from _other_types({kind(disjunct)})
        case Number():
            yield from _other_types({kind(disjunct)})
            yield from _complement_of_number(disjunct)
        case String():
            yield from _other_types({"string"})
            yield from _complement_of_string(disjunct)
        case Sentence():
            yield from _other_types({"string"})
            yield Complement(disjunct)
        case Piece():
            raise InexpressibleError(f"values that are no {disjunct}")
        case Array():
            yield from _other_types({"array"})
            yield from _complement_of_array(disjunct, algebra)
        case Object():
            yield from _other_types({"object"})
            yield from _complement_of_object(disjunct, algebra)
        case Union(options):
            yield from complement(options, algebra)
        case Reference():
            yield from complement(algebra.shape(disjunct), algebra)
        case _:
            assert_never(disjunct)


def _other_types(names: set[str]) -> Iterator[Schema]:
    return (disjunct for name, disjunct in TYPES.items() if name not in names)


def _complement_of_values(values: Iterable[Any], algebra: SchemaAlgebra) -> Iterator[Disjunct]:
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
            excluded = tuple(map(_singleton, groups[name]))
            yield from (disjunct for disjunct in complement(excluded, algebra) if kind(disjunct) == name)


def _type_of(value: Any) -> str:
    """The name of the JSON type of a Python value."""
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


def _singleton(value: Any) -> Schema:
    """A schema of which the array or object ``value`` is the only value."""
    if isinstance(value, list):
        items = tuple(enumeration([item]) for item in value)
        return Array(items, Never("no more items"), len(items), len(items))
    return Object(tuple(Property(name, enumeration([member]), required=True) for name, member in value.items()))


def _complement_of_number(number: Number) -> Iterator[Disjunct]:
    if number.quoted or number.max_digits is not None or number.decimal_places is not None:
        yield Complement(number)
    else:
        yield from numbers_not_in(number)


def _complement_of_string(string: String) -> Iterator[String]:
    """For each limit of ``string``, the strings that break it."""
    if string.min_length:
        yield String(max_length=string.min_length - 1)
    if string.max_length is not None:
        yield String(min_length=string.max_length + 1)
    for pattern in string.patterns:
        yield String(patterns=(replace(pattern, negated=not pattern.negated),))
    for name in string.formats:
        yield String(excluded=(name,))
        limit = max_length(name)
        if limit is not None:
            yield String(min_length=limit + 1)
    for name in string.excluded:
        yield String(formats=(name,))


def _complement_of_array(array: Array, algebra: SchemaAlgebra) -> Iterator[Disjunct]:
    if array.min_items:
        yield Array(max_items=array.min_items - 1)
    if array.max_items is not None:
        yield Array(min_items=array.max_items + 1)
    rest = Never() if isinstance(array.items, Never) else algebra.negate(array.items)
    bad = Contains(tuple(map(algebra.negate, array.prefix)), rest)
    if not all(isinstance(schema, Never) for schema in (*bad.prefix, bad.items)):
        yield Array(contains=(bad,), min_items=1)
    for contained in array.contains:
        if contained.minimum:
            yield fewer_than(contained.minimum, contained, algebra)
        if contained.maximum is not None:
            yield Array(contains=(replace(contained, minimum=contained.maximum + 1, maximum=None),))
    if array.unique:
        yield Complement(Array(unique=True))


def fewer_than(count: int, contained: Contains, algebra: SchemaAlgebra) -> Array:
    """The arrays in which fewer than ``count`` items (at least 1) are in the schema that ``contained`` has for them."""
    if count > 1:
        return Array(contains=(replace(contained, minimum=0, maximum=count - 1),))
    return Array(tuple(map(algebra.negate, contained.prefix)), algebra.negate(contained.items))


def _complement_of_object(schema: Object, algebra: SchemaAlgebra) -> Iterator[Disjunct]:
    if schema.min_properties:
        yield open_object(max_properties=schema.min_properties - 1)
    if schema.max_properties is not None:
        yield open_object(min_properties=schema.max_properties + 1)
    declared = _without_limits(schema.properties)
    differences = tuple(_differences(schema, algebra))
    if len(declared) == 1 and all(one.names == declared[0].name for one in differences):
        yield from _without_obligation(declared[0].name, differences)
    elif differences:
        yield replace(open_object(*declared), alternatives=differences)
    for obligation in sorted(schema.obligations):
        alternatives = [one for one in schema.alternatives if obligation in one.obligations]
        yield from _objects_that_take_none(schema, alternatives, algebra)


def _without_limits(properties: Iterable[Property]) -> tuple[Property, ...]:
    """Properties of the same names, which may be absent and have any value."""
    return tuple(Property(item.name, AnyValue(), required=False) for item in properties)


def _without_obligation(name: str, differences: Sequence[Alternative]) -> Iterator[Object]:
    """The objects that differ in the property ``name``, the only one in which they can: no obligation is needed.

    The property must have a bad value, or none if it can only be absent.
    """
    if differences:
        bad = next((one.schema for one in differences if one.schema is not None), None)
        may_be_absent = any(one.schema is None for one in differences)
        yield open_object(Property(name, Never("absent") if bad is None else bad, required=not may_be_absent))


def _differences(schema: Object, algebra: SchemaAlgebra) -> Iterator[Alternative]:
    """How an object can be none of ``schema``, counts aside: a property is absent or bad, a key or its value is bad.

    They are the alternatives of one obligation, number 0.
    """
    obligation = frozenset({0})
    for item in schema.properties:
        if item.required:
            yield Alternative(obligation, item.name, None)
        bad = algebra.negate(item.schema)
        if not isinstance(bad, Never):
            yield Alternative(obligation, item.name, bad)
    for rule in schema.rules:
        bad = Never() if rule.schema == UNSTATED else algebra.negate(rule.schema)
        if not isinstance(bad, Never):
            yield Alternative(obligation, rule.names, bad)
    for keys in _keys_outside(schema.rules):
        yield Alternative(obligation, keys, AnyValue())


def _keys_outside(rules: Iterable[KeyRule]) -> list[String]:
    """Key languages whose union is the keys under none of ``rules``."""
    languages = [String()]
    for rule in rules:
        if isinstance(rule.names, Number):
            raise InexpressibleError(f"keys that are not {rule.names}")
        pairs = product(languages, _complement_of_string(rule.names))
        common = (meet_keys(keys, others) for keys, others in pairs)
        languages = [keys for keys in common if isinstance(keys, String)]
    return languages


def _objects_that_take_none(
    schema: Object, alternatives: list[Alternative], algebra: SchemaAlgebra
) -> Iterator[Disjunct]:
    """The objects that take none of ``alternatives``, which are some of the alternatives of ``schema``."""
    properties = []
    for item in schema.properties:
        own = [one for one in alternatives if one.names == item.name]
        bad = [one.schema for one in own if one.schema is not None]
        anything: Schema = AnyValue()
        good = reduce(algebra.join, map(algebra.negate, bad), anything)
        properties.append(Property(item.name, good, required=len(bad) < len(own)))
    declared = _without_limits(schema.properties)
    result: Disjunct | None = open_object(*properties)
    for one in alternatives:
        if one.schema is None or isinstance(one.names, str):
            continue
        others = list(_complement_of_string(one.names)) if isinstance(one.names, String) else []
        if isinstance(one.names, Number) or len(others) > 1:
            yield Complement(replace(schema, alternatives=tuple(alternatives)))
            return
        rules = (
            KeyRule(one.names, algebra.negate(one.schema)),
            *(KeyRule(keys, AnyValue()) for keys in others),
        )
        result = None if result is None else meet_disjuncts(result, Object(declared, rules), algebra)
    if result is not None:
        yield result
