"""A cursor whose next value is none of some texts: what was refused is not written again.

    {"total": 12      12 was refused: next may come a digit or a point, and no end of the number
    {"shop": "Ace     "Ace" was refused: next may come more of the name, and not the closing quote

It is exact: a token from which only refused texts can come is illegal, too. Once the value is another one, or ended,
everything is as the grammar has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count

import numpy as np

from schema_compiler import TokenMask, Vocabulary
from sdk.generation.cursor import Cursor

__all__ = ["Exclusion"]

_BEHIND = frozenset(b",]} \t\r\n")
"""What stands behind a value that is no string."""

_NUMBERS = count(-3, -1)
"""Numbers for states: no engine has negative ones, and ``Reasoning`` has -2."""

_CLOSINGS = 16
"""How many tokens are tried to close a document another way than by a refused text; chosen, not measured."""


class Exclusion:
    """``cursor``, after which no text of ``refused`` may come next, itself a ``Cursor``.

    Each text ends with a whole value of JSON: a string with its quotes, a number or a name. ``cursor`` is moved along.
    """

    def __init__(self, cursor: Cursor, vocabulary: Vocabulary, refused: Collection[bytes]) -> None:
        self.cursor = cursor
        self._vocabulary = vocabulary
        self._refused = frozenset(refused)
        self._read: list[bytes] = [
            b""
        ]  # after each token: the text from the start, as long as it may become a refused one
        self._masks: dict[bytes, TokenMask] = {}
        self._alive: dict[bytes, bool] = {}
        self._numbers: dict[bytes, int] = {}

    @property
    def is_dead(self) -> bool:
        """Whether nothing is left to write."""
        return not self.mask().any()

    @property
    def state_id(self) -> int:
        """The inner cursor's; before the value is another one, a number of its own for each text."""
        read = self._read[-1]
        if not self._may_become(read):
            return self.cursor.state_id
        if read not in self._numbers:
            self._numbers[read] = next(_NUMBERS)
        return self._numbers[read]

    def mask(self) -> TokenMask:
        """The inner cursor's, without the tokens that complete a refused text, or lead to nothing else."""
        read = self._read[-1]
        if not self._may_become(read):
            return self.cursor.mask()
        if read not in self._masks:
            mask = self.cursor.mask().copy()
            for token_id in self._illegal(self.cursor, read):
                mask[token_id // 32] &= ~np.uint32(1 << (token_id % 32))
            mask.flags.writeable = False
            self._masks[read] = mask
        return self._masks[read]

    def _illegal(self, cursor: Cursor, read: bytes) -> Iterator[int]:
        """The tokens after ``read`` that the cursor admits and this does not."""
        for token_id, text in self._near(cursor, read):
            if self._is_refused(text, token_id) or (
                self._may_become(text) and not self._goes_on(cursor, token_id, text)
            ):
                yield token_id

    def _near(self, cursor: Cursor, read: bytes) -> Iterator[tuple[int, bytes]]:
        """The tokens that the cursor admits and a refused text goes on with, or ends in, with the text up to each."""
        legal, tokens = self._legal(cursor), self._vocabulary.tokens
        rests = [refused[len(read) :] for refused in self._refused if refused.startswith(read)]
        inside = {rest[:length] for rest in rests for length in range(1, len(rest) + 1)}
        for token_id in legal:
            text = tokens[token_id]
            if text is None:
                if read in self._refused:
                    yield token_id, read
            elif text in inside or text.startswith(tuple(rests)):
                yield token_id, read + text

    def _legal(self, cursor: Cursor) -> list[int]:
        bits = np.unpackbits(cursor.mask().view(np.uint8), count=len(self._vocabulary), bitorder="little")
        legal: list[int] = np.flatnonzero(bits).tolist()
        return legal

    def _is_refused(self, text: bytes, token_id: int) -> bool:
        """Whether ``text``, of which ``token_id`` is the last token, has a refused value in it."""
        ended = token_id in self._vocabulary.eos_token_ids
        return any(
            text.startswith(refused)
            and (refused.endswith(b'"') or (ended if len(text) == len(refused) else text[len(refused)] in _BEHIND))
            for refused in self._refused
        )

    def _may_become(self, text: bytes) -> bool:
        """Whether a refused text begins with ``text``, and is not over."""
        return any(
            refused.startswith(text) and (len(text) < len(refused) or not refused.endswith(b'"'))
            for refused in self._refused
        )

    def _goes_on(self, cursor: Cursor, token_id: int, text: bytes) -> bool:
        """Whether some text that is not refused begins with ``text``, whose last token is ``token_id``."""
        if text not in self._alive:
            after = cursor.fork()
            after.accept(token_id)
            illegal = set(self._illegal(after, text))
            self._alive[text] = any(following not in illegal for following in self._legal(after))
        return self._alive[text]

    def accept(self, token_id: int) -> bool:
        """See ``Cursor``."""
        if not 0 <= token_id < len(self._vocabulary) or not self.mask()[token_id // 32] >> np.uint32(token_id % 32) & 1:
            return False
        read = self._read[-1]
        undecided = self._may_become(read)
        self.cursor.accept(token_id)
        self._read.append(read + (self._vocabulary.tokens[token_id] or b"") if undecided else read)
        return True

    def rollback(self, count: int) -> None:
        """See ``Cursor``; not beyond where the exclusion began."""
        self.cursor.rollback(count)
        del self._read[len(self._read) - count :]

    def fork(self) -> Exclusion:
        """See ``Cursor``."""
        twin = Exclusion(self.cursor.fork(), self._vocabulary, self._refused)
        twin._read, twin._masks, twin._alive = self._read.copy(), self._masks, self._alive
        twin._numbers = self._numbers
        return twin

    def is_complete(self) -> bool:
        """See ``Cursor``."""
        return self.cursor.is_complete() and not (self._may_become(read := self._read[-1]) and read in self._refused)

    def forced(self) -> bytes:
        """The inner cursor's: what every document has next, those have that are left."""
        return self.cursor.forced()

    def closing(self) -> bytes:
        """The inner cursor's, or one behind a token that leads away from the refused texts."""
        closing, read = self.cursor.closing(), self._read[-1]
        if not self._may_become(read) or (
            not self._is_refused(read + closing, -1) and read + closing not in self._refused
        ):
            return closing
        endings = []
        for token_id in self._legal(self)[:_CLOSINGS]:
            after = self.fork()
            after.accept(token_id)
            endings.append((self._vocabulary.tokens[token_id] or b"") + after.closing())
        return min(endings, key=len)

    def choices(self, limit: int) -> list[list[bytes]] | None:
        """The inner cursor's without the refused ones."""
        groups, read = self.cursor.choices(limit), self._read[-1]
        if groups is None or not self._may_become(read):
            return groups
        kept = [[text for text in group if read + text not in self._refused] for group in groups]
        return [group for group in kept if group] or None
