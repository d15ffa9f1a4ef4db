"""Comparisons of numbers by their spelling, against exact decimals."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import product

import pytest

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.numbers.comparison import (
    ABOVE,
    AT_LEAST,
    AT_MOST,
    BELOW,
    compare_plain,
    compare_scientific,
)

ORDERS = [ABOVE, AT_LEAST, AT_MOST, BELOW]
BOUNDS = [Decimal(text) for text in ("0", "-0", "25", "-25", "2.5", "-0.25", "0.05", "99.5", "1e3", "-1e-3", "2.50")]
PLAIN = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
NUMBERS = [
    text for length in range(1, 6) for text in map("".join, product("-.0259", repeat=length)) if PLAIN.fullmatch(text)
]
SCIENTIFIC = [
    f"{sign}{mantissa}{e}{power}"
    for sign, mantissa, e, power in product(
        ("", "-"),
        ("1", "2", "2.4", "2.5", "2.50", "2.51", "9.95", "9.9"),
        "eE",
        ("0", "+0", "1", "+1", "-1", "01", "-01", "2", "-2", "+3", "10", "-10", "300"),
    )
]


def order(text: str, bound: Decimal) -> int:
    return (Decimal(text) > bound) - (Decimal(text) < bound)


@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize("bound", BOUNDS)
def test_plain_spellings(bound: Decimal, orders: frozenset[int]) -> None:
    dfa = compare_plain(bound, orders)
    for text in NUMBERS:
        assert dfa.accepts(text.encode()) == (order(text, bound) in orders), text


@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize("bound", [*BOUNDS, Decimal("2.5e10"), Decimal("9.9e-10"), Decimal("-1e300")])
def test_scientific_spellings(bound: Decimal, orders: frozenset[int]) -> None:
    dfa = compare_scientific(bound, orders)
    for text in SCIENTIFIC:
        assert dfa.accepts(text.encode()) == (order(text, bound) in orders), text


def test_the_example_of_the_module() -> None:
    dfa = compare_plain(Decimal(25), AT_LEAST)
    assert [text for text in ("3", "24", "25.0", "31", "100") if dfa.accepts(text.encode())] == ["25.0", "31", "100"]


def test_bounds_with_too_many_digits_are_refused() -> None:
    with pytest.raises(CompileBudgetError):
        compare_plain(Decimal(10) ** 4000, AT_LEAST)
