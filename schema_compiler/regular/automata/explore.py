"""Build a transition table by exploring it: the one primitive on which nearly every construction here stands.

A state is any hashable value that says what has been read so far: a set of pattern positions, a pair of states,
"three digits, remainder 2". ``explore`` numbers the values it meets, breadth first, so a construction is only a
start value and a function that gives the next values (the idea is ``crawl`` of the greenery library). Example: binary
numbers by their remainder when divided by three::

    table, remainders = explore(0, lambda r: (((bit,), (2 * r + bit) % 3) for bit in (0, 1)), width=2)
    remainders == [0, 1, 2]
    table == [[0, 1], [2, 0], [1, 2]]       # from remainder 1, a further 0 leads to 2, a further 1 to 0
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from schema_compiler.errors import CompileBudgetError

__all__ = ["STATE_BUDGET", "Table", "explore"]

StateT = TypeVar("StateT", bound=Hashable)
Table: TypeAlias = npt.NDArray[np.int32]
"""The next state for every state and symbol, ``[states, symbols]``; -1 where there is none."""

STATE_BUDGET = 20_000
"""The most states of one automaton, so that a pattern whose subset construction grows exponentially is refused soon.

Chosen, not measured: the table of so many states over bytes takes 20 MiB.
"""


def explore(
    start: StateT,
    follow: Callable[[StateT], Iterable[tuple[Sequence[int], StateT]]],
    *,
    width: int,
    limit: int = STATE_BUDGET,
) -> tuple[Table, list[StateT]]:
    """Number all states reachable from ``start`` (number 0).

    ``follow(state)`` yields pairs (symbols, next state); symbols without a pair have no next state. Returns the int32
    table ``[states, width]`` (-1: none) and the states by number. Raises ``CompileBudgetError`` when there are more
    than ``limit`` states.
    """
    numbers = {start: 0}
    states = [start]
    blank = array("i", [-1]) * width
    table = blank[:0]
    for state in states:
        row = blank[:]
        for symbols, target in follow(state):
            number = numbers.setdefault(target, len(states))
            if number == len(states):
                states.append(target)
            for symbol in symbols:
                row[symbol] = number
        table += row
        if len(states) > limit:
            raise CompileBudgetError(f"an automaton needs more than {limit} states, the limit")
    return np.array(table, np.int32).reshape(-1, width), states
