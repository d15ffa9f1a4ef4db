"""Number schemas with exclusions against exact arithmetic."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.numerals import numeral
from schema_compiler.schema.ir import Number

STEPS = st.sampled_from([None, *map(Decimal, ("1", "2", "3", "0.5", "1.5", "0.25"))])
BOUNDS = st.none() | st.sampled_from([*map(Decimal, ("-3", "0", "1.5", "4"))])
NUMBERS = st.builds(Number, integer=st.booleans(), multiple_of=STEPS, minimum=BOUNDS, exclusive_minimum=st.booleans())
UPPER = st.none() | st.sampled_from([*map(Decimal, ("1", "4.5", "17"))])
TEXTS = st.decimals(-20, 20, places=2).map(lambda value: f"{value.normalize():f}").filter(lambda text: text != "-0")


def contains(number: Number, value: Fraction) -> bool:
    """Whether ``value`` is one of the numbers."""
    low = None if number.minimum is None else Fraction(number.minimum)
    return (
        not (number.integer and value.denominator != 1)
        and (number.multiple_of is None or (value / Fraction(number.multiple_of)).denominator == 1)
        and (low is None or value > low or (value == low and not number.exclusive_minimum))
        and (number.maximum is None or value <= Fraction(number.maximum))
        and not any(contains(excluded, value) for excluded in number.excluded)
    )


@settings(max_examples=150, deadline=None)
@given(NUMBERS, UPPER, st.lists(NUMBERS, min_size=1, max_size=2), st.lists(TEXTS, min_size=20, max_size=40))
def test_excluded_numbers_are_left_out_in_every_spelling(
    base: Number, maximum: Decimal | None, excluded: list[Number], texts: list[str]
) -> None:
    number = replace(base, fraction=True, maximum=maximum, excluded=tuple(excluded))
    dfa = numeral(number)
    for text in texts:
        assert dfa.accepts(text.encode()) == contains(number, Fraction(text)), (str(number), text)


@pytest.mark.parametrize("text", ["2", "2.0", "-7.000", "1e2", "0"])
def test_no_integer_however_spelled(text: str) -> None:
    assert not numeral(Number(excluded=(Number(integer=True),))).accepts(text.encode())


def test_too_many_remainders_are_refused() -> None:
    steps = (Number(multiple_of=Decimal(step)) for step in (7, 11, 13, 17))
    with pytest.raises(CompileBudgetError, match="17017 remainders"):
        numeral(Number(excluded=tuple(steps)))


def test_few_numbers_are_listed_whatever_is_excluded() -> None:
    """Seventeen thousand remainders, but five numbers between the bounds."""
    steps = tuple(Number(multiple_of=Decimal(step)) for step in (7, 11, 13, 17))
    number = Number(minimum=Decimal(10), maximum=Decimal(14), multiple_of=Decimal(1), excluded=steps)
    accepted = [value for value in range(9, 16) if numeral(number).accepts(f"{value}.0".encode())]
    assert accepted == [10, 12]
    assert numeral(replace(number, minimum=Decimal(13), maximum=Decimal("14.5"))).is_empty
