"""Any string but a few: the keys that an open object may add to the declared ones.

Almost every object of a public schema is open, each with its own set of declared names. As tables these languages
would be scanned one by one; but they differ from "any string" only in that a declared name must not be completed.
So a state is either one of the plain string's own, or a beginning of declared names; there the scan is the plain
string's shared scan, less the places in tokens where a declared name would end. The names are kept in order, so that
those with a common beginning stand together: it is given by the first of them and its length.

    "id"  "idle"  "name"      after  "id  the names from the first on, 3 bytes of them read
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.leaves.table import TableLeaf
from schema_compiler.engine.tokens.scan import Scan, scan_key
from schema_compiler.engine.tokens.trie import ROOT, NodeSet, Trie
from schema_compiler.regular.text.json_strings import QUOTE

__all__ = ["DifferenceLeaf"]


class DifferenceLeaf(LeafLanguage):
    """The strings of ``base`` (mostly any string) except ``names``: strings of it, quotes included, every spelling."""

    def __init__(self, base: TableLeaf, names: Iterable[bytes]) -> None:
        self._base = base
        self._names = sorted(names)
        self._width = max(map(len, self._names), default=0) + 1
        self._offset = len(base.dfa)
        self._inner: dict[int, int] = {}
        self._scans: dict[int, Scan] = {}
        self.start = self._offset

    def _beginning(self, state: int) -> tuple[int, int]:
        """The first name that begins with what has been read, and how many bytes that is."""
        return divmod(state - self._offset, self._width)

    def _plain(self, state: int) -> int:
        """Where the beginning leads in the plain string."""
        inner = self._inner.get(state)
        if inner is None:
            first, count = self._beginning(state)
            inner = self._base.start
            for byte in self._names[first][:count] if count else b"":
                inner = self._base.step(inner, byte)
            self._inner[state] = inner
        return inner

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        if state < self._offset:
            return self._base.step(state, byte)
        first, count = self._beginning(state)
        if first < len(self._names) and self._names[first][count] != byte:
            longer = self._names[first][:count] + bytes((byte,))
            first = bisect_left(self._names, longer, first)
            if first < len(self._names) and not self._names[first].startswith(longer):
                first = len(self._names)
        if first == len(self._names):
            return self._base.step(self._plain(state), byte)
        return -1 if len(self._names[first]) == count + 1 else self._offset + first * self._width + count + 1

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """Read on from ``text[index]`` up to the end, to acceptance or to -1: the state and the index then."""
        while state >= self._offset and index < len(text):
            state = self.step(state, text[index])
            index += 1
        if state < 0 or state >= self._offset or self._base.accepting(state):
            return state, index
        return self._base.run(state, text, index)

    def accepting(self, state: int) -> bool:
        """Whether the text may end here: never at the beginning of a name, whose ends are the holes."""
        return state < self._offset and self._base.accepting(state)

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        inner = state if state < self._offset else self._plain(state)
        return [byte for byte in self._base.bytes_from(inner) if self.step(state, byte) >= 0]

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance: the plain string's, or else one that leads off the names."""
        if state < self._offset:
            return self._base.closing(state)
        plain = self._base.closing(self._plain(state))
        if self._admits(state, plain):
            return plain
        waiting: list[tuple[int, bytes]] = [(state, b"")]
        best: bytes | None = None
        for here, text in waiting:
            if best is not None and len(text) >= len(best):
                return best
            for byte in self.bytes_from(here):
                after = self.step(here, byte)
                if after >= self._offset:
                    waiting.append((after, text + bytes((byte,))))
                else:
                    candidate = text + bytes((byte,)) + self._base.closing(after)
                    best = candidate if best is None or len(candidate) < len(best) else best
        assert best is not None
        return best

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """The plain string's scan, less the tokens and remainders in which a declared name ends."""
        if state < self._offset:
            return self._base.scan(trie, node_set, state)
        key = scan_key(node_set, state)
        scan = self._scans.get(key)
        if scan is None:
            scan = self._scans.setdefault(key, self._scan(trie, node_set, state))
        return scan

    def _scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        whole = self._base.scan(trie, node_set, self._plain(state))
        holes = [node for node in self._ends(trie, node_set, state) if not self._otherwise(trie, node_set, state, node)]
        if not holes:
            return whole
        missing = trie.node_set(np.array(sorted(holes), np.int32))
        return self._base.scan_without(trie, whole, missing)

    def _ends(self, trie: Trie, node_set: NodeSet, state: int) -> Iterator[int]:
        """The trie nodes where a declared name is complete."""
        first, count = self._beginning(state)
        begun = self._names[first][:count] if count else b""
        known = trie.ending_with(QUOTE) if node_set == ROOT else None
        for index in range(first, len(self._names)):
            if not self._names[index].startswith(begun):
                break
            rest = self._names[index][count:]
            if known is None:
                yield from trie.nodes(trie.descend(node_set, rest)).tolist()
            elif rest in known:
                yield known[rest]

    def _otherwise(self, trie: Trie, node_set: NodeSet, state: int, node: int) -> bool:
        """Whether another node of the set reaches ``node`` by a string that is not declared."""
        if trie.is_single(node_set):
            return False
        starts = set(trie.nodes(node_set).tolist())
        text = b""
        while node:
            node, byte = trie.parent(node)
            text = bytes((byte,)) + text
            if node in starts and self._admits(state, text):
                return True
        return False

    def _admits(self, state: int, text: bytes) -> bool:
        for byte in text:
            state = self.step(state, byte) if state >= 0 else -1
        return state >= 0 and self.accepting(state)
