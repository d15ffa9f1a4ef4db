r"""Free text before the document: a matcher that lets anything through until a marker, then follows the grammar.

    The receipt names a shop and a total.\nAnswer:     anything goes, up to the marker
    {"shop": "Ace Books", "total": 9.00}              the grammar

The token that completes the marker ends the free text, with whatever stands behind the marker in it. When the free
text has used up its budget, the marker is all that may come next.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

import numpy as np

from schema_compiler import Vocabulary
from sdk.generation.masking import TokenMask

__all__ = ["MARKER", "Cursor", "Reasoning"]

MARKER = "\nAnswer:"
"""What ends the free text, unless told otherwise."""


class Cursor(Protocol):
    """What generation needs of a matcher; see ``schema_compiler.Matcher``. Equal ``state_id`` means equal closing."""

    @property
    def state_id(self) -> int: ...
    def mask(self) -> TokenMask: ...
    def accept(self, token_id: int) -> bool: ...
    def rollback(self, count: int) -> None: ...
    def fork(self) -> Cursor: ...
    def is_complete(self) -> bool: ...
    def forced(self) -> bytes: ...
    def closing(self) -> bytes: ...


class Reasoning:
    """Free text of at most ``budget`` tokens and the ``marker``, before what ``matcher`` admits; a ``Cursor``."""

    def __init__(self, matcher: Cursor, vocabulary: Vocabulary, budget: int, marker: str = MARKER) -> None:
        self.matcher = matcher
        self.length: int | None = None
        """Tokens of free text, the marker among them; ``None`` before the marker."""
        self._vocabulary = vocabulary
        self._budget = budget
        self._marker = marker.encode()
        self._output: list[int] = []

    @property
    def state_id(self) -> int:
        """The matcher's, or for free text a negative number that says how much of the marker is missing."""
        return self.matcher.state_id if self.length is not None else -2 - len(self._missing())

    def mask(self) -> TokenMask:
        """Any text, then only the marker, then the grammar."""
        if self.length is not None:
            return self.matcher.mask()
        if len(self._output) < self._budget:
            return _text_tokens(self._vocabulary)
        return _only(self._vocabulary, self._vocabulary.tokenize(self._missing())[0])

    def accept(self, token_id: int) -> bool:
        """See ``Matcher.accept``."""
        if self.length is not None:
            taken = self.matcher.accept(token_id)
        else:
            taken = bool(self.mask()[token_id // 32] >> np.uint32(token_id % 32) & 1)
        if taken:
            self._output.append(token_id)
            if self.length is None and self._marker in self._tail():
                self.length = len(self._output)
        return taken

    def rollback(self, count: int) -> None:
        """See ``Matcher.rollback``."""
        if self.length is not None:
            self.matcher.rollback(min(count, len(self._output) - self.length))
        del self._output[len(self._output) - count :]
        if self.length is not None and len(self._output) < self.length:
            self.length = None

    def fork(self) -> Reasoning:
        """See ``Matcher.fork``."""
        twin = Reasoning(self.matcher.fork(), self._vocabulary, self._budget, self._marker.decode())
        twin.length, twin._output = self.length, self._output.copy()
        return twin

    def is_complete(self) -> bool:
        """See ``Matcher.is_complete``."""
        return self.length is not None and self.matcher.is_complete()

    def forced(self) -> bytes:
        """See ``Matcher.forced``."""
        if self.length is not None:
            return self.matcher.forced()
        return self._missing() if len(self._output) >= self._budget else b""

    def closing(self) -> bytes:
        """See ``Matcher.closing``."""
        return self.matcher.closing() if self.length is not None else self._missing() + self.matcher.closing()

    def _tail(self) -> bytes:
        """Enough of the free text's end to hold the marker."""
        recent = self._output[-len(self._marker) - 1 :]
        return b"".join(self._vocabulary.tokens[token_id] or b"" for token_id in recent)

    def _missing(self) -> bytes:
        """What has to follow for the marker to be there."""
        tail = self._tail()
        known = next(size for size in range(len(self._marker), -1, -1) if tail.endswith(self._marker[:size]))
        return self._marker[known:]


@lru_cache(8)
def _text_tokens(vocabulary: Vocabulary) -> TokenMask:
    return _packed(np.array([text is not None for text in vocabulary.tokens]))


@lru_cache(64)
def _only(vocabulary: Vocabulary, token_id: int) -> TokenMask:
    return _packed(np.arange(len(vocabulary)) == token_id)


def _packed(allowed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> TokenMask:
    padded = np.pad(allowed, (0, -len(allowed) % 32))
    row = np.packbits(padded, bitorder="little").view("<u4").astype(np.uint32)
    row.flags.writeable = False
    return row
