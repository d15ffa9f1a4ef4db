r"""Free text before the document: a cursor that lets anything through until a closing, then follows the grammar.

    The receipt names a shop and a total.\nAnswer:                anything goes, up to the marker
    {"shop": "Ace Books", "total": 9.00}                          the grammar

    <think>\n The receipt names a shop and a total.\n</think>\n\n    a model's own block, opened in the prompt
    {"shop": "Ace Books", "total": 9.00}

The token that completes the marker ends the free text, and what this token has behind the marker still belongs to it.
When the free text has used up its budget, the closing is all that may come next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, takewhile

import numpy as np

from schema_compiler import TokenMask, Vocabulary
from sdk.generation.cursor import Cursor

__all__ = ["MARKER", "Closing", "Reasoning"]

MARKER = "\nAnswer:"
"""What ends the free text of a model that has no block for it: plain words that do not come up by accident; chosen, not
measured."""


@dataclass(frozen=True, slots=True)
class Closing:
    """How free text ends.

    ``token_ids``: what is written when the budget is used up. ``end``: what the model writes to end its text before
    that, a control token or the bytes of a text. ``rest``: the tokens that follow the end, unless its last token has
    text behind it.
    """

    token_ids: tuple[int, ...]
    end: int | bytes
    rest: tuple[int, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[int | str], vocabulary: Vocabulary) -> Closing:
        """A closing of control tokens and texts, ended by its first control token, or else by the words of its text."""
        place = next((place for place, part in enumerate(parts) if isinstance(part, int)), None)
        if place is None:
            text = "".join(map(str, parts))
            end: int | bytes = text.strip().encode()
            rest: Sequence[int | str] = [text[len(text.rstrip()) :]]
        else:
            end, rest = int(parts[place]), parts[place + 1 :]
        return cls(_tokens(parts, vocabulary), end, _tokens(rest, vocabulary))


class Reasoning:
    """Free text of at most ``budget`` tokens and its ``closing``, before what ``cursor`` admits; itself a ``Cursor``.

    The budget of the sequence must hold both besides the document: ``closing()`` is the document's alone.
    """

    def __init__(self, cursor: Cursor, vocabulary: Vocabulary, budget: int, closing: Closing) -> None:
        self._cursor = cursor
        self._vocabulary = vocabulary
        self._budget = budget
        self._closing = closing
        self._output: list[int] = []
        self._ended: int | None = None  # how many tokens of output there are when the model has ended its text
        self._rest: tuple[int, ...] = ()  # what follows then

    @property
    def length(self) -> int | None:
        """Tokens of free text and closing; ``None`` before they are complete."""
        return self._end() if self._missing() == () else None

    @property
    def text(self) -> bytes:
        """The free text, without what ends it."""
        if self._ended is None:
            return self._spell(self._output[: self._budget])
        if isinstance(self._closing.end, bytes):
            return self._spell(self._output[: self._ended]).rpartition(self._closing.end)[0]
        return self._spell(self._output[: self._ended - 1])

    @property
    def state_id(self) -> int:
        """The inner cursor's; -2 before the document, where ``closing()`` is always the same."""
        return self._cursor.state_id if self._missing() == () else -2

    def mask(self) -> TokenMask:
        """Any token with a text and the one that ends it; what is missing of the closing; the grammar's."""
        missing = self._missing()
        if missing is None:
            return _text_mask(self._vocabulary, self._closing.end)
        return _single_token_mask(len(self._vocabulary), missing[0]) if missing else self._cursor.mask()

    def accept(self, token_id: int) -> bool:
        """See ``Cursor``."""
        missing = self._missing()
        if missing == ():
            taken = self._cursor.accept(token_id)
        else:
            taken = bool(self.mask()[token_id // 32] >> np.uint32(token_id % 32) & 1)
        if taken:
            self._output.append(token_id)
            if missing is None:
                self._look_for_the_end()
        return taken

    def rollback(self, count: int) -> None:
        """See ``Cursor``."""
        if self._missing() == ():
            self._cursor.rollback(min(count, len(self._output) - self._end()))
        del self._output[len(self._output) - count :]
        if self._ended is not None and len(self._output) < self._ended:
            self._ended = None

    def fork(self) -> Reasoning:
        """See ``Cursor``."""
        twin = Reasoning(self._cursor.fork(), self._vocabulary, self._budget, self._closing)
        twin._output, twin._ended, twin._rest = self._output.copy(), self._ended, self._rest
        return twin

    def is_complete(self) -> bool:
        """See ``Cursor``."""
        return self.length is not None and self._cursor.is_complete()

    def forced(self) -> bytes:
        """See ``Cursor``; of the closing, what comes before its next token without a text."""
        missing = self._missing()
        if missing == ():
            return self._cursor.forced()
        return b"".join(takewhile(bool, (self._vocabulary.tokens[token_id] or b"" for token_id in missing or ())))

    def closing(self) -> bytes:
        """The document's."""
        return self._cursor.closing()

    def choices(self, limit: int) -> list[list[bytes]] | None:
        """The document's; none before it."""
        return self._cursor.choices(limit) if self._missing() == () else None

    def _end(self) -> int:
        """Where the closing ends or will end, when it has begun."""
        return self._budget + len(self._closing.token_ids) if self._ended is None else self._ended + len(self._rest)

    def _missing(self) -> tuple[int, ...] | None:
        """What of the closing is still to come; ``None`` in free text."""
        if self._ended is not None:
            return self._rest[len(self._output) - self._ended :]
        if len(self._output) >= self._budget:
            return self._closing.token_ids[len(self._output) - self._budget :]
        return None

    def _look_for_the_end(self) -> None:
        """See whether the last token ends the free text."""
        end, behind = self._closing.end, b""
        if isinstance(end, bytes):
            # so many tokens are enough, since none is empty
            _, found, behind = self._spell(self._output[-len(end) :]).rpartition(end)
            ends = found != b""
        else:
            ends = self._output[-1] == end
        if ends:
            self._ended = len(self._output)
            self._rest = () if behind else self._closing.rest

    def _spell(self, token_ids: Sequence[int]) -> bytes:
        return b"".join(self._vocabulary.tokens[token_id] or b"" for token_id in token_ids)


def _tokens(parts: Iterable[int | str], vocabulary: Vocabulary) -> tuple[int, ...]:
    spelled = ([part] if isinstance(part, int) else vocabulary.tokenize(part.encode()) for part in parts)
    return tuple(chain.from_iterable(spelled))


@lru_cache(8)
def _text_mask(vocabulary: Vocabulary, end: int | bytes) -> TokenMask:
    return _pack(np.array([text is not None or token_id == end for token_id, text in enumerate(vocabulary.tokens)]))


@lru_cache(64)
def _single_token_mask(size: int, token_id: int) -> TokenMask:
    return _pack(np.arange(size) == token_id)


def _pack(allowed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> TokenMask:
    """Bool ``[V]`` as uint32 ``[ceil(V / 32)]``, read-only."""
    padded = np.pad(allowed, (0, -len(allowed) % 32))
    mask = np.packbits(padded, bitorder="little").view("<u4").astype(np.uint32)
    mask.flags.writeable = False
    return mask
