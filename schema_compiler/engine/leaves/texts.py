"""A leaf that is a list of texts: the values that one document has for a field.

It belongs to one request, and so do its tables: an automaton in the vocabulary would outlive the document. The texts
are sorted, and a state is the range of those that begin with what has been read::

    texts  12.50  12.75  3      read  12.      texts 0 to 1; next may come a 5 or a 7
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from schema_compiler.engine.leaves.distinct_pieces import FiniteLeaf
from schema_compiler.engine.leaves.interning import Interner
from schema_compiler.engine.tokens.scan import Scan
from schema_compiler.engine.tokens.token_sets import token_set_of
from schema_compiler.engine.tokens.trie import NOWHERE, NodeSet, Trie

__all__ = ["TextsLeaf"]


class TextsLeaf(FiniteLeaf):
    """The language of ``texts``: at least one, none of them empty. A state numbers a range of them and a length."""

    def __init__(self, texts: Iterable[bytes]) -> None:
        self._texts = sorted(set(texts))
        if not self._texts or not self._texts[0]:
            raise ValueError("expected texts, none of them empty")
        self._states: Interner[tuple[int, int, int]] = Interner()
        self._closings: dict[int, bytes] = {}
        self._scans: dict[tuple[int, NodeSet, int], tuple[Trie, Scan]] = {}
        self.start = self._states.of((0, len(self._texts), 0))

    def _after(self, first: int, end: int, length: int, byte: int) -> tuple[int, int]:
        """The range of the texts that go on with ``byte``."""
        first = bisect_left(self._texts, byte, first, end, key=lambda text: text[length] if length < len(text) else -1)
        return first, bisect_left(self._texts, byte + 1, first, end, key=lambda text: text[length])

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        first, end, length = self._states[state]
        first, end = self._after(first, end, length, byte)
        return self._states.of((first, end, length + 1)) if first < end else -1

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        first, _, length = self._states[state]
        return len(self._texts[first]) == length

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        return [byte for byte, _, _ in self._following(*self._states[state])]

    def _following(self, first: int, end: int, length: int) -> Iterator[tuple[int, int, int]]:
        """The bytes that may come next, each with the range of the texts that go on with it."""
        if len(self._texts[first]) == length:
            first += 1
        while first < end:
            byte = self._texts[first][length]
            after = self._after(first, end, length, byte)
            yield byte, *after
            first = after[1]

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance."""
        closing = self._closings.get(state)
        if closing is None:
            first, end, length = self._states[state]
            closing = self._closings[state] = min(self._texts[first:end], key=len)[length:]
        return closing

    def endings(self, state: int, limit: int) -> list[bytes]:
        """See ``FiniteLeaf``."""
        first, end, length = self._states[state]
        others = (text[length:] for text in self._texts[first : min(first + limit, end)])
        return list(dict.fromkeys((self.closing(state), *others)))[:limit]

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """A walk through texts and trie side by side; memoised."""
        key = (id(trie), node_set, state)
        known = self._scans.get(key)
        if known is None:
            known = self._scans[key] = (trie, self._scan(trie, node_set, *self._states[state]))
        return known[1]

    def _scan(self, trie: Trie, node_set: NodeSet, first: int, end: int, length: int) -> Scan:
        ids: list[int] = []
        ended: list[int] = []
        waiting = [(node, first, end, length) for node in trie.nodes(node_set).tolist()]
        while waiting:
            node, low, high, read = waiting.pop()
            children, behind = trie.children_of(node)
            if children == behind:
                continue
            for byte, after, after_end in self._following(low, high, read):
                child = trie.text.find(byte, children, behind)
                if child >= 0:
                    ids += trie.tokens(child)
                    waiting.append((child, after, after_end, read + 1))
                    if len(self._texts[after]) == read + 1:
                        ended.append(child)
        token_sets = (token_set_of(np.array(ids, np.int32), trie),) if ids else ()
        exits = trie.nodes_going_on(np.array(sorted(set(ended)), np.int32))
        return Scan(token_sets, NOWHERE, len(self._texts[first]) == length, tuple(exits.tolist()))
