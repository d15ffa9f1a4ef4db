"""How many characters a string can still take: the arithmetic behind length counters.

For an automaton with boundaries (see ``Dfa``), let ``A[n]`` be the set of states from which the text can be completed
with exactly ``n`` more characters begun. ``A[n + 1]`` depends on ``A[n]`` alone, so the sequence runs into a cycle; a
prefix and one period answer every question about bounds of any size, exactly::

    "^(ab)*$"      the start state is in A[0], not in A[1], in A[2], not in A[3], ...: period 2

This is Chrobak's normal form of automata over one letter (Finite Automata and Unary Languages, 1986), for all states at
once. A *window* is a least and a most number of further characters (None: no most).
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
"""How many sets ``A[n]`` are computed before an automaton is refused.

Periods multiply: ``^((a{29})*|(b{31})*|(c{37})*)$`` has one of 33,263 characters. Each set takes a pass over the edges
and a row of memory. Chosen, not measured.
"""

_FAR = np.int32(1 << 30)
"""More bytes than any completion has: there is none. Two of them still fit into 32 bits."""


@lru_cache(maxsize=64)
def lengths_of(dfa: Dfa) -> Lengths:
    """The ``Lengths`` of an automaton, kept for those in use; ``CompileBudgetError`` as for ``Lengths``."""
    return Lengths(dfa)


class Lengths:
    """The lengths, in characters, of what completes a text, from every state of one automaton.

    ``settled``: beyond so many characters, sets of states repeat. Raises ``CompileBudgetError`` for an automaton whose
    sets do not repeat within ``PERIOD_LIMIT`` characters.
    """

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
        """``A[0], A[1], ...`` (as flags of the states) to the end of the first period, and where the period starts."""
        seen: dict[bytes, int] = {}
        possible: list[list[bool]] = []
        current = self._complete(self._dfa.accepting.copy())
        while (key := current.tobytes()) not in seen:
            if len(possible) == PERIOD_LIMIT:
                raise CompileBudgetError(f"a counted pattern tells more than {PERIOD_LIMIT} lengths apart")
            seen[key] = len(possible)
            possible.append(current.tolist())
            following = np.zeros_like(current)
            source, target = self._begins
            following[source[current[target]]] = True
            current = self._complete(following)
        return possible, seen[key]

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
        """``viable`` for many states at once, for each after ``begun`` characters of the window.

        ``states``, ``begun``: int32 ``[n]``. Returns bool ``[n]``.
        """
        low = np.maximum(least - begun, 0)
        high = low + self.settled if most is None else np.minimum(most - begun, low + self.settled)
        viable = np.zeros(states.shape, np.bool_)
        for length in range(self.settled + 1):
            wanted = low + length
            repeated = self._cycle + (wanted - self._cycle) % (self.settled - self._cycle)
            viable |= (wanted <= high) & self._table[np.where(wanted < self.settled, wanted, repeated), states]
        return viable

    def reduced(self, least: int, most: int | None, begun: int) -> tuple[int, int | None]:
        """A window that ``viable`` does not tell from this one after up to ``begun`` characters.

        Whole periods are taken off large bounds, so that, however many windows there are, few different ones remain.
        """
        period = self.settled - self._cycle
        periods = max(0, least - begun - self.settled) // period
        least -= periods * period
        if most is not None:
            most -= periods * period
            if most - max(least, begun) >= self.settled:
                most = None
        return least, most

    def _index(self, length: int) -> int:
        """The ``n`` for which ``A[n]`` is kept and is ``A[length]``."""
        if length < self.settled:
            return length
        return self._cycle + (length - self._cycle) % (self.settled - self._cycle)

    def closing(self, state: int, least: int, most: int | None) -> bytes:
        """The completion of the fewest bytes from ``state`` with ``least`` to ``most`` more characters.

        There must be one (see ``viable``).
        """
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
        """For each state, the bytes of the shortest completion that begins exactly ``length`` characters."""
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
        """Lower costs by edges that begin no character, until none is lower (Bellman and Ford)."""
        source, target = self._inside
        while True:
            lower = cost.copy()
            np.minimum.at(lower, source, cost[target] + 1)
            lower = np.minimum(lower, _FAR)
            if np.array_equal(lower, cost):
                return cost
            cost = lower

    def _spell(self, state: int, length: int) -> bytes:
        """A shortest completion that begins exactly ``length`` characters, the first in byte order."""
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
