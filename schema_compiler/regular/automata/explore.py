"""Build a transition table by exploring it: the one primitive that every construction here stands on.

A state is any hashable value that says what has been read so far: a set of pattern positions, a pair of states,
"three digits, remainder 2". ``explore`` numbers the values it meets, breadth first, so a construction is only a
start value and a function that follows it (the idea is ``crawl`` of the greenery library). Example, binary numbers
divisible by three::

    table, remainders = explore(0, lambda r: (((bit,), (2 * r + bit) % 3) for bit in (0, 1)), width=2)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from schema_compiler.errors import CompileBudgetError

__all__ = ["STATE_BUDGET", "Table", "explore"]

State = TypeVar("State", bound=Hashable)
Table: TypeAlias = npt.NDArray[np.int32]

STATE_BUDGET = 20_000


def explore(
    start: State,
    follow: Callable[[State], Iterable[tuple[Sequence[int], State]]],
    *,
    width: int,
    limit: int = STATE_BUDGET,
) -> tuple[Table, list[State]]:
    """Number all states reachable from ``start`` (number 0).

    ``follow(state)`` yields pairs (symbols, next state); symbols without a pair have no next state. Returns the int32
    table ``[states, width]`` (-1: none) and the states by number. Raises ``CompileBudgetError`` beyond ``limit``.
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
