"""All values that a form does not hold: the meaning of ``not``, and of the "else" side of ``if``.

A value is outside a form if it is outside every atom of it, and outside an atom if it is of another type or
breaks one of the atom's limits. Each limit has a complement of its own; together they are a union::

    not {"type": "string", "minLength": 3, "pattern": "^a"}
    null | boolean | number | string{0,2} | string !/^a/ | [any*] | {string: any}

An array with some bad item ``contains`` one, and an object with some bad member has *ways* to differ from a good one.
What no atom can say (an array in which two items are equal) stays as ``Complement``; it does no harm as long as another
keyword excludes the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
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
    Property,
    Reference,
    Schema,
    Sentence,
    String,
    Union,
)

__all__ = ["complement", "fewer_than", "open_object"]


def complement(outer: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """Every JSON value that is in no atom of ``outer``."""
    return reduce(lambda left, disjunct: meet(left, disjunction(_outside(disjunct, algebra)), algebra), outer, ANY)


def open_object(*properties: Property, min_properties: int = 0, max_properties: int | None = None) -> Object:
    """An object of which nothing else is known."""
    return Object(properties, (KeyRule(String(), AnyValue()),), min_properties, max_properties)


def _outside(disjunct: Disjunct, algebra: SchemaAlgebra) -> Iterator[Disjunct]:
    match disjunct:
        case Never():
            yield AnyValue()
        case AnyValue():
            yield Never("its negation admits everything")
        case Enumeration(values):
            yield from _outside_values(values, algebra)
        case Complement(excluded):
            yield from _other_types({kind(excluded)})
            yield excluded
        case Null() | Boolean():
            yield from _other_types({kind(disjunct)})
        case Number():
            yield from _other_types({kind(disjunct)})
            yield from _outside_number(disjunct)
        case String():
            yield from _other_types({"string"})
            yield from _outside_string(disjunct)
        case Sentence():
            yield from _other_types({"string"})
            yield Complement(disjunct)
        case Array():
            yield from _other_types({"array"})
            yield from _outside_array(disjunct, algebra)
        case Object():
            yield from _other_types({"object"})
            yield from _outside_object(disjunct, algebra)
        case Union(options):
            yield from complement(options, algebra)
        case Reference():
            yield from complement(algebra.shape(disjunct), algebra)
        case _:
            assert_never(disjunct)


def _other_types(types: set[str]) -> Iterator[Schema]:
    return (disjunct for name, disjunct in TYPES.items() if name not in types)


def _outside_values(values: Iterable[Any], algebra: SchemaAlgebra) -> Iterator[Disjunct]:
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
            yield from (disjunct for disjunct in complement(inside, algebra) if kind(disjunct) == name)


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


def _outside_number(number: Number) -> Iterator[Disjunct]:
    if number.quoted or number.max_digits is not None or number.decimal_places is not None:
        yield Complement(number)
    else:
        yield from numbers_not_in(number)


def _outside_string(string: String) -> Iterator[String]:
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


def _outside_array(array: Array, algebra: SchemaAlgebra) -> Iterator[Disjunct]:
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
    """The arrays in which fewer than ``count`` items are in the schema of their place."""
    if count > 1:
        return Array(contains=(replace(contained, minimum=0, maximum=count - 1),))
    return Array(tuple(map(algebra.negate, contained.prefix)), algebra.negate(contained.items))


def _outside_object(made: Object, algebra: SchemaAlgebra) -> Iterator[Disjunct]:
    if made.min_properties:
        yield open_object(max_properties=made.min_properties - 1)
    if made.max_properties is not None:
        yield open_object(min_properties=made.max_properties + 1)
    declared = tuple(Property(item.name, AnyValue(), required=False) for item in made.properties)
    alternatives = tuple(_departures(made, algebra))
    if len(declared) == 1 and all(alternative.names == declared[0].name for alternative in alternatives):
        yield from _alternative(declared[0].name, alternatives)
    elif alternatives:
        yield replace(open_object(*declared), alternatives=alternatives)
    for obligation in sorted(made.obligations):
        yield from _unmet(
            made, [alternative for alternative in made.alternatives if obligation in alternative.obligations], algebra
        )


def _alternative(name: str, alternatives: Sequence[Alternative]) -> Iterator[Object]:
    """What is told apart by one property alone needs no demand: the property is not good, there or absent."""
    bad = next((alternative.schema for alternative in alternatives if alternative.schema is not None), None)
    if alternatives:
        absent = any(alternative.schema is None for alternative in alternatives)
        yield open_object(Property(name, Never("absent") if bad is None else bad, required=not absent))


def _departures(made: Object, algebra: SchemaAlgebra) -> Iterator[Alternative]:
    """How an object can be outside ``made``, counts aside: a property is absent or bad, an undeclared key is bad."""
    obligation = frozenset({0})
    for item in made.properties:
        if item.required:
            yield Alternative(obligation, item.name, None)
        bad = algebra.negate(item.schema)
        if not isinstance(bad, Never):
            yield Alternative(obligation, item.name, bad)
    for rule in made.rules:
        bad = Never() if rule.schema == UNSTATED else algebra.negate(rule.schema)
        if not isinstance(bad, Never):
            yield Alternative(obligation, rule.names, bad)
    for keys in _without_rule(made.rules):
        yield Alternative(obligation, keys, AnyValue())


def _without_rule(rules: Iterable[KeyRule]) -> list[String]:
    """The keys that fall under none of the rules."""
    left = [String()]
    for rule in rules:
        if isinstance(rule.names, Number):
            raise InexpressibleError(f"keys that are not {rule.names}")
        met = (meet_keys(keys, other) for keys in left for other in _outside_string(rule.names))
        left = [keys for keys in met if isinstance(keys, String)]
    return left


def _unmet(made: Object, alternatives: list[Alternative], algebra: SchemaAlgebra) -> Iterator[Disjunct]:
    """The objects in which none of ``alternatives`` is taken."""
    properties = []
    for item in made.properties:
        own = [alternative for alternative in alternatives if alternative.names == item.name]
        anything: Schema = AnyValue()
        good = reduce(
            algebra.join,
            (algebra.negate(alternative.schema) for alternative in own if alternative.schema is not None),
            anything,
        )
        properties.append(Property(item.name, good, required=any(alternative.schema is None for alternative in own)))
    declared = tuple(Property(item.name, AnyValue(), required=False) for item in made.properties)
    result: Disjunct | None = open_object(*properties)
    for alternative in alternatives:
        if alternative.schema is None or isinstance(alternative.names, str):
            continue
        others = list(_outside_string(alternative.names)) if isinstance(alternative.names, String) else []
        if isinstance(alternative.names, Number) or len(others) > 1:
            yield Complement(replace(made, alternatives=tuple(alternatives)))
            return
        rules = (
            KeyRule(alternative.names, algebra.negate(alternative.schema)),
            *(KeyRule(other, AnyValue()) for other in others),
        )
        result = None if result is None else meet_disjuncts(result, Object(declared, rules), algebra)
    if result is not None:
        yield result
