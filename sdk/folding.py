r"""Text without what spellings of the same thing differ in: its words, folded, with a blank between two.

    "ACE  Books,\nLtd."  ->  "ace books ltd"

Characters are normalised (NFKC: ligatures, full-width letters) and folded in case; white space and punctuation part
words and are dropped, while symbols (``+``, ``$``) stay. A wide character (Han, Kana, Hangul) is a word by itself, as
such scripts need no blanks. Each folded character knows where it came from, so that what is found in folded text can be
shown in the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

__all__ = ["FoldedText", "fold"]

_BETWEEN_WORDS = frozenset("PZC")
"""The first letters of Unicode's categories of what parts words: punctuation, separators, controls."""


class FoldedText:
    """A text and its folded form, ``text``."""

    def __init__(self, original: str) -> None:
        folded: list[str] = []
        self._origins: list[tuple[int, int]] = []
        parted = True
        for start, end in _characters(original):
            for character in unicodedata.normalize("NFKC", original[start:end]).casefold():
                if unicodedata.category(character)[0] in _BETWEEN_WORDS:
                    parted = True
                    continue
                alone = unicodedata.east_asian_width(character) in "WF"
                if folded and (parted or alone):
                    folded.append(" ")
                    self._origins.append((start, start))
                folded.append(character)
                self._origins.append((start, end))
                parted = alone
        self.text = "".join(folded)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Where the folded characters from ``start`` to before ``end`` stand in the text that was folded."""
        return self._origins[start][0], self._origins[end - 1][1]


def fold(text: str) -> str:
    """The folded form of ``text``; text of punctuation alone, which would leave nothing, stays as it is."""
    return FoldedText(text).text or text.strip()


def _characters(text: str) -> Iterator[tuple[int, int]]:
    """Where each character begins and ends, with the combining marks behind it."""
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or not unicodedata.combining(text[index]):
            yield start, index
            start = index
