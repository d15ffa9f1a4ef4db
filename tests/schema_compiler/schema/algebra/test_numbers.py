"""Number arithmetic against fractions."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.schema.algebra.numbers import (
    canonical_number,
    contains_number,
    meet_numbers,
    numbers_beyond,
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


def _contains(number: Number, value: Decimal) -> bool:
    low, high, exact = number.minimum, number.maximum, Fraction(value)
    return (
        (low is None or exact > Fraction(low) or (exact == Fraction(low) and not number.exclusive_minimum))
        and (high is None or exact < Fraction(high) or (exact == Fraction(high) and not number.exclusive_maximum))
        and (not number.integer or exact.denominator == 1)
        and (number.multiple_of is None or (exact / Fraction(number.multiple_of)).denominator == 1)
    )
