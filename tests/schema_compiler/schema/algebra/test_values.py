"""Equality of JSON values, against a validator's ``const``; schemas that are few values."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from schema_compiler.schema.algebra.values import distinct, json_key, single_values
from schema_compiler.schema.ir import (
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    Never,
    Null,
    Number,
    Reference,
    Schema,
    String,
    Union,
)

EQUAL: dict[str, tuple[Any, Any]] = {
    "an integer and a float": (1, 1.0),
    "an integer and a decimal": (1, Decimal("1.00")),
    "both zeros": (0, -0.0),
    "a float and its shortest spelling": (0.1, Decimal("0.1")),
    "large numbers": (10**400, Decimal("1e400")),
    "numbers in a list": ([1, [2]], [1.0, [2.0]]),
    "numbers in an object": ({"a": 1}, {"a": 1.0}),
    "members in another order": ({"a": 1, "b": None}, {"b": None, "a": 1}),
}

DIFFERENT: dict[str, tuple[Any, Any]] = {
    "one and true": (1, True),
    "zero and false": (0, False),
    "one and true in a list": ([1], [True]),
    "one and true in an object": ({"a": 0}, {"a": False}),
    "a number and its text": (1, "1"),
    "null and false": (None, False),
    "null and its text": (None, "null"),
    "an empty text and null": ("", None),
    "an empty list and an empty object": ([], {}),
    "an empty list and false": ([], False),
    "an item and the list of it": ("a", ["a"]),
    "items in another order": ([1, 2], [2, 1]),
    "a list and a longer one": ([1], [1, 1]),
    "an object and a larger one": ({"a": 1}, {"a": 1, "b": 1}),
    "a list of pairs and an object": ([["a", 1]], {"a": 1}),
    "integers that are one float": (2**53, 2**53 + 1),
    "a float and its binary value": (0.1, Decimal("0.1000000000000000055511151231257827")),
}

SMALL_VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 1.0, -0.0, 0.5, "", "1", "a"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=3,
)

FEW = Number(integer=True, minimum=Decimal(2), maximum=Decimal(4))
TWO_SIXES = Union((Number(integer=True, minimum=Decimal(1), maximum=Decimal(600)),) * 2)
TWICE_SIX = Union((Enumeration(tuple(range(600))), Enumeration(tuple(range(600, 1200)))))

SINGLES: dict[str, tuple[Schema, list[str] | int | None]] = {
    "never": (Never(), []),
    "null": (Null(), ["null"]),
    "booleans": (Boolean(), ["one of [true]", "one of [false]"]),
    "an enumeration": (Enumeration(("a", [1], 2)), ['one of ["a"]', "one of [[1]]", "one of [2]"]),
    "integers between bounds": (FEW, ["one of [2]", "one of [3]", "one of [4]"]),
    "a negative range": (Number(integer=True, minimum=Decimal(-1), maximum=Decimal(-1)), ["one of [-1]"]),
    "a union": (
        Union((Null(), Boolean(), Enumeration((1,)))),
        ["null", "one of [true]", "one of [false]", "one of [1]"],
    ),
    "a union with a value twice": (Union((Enumeration((1, 2.0)), FEW)), 4),
    "a union in a union": (Union((Null(), Union((Never(), Enumeration(("a",)))))), ["null", 'one of ["a"]']),
    "a union with an endless option": (Union((Null(), String())), None),
    "as many integers as are listed": (Number(integer=True, minimum=Decimal(1), maximum=Decimal(1024)), 1024),
    "one integer more": (Number(integer=True, minimum=Decimal(0), maximum=Decimal(1024)), None),
    "as many values as are listed": (Enumeration(tuple(range(1024))), 1024),
    "one value more": (Enumeration(tuple(range(1025))), None),
    "a union of equal values": (TWO_SIXES, 600),
    "a union of too many values": (TWICE_SIX, None),
    "integers without a lower bound": (Number(integer=True, maximum=Decimal(1)), None),
    "integers without an upper bound": (Number(integer=True, minimum=Decimal(1)), None),
    "multiples": (Number(integer=True, minimum=Decimal(2), maximum=Decimal(4), multiple_of=Decimal(2)), None),
    "integers but some": (Number(integer=True, minimum=Decimal(2), maximum=Decimal(4), excluded=(FEW,)), None),
    "numbers that need not be whole": (Number(minimum=Decimal(2), maximum=Decimal(4)), None),
    "integers between quotes": (Number(integer=True, minimum=Decimal(2), maximum=Decimal(4), quoted=True), None),
    "strings": (String(0, 1), None),
    "arrays": (Array(max_items=0), None),
    "anything": (AnyValue(), None),
    "a reference": (Reference("a"), None),
}


@pytest.mark.parametrize(("left", "right"), EQUAL.values(), ids=EQUAL)
def test_equal_values(left: Any, right: Any) -> None:
    assert json_key(left) == json_key(right)
    assert hash(json_key(left)) == hash(json_key(right))


@pytest.mark.parametrize(("left", "right"), DIFFERENT.values(), ids=DIFFERENT)
def test_different_values(left: Any, right: Any) -> None:
    assert json_key(left) != json_key(right)


@settings(max_examples=100, deadline=None)
@given(SMALL_VALUES, SMALL_VALUES)
def test_equality_is_that_of_const(left: Any, right: Any) -> None:
    assert (json_key(left) == json_key(right)) == Draft202012Validator({"const": left}).is_valid(right)


def test_distinct_keeps_the_first_of_equal_values() -> None:
    values = distinct(iter([1, 1.0, True, "1", [1], [1.0], True, None, {"a": 1}, {"a": 1.0}, 2]))
    assert list(map(repr, values)) == ["1", "True", "'1'", "[1]", "None", "{'a': 1}", "2"]


@pytest.mark.parametrize(("schema", "expected"), SINGLES.values(), ids=SINGLES)
def test_single_values(schema: Schema, expected: list[str] | int | None) -> None:
    """A number says how many values there are."""
    values = single_values(schema)
    if isinstance(expected, int):
        assert values is not None
        assert len(values) == expected
    else:
        assert (None if values is None else list(map(str, values))) == expected


@pytest.mark.parametrize("fraction", [False, True])
def test_single_values_keep_their_fractions(fraction: bool) -> None:
    integers = Number(integer=True, fraction=fraction, minimum=Decimal(1), maximum=Decimal(1))
    for schema in (integers, Enumeration((1,), fraction)):
        assert single_values(schema) == (Enumeration((1,), fraction),)
