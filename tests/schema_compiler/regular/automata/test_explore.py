"""Exploring, against tables that are known by arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.explore import explore


@pytest.mark.parametrize("divisor", [1, 2, 3, 7])
def test_remainders_of_binary_numbers(divisor: int) -> None:
    """Numbers are read by the table as Python reads them."""
    table, remainders = explore(0, lambda r: (((bit,), (2 * r + bit) % divisor) for bit in (0, 1)), width=2)
    assert sorted(remainders) == list(range(divisor))
    for number in range(64):
        state = 0
        for bit in f"{number:b}":
            state = int(table[state, int(bit)])
        assert remainders[state] == number % divisor


def test_states_are_numbered_breadth_first_and_symbols_without_a_next_state_are_marked() -> None:
    def follow(word: str) -> Iterator[tuple[tuple[int, ...], str]]:
        if len(word) < 2:
            yield (1, 2), word + "x"
            yield (0,), word + "y"

    table, states = explore("", follow, width=4)
    assert states == ["", "x", "y", "xx", "xy", "yx", "yy"]
    assert table.dtype == np.int32
    assert table.tolist() == [[2, 1, 1, -1], [4, 3, 3, -1], [6, 5, 5, -1], *[[-1] * 4] * 4]


def test_the_limit_is_the_number_of_states_allowed() -> None:
    assert len(explore(0, lambda at: [((0,), (at + 1) % 10)], width=1, limit=10)[1]) == 10
    with pytest.raises(CompileBudgetError, match="more than 9 states"):
        explore(0, lambda at: [((0,), (at + 1) % 10)], width=1, limit=9)
