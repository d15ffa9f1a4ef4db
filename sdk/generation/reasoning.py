r"""Free text before the document: a cursor that lets anything through until a marker, then follows the grammar.

    The receipt names a shop and a total.\nAnswer:     anything goes, up to the marker
    {"shop": "Ace Books", "total": 9.00}              the grammar

The token that completes the marker ends the free text, and what this token has behind the marker still belongs to it.
When the free text has used up its budget, the rest of the marker is all that may come next.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from schema_compiler import TokenMask, Vocabulary
from sdk.generation.cursor import Cursor

__all__ = ["MARKER", "Reasoning"]

MARKER = "\nAnswer:"
"""What ends the free text, unless told otherwise: plain words that do not come up by accident; chosen, not measured."""


class Reasoning:
    """Free text of at most ``budget`` tokens and the ``marker``, before what ``cursor`` admits; itself a ``Cursor``.

    ``length``: tokens of free text, the marker among them; ``None`` before the marker is complete.
    """

    def __init__(self, cursor: Cursor, vocabulary: Vocabulary, budget: int, marker: str = MARKER) -> None:
        self.length: int | None = None
        self._cursor = cursor
        self._vocabulary = vocabulary
        self._budget = budget
        self._marker = marker.encode()
        self._output: list[int] = []

    @property
    def state_id(self) -> int:
        """The inner cursor's; in free text, a negative number that says how much of the marker is missing."""
        return self._cursor.state_id if self.length is not None else -2 - len(self._rest_of_marker())

    def mask(self) -> TokenMask:
        """Any token with a text; only the marker, when the budget is used up; then the grammar's."""
        if self.length is not None:
            return self._cursor.mask()
        if len(self._output) < self._budget:
            return _text_mask(self._vocabulary)
        return _single_token_mask(self._vocabulary, self._vocabulary.tokenize(self._rest_of_marker())[0])

    def accept(self, token_id: int) -> bool:
        """See ``Cursor``."""
        if self.length is not None:
            taken = self._cursor.accept(token_id)
        else:
            taken = bool(self.mask()[token_id // 32] >> np.uint32(token_id % 32) & 1)
        if taken:
            self._output.append(token_id)
            if self.length is None and self._marker in self._tail():
                self.length = len(self._output)
        return taken

    def rollback(self, count: int) -> None:
        """See ``Cursor``."""
        if self.length is not None:
            self._cursor.rollback(min(count, len(self._output) - self.length))
        del self._output[len(self._output) - count :]
        if self.length is not None and len(self._output) < self.length:
            self.length = None

    def fork(self) -> Reasoning:
        """See ``Cursor``."""
        twin = Reasoning(self._cursor.fork(), self._vocabulary, self._budget, self._marker.decode())
        twin.length, twin._output = self.length, self._output.copy()
        return twin

    def is_complete(self) -> bool:
        """See ``Cursor``."""
        return self.length is not None and self._cursor.is_complete()

    def forced(self) -> bytes:
        """See ``Cursor``."""
        if self.length is not None:
            return self._cursor.forced()
        return self._rest_of_marker() if len(self._output) >= self._budget else b""

    def closing(self) -> bytes:
        """See ``Cursor``."""
        marker = self._rest_of_marker() if self.length is None else b""
        return marker + self._cursor.closing()

    def _tail(self) -> bytes:
        """The last bytes of the free text, enough to hold the marker and the token that completes it."""
        recent = self._output[-len(self._marker) - 1 :]
        return b"".join(self._vocabulary.tokens[token_id] or b"" for token_id in recent)

    def _rest_of_marker(self) -> bytes:
        """What of the marker is missing behind the longest beginning of it that the free text ends with."""
        tail = self._tail()
        written = next(size for size in range(len(self._marker), -1, -1) if tail.endswith(self._marker[:size]))
        return self._marker[written:]


@lru_cache(8)
def _text_mask(vocabulary: Vocabulary) -> TokenMask:
    return _pack(np.array([text is not None for text in vocabulary.tokens]))


@lru_cache(64)
def _single_token_mask(vocabulary: Vocabulary, token_id: int) -> TokenMask:
    return _pack(np.arange(len(vocabulary)) == token_id)


def _pack(allowed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> TokenMask:
    """Bool ``[V]`` as uint32 ``[ceil(V / 32)]``, read-only."""
    padded = np.pad(allowed, (0, -len(allowed) % 32))
    mask = np.packbits(padded, bitorder="little").view("<u4").astype(np.uint32)
    mask.flags.writeable = False
    return mask
