"""Which tokens hold a whole string: the few that can complete a key all by themselves.

    token  ": 1, "a"      of its quoted pieces,  "a"  may be a string;  ": 1, "  is not, as no string is followed by a

Only keys and items matter, which follow a comma unless they come first. Whoever must not read a text twice asks for
the tokens that hold it, instead of trying every token with a quote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from schema_compiler.regular.text.json_strings import QUOTE

__all__ = ["QuotedTokens"]


class QuotedTokens:
    """Tokens, given by id and text, by the quoted pieces in them that may be strings, quotation marks included.

    ``repeating``: the tokens in which a piece comes twice.
    """

    def __init__(self, tokens: Iterable[tuple[int, bytes]]) -> None:
        self.repeating: list[int] = []
        self._several: list[int] = []
        self._holding: dict[bytes, list[int]] = {}
        self._after_head: list[tuple[int, bytes, frozenset[bytes]]] = []
        for token_id, text in tokens:
            if text.count(b'"') >= 2:
                self._add(token_id, text)

    def _add(self, token_id: int, text: bytes) -> None:
        marks = [index for index, byte in enumerate(text) if byte == QUOTE]
        pieces = [
            (first, text[first : last + 1])
            for first, last in pairwise(marks)
            if _may_begin(text[:first]) and _may_end(text[last + 1 :])
        ]
        self._several.append(token_id)
        if len({piece for _, piece in pieces}) < len(pieces):
            self.repeating.append(token_id)
        for piece in {piece for _, piece in pieces}:
            self._holding.setdefault(piece, []).append(token_id)
        later = frozenset(piece for first, piece in pieces if first > marks[0])
        if later:
            self._after_head.append((token_id, text[: marks[0] + 1], later))

    def holding(self, string: bytes) -> Sequence[int]:
        """The tokens in which ``string``, with its marks, may stand whole; with escapes, all that hold any string."""
        return self._several if b"\\" in string else self._holding.get(string, ())

    def repeating_after(self, begun: bytes) -> Iterator[int]:
        """The tokens that complete the string ``begun`` and then hold it whole."""
        escaped = b"\\" in begun
        for token_id, head, later in self._after_head:
            if escaped or b"\\" in head or begun + head in later:
                yield token_id


def _may_begin(before: bytes) -> bool:
    """Whether a key or an item, other than the first of its container, may stand after ``before``."""
    before = before.rstrip(b" \t\n\r")
    return not before or before[-1:] == b","


def _may_end(rest: bytes) -> bool:
    """Whether a string may stand before ``rest``: as a key, as an item, or where the token leaves it open."""
    rest = rest.lstrip(b" \t\n\r")
    return not rest or rest[:1] in (b":", b",", b"]")
