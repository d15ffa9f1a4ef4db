"""Number automata, against exact arithmetic on the spelling."""

from __future__ import annotations

import json
import math
import re
import struct
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.numbers.decimals import decimal, integer, quoted
from tests.schema_compiler.regular.walks import random_texts

small = st.integers(-120, 1500)
wide = small | st.integers(-(10**25), 10**25) | st.integers(0, 30).map(lambda power: 10**power)
short_decimals = st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-2000, max_value=2000)
scaled_decimals = st.builds(lambda digits, power: Decimal(digits).scaleb(power), small, st.integers(-30, 30))
bounds = st.none() | short_decimals | scaled_decimals

PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
SCIENTIFIC = re.compile(r"-?[1-9](?:\.\d+)?[eE][+-]?\d{1,3}")


@given(st.none() | wide, st.none() | wide, st.none() | st.integers(1, 60), st.lists(wide, max_size=5))
@settings(max_examples=120, deadline=None)
def test_integers_between_bounds(low: int | None, high: int | None, step: int | None, others: list[int]) -> None:
    dfa = integer(low, high, step)
    near = [bound + offset for bound in (low or 0, high or 0) for offset in range(-3, 4)]
    for value in [*near, *others, *(other * (step or 1) for other in others), 9, 10, 99, 100]:
        unlimited = (value > 0 and high is None and len(str(value)) > 19 and (low or 0) < 10**19) or (
            value < 0 and low is None and len(str(-value)) > 19 and (high or 0) > -(10**19)
        )
        if unlimited:
            assert not dfa.accepts(str(value).encode())
            continue
        expected = (low is None or value >= low) and (high is None or value <= high) and value % (step or 1) == 0
        beyond = (low is None and value < 0) or (high is None and value > 0)
        if expected and beyond and len(str(abs(value))) > 19:
            continue  # how far a side without a bound goes beyond a long bound is not promised
        assert dfa.accepts(str(value).encode()) == expected, value


@pytest.mark.parametrize("text", ["", "-", "-0", "00", "01", "+1", "1.0", "1e3", " 1", "1" * 20])
def test_integer_spellings_refused(text: str) -> None:
    assert not integer().accepts(text.encode())


def test_integers_with_a_fraction() -> None:
    dfa = integer(1, 20, fraction=True)
    assert [text for text in ("3", "3.0", "3.000", "3.", "3.0000", "3.1", "21.0") if dfa.accepts(text.encode())] == [
        "3", "3.0", "3.000",
    ]  # fmt: skip


def test_empty_ranges_are_empty() -> None:
    assert integer(5, 3).is_empty
    assert integer(1, 6, 7).is_empty
    assert decimal(Decimal("1.5"), Decimal("1.4")).is_empty
    assert decimal(Decimal(1), Decimal(1), True).is_empty
    assert not decimal(Decimal(1), Decimal(1)).is_empty


def test_steps_beyond_the_budget_are_refused() -> None:
    with pytest.raises(CompileBudgetError):
        integer(multiple_of=98765)
    assert integer(multiple_of=10**12).accepts(b"3000000000000")
    assert integer(0, 10**6, 98765).accepts(b"197530")


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=300, deadline=None)
def test_every_float_as_python_prints_it(value: float) -> None:
    assert decimal().accepts(repr(value).encode())


@pytest.mark.parametrize("text", ["3.0", "0.1", "1e-07", "1e-7", "1.5e+16", "1e16", "2E5", "-0.0", "-0", "0", "0.00"])
def test_decimal_spellings_accepted(text: str) -> None:
    assert decimal().accepts(text.encode())


@pytest.mark.parametrize(
    "text",
    ["", "-", "1.", ".5", "00", "01.5", "--1", "+1", "1e", "1e+", "0e5", "10e5", "1e400", "1e-400", "1.8e308",
     "Infinity", "1.7976931348623159e308", "1e1e1", "1.5.2", "123456789012345678", "0." + "0" * 21 + "1"],
)  # fmt: skip
def test_decimal_spellings_refused(text: str) -> None:
    assert not decimal().accepts(text.encode())


