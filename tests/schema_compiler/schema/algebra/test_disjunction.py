"""Disjunctions: the types of disjuncts, and the simplest disjunction of several."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.disjunction import (
    ANY,
    TYPES,
    UNSTATED,
    Complement,
    Disjunct,
    disjunction,
    enumeration,
    is_whole,
    kind,
)
from schema_compiler.schema.ir import (
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    KeyRule,
    Never,
    Null,
    Number,
    Object,
    Reference,
    Sentence,
    String,
    Union,
)
from tests.schema_compiler.schema.algebra.sets import printed

REPEATING = Complement(Array(unique=True))
QUOTED = Number(quoted=True)
UNSTATED_OBJECT = Object(rules=(KeyRule(String(), UNSTATED),))

KINDS: dict[str, tuple[Disjunct, str]] = {
    "null": (Null(), "null"),
    "a boolean": (Boolean(), "boolean"),
    "a number": (Number(integer=True), "number"),
    "a number between quotes is a string": (QUOTED, "string"),
    "a string": (String(min_length=1), "string"),
    "a sentence is a string": (Sentence("start: /a/", "start"), "string"),
    "an array": (Array(), "array"),
    "an object": (Object(), "object"),
    "a complement has the type of what it excludes": (REPEATING, "array"),
    "a complement of quoted numbers has strings": (Complement(QUOTED), "string"),
    "anything has no one type": (AnyValue(), ""),
    "never has no type": (Never(), ""),
    "an enumeration has no one type": (Enumeration(("a",)), ""),
    "a union has no one type": (Union((Null(), Boolean())), ""),
    "a reference has no known type": (Reference("a"), ""),
}

WHOLE: dict[str, tuple[Disjunct, bool]] = {
    **{f"all of type {name}": (schema, True) for name, schema in TYPES.items()},
    "integers": (Number(integer=True), False),
    "bounded strings": (String(max_length=3), False),
    "quoted numbers": (QUOTED, False),
    "arrays without repetition": (Array(unique=True), False),
    "closed objects": (Object(), False),
    "objects that may be closed": (UNSTATED_OBJECT, False),
    "a complement": (REPEATING, False),
    "anything": (AnyValue(), False),
    "never": (Never(), False),
    "a reference": (Reference("a"), False),
}

DISJUNCTIONS: dict[str, tuple[tuple[Disjunct, ...], str]] = {
    "of nothing": ((), "never"),
    "never beside others": ((Never(), Null(), Never()), "null"),
    "anything beside others": ((Null(), AnyValue()), "any"),
    "one twice": ((String(1), Null(), String(1)), "string{1,} | null"),
    "two of one type": ((String(1), String(0, 5)), "string{1,} | string{0,5}"),
    "a reference twice": ((Reference("a"), Reference("b"), Reference("a")), "@a | @b"),
    "a whole type behind a part of it": ((String(1), Null(), String()), "null | string"),
    "a whole type before a part of it": ((Number(), Null(), Number(integer=True)), "number | null"),
    "all strings beside quoted numbers": ((QUOTED, String()), "string"),
    "all strings beside quoted numbers and booleans": ((QUOTED, Boolean(), String()), "boolean | string"),
    "all arrays beside a complement": ((REPEATING, Array()), "[any*]"),
    "part of a type beside a complement": ((REPEATING, Array(min_items=2)), "not (unique [any*]) | [any*]{2,}"),
    "all types": (tuple(TYPES.values()), "any"),
    "all types in any order": (tuple(reversed(TYPES.values())), "any"),
    "all types but one": (tuple(TYPES.values())[1:], "boolean | number | string | [any*] | {string: any}"),
    "all types, one of them in part": (
        (*tuple(TYPES.values())[:-1], UNSTATED_OBJECT),
        "null | boolean | number | string | [any*] | {string: @unstated}",
    ),
    "enumerations in the place of the first": (
        (Null(), Enumeration((1, "a")), Boolean(), Enumeration(("b", 1.0))),
        'null | one of [1, "a", "b"] | boolean',
    ),
    "one enumeration": ((Enumeration((1, "a")), Null()), 'one of [1, "a"] | null'),
}

ENUMERATIONS: dict[str, tuple[list[Any], bool, str, bool]] = {
    "values": ([1, "a", None], False, 'one of [1, "a", null]', False),
    "null alone": ([None], False, "null", False),
    "null alone, with fractions": ([None], True, "null", False),
    "a number with a fraction": ([1], True, "one of [1]", True),
    "a number among others": (["a", 1], True, 'one of ["a", 1]', True),
    "a number in a list": ([["a", [1]]], True, 'one of [["a", [1]]]', True),
    "a number in an object": ([{"a": {"b": 1}}], True, 'one of [{"a": {"b": 1}}]', True),
    "no number that could have a fraction": (["a", True, [None], {"a": "1"}], True, "", False),
    "no value": ([], False, "never", False),
}


@pytest.mark.parametrize(("disjunct", "expected"), KINDS.values(), ids=KINDS)
def test_kinds(disjunct: Disjunct, expected: str) -> None:
    assert kind(disjunct) == expected


@pytest.mark.parametrize(("disjunct", "expected"), WHOLE.values(), ids=WHOLE)
def test_whole_types(disjunct: Disjunct, expected: bool) -> None:
    assert is_whole(disjunct) == expected


@pytest.mark.parametrize(("disjuncts", "expected"), DISJUNCTIONS.values(), ids=DISJUNCTIONS)
def test_disjunctions(disjuncts: tuple[Disjunct, ...], expected: str) -> None:
    assert printed(*disjunction(disjuncts)) == expected


def test_all_types_are_the_disjunction_of_anything() -> None:
    assert disjunction(TYPES.values()) == ANY


@pytest.mark.parametrize("disjunct", [Union((Null(), Boolean())), Enumeration((None,)), Never("a")], ids=printed)
def test_a_single_disjunct_stays_as_it_is(disjunct: Disjunct) -> None:
    assert disjunction(iter([disjunct])) == (disjunct,)


def test_nothing_but_never_has_the_first_reason() -> None:
    assert disjunction([Never("first"), Never("second")]) == (Never("first"),)


def test_an_enumeration_whose_values_are_all_null() -> None:
    assert disjunction([Enumeration((None,)), Enumeration((None,))]) == (Null(),)


@pytest.mark.parametrize("fractions", [(True, False), (False, True)], ids=["first", "last"])
def test_merged_enumerations_have_the_fractions_of_any(fractions: tuple[bool, bool]) -> None:
    merged = disjunction(Enumeration((value,), fraction) for value, fraction in enumerate(fractions))
    assert merged == (Enumeration((0, 1), fraction=True),)


def test_patterns_that_look_like_two() -> None:
    one, two = String(patterns=(Pattern("a/ /b"),)), String(patterns=(Pattern("a"), Pattern("b")))
    assert set(disjunction([two, one])) == {one, two}


@pytest.mark.parametrize(("values", "fraction", "expected", "has_fraction"), ENUMERATIONS.values(), ids=ENUMERATIONS)
def test_enumerations(values: list[Any], fraction: bool, expected: str, has_fraction: bool) -> None:
    schema = enumeration(iter(values), fraction=fraction)
    assert printed(schema) == (expected or printed(Enumeration(tuple(values))))
    assert getattr(schema, "fraction", False) == has_fraction


def test_why_no_value_is_listed() -> None:
    assert enumeration([]) == Never("no value of the enumeration is left")
