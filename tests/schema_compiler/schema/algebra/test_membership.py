"""Whether values are in a disjunct: case by case, and against ``jsonschema``."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.disjunction import UNSTATED, Complement, Disjunct, InexpressibleError
from schema_compiler.schema.algebra.membership import admits
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
    Sentence,
    String,
    Union,
)
from tests.schema_compiler.schema.algebra.sets import ATOMS, VALUES, algebra_of, schema_of, shape_of

SOME = (None, True, 0, 1.5, "", "a", "2", [], [1, 1.0], [1, True], {}, {"a": 1})
"""Values of every type."""

ANY_MEMBER = KeyRule(String(), AnyValue())
STARTS_WITH_X = String(patterns=(Pattern("^x"),))
SENTENCE = Sentence('start: "a"', "start")
FROM_5 = Number(minimum=Decimal(5))
SOME_OBJECT = Object((Property("a", Number(), required=True),))


def taken(*alternatives: tuple[set[int], Any, Any]) -> tuple[Alternative, ...]:
    return tuple(Alternative(frozenset(obligations), names, schema) for obligations, names, schema in alternatives)


TYPES: dict[str, tuple[Disjunct, list[Any]]] = {
    "anything": (AnyValue(), list(SOME)),
    "what is not stated": (UNSTATED, list(SOME)),
    "never": (Never(), []),
    "null": (Null(), [None]),
    "booleans": (Boolean(), [True]),
    "numbers": (Number(), [0, 1.5]),
    "integers": (Number(integer=True), [0]),
    "bounded numbers": (Number(minimum=Decimal(1)), [1.5]),
    "strings": (String(), ["", "a", "2"]),
    "bounded strings": (String(max_length=0), [""]),
    "numbers between quotes": (Number(quoted=True), ["2"]),
    "bounded numbers between quotes": (Number(quoted=True, maximum=Decimal(1)), []),
    "arrays": (Array(), [[], [1, 1.0], [1, True]]),
    "arrays without repetition": (Array(unique=True), [[], [1, True]]),
    "objects": (Object(rules=(ANY_MEMBER,)), [{}, {"a": 1}]),
    "an enumeration": (Enumeration((1, "a", 0.0, [True, 1])), [0, "a"]),
    "an enumeration has equal values": (Enumeration(([1.0, 1], {"a": 1.0})), [[1, 1.0], {"a": 1}]),
    "a union": (Union((Null(), Number(), Never())), [None, 0, 1.5]),
    "a complement of arrays": (Complement(Array(unique=True)), [[1, 1.0]]),
    "a complement of strings": (Complement(String(min_length=1)), [""]),
    "a complement of numbers": (Complement(Number(integer=True)), [1.5]),
    "a complement of numbers between quotes": (Complement(Number(quoted=True)), ["", "a"]),
    "a complement of objects": (Complement(SOME_OBJECT), [{}]),
}

ARRAYS: dict[str, tuple[Array, list[Any], list[Any]]] = {
    "items": (Array(items=Null()), [[], [None, None]], [[1], [None, 1]]),
    "prefix": (Array((Null(), String())), [[], [None], [None, "a"], [None, "a", 1]], [["a"], [None, 1]]),
    "items behind a prefix": (Array((Null(),), String()), [[None, "a", "b"]], [[None, None], [None, "a", 1]]),
    "no items behind a prefix": (Array((Null(),), Never()), [[], [None]], [[None, None]]),
    "fewest items": (Array(min_items=2), [[1, 2], [1, 2, 3]], [[], [1]]),
    "most items": (Array(max_items=1), [[], [1]], [[1, 2]]),
    "unique": (Array(unique=True), [[1, True, "1"], [[1], [2]]], [[1, 2, 1.0], [[1], [1.0]]]),
    "contains": (Array(contains=(Contains(items=Null()),)), [[None], [1, None]], [[], [1]]),
    "contains so many": (
        Array(contains=(Contains(items=Null(), minimum=2, maximum=3),)),
        [[None, None], [None, 1, None, None]],
        [[None], [None] * 4],
    ),
    "contains at most": (Array(contains=(Contains(items=Null(), minimum=0, maximum=0),)), [[], [1]], [[None]]),
    "contains by place": (
        Array(contains=(Contains((Never(), String()), Null()),)),
        [[1, "a"], [1, 2, None]],
        [["a"], [None], [1, None], [1, 2, "a"]],
    ),
    "contains all of several": (
        Array(contains=(Contains(items=Null()), Contains(items=FROM_5))),
        [[None, 5], [6, 1, None]],
        [[None], [5], [None, 1]],
    ),
}

A_B = (Property("a", Null(), required=True), Property("b", String(), required=False))
OPEN_A = (Property("a", AnyValue(), required=False),)

OBJECTS: dict[str, tuple[Object, list[Any], list[Any]]] = {
    "required": (Object(A_B), [{"a": None}, {"a": None, "b": "x"}], [{}, {"b": "x"}]),
    "values of properties": (Object(A_B), [{"b": "", "a": None}], [{"a": 1}, {"a": None, "b": None}]),
    "closed": (Object(A_B), [], [{"a": None, "c": 1}]),
    "a forbidden name": (Object((Property("a", Never(), required=False),), (ANY_MEMBER,)), [{}, {"b": 1}], [{"a": 1}]),
    "rules": (Object(rules=(KeyRule(STARTS_WITH_X, Null()),)), [{}, {"x": None, "xy": None}], [{"x": 1}, {"y": None}]),
    "the rule of a name": (
        Object(rules=(KeyRule(String(max_length=1), Null()), KeyRule(String(2), String()))),
        [{"a": None, "ab": ""}],
        [{"a": ""}, {"ab": None}],
    ),
    "numbers as names": (
        Object(rules=(KeyRule(Number(integer=True, quoted=True), Null()),)),
        [{"-1": None, "20": None}],
        [{"1.5": None}, {"a": None}],
    ),
    "a declared name follows no rule": (Object(A_B, (ANY_MEMBER,)), [{"a": None, "c": 1}], [{"a": 1}]),
    "fewest members": (Object(rules=(ANY_MEMBER,), min_properties=1), [{"a": 1}], [{}]),
    "most members": (Object(rules=(ANY_MEMBER,), max_properties=1), [{}, {"a": 1}], [{"a": 1, "b": 1}]),
    "an obligation met by absence": (
        Object(OPEN_A, (ANY_MEMBER,), alternatives=taken(({0}, "a", None))),
        [{}, {"b": 1}],
        [{"a": 1}],
    ),
    "an obligation met by a property": (
        Object(OPEN_A, (ANY_MEMBER,), alternatives=taken(({0}, "a", Null()))),
        [{"a": None}],
        [{}, {"a": 1}, {"b": None}],
    ),
    "an obligation met by an undeclared member": (
        Object(OPEN_A, (ANY_MEMBER,), alternatives=taken(({0}, String(), Null()))),
        [{"b": None}, {"b": 1, "c": None}],
        [{}, {"a": None}, {"b": 1}],
    ),
    "an obligation met by some undeclared names": (
        Object(rules=(ANY_MEMBER,), alternatives=taken(({0}, STARTS_WITH_X, AnyValue()))),
        [{"x": 1}, {"y": 1, "xy": 1}],
        [{}, {"y": 1}],
    ),
    "an obligation met in one of several ways": (
        Object(OPEN_A, (ANY_MEMBER,), alternatives=taken(({0}, "a", None), ({0}, "a", Null()))),
        [{}, {"a": None}],
        [{"a": 1}],
    ),
    "every obligation must be met": (
        Object(OPEN_A, (ANY_MEMBER,), alternatives=taken(({0}, "a", Null()), ({1}, String(), Null()))),
        [{"a": None, "b": None}],
        [{"a": None}, {"a": 1, "b": None}, {}],
    ),
    "one member meets several": (
        Object(OPEN_A, (ANY_MEMBER,), alternatives=taken(({0, 1}, "a", Null()), ({1}, String(), Null()))),
        [{"a": None}],
        [{"b": None}],
    ),
}


@pytest.mark.parametrize(("disjunct", "expected"), TYPES.values(), ids=TYPES)
def test_values_of_every_type(disjunct: Disjunct, expected: list[Any]) -> None:
    found = [value for value in SOME if admits(disjunct, value, algebra_of())]
    assert list(map(repr, found)) == list(map(repr, expected))


@pytest.mark.parametrize(("array", "inside", "outside"), ARRAYS.values(), ids=ARRAYS)
def test_arrays(array: Array, inside: list[Any], outside: list[Any]) -> None:
    assert [value for value in (*inside, *outside) if admits(array, value, algebra_of())] == inside


@pytest.mark.parametrize(("schema", "inside", "outside"), OBJECTS.values(), ids=OBJECTS)
def test_objects(schema: Object, inside: list[Any], outside: list[Any]) -> None:
    assert [value for value in (*inside, *outside) if admits(schema, value, algebra_of())] == inside


def test_references_are_followed_as_deep_as_the_value() -> None:
    algebra = algebra_of({"list": {"type": "array", "items": {"$ref": "#/$defs/list"}}})
    values = [[], [[[]], []], [[[1]]], None]
    assert [value for value in values if admits(schema_of("list", algebra), value, algebra)] == [[], [[[]], []]]


@pytest.mark.parametrize("disjunct", [SENTENCE, Complement(SENTENCE), Union((SENTENCE, String()))], ids=str)
def test_texts_of_a_grammar_are_not_judged(disjunct: Disjunct) -> None:
    with pytest.raises(InexpressibleError, match="the value 'a' beside sentence start of"):
        admits(disjunct, "a", algebra_of())


@pytest.mark.parametrize("disjunct", [SENTENCE, Complement(SENTENCE)], ids=str)
def test_what_is_no_text_is_not_of_a_grammar(disjunct: Disjunct) -> None:
    assert not any(admits(disjunct, value, algebra_of()) for value in SOME if not isinstance(value, str))


@pytest.mark.parametrize("name", ATOMS)
def test_membership_is_validity(name: str) -> None:
    algebra, validator = algebra_of(ATOMS), Draft202012Validator(ATOMS[name])
    found = [any(admits(disjunct, value, algebra) for disjunct in shape_of(name, algebra)) for value in VALUES]
    assert found == list(map(validator.is_valid, VALUES))
