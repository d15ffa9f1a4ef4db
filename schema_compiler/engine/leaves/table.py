"""A leaf given by a table: the automaton of a string, a number, a pattern.

Its scans are passes over the vocabulary, or put together from what other tables have walked already: from the slice of
its state (``tokens/slices.py``), or from the interior of the table (``tokens/interiors.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.tokens.interiors import Interior, interior_of
from schema_compiler.engine.tokens.scan import Scan, scan_key, scan_key_parts, scan_nbytes
from schema_compiler.engine.tokens.slices import Slices
from schema_compiler.engine.tokens.token_sets import without
from schema_compiler.engine.tokens.trie import ROOT, NodeSet, Trie, distinct
from schema_compiler.engine.tokens.walk import Walk
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.lengths import Lengths, lengths_of

__all__ = ["TableLeaf"]


_REPEATED = 2
"""When a table has cost so many passes over the vocabulary, its interior is sought.

Finding it costs about one pass more, so a table that a document only passes by should not pay for it.
"""

_LARGE = 512
"""A table of so many states has its interior sought no more: minimising takes milliseconds, more than passes may cost.

Chosen, not measured.
"""


class TableLeaf(LeafLanguage):
    """The language of ``dfa``; a state is a state of it. ``scans``: those known from an earlier process, by key."""

    def __init__(self, dfa: Dfa, slices: Slices, scans: Mapping[int, Scan]) -> None:
        self.dfa = dfa
        self.slices = slices
        self.start = 0
        self._rows: list[list[int] | None] = [None] * len(dfa.table)
        self._scans = dict(scans)
        self._interior: Interior | None = None
        self._wide_walks = 0
        self._scans_without: dict[tuple[Scan, NodeSet], Scan] = {}
        self._closings: dict[int, bytes] = {}
        self._lengths: Lengths | None = None
        self._accepting: list[bool] = dfa.accepting.tolist()

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        return self._row(state)[byte]

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """See ``LeafLanguage``."""
        rows, accepting = self._rows, self._accepting
        while index < len(text):
            state = (rows[state] or self._row(state))[text[index]]
            index += 1
            if state < 0 or accepting[state]:
                break
        return state, index

    def _row(self, state: int) -> list[int]:
        row = self._rows[state]
        if row is None:
            row = self._rows[state] = self.dfa.table[state].tolist()
        return row

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        return self._accepting[state]

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        return [byte for byte, after in enumerate(self._row(state)) if after >= 0]

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance."""
        text = self._closings.get(state)
        if text is None:
            self._lengths = self._lengths or lengths_of(self.dfa)
            text = self._closings[state] = self._lengths.closing(state, 0, None)
        return text

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """One pass over the part of the trie that the table admits; memoised."""
        key = scan_key(node_set, state)
        scan = self._scans.get(key)
        if scan is None:
            scan = self._scans.setdefault(key, self._scan(trie, node_set, state))
        return scan

    def scan_without(self, trie: Trie, scan: Scan, ends: NodeSet) -> Scan:
        """One of the leaf's scans, less the texts that end at ``ends``; memoised."""
        key = (scan, ends)
        scan_without = self._scans_without.get(key)
        if scan_without is None:
            tokens = trie.tokens(ends)
            token_sets = tuple([without(token_set, tokens) for token_set in scan.token_sets])
            trie.grown += scan_nbytes(token_sets)
            scan_without = self._scans_without.setdefault(
                key, Scan(token_sets, trie.without(scan.exits, trie.onward(ends)), scan.nullable)
            )
        return scan_without

    def scans(self) -> list[tuple[tuple[NodeSet, int], Scan]]:
        """The scans made so far, by node set and state."""
        return [(scan_key_parts(key), scan) for key, scan in list(self._scans.items())]

    def _scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        walk = self._walk(node_set, state)
        ends = walk.ended(self.dfa.accepting)[0]
        exits = trie.going_on(np.sort(ends) if trie.is_single(node_set) else distinct(ends))
        token_sets = walk.token_sets()
        trie.grown += scan_nbytes(token_sets)
        return Scan(token_sets, exits, self._accepting[state])

    def _walk(self, node_set: NodeSet, state: int) -> Walk:
        """From the interior of the table, once it has one; not every table gains by that."""
        if node_set == ROOT and self._interior is not None and not self._accepting[state]:
            return self.slices.walk_apart(self._interior, self.dfa, state)
        walk = self.slices.walk(node_set, self.dfa, state, count=False)
        if node_set == ROOT and walk.is_wide:
            self._wide_walks += 1
            if self._wide_walks == _REPEATED and len(self.dfa) < _LARGE:
                self._interior = interior_of(self.dfa)
        return walk