def spellings(value: Decimal) -> list[str]:
    """Ways to write a number, plain and scientific."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    number = "".join(map(str, digits))
    point = f"{number[0]}.{number[1:]}" if len(number) > 1 else number
    power = len(number) - 1 + exponent
    minus = "-" * sign
    return [f"{value:f}", f"{value:f}.0", f"{minus}{point}e{power}", f"{minus}{point}E{power:+03d}", f"{value:f}0"]


def neighbours(bound: Decimal) -> list[Decimal]:
    """The bound, its opposite, and numbers a little off in every digit."""
    steps = [Decimal(1).scaleb(power) for power in range(bound.adjusted() - 12, bound.adjusted() + 2, 2)]
    near = [bound, -bound, *(bound + step for step in steps), *(bound - step for step in steps), bound * 10, bound / 10]
    return [value for value in near if len(value.as_tuple().digits) <= 17]


def well_spelled(text: str) -> bool:
    """Inside the shape that bounds do not touch: few enough digits, zeros and powers."""
    mantissa, _, power = text.lower().partition("e")
    significant = mantissa.lstrip("-").replace(".", "").lstrip("0")
    fraction = mantissa.partition(".")[2]
    shaped = SCIENTIFIC.fullmatch(text) if power else PLAIN.fullmatch(text)
    zeros = len(fraction) - len(fraction.lstrip("0"))
    return bool(shaped) and len(significant) <= 17 and zeros <= 20 and abs(int(power or 0)) <= 300


@given(bounds, bounds, st.booleans(), st.booleans(), st.lists(short_decimals | scaled_decimals, max_size=4))
@settings(max_examples=60, deadline=None)
def test_decimals_between_bounds(
    low: Decimal | None, high: Decimal | None, above: bool, below: bool, others: list[Decimal]
) -> None:
    dfa = decimal(low, high, above, below)
    candidates = [*others, *(near for bound in (low, high) if bound is not None for near in neighbours(bound))]
    for text in {text for value in [*candidates, Decimal(0)] for text in spellings(value) if well_spelled(text)}:
        value = Fraction(text)
        expected = (low is None or value > Fraction(low) or (value == Fraction(low) and not above)) and (
            high is None or value < Fraction(high) or (value == Fraction(high) and not below)
        )
        rounded = (above and low is not None and float(text) == float(low)) or (
            below and high is not None and float(text) == float(high)
        )
        assert dfa.accepts(text.encode()) == (expected and not rounded), text


@pytest.mark.parametrize(
    ("low", "high"), [("0.1", "0.3"), ("0", "1"), ("-1", "0"), ("9007199254740992", "1e17"), ("1e-300", "1e300")]
)
def test_exclusive_bounds_hold_for_the_float_that_is_read(low: str, high: str) -> None:
    check = TypeAdapter(Annotated[float, Field(gt=float(low), lt=float(high))])
    dfa = decimal(Decimal(low), Decimal(high), True, True)
    for walked in random_texts(dfa, 300):
        check.validate_json(walked)
    for bound in (low, high):
        for offset in range(-9, 10):
            near = f"{Decimal(bound) + Decimal(offset).scaleb(Decimal(bound).adjusted() - 16)}"
            if dfa.accepts(near.encode()):
                check.validate_json(near)


@given(
    st.sampled_from(["1", "7", "100", "0.01", "0.05", "0.125", "2.5", "0.3", "30", "12.5", "60"]).map(Decimal),
    st.lists(st.integers(-5000, 5000), min_size=5, max_size=20),
    st.integers(0, 4),
)
@settings(max_examples=60, deadline=None)
def test_decimal_multiples(step: Decimal, numbers: list[int], places: int) -> None:
    dfa = decimal(multiple_of=step)
    for number in numbers:
        for value in (Decimal(number).scaleb(-places), number * step):
            text = f"{value:f}"
            assert dfa.accepts(text.encode()) == (Fraction(text) % Fraction(step) == 0), text


@pytest.mark.parametrize(("digits", "places"), [(4, 2), (4, None), (None, 2), (2, 4), (3, 3), (5, 0), (1, 1), (20, 2)])
def test_digit_limits_are_pydantics(digits: int | None, places: int | None) -> None:
    limits: dict[str, Any] = {"max_digits": digits, "decimal_places": places}
    check = TypeAdapter(Annotated[Decimal, Field(**limits)])
    dfa = decimal(max_digits=digits, decimal_places=places, exponent=False)
    for walked in (*random_texts(dfa, 200), *random_texts(quoted(dfa), 200)):
        check.validate_json(walked)
    # where no digit may stand before the point, Pydantic reads 0.0 between quotes but not as a number
    bare_zero = digits is None or digits > (places or 0)
    for whole in ("0", "1", "10", "100", "123", "1234", "12345", "-0", "-99", "12340"):
        for fraction in ("", ".0", ".1", ".10", ".01", ".001", ".000", ".1230", ".12345", ".00010"):
            text = whole + fraction
            if not bare_zero and not float(text):
                continue
            try:
                check.validate_json(json.dumps(text))
                expected = True
            except ValidationError:
                expected = False
            assert dfa.accepts(text.encode()) == expected, text


@given(st.binary(min_size=8, max_size=8))
@settings(max_examples=200, deadline=None)
def test_any_bits_that_are_a_finite_float(bits: bytes) -> None:
    (value,) = struct.unpack("d", bits)
    if math.isfinite(value):
        assert decimal().accepts(repr(value).encode())


def test_accepted_texts_are_finite_json_numbers() -> None:
    for text in random_texts(decimal(), 500):
        assert math.isfinite(json.loads(text))
        assert well_spelled(text.decode()) or b"e" in text.lower()
