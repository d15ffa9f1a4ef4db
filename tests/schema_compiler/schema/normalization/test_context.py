"""What reading a place needs: the values of keywords, checked, and which formats are enforced."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from schema_compiler.errors import CompileBudgetError, InvalidSchemaError
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.schema.normalization.context import (
    ReadingOptions,
    count,
    expect,
    expect_json,
    expect_spellable,
    mapping,
    names_in,
    numeric,
    subschema,
)
from schema_compiler.schema.source.document import Place
from tests.schema_compiler.schema.normalization.places import registry_of

NUMBERS: dict[str, tuple[Any, Decimal]] = {
    "an integer": (3, Decimal(3)),
    "a float as it is written": (0.1, Decimal("0.1")),
    "a decimal": (Decimal("1.10"), Decimal("1.10")),
    "any size": (10**40, Decimal(10**40)),
    "below zero": (-2.5, Decimal("-2.5")),
}


def place(**raw: Any) -> Place:
    return Place("/a", raw)


@pytest.mark.parametrize(("value", "expected"), NUMBERS.values(), ids=NUMBERS)
def test_numeric(value: Any, expected: Decimal) -> None:
    assert numeric(place(k=value), "k") == expected


@pytest.mark.parametrize("value", [None, True, False, "1", [], {}, float("nan"), float("-inf")], ids=repr)
def test_what_is_not_numeric(value: Any) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        numeric(place(k=value), "k")
    assert (str(caught.value), caught.value.pointer) == (f"expected k to be a number, found {value!r} at /a", "/a")


@pytest.mark.parametrize("value", [0, 2, 2.0, Decimal("2.00"), 2e2], ids=repr)
def test_count(value: Any) -> None:
    counted = count(place(k=value), "k")
    assert (counted, type(counted)) == (int(value), int)


@pytest.mark.parametrize(("value", "found"), [(-1, "-1"), (1.5, "1.5"), (-0.5, "-0.5")])
def test_what_counts_nothing(value: Any, found: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        count(place(k=value), "k")
    assert str(caught.value) == f"expected k to be a whole number of at least 0, found {found} at /a"


def test_absent_keywords() -> None:
    nothing = place(other=1)
    assert numeric(nothing, "k") is None
    assert count(nothing, "k") is None
    assert expect(nothing, "k", list) is None
    assert mapping(nothing, "k") == {}


def test_expect() -> None:
    assert expect(place(k=[1]), "k", list) == [1]
    with pytest.raises(InvalidSchemaError) as caught:
        expect(place(k=None), "k", list)
    assert str(caught.value) == "expected k to be a list, found None at /a"


def test_mapping() -> None:
    assert mapping(place(k={"b": 1, "a": 2}), "k") == {"b": 1, "a": 2}
    assert list(mapping(place(k={"b": 1, "a": 2}), "k")) == ["b", "a"]
    with pytest.raises(InvalidSchemaError) as caught:
        mapping(place(k=["b"]), "k")
    assert str(caught.value) == "expected k to be a dict, found ['b'] at /a"


def test_names_in() -> None:
    assert names_in(["b", "a", "b"], "k", place()) == ["b", "a", "b"]
    assert names_in([], "k", place()) == []


@pytest.mark.parametrize("value", ["a", True, {"a": 1}, ["a", 1], [["a"]], None], ids=repr)
def test_what_is_no_list_of_names(value: Any) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        names_in(value, "k", place())
    assert str(caught.value) == f"expected k to be a list of names, found {value!r} at /a"


@pytest.mark.parametrize(
    "value",
    ["a\ud83d", ["é", "\udc00"], {"a": [{"b": "\ud800"}]}, {"\udfff": 1}],
    ids=["text", "item", "member", "name"],
)
def test_lone_surrogates_cannot_be_spelled(value: Any) -> None:
    with pytest.raises(InvalidSchemaError, match=r"^expected Unicode text, found a lone .* at /a") as caught:
        expect_json([value], "k", place())
    assert caught.value.pointer == "/a"


@pytest.mark.parametrize("text", ["", "é", "\U0001f600", "\ud7ff\ue000"])
def test_what_can_be_spelled(text: str) -> None:
    expect_spellable(text, place())


@pytest.mark.parametrize("value", [None, True, 0, 1.5, Decimal(2), "é", [], {}, ["a", {"b": [None, 10**400]}]], ids=str)
def test_json_values(value: Any) -> None:
    expect_json([], "k", place())
    expect_json([1, value], "k", place())


@pytest.mark.parametrize("part", [float("nan"), float("-inf"), Decimal("inf"), (1,), {1}, b""], ids=repr)
def test_what_is_no_json_value(part: Any) -> None:
    for value in (part, [1, [part]], {"a": {"b": part}}):
        with pytest.raises(InvalidSchemaError) as caught:
            expect_json([1, value], "k", place())
        assert str(caught.value) == f"expected k to hold JSON values, found {part!r} at /a"


def nested(depth: int) -> Any:
    """An empty list in so many lists."""
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_values_may_be_nested_so_deep() -> None:
    expect_json([nested(200)], "k", place())
    for depth in (201, 100_000):
        with pytest.raises(CompileBudgetError, match=r"^a value of k is nested over 200 deep at /a$"):
            expect_json([nested(depth)], "k", place())


def test_lone_surrogates_are_found_in_names() -> None:
    with pytest.raises(InvalidSchemaError, match="lone surrogate"):
        mapping(place(k={"\ud800": 1}), "k")
    with pytest.raises(InvalidSchemaError, match="lone surrogate"):
        names_in(["a", "\ud800"], "k", place())


def test_subschema() -> None:
    registry = registry_of({"anyOf": [{"type": "null"}, {"enum": [1]}], "properties": {"a/b": {"enum": [2]}}})
    root = registry.document.root
    assert str(subschema(root, registry, "anyOf", "0")) == "null"
    assert str(subschema(root, registry, "anyOf", "1")) == "@#/anyOf/1"
    assert str(subschema(root, registry, "properties", "a/b")) == "@#/properties/a~1b"
    with pytest.raises(InvalidSchemaError, match="expected a member '2', found none at /anyOf"):
        subschema(root, registry, "anyOf", "2")


@pytest.mark.parametrize(
    ("name", "dialect", "expected"),
    [
        ("date", "ecma", True),
        ("date", "python", True),
        ("byte", "ecma", False),
        ("byte", "python", True),
        ("byte", "rust", True),
        ("regex", "ecma", False),
        ("regex", "python", False),
        ("colour", "python", False),
        (None, "ecma", False),
        (["date"], "python", False),
    ],
)
def test_which_formats_are_enforced(name: object, dialect: Dialect, expected: bool) -> None:
    assert ReadingOptions(dialect, closed=False, integer_fraction=False).asserts(name) == expected
