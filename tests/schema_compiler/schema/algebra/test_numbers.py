"""Number arithmetic against fractions."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.schema.algebra.numbers import (
    canonical_number,
    contains_number,
    exact,
    is_number,
    least_of,
    meet_numbers,
    numbers_between,
    numbers_beyond,
    numbers_not_in,
    numbers_outside,
)
from schema_compiler.schema.ir import Never, Number

_decimals = st.decimals(-4, 4, places=2)
_numbers = st.builds(
    Number,
    integer=st.booleans(),
    minimum=st.none() | _decimals,
    maximum=st.none() | _decimals,
    exclusive_minimum=st.booleans(),
    exclusive_maximum=st.booleans(),
    multiple_of=st.none() | st.sampled_from([Decimal("0.01"), Decimal("0.5"), Decimal("1.5"), Decimal(2), Decimal(3)]),
)


@settings(max_examples=300, deadline=None)
@given(_numbers, _numbers, _decimals | st.integers(-5, 5).map(Decimal))
def test_an_intersection_has_the_values_of_both(left: Number, right: Number, value: Decimal) -> None:
    both = meet_numbers(left, right)
    found = not isinstance(both, Never) and contains_number(both, value)
    assert found == (_contains(left, value) and _contains(right, value))


@settings(max_examples=300, deadline=None)
@given(_numbers)
def test_a_range_without_values_is_never(number: Number) -> None:
    hundredths = (Decimal(n).scaleb(-2) for n in range(-500, 501))
    bounded = number.minimum is not None and number.maximum is not None
    fine = number.integer or number.multiple_of is not None
    if bounded and fine:
        assert isinstance(canonical_number(number), Never) != any(_contains(number, value) for value in hundredths)


@given(_numbers, _decimals)
def test_beyond_is_outside_the_bounds(number: Number, value: Decimal) -> None:
    bounds = replace(number, integer=False, multiple_of=None)
    assert _contains(bounds, value) != any(_contains(part, value) for part in numbers_beyond(bounds)) or not (
        isinstance(canonical_number(bounds), Number)
    )


@given(_numbers, _numbers, _decimals | st.integers(-5, 5).map(Decimal))
def test_outside_is_what_the_other_number_leaves(number: Number, other: Number, value: Decimal) -> None:
    parts = numbers_outside(number, other)
    if parts is not None:
        found = sum(contains_number(part, value) for part in parts)
        low, high = other.minimum, other.maximum
        crossed = low is not None and high is not None and low >= high
        assert crossed or found == (_contains(number, value) and not _contains(other, value))


def test_only_ranges_leave_ranges() -> None:
    anything, integers = Number(), Number(integer=True, minimum=Decimal(3))
    assert numbers_outside(integers, anything) == []
    assert numbers_outside(integers, Number(integer=True)) == []
    assert numbers_outside(anything, integers) is None
    assert numbers_outside(integers, Number(multiple_of=Decimal(2))) is None


def test_steps_keep_all_their_digits() -> None:
    step = Decimal("0.1234567890123456789012345678901234567891")
    both = meet_numbers(Number(multiple_of=step), Number(multiple_of=Decimal(3)))
    assert isinstance(both, Number)
    assert both.multiple_of is not None
    assert Fraction(both.multiple_of) == 3 * 10**40 * Fraction(step) / 1


CANONICAL: dict[str, tuple[Number, str]] = {
    "integer bounds are rounded inwards": (
        Number(integer=True, minimum=Decimal("0.5"), maximum=Decimal("3.2")),
        "integer in [1, 3]",
    ),
    "excluded integer bounds": (
        Number(integer=True, minimum=Decimal(1), maximum=Decimal(5), exclusive_minimum=True, exclusive_maximum=True),
        "integer in [2, 4]",
    ),
    "negative integer bounds": (
        Number(integer=True, minimum=Decimal("-1.5"), maximum=Decimal("-0.5")),
        "integer in [-1, -1]",
    ),
    "other bounds stay": (Number(minimum=Decimal("0.5"), exclusive_minimum=True), "number in (0.5, inf)"),
    "integers are multiples of one": (Number(integer=True, multiple_of=Decimal("0.5")), "integer"),
    "integers in steps that are not whole": (Number(integer=True, multiple_of=Decimal("1.5")), "integer step 3"),
    "one number": (Number(minimum=Decimal(2), maximum=Decimal(2)), "number in [2, 2]"),
}

IMPOSSIBLE: dict[str, Number] = {
    "bounds": Number(minimum=Decimal(2), maximum=Decimal(1)),
    "a single excluded bound": Number(minimum=Decimal(2), maximum=Decimal(2), exclusive_maximum=True),
    "no integer between": Number(integer=True, minimum=Decimal("0.2"), maximum=Decimal("0.8")),
    "no multiple between": Number(multiple_of=Decimal(7), minimum=Decimal(1), maximum=Decimal(6)),
    "a multiple that is excluded": Number(
        multiple_of=Decimal(7), minimum=Decimal(7), maximum=Decimal(14), exclusive_minimum=True, exclusive_maximum=True
    ),
    "all are excluded": Number(integer=True, excluded=(Number(),)),
    "all multiples are excluded": Number(multiple_of=Decimal(6), excluded=(Number(multiple_of=Decimal(3)),)),
}


@pytest.mark.parametrize(("number", "text"), CANONICAL.values(), ids=CANONICAL)
def test_canonical_numbers(number: Number, text: str) -> None:
    assert str(canonical_number(number)) == text


@pytest.mark.parametrize("number", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible_numbers(number: Number) -> None:
    never = canonical_number(number)
    assert isinstance(never, Never)
    assert never.reason.startswith("no number satisfies: ")


def test_a_bound_that_is_not_there_is_not_excluded() -> None:
    number = canonical_number(Number(exclusive_minimum=True, exclusive_maximum=True))
    assert number == Number()


def test_numbers_between_quotes_are_none() -> None:
    assert meet_numbers(Number(quoted=True), Number()) == Never("a number between quotes is not a number")
    assert meet_numbers(Number(quoted=True), Number(quoted=True, integer=True)) == Number(quoted=True, integer=True)


@pytest.mark.parametrize(
    ("left", "right", "both"),
    [
        (Number(integer=True, fraction=True), Number(integer=True, fraction=True), True),
        (Number(integer=True, fraction=True), Number(integer=True), False),
        (Number(integer=True, fraction=True), Number(), True),
        (Number(integer=True), Number(), False),
    ],
    ids=["both", "one of two", "a number beside", "none"],
)
def test_spellings_with_a_fraction_are_those_of_both(left: Number, right: Number, both: bool) -> None:
    for common in (meet_numbers(left, right), meet_numbers(right, left)):
        assert common == Number(integer=True, fraction=both)


def test_digits_are_limited_by_both() -> None:
    common = meet_numbers(Number(max_digits=5, decimal_places=2), Number(max_digits=3))
    assert common == Number(max_digits=3, decimal_places=2)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, True), (1.5, True), (Decimal("1.5"), True), (True, False), ("1", False), (None, False), (float("nan"), False),
     (float("inf"), False), (Decimal("Infinity"), False)],
    ids=repr,
)  # fmt: skip
def test_what_is_a_number(value: Any, expected: bool) -> None:
    assert is_number(value) == expected


def test_floats_stand_for_their_spelling() -> None:
    assert [exact(value) for value in (0.1, 3, Decimal("0.10"))] == [Decimal("0.1"), Decimal(3), Decimal("0.10")]


def test_the_least_of_two_limits() -> None:
    assert [least_of(*limits) for limits in ((None, None), (None, 0), (2, None), (2, 1))] == [None, 0, 2, 1]


def test_numbers_between_values() -> None:
    ranges = ["number in (-inf, 1)", "number in (1, 2.5)", "number in (2.5, inf)"]
    assert list(map(str, numbers_between([Decimal("2.5"), Decimal(1), Decimal("1.0")]))) == ranges


NOT_IN: dict[str, tuple[Number, list[str]]] = {
    "all numbers": (Number(), []),
    "bounds": (
        Number(minimum=Decimal(1), maximum=Decimal(2), exclusive_maximum=True),
        ["number in (-inf, 1)", "number in [2, inf)"],
    ),
    "integers, in all spellings": (Number(integer=True), ["number !(integer.0)"]),
    "multiples": (Number(multiple_of=Decimal(3)), ["number !(number step 3)"]),
    "excluded numbers": (
        Number(excluded=(Number(integer=True), Number(maximum=Decimal(0)))),
        ["integer", "number in (-inf, 0]"],
    ),
}


@pytest.mark.parametrize(("number", "texts"), NOT_IN.values(), ids=NOT_IN)
def test_numbers_not_in(number: Number, texts: list[str]) -> None:
    assert list(map(str, numbers_not_in(number))) == texts


def _contains(number: Number, value: Decimal) -> bool:
    low, high, exact = number.minimum, number.maximum, Fraction(value)
    return (
        (low is None or exact > Fraction(low) or (exact == Fraction(low) and not number.exclusive_minimum))
        and (high is None or exact < Fraction(high) or (exact == Fraction(high) and not number.exclusive_maximum))
        and (not number.integer or exact.denominator == 1)
        and (number.multiple_of is None or (exact / Fraction(number.multiple_of)).denominator == 1)
    )
