"""What the keywords of numbers say, in the spelling of each draft."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import CompileBudgetError, ImpossibleSchemaError, InvalidSchemaError
from schema_compiler.schema.normalization.normalize import normalize
from schema_compiler.schema.normalization.numbers import read_number
from tests.schema_compiler.schema.normalization.places import (
    DRAFT_4,
    DRAFT_6,
    NOT_NUMBER,
    disagreements,
    registry_of,
    shape_of,
)

NUMBERS: dict[str, tuple[dict[str, Any], str]] = {
    "no keyword": ({}, "number"),
    "minimum admits the bound": ({"minimum": 1}, "number in [1, inf)"),
    "maximum admits the bound": ({"maximum": 1}, "number in (-inf, 1]"),
    "a bound of zero": ({"minimum": 0, "maximum": 0}, "number in [0, 0]"),
    "exclusiveMinimum leaves the bound out": ({"exclusiveMinimum": 1}, "number in (1, inf)"),
    "exclusiveMaximum leaves the bound out": ({"exclusiveMaximum": 1}, "number in (-inf, 1)"),
    "exclusiveMinimum above minimum": ({"minimum": 1, "exclusiveMinimum": 2}, "number in (2, inf)"),
    "exclusiveMinimum below minimum": ({"minimum": 2, "exclusiveMinimum": 1}, "number in [2, inf)"),
    "exclusiveMinimum at minimum": ({"minimum": 1, "exclusiveMinimum": 1}, "number in (1, inf)"),
    "exclusiveMaximum below maximum": ({"maximum": 2, "exclusiveMaximum": 1}, "number in (-inf, 1)"),
    "exclusiveMaximum above maximum": ({"maximum": 1, "exclusiveMaximum": 2}, "number in (-inf, 1]"),
    "exclusiveMaximum at maximum": ({"maximum": 1, "exclusiveMaximum": 1}, "number in (-inf, 1)"),
    "draft 4: exclusiveMinimum true": ({**DRAFT_4, "minimum": 1, "exclusiveMinimum": True}, "number in (1, inf)"),
    "draft 4: exclusiveMinimum false": ({**DRAFT_4, "minimum": 1, "exclusiveMinimum": False}, "number in [1, inf)"),
    "draft 4: exclusiveMinimum alone": ({**DRAFT_4, "maximum": 1, "exclusiveMinimum": True}, "number in (-inf, 1]"),
    "draft 4: exclusiveMaximum true": ({**DRAFT_4, "maximum": 1, "exclusiveMaximum": True}, "number in (-inf, 1)"),
    "draft 4: exclusiveMaximum false": ({**DRAFT_4, "maximum": 1, "exclusiveMaximum": False}, "number in (-inf, 1]"),
    "draft 4: exclusiveMaximum alone": ({**DRAFT_4, "minimum": 1, "exclusiveMaximum": True}, "number in [1, inf)"),
    "draft 6: exclusiveMinimum is a bound": ({**DRAFT_6, "exclusiveMinimum": 1}, "number in (1, inf)"),
    "a float is its shortest spelling": ({"minimum": 0.1}, "number in [0.1, inf)"),
    "whole numbers have no limit": ({"minimum": 10**30}, f"number in [1{'0' * 30}, inf)"),
    "multipleOf": ({"multipleOf": 0.01}, "number step 0.01"),
    "multipleOf 1 beside a bound": ({"multipleOf": 1, "minimum": 0.5}, "number in [0.5, inf) step 1"),
    "digits of a decimal": ({"x-pydantic-max-digits": 3, "x-pydantic-decimal-places": 2}, "number digits 3 places 2"),
}

INTEGERS: dict[str, tuple[dict[str, Any], str]] = {
    "no keyword": ({}, "integer"),
    "minimum is rounded up": ({"minimum": 1.5}, "integer in [2, inf)"),
    "maximum is rounded down": ({"maximum": -1.5}, "integer in (-inf, -2]"),
    "minimum below zero is rounded up": ({"minimum": -0.5}, "integer in [0, inf)"),
    "exclusiveMinimum of a whole number": ({"exclusiveMinimum": 1}, "integer in [2, inf)"),
    "exclusiveMaximum of a whole number": ({"exclusiveMaximum": 3}, "integer in (-inf, 2]"),
    "exclusiveMaximum between whole numbers": ({"exclusiveMaximum": 2.5}, "integer in (-inf, 2]"),
    "draft 4: exclusiveMinimum true": ({**DRAFT_4, "minimum": 1, "exclusiveMinimum": True}, "integer in [2, inf)"),
    "multipleOf a fraction of one": ({"multipleOf": 0.5}, "integer"),
    "multipleOf three halves": ({"multipleOf": 1.5}, "integer step 3"),
    "multipleOf a whole number": ({"multipleOf": 4}, "integer step 4"),
    "so many digits": ({"x-pydantic-max-digits": 2}, "integer in [-99, 99]"),
    "so many digits between bounds": ({"x-pydantic-max-digits": 2, "minimum": -5}, "integer in [-5, 99]"),
    "digits that decimal places take": (
        {"x-pydantic-max-digits": 5, "x-pydantic-decimal-places": 2, "multipleOf": 2},
        "integer in [-999, 999] step 2",
    ),
    "decimal places": ({"x-pydantic-decimal-places": 2}, "integer"),
}

EMPTY: dict[str, tuple[dict[str, Any], str]] = {
    "minimum above maximum": ({"type": "number", "minimum": 3, "maximum": 2}, "number in [3, 2]"),
    "an exclusive bound at the other": ({"type": "number", "minimum": 2, "exclusiveMaximum": 2}, "number in [2, 2)"),
    "no whole number between": (
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
        "integer in [2, 1]",
    ),
    "no multiple between": (
        {"type": "number", "minimum": 1, "maximum": 2, "multipleOf": 2.5},
        "number in [1, 2] step 2.5",
    ),
    "no digits": ({"type": "integer", "x-pydantic-max-digits": 0}, "integer digits 0"),
    "no digits before the point": (
        {"type": "integer", "x-pydantic-max-digits": 2, "x-pydantic-decimal-places": 2},
        "integer digits 2 places 2",
    ),
    "too few digits": (
        {"type": "number", "minimum": 1000, "x-pydantic-max-digits": 3},
        "number in [1000, inf) digits 3",
    ),
}

MALFORMED: dict[str, tuple[dict[str, Any], str]] = {
    "minimum is a number": ({"minimum": "1"}, "expected minimum to be a number, found '1'"),
    **{
        f"null is no number: {keyword}": ({keyword: None}, f"expected {keyword} to be a number, found None")
        for keyword in ("minimum", "exclusiveMaximum", "multipleOf", "x-pydantic-max-digits")
    },
    "true is no number": ({"minimum": True}, "expected minimum to be a number, found True"),
    "numbers are finite": ({"maximum": float("inf")}, "expected maximum to be a number, found inf"),
    "exclusiveMaximum is a number": ({"exclusiveMaximum": "1"}, "expected exclusiveMaximum to be a number, found '1'"),
    "multipleOf is a number": ({"multipleOf": [2]}, "expected multipleOf to be a number, found [2]"),
    "multipleOf is not zero": ({"multipleOf": 0}, "expected multipleOf to be greater than 0, found 0"),
    "multipleOf is not negative": ({"multipleOf": -0.5}, "expected multipleOf to be greater than 0, found -0.5"),
    "digits are counted": (
        {"x-pydantic-max-digits": -1},
        "expected x-pydantic-max-digits to be a whole number of at least 0, found -1",
    ),
    "places are counted": (
        {"x-pydantic-decimal-places": 1.5},
        "expected x-pydantic-decimal-places to be a whole number of at least 0, found 1.5",
    ),
}


@pytest.mark.parametrize(("raw", "expected"), NUMBERS.values(), ids=NUMBERS)
def test_numbers(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "number"}) == expected


@pytest.mark.parametrize(("raw", "expected"), INTEGERS.values(), ids=INTEGERS)
def test_integers(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "integer"}) == expected


@pytest.mark.parametrize(
    "raw",
    [{**raw, "type": "number"} for raw, _ in NUMBERS.values() if not any(name.startswith("x-") for name in raw)]
    + [{**raw, "type": "integer"} for raw, _ in INTEGERS.values() if all(name[0] not in "$x" for name in raw)],
    ids=str,
)
def test_numbers_mean_what_jsonschema_says(raw: dict[str, Any]) -> None:
    values = [bound * direction for bound in (0, 0.01, 0.1, 0.5, 1, 1.5, 2, 2.5, 3, 4, 10**9) for direction in (1, -1)]
    assert disagreements(raw, values) == []


def test_other_types_are_not_concerned() -> None:
    assert shape_of({"minimum": 1}) == NOT_NUMBER.replace("boolean", "boolean | number in [1, inf)")
    assert shape_of({"type": ["string", "number"], "multipleOf": 2}) == "string | number step 2"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"type": "integer"}, "integer.0"),
        ({"type": "integer", "minimum": 1}, "integer.0 in [1, inf)"),
        ({"type": "number"}, "number"),
        ({**DRAFT_6, "type": "integer"}, "integer.0"),
        ({**DRAFT_4, "type": "integer"}, "integer"),
        ({"type": "string", "x-pydantic-quoted": "integer"}, "quoted integer"),
    ],
    ids=["integer", "integer with a bound", "number", "draft 6", "draft 4 has no integer 1.0", "between quotes"],
)
def test_integers_with_a_fraction_of_zero(raw: dict[str, Any], expected: str) -> None:
    assert shape_of(raw, integer_fraction=True) == expected


@pytest.mark.parametrize(("raw", "number"), EMPTY.values(), ids=EMPTY)
def test_what_no_number_satisfies(raw: dict[str, Any], number: str) -> None:
    with pytest.raises(ImpossibleSchemaError) as caught:
        normalize(raw)
    assert str(caught.value) == f"no value satisfies the schema: no number satisfies: {number} at the root"


@pytest.mark.parametrize(("raw", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_values(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        normalize({"properties": {"a": raw}}).report()
    assert (str(caught.value), caught.value.pointer) == (f"{message} at /properties/a", "/properties/a")


def test_integers_that_an_intersection_gives_have_few_digits() -> None:
    raw = {"allOf": [{"type": "integer"}, {"type": "number", "x-pydantic-max-digits": 2}]}
    assert shape_of(raw) == "integer in [-99, 99]"
    quoted = {"type": "string", "x-pydantic-quoted": "integer", "x-pydantic-max-digits": 2}
    assert shape_of(quoted) == "quoted integer in [-99, 99]"


def test_integers_of_too_many_digits() -> None:
    with pytest.raises(CompileBudgetError, match=r"^integer digits 1000000000 may have 1000000000 digits, the limit"):
        normalize({"type": "integer", "x-pydantic-max-digits": 10**9})


def test_a_number_is_read_between_quotes() -> None:
    registry = registry_of({"minimum": 0, "maximum": 9.5})
    place = registry.document.root
    assert str(read_number(place, registry, quoted=True)) == "quoted number in [0, 9.5]"
    assert str(read_number(place, registry, quoted=True, integer=True)) == "quoted integer in [0, 9]"
    assert str(read_number(place, registry)) == "number in [0, 9.5]"
