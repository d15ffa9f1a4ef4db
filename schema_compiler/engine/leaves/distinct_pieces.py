"""A list of different texts of a leaf that belongs to one request: which have been written is part of the state.

The leaf has finitely many texts, so a list may use them up. What is begun must be something that can still become a new
text, and behind an item there is a separator only where a new text is left::

    texts "ab", "abc", "x"      read "ab", "a      next b, then c: "ab" is used

How many texts begin like this is counted no further than there are used ones among them. Few are used, so of a scan
of the leaf inside little must be taken away: what lies on the ways of the used texts through the vocabulary's trie.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np

from schema_compiler.engine.leaves.interning import Interner
from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.leaves.table import TableLeaf
from schema_compiler.engine.tokens.scan import Scan
from schema_compiler.engine.tokens.token_sets import TokenSet, without
from schema_compiler.engine.tokens.trie import NOWHERE, NodeSet, Trie

__all__ = ["DistinctPieces", "FiniteLeaf"]

_NO_TEXTS: frozenset[bytes] = frozenset()


class FiniteLeaf(LeafLanguage):
    """A language of finitely many texts, no text of which ends where another goes on with a separator."""

    @abstractmethod
    def endings(self, state: int, limit: int) -> list[bytes]:
        """What may be read from ``state`` to acceptance: up to ``limit`` different texts, the shortest among them."""

    def value_endings(self, state: int, limit: int) -> list[bytes] | None:
        """See ``LeafLanguage``; none behind a value that may go on as another."""
        return None if self.accepting(state) else self.endings(state, limit)


class DistinctPieces(LeafLanguage):
    """``minimum`` to ``maximum`` texts of ``leaf``, none of them twice, a text of ``separator`` between two.

    A state is the text of the item under way and the leaf's state behind it, or the state of the separator behind an
    item (the leaf's state being -1); and the texts used before. ``1 <= minimum``; the leaf has as many texts.
    """

    def __init__(self, leaf: FiniteLeaf, separator: TableLeaf, minimum: int, maximum: int | None) -> None:
        self._leaf = leaf
        self._separator = separator
        self._minimum = minimum
        self._maximum = maximum
        self._states: Interner[tuple[int, int, bytes, frozenset[bytes]]] = Interner()
        self._scans: dict[tuple[int, NodeSet, int], Scan] = {}
        self._may_follow: dict[int, bool] = {}
        self.start = self._states.of((leaf.start, 0, b"", _NO_TEXTS))

    # Reading

    def _may_become_new(self, inner: int, text: bytes, used: frozenset[bytes]) -> bool:
        """Whether some text that begins with ``text`` has not been used."""
        count = sum(one.startswith(text) for one in used)
        return count == 0 or len(self._leaf.endings(inner, count + 1)) > count

    def _ends_item(self, inner: int, text: bytes, used: frozenset[bytes]) -> bool:
        return inner >= 0 and self._leaf.accepting(inner) and text not in used

    def _may_go_on(self, used: frozenset[bytes]) -> bool:
        """Whether another item may follow the ``used`` ones."""
        count = len(used)
        if self._maximum is not None and count >= self._maximum:
            return False
        if count not in self._may_follow:
            self._may_follow[count] = len(self._leaf.endings(self._leaf.start, count + 1)) > count
        return self._may_follow[count]

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        inner, between, text, used = self._states[state]
        if inner < 0:
            after = self._separator.step(between, byte)
            if after >= 0:
                return self._states.of((-1, after, b"", used))
            if not self._separator.accepting(between):
                return -1
            return self._step_item(self._leaf.start, b"", used, byte)
        after = self._step_item(inner, text, used, byte)
        if after >= 0 or not self._ends_item(inner, text, used):
            return after
        following = self._separator.step(self._separator.start, byte)
        used = used | {text}
        return self._states.of((-1, following, b"", used)) if following >= 0 and self._may_go_on(used) else -1

    def _step_item(self, inner: int, text: bytes, used: frozenset[bytes], byte: int) -> int:
        after, longer = self._leaf.step(inner, byte), text + bytes((byte,))
        if after < 0 or not self._may_become_new(after, longer, used):
            return -1
        return self._states.of((after, 0, longer, used))

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        inner, _, text, used = self._states[state]
        return len(used) + 1 >= self._minimum and self._ends_item(inner, text, used)

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        inner, between, _, _ = self._states[state]
        possible = set(self._separator.bytes_from(between if inner < 0 else self._separator.start))
        possible |= set(self._leaf.bytes_from(inner if inner >= 0 else self._leaf.start))
        return [byte for byte in sorted(possible) if self.step(state, byte) >= 0]

    def value_endings(self, state: int, limit: int) -> list[bytes] | None:
        """See ``LeafLanguage``: the item under way, or the next one."""
        inner, between, text, used = self._states[state]
        if inner < 0:
            if self._separator.bytes_from(between) or not self._separator.accepting(between):
                return None
            inner = self._leaf.start
        endings = self._leaf.value_endings(inner, limit + len(used))
        return endings and [one for one in endings if text + one not in used][:limit]

    # Closing

    def closing(self, state: int) -> bytes:
        """A short text from here to acceptance: the item under way, then others as far as needed."""
        if self.accepting(state):
            return b""
        inner, between, text, used = self._states[state]
        ending = b""
        if inner < 0:
            ending, inner = self._separator.closing(between), self._leaf.start
        while True:
            rest = self._shortest_new(inner, text, used)
            ending, used = ending + rest, used | {text + rest}
            if len(used) >= self._minimum:
                return ending
            ending += self._separator.closing(self._separator.start)
            inner, text = self._leaf.start, b""

    def _shortest_new(self, inner: int, text: bytes, used: frozenset[bytes]) -> bytes:
        endings = self._leaf.endings(inner, len(used) + 1)
        return min((one for one in endings if text + one not in used), key=len)

    # Scans

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """Which tokens going on from ``node_set`` are legal; memoised."""
        key = (id(trie), node_set, state)
        scan = self._scans.get(key)
        if scan is None:
            token_sets: list[TokenSet] = []
            ends: set[int] = set()
            self._collect(trie, node_set, state, token_sets, ends)
            exits = trie.nodes_going_on(np.array(sorted(ends), np.int32))
            scan = Scan(tuple(token_sets), NOWHERE, self.accepting(state), tuple(exits.tolist()))
            self._scans[key] = scan
        return scan

    def _collect(self, trie: Trie, node_set: NodeSet, state: int, token_sets: list[TokenSet], ends: set[int]) -> None:
        """Adds the tokens that go on from ``node_set``, and the nodes where the list may have ended."""
        inner, between, text, used = self._states[state]
        if inner < 0:
            begun = self._separator.scan(trie, node_set, between)
            token_sets += begun.token_sets
            item = self._states.of((self._leaf.start, 0, b"", used))
            starts = [node_set] if begun.nullable else []
            starts += [] if begun.exits == NOWHERE else [begun.exits]
            for start in starts:
                self._collect(trie, start, item, token_sets, ends)
            return
        if self._ends_item(inner, text, used) and self._may_go_on(used | {text}):
            behind = self._states.of((-1, self._separator.start, b"", used | {text}))
            self._collect(trie, node_set, behind, token_sets, ends)
        scan = self._leaf.scan(trie, node_set, inner)
        for start in trie.nodes(node_set).tolist():
            whole = [scan] if trie.is_single(node_set) else [self._leaf.scan(trie, start, inner)]
            for one in whole:
                self._collect_item(trie, start, one, (inner, text, used), token_sets, ends)

    def _collect_item(
        self,
        trie: Trie,
        start: int,
        scan: Scan,
        item: tuple[int, bytes, frozenset[bytes]],
        token_sets: list[TokenSet],
        ends: set[int],
    ) -> None:
        """From one node inside an item: what the leaf admits, less the ways of the used texts, and what follows."""
        inner, text, used = item
        dead, finished = self._dead_ways(trie, start, inner, text, used)
        lost = [token for node in dead for token in trie.tokens(node)]
        token_sets += [without(token_set, lost) for token_set in scan.token_sets]
        depth = len(trie.spell(start))
        for node in (*scan.apart, *trie.nodes(scan.exits).tolist()):
            if node in finished:
                continue
            read = used | {text + trie.spell(node)[depth:]}
            if len(read) >= self._minimum:
                ends.add(node)
            if self._may_go_on(read):
                behind = self._states.of((-1, self._separator.start, b"", read))
                self._collect(trie, node, behind, token_sets, ends)

    def _dead_ways(
        self, trie: Trie, start: int, inner: int, text: bytes, used: frozenset[bytes]
    ) -> tuple[set[int], set[int]]:
        """The nodes below ``start`` from which only used texts can come, and those where a used text is finished."""
        dead: set[int] = set()
        finished: set[int] = set()
        for rest in self._rests(text, used):
            node, state = start, inner
            for count, byte in enumerate(rest, 1):
                first, last = trie.children_of(node)
                node = trie.text.find(byte, first, last)
                state = self._leaf.step(state, byte)
                if node < 0 or state < 0:
                    break
                if count == len(rest):
                    finished.add(node)
                if not self._may_become_new(state, text + rest[:count], used):
                    dead.add(node)
        return dead, finished

    def _rests(self, text: bytes, used: frozenset[bytes]) -> Iterator[bytes]:
        """What is missing of the used texts that begin with ``text``."""
        return (one[len(text) :] for one in used if one.startswith(text) and len(one) > len(text))
