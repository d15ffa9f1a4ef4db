"""How many characters a string can still take: the arithmetic behind length counters.

For a table whose ``boundary`` states begin characters, let ``A[n]`` be the set of states from which the text can be
completed with exactly ``n`` more characters begun. ``A[n + 1]`` depends on ``A[n]`` alone, so the sequence runs into
a cycle; a prefix and one period answer every question about bounds of any size, exactly.

    "^(ab)*$"  from the start: A[0] holds, A[1] does not, A[2] does, ... period 2
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.minimize import columns

__all__ = ["Lengths", "lengths_of"]

PERIOD_LIMIT = 10_000
"""How many character counts may behave differently before a pattern is refused."""

_FAR = np.int32(1 << 30)


@lru_cache(maxsize=64)
def lengths_of(dfa: Dfa) -> Lengths:
    """The ``Lengths`` of a table, kept for the tables in use."""
    return Lengths(dfa)


class Lengths:
    """Length questions about one table."""

    def __init__(self, dfa: Dfa) -> None:
        self._dfa = dfa
        narrow = dfa.table[:, columns(dfa.table)[0]]
        source, column = np.nonzero(narrow >= 0)
        target = narrow[source, column]
        begins = dfa.boundary[source] & ~dfa.accepting[target]
        edges = np.unique((source * len(dfa) + target) * 2 + begins)
        ends = np.stack(np.divmod(edges >> 1, len(dfa)))
        self._inside = ends[:, edges & 1 == 0]
        self._begins = ends[:, edges & 1 == 1]
        self._costs: list[npt.NDArray[np.int32]] = []
        self._possible, self._cycle = self._possible_lengths()
        self.settled = len(self._possible)
        self._table = np.array(self._possible)

    def _possible_lengths(self) -> tuple[list[list[bool]], int]:
        """``A[0], A[1], ...`` up to the end of the first period, and where the period starts."""
        seen: dict[bytes, int] = {}
        found: list[list[bool]] = []
        current = self._complete(self._dfa.accepting.copy())
        while (key := current.tobytes()) not in seen:
            if len(found) == PERIOD_LIMIT:
                raise CompileBudgetError(f"a counted pattern tells more than {PERIOD_LIMIT} lengths apart")
            seen[key] = len(found)
            found.append(current.tolist())
            following = np.zeros_like(current)
            source, target = self._begins
            following[source[current[target]]] = True
            current = self._complete(following)
        return found, seen[key]

    def _complete(self, states: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Add the states that reach ``states`` without beginning a character."""
        source, target = self._inside
        while True:
            grown = states.copy()
            grown[source[states[target]]] = True
            if np.array_equal(grown, states):
                return states
            states = grown

    def viable(self, state: int, least: int, most: int | None) -> bool:
        """Whether the text can be completed from ``state`` with ``least`` to ``most`` more characters."""
        if most is None or most - least >= self.settled:
            most = least + self.settled
        return any(self._possible[self._index(length)][state] for length in range(least, most + 1))

    def viable_each(
        self, states: npt.NDArray[np.int32], begun: npt.NDArray[np.int32], least: int, most: int | None
    ) -> npt.NDArray[np.bool_]:
        """``viable`` for many states at once, each after ``begun`` characters of the window are used up."""
        low = np.maximum(least - begun, 0)
        high = low + self.settled if most is None else np.minimum(most - begun, low + self.settled)
        found = np.zeros(states.shape, np.bool_)
        for length in range(self.settled + 1):
            wanted = low + length
            turn = self._cycle + (wanted - self._cycle) % (self.settled - self._cycle)
            found |= (wanted <= high) & self._table[np.where(wanted < self.settled, wanted, turn), states]
        return found

    def reduced(self, least: int, most: int | None, begun: int) -> tuple[int, int | None]:
        """A window that no text of up to ``begun`` characters tells from this one; there are only so many of these."""
        period = self.settled - self._cycle
        periods = max(0, least - begun - self.settled) // period
        least -= periods * period
        if most is not None:
            most -= periods * period
            if most - max(least, begun) >= self.settled:
                most = None
        return least, most

    def _index(self, length: int) -> int:
        if length < self.settled:
            return length
        return self._cycle + (length - self._cycle) % (self.settled - self._cycle)

    def closing(self, state: int, least: int, most: int | None) -> bytes:
        """The shortest completion from ``state`` with ``least`` to ``most`` more characters."""
        best, length = int(_FAR), least
        candidate = least
        while candidate < best + least and (most is None or candidate <= most):
            cost = int(self._cost(candidate)[state])
            if cost < best:
                best, length = cost, candidate
            if candidate >= best:
                break
            candidate += 1
        return self._spell(state, length)

    def _cost(self, length: int) -> npt.NDArray[np.int32]:
        """Per state the bytes of the shortest completion that begins exactly ``length`` characters."""
        while len(self._costs) <= length:
            cost = np.full(len(self._dfa.table), _FAR, np.int32)
            if self._costs:
                source, target = self._begins
                np.minimum.at(cost, source, self._costs[-1][target] + 1)
            else:
                cost[self._dfa.accepting] = 0
            self._costs.append(self._relax(cost))
        return self._costs[length]

    def _relax(self, cost: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        source, target = self._inside
        while True:
            lower = cost.copy()
            np.minimum.at(lower, source, cost[target] + 1)
            lower = np.minimum(lower, _FAR)
            if np.array_equal(lower, cost):
                return cost
            cost = lower

    def _spell(self, state: int, length: int) -> bytes:
        text = bytearray()
        while length or not self._dfa.accepting[state]:
            wanted = self._cost(length)[state] - 1
            for byte in np.flatnonzero(self._dfa.table[state] >= 0).tolist():
                target = int(self._dfa.table[state, byte])
                begins = int(self._dfa.boundary[state] and not self._dfa.accepting[target])
                if begins <= length and self._cost(length - begins)[target] == wanted:
                    break
            else:
                raise AssertionError("a viable state has a completion")
            text.append(byte)
            state, length = target, length - begins
        return bytes(text)
