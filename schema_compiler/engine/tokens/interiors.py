r"""Tokens that stay inside a text, shared by states that differ only in when the text may end.

The table of a pattern that is searched for has a state for each part of the pattern already read. All of them admit
every token that stays inside the string; they differ in when its closing quote may come. So the *interior* of a table,
which is the table without the moves that end a text, is minimised by itself. States that are equal there share one pass
over the vocabulary, also with other tables. The few tokens with a closing quote are walked for each state alone::

    "…[0-9]{3}…"    four states: none, one, two, three digits read    one interior state: any character, to itself
                    the token ab is found once for all four           the token a" only from the fourth
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.token_sets import TokenSet, token_sets_at
from schema_compiler.engine.tokens.trie import Int32Array, TokenMask, Trie
from schema_compiler.engine.tokens.walk import Reached
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.minimize import breadth_first, minimize

__all__ = ["Interior", "InteriorWalk", "TextEnds", "interior_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Interior:
    """The interior of a table.

    ``dfa``: the minimal table of the moves that end no text. ``numbers``: for each state of the whole table its state
    in ``dfa``. ``last``: the byte that ends every text. ``masks``: the tokens that stay inside by state of ``dfa``, as
    far as they are known.
    """

    dfa: Dfa
    numbers: list[int]
    last: int
    masks: dict[int, TokenMask]

    def part(self, number: int) -> Dfa:
        """The part of the interior from one of its states on, in canonical numbering."""
        table, order = breadth_first(self.dfa.table, number)
        return Dfa(table, self.dfa.accepting[order], self.dfa.boundary[order])


def interior_of(dfa: Dfa) -> Interior | None:
    """The interior of a table; ``None`` where no two states are equal inside, or texts go on behind a possible end."""
    ending = (dfa.table >= 0) & dfa.accepting[dfa.table]
    last = np.flatnonzero(ending.any(axis=0))
    goes_on = dfa.accepting[0] or (dfa.table[dfa.accepting] >= 0).any()
    if last.size != 1 or bool(goes_on):
        return None
    moves = np.where(ending, np.int32(-1), dfa.table)
    table, origin = minimize(moves, ~dfa.accepting, np.zeros(len(dfa), np.int_))
    if len(table) == int(np.count_nonzero(~dfa.accepting)):
        return None
    inner = Dfa(table, np.zeros(len(table), np.bool_), dfa.boundary[origin])
    return Interior(inner, _numbers(moves, table), int(last[0]), {})


def _numbers(moves: Int32Array, minimal: Int32Array) -> list[int]:
    """The state of ``minimal`` for each of ``moves``, whose numbers grow with the distance from the start."""
    numbers = [0] * len(moves)
    targets, firsts = np.unique(moves, return_index=True)
    for target, first in zip(targets.tolist(), firsts.tolist(), strict=True):
        if target > 0:
            numbers[target] = int(minimal[numbers[first >> 8], first & 255])
    return numbers


class TextEnds:
    """The part of the trie where a text can end: the nodes that a ``last`` byte leads to, and those above them."""

    def __init__(self, trie: Trie, last: int) -> None:
        wanted = np.zeros(trie.size, np.bool_)
        nodes = trie.reached_by(last)
        while nodes.size:
            wanted[nodes] = True
            nodes = np.unique(trie.parents[nodes])
            nodes = nodes[(nodes > 0) & ~wanted[nodes]]
        self._nodes: Int32Array = np.flatnonzero(wanted).astype(np.int32)
        self._bytes = trie.byte[self._nodes]
        index = np.zeros(trie.size, np.int32)
        index[self._nodes] = np.arange(1, self._nodes.size + 1)
        self._before: Int32Array = index[trie.parents[self._nodes]]
        bounds = [first for first, _ in trie.levels_below(0)]
        self._levels = [*np.searchsorted(self._nodes, bounds).tolist(), self._nodes.size]

    def reached(self, dfa: Dfa, state: int) -> tuple[Int32Array, Int32Array]:
        """The nodes where a text that goes on in ``state`` ends, and the states then: int32, nodes sorted."""
        states = np.full(self._nodes.size + 1, -1, np.int32)
        states[0] = state
        for start, stop in pairwise(self._levels):
            if start < stop:
                before = states[self._before[start:stop]]
                after = dfa.table[before, self._bytes[start:stop]]
                states[start + 1 : stop + 1] = np.where(before < 0, -1, after)
        ended = np.flatnonzero(dfa.accepting[states] & (states >= 0))
        return self._nodes[ended - 1], states[ended]


@dataclass(frozen=True, slots=True, eq=False)
class InteriorWalk:
    """A walk from the root put together from an interior and what ends a text.

    ``inside``: the tokens that stay inside. ``nodes`` and ``states``: where a text ends, and the states then.
    """

    trie: Trie
    inside: TokenMask
    nodes: Int32Array
    states: Int32Array

    @property
    def is_wide(self) -> bool:
        """See ``Walk``."""
        return False

    def token_sets(self) -> tuple[TokenSet, ...]:
        """See ``Walk``."""
        return (self.inside, *token_sets_at(self.nodes, self.trie))

    def ended(self, accepting: npt.NDArray[np.bool_]) -> Reached:  # noqa: ARG002 - nothing else was kept
        """See ``Walk``; the states kept are those that accept."""
        return self.nodes, self.states, np.zeros(self.nodes.size, np.int32)
