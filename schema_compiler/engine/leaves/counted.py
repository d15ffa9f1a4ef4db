"""A table whose characters are counted, so that bounds on length cost neither states nor scans.

A state is ``count * states + state of the table``. Scans are cut out of one scan of the table that also notes how many
characters each token adds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.leaves.table import TableLeaf
from schema_compiler.engine.tokens.length_groups import LengthGroups
from schema_compiler.engine.tokens.scan import Scan, scan_key, scan_nbytes
from schema_compiler.engine.tokens.token_sets import TokenSet, token_set_of, union_of
from schema_compiler.engine.tokens.trie import NodeSet, Trie, distinct
from schema_compiler.regular.automata.lengths import Lengths, lengths_of

__all__ = ["CountedLeaf", "CountedTable"]


class CountedLeaf(LeafLanguage):
    """A table whose characters are counted: between ``minimum`` and ``maximum`` of them."""

    def __init__(self, table: CountedTable, minimum: int, maximum: int | None) -> None:
        self._table = table
        self._minimum = minimum
        self._maximum = maximum
        self._states = table.states
        self.start = 0

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1 also when no legal length could follow."""
        count, inner = divmod(state, self._states)
        after = self._table.plain.step(inner, byte)
        if after < 0:
            return -1
        count += self._table.begins(inner, after)
        if not self._table.lengths.viable(after, *self._window(count)):
            return -1
        if self._maximum is None:
            count = min(count, self._minimum)
        return count * self._states + after

    def _window(self, count: int) -> tuple[int, int | None]:
        """How many more characters must and may follow after ``count``."""
        return max(self._minimum - count, 0), None if self._maximum is None else self._maximum - count

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        count, inner = divmod(state, self._states)
        return self._table.plain.accepting(inner) and count >= self._minimum

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        inner = state % self._states
        return [byte for byte in self._table.plain.bytes_from(inner) if self.step(state, byte) >= 0]

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance."""
        count, inner = divmod(state, self._states)
        return self._table.lengths.closing(inner, *self._window(count))

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """The part of the table's scan that the counter admits."""
        count, inner = divmod(state, self._states)
        return self._table.scan(trie, node_set, inner, *self._window(count))


class CountedTable:
    """Scans of one table with characters noted, shared by all bounds on that table."""

    def __init__(self, plain: TableLeaf) -> None:
        self.plain = plain
        self.states = len(plain.dfa.table)
        self.lengths = lengths_of(plain.dfa)
        self._boundary: list[bool] = plain.dfa.boundary.tolist()
        self._by_length: dict[int, _ScansByLength] = {}

    def begins(self, state: int, after: int) -> bool:
        """Whether the step from ``state`` to ``after`` begins a character."""
        return self._boundary[state] and not self.plain.accepting(after)

    def scan(self, trie: Trie, node_set: NodeSet, state: int, least: int, most: int | None) -> Scan:
        """The tokens after which between ``least`` and ``most`` more characters are still possible."""
        key = scan_key(node_set, state)
        scans = self._by_length.get(key)
        if scans is None:
            scans = self._by_length.setdefault(key, _ScansByLength(trie, node_set, self.plain, state))
        return scans.scan(self.lengths, least, most)


class _ScansByLength:
    """The scans from one state and node set, cut out of one walk by what a counter can tell apart."""

    def __init__(self, trie: Trie, node_set: NodeSet, plain: TableLeaf, state: int) -> None:
        walk = plain.slices.walk(node_set, plain.dfa, state, count=True)
        self._trie = trie
        self._accepting = plain.accepting(state)
        self._tokens = walk.groups()
        self._every = walk.token_sets()
        self._is_single = trie.is_single(node_set)
        self._ends = LengthGroups.of(*walk.ended(plain.dfa.accepting))
        self._longest = int(max(self._tokens.begun.max(initial=0), self._ends.begun.max(initial=0)))
        self._trie.grown += self._tokens.nbytes + self._ends.nbytes
        self._scans: dict[tuple[bytes, bytes, bool], Scan] = {}
        self._windows: dict[tuple[int, int | None], Scan] = {}

    def scan(self, lengths: Lengths, least: int, most: int | None) -> Scan:
        """The union of the groups after which the remaining length window can be met."""
        window = lengths.reduced(least, most, self._longest)
        scan = self._windows.get(window)
        if scan is None:
            scan = self._windows.setdefault(window, self._scan(lengths, *window))
        return scan

    def _scan(self, lengths: Lengths, least: int, most: int | None) -> Scan:
        tokens = lengths.viable_each(self._tokens.states, self._tokens.begun, least, most)
        ends = lengths.viable_each(self._ends.states, self._ends.begun, least, most)
        nullable = self._accepting and least == 0
        key = (tokens.tobytes(), ends.tobytes(), nullable)
        scan = self._scans.get(key)
        if scan is None:
            token_sets, nodes = self._token_sets(tokens), distinct(self._ends.where(ends))
            self._trie.grown += scan_nbytes(token_sets)
            scan = self._scans.setdefault(key, Scan(token_sets, self._trie.going_on(nodes), nullable))
        return scan

    def _token_sets(self, wanted: npt.NDArray[np.bool_]) -> tuple[TokenSet, ...]:
        """The tokens of the groups wanted; where these are most, and no token is in two groups, all less the others."""
        if wanted.all():
            return self._every
        lost = self._tokens.where(~wanted)
        if self._is_single and self._trie.words < self._tokens.size > 2 * lost.size:
            return (union_of(self._every, self._trie) & ~self._trie.row(lost),)
        ids = self._tokens.where(wanted)
        return (token_set_of(ids, self._trie),) if ids.size else ()
