"""A leaf that remembers what it has read, for texts that must not come twice: the keys of one object.

The text read so far is part of the state, so that a call of the leaf returns its text to the caller, where the frame
of the object keeps it. Scans do not depend on it, and stay those of the leaf inside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from schema_compiler.engine.leaves.interning import Interner
from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.tokens.scan import Scan
from schema_compiler.engine.tokens.trie import NodeSet, Trie

__all__ = ["HistoryLeaf"]


_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)


class HistoryLeaf(LeafLanguage):
    """The language of ``inner``; a state is a number for a state of ``inner`` and the text that led to it."""

    def __init__(self, inner: LeafLanguage) -> None:
        self.remembers = True
        self._inner = inner
        self._states: Interner[tuple[int, bytes]] = Interner()
        self.start = self._states.of((inner.start, b""))

    def text(self, state: int) -> bytes:
        """What has been read, its escapes in lower case: the same characters are the same text."""
        text = self._states[state][1]
        return text if b"\\u" not in text else _ESCAPE.sub(lambda escape: escape[0].lower(), text)

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        inner, text = self._states[state]
        after = self._inner.step(inner, byte)
        return -1 if after < 0 else self._states.of((after, text + bytes((byte,))))

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """Read on from ``text[index]`` up to the end, to acceptance or to -1: the state and the index then."""
        inner, begun = self._states[state]
        after, end = self._inner.run(inner, text, index)
        return (after if after < 0 else self._states.of((after, begun + text[index:end]))), end

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        return self._inner.accepting(self._states[state][0])

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        return self._inner.bytes_from(self._states[state][0])

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance."""
        return self._inner.closing(self._states[state][0])

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """The scan of the leaf inside."""
        return self._inner.scan(trie, node_set, self._states[state][0])
