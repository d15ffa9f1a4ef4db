"""How the model itself would cut a text into tokens.

A text has many spellings in tokens, and a model knows one of them: that of its tokenizer. Boundaries depend on what
stands before, so a text that goes on after some tokens is spelled together with the last of them:

    before `"tot`, text `al": `         "total": is  `"` `total` `":` ` `, no boundary after `tot`: spelled apart
    before `{"`, text `total": `        {"total": is `{"` `total` `":` ` `: the tokens are `total` `":` ` `

Under a mask, a model that would rather have written something else spells a forced text its own way; that is learned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from schema_compiler import Vocabulary

__all__ = ["Speller"]

_KEPT = 4096


class Speller:
    """Canonical tokens of texts. Shared by threads; answers are kept, since the texts of a grammar come back.

    ``encode``: a text's tokens, as ``Model.encode``.
    """

    def __init__(self, encode: Callable[[str], list[int]], vocabulary: Vocabulary) -> None:
        self._encode = encode
        self._vocabulary = vocabulary
        self._canonical = lru_cache(_KEPT)(self._following)
        self._learned: dict[tuple[bytes, bytes], tuple[int, ...]] = {}

    def following(self, before: bytes, text: bytes, forced: int = 0) -> tuple[int, ...]:
        """The tokens of ``text`` after a token that reads ``before``; none where the tokenizer cannot spell it.

        ``forced``: how many bytes come first that every document of the grammar has here.
        """
        learned = self._learned.get((before, text[:forced]))
        if learned is None:
            return self._canonical(before, text)
        last = self._vocabulary.tokens[learned[-1]] or b""
        return learned + self._canonical(last, text[forced:])

    def learn(self, before: bytes, forced: bytes, token_ids: Sequence[int]) -> None:
        """Remember how the model itself spelled a forced text, which it will again in the next document."""
        if len(self._learned) < _KEPT:
            self._learned[before, forced] = tuple(token_ids)

    def _following(self, before: bytes, text: bytes) -> tuple[int, ...]:
        for context in (before, b"\n", b""):
            tokens = self._after(context, text)
            if tokens:
                return tokens
        return ()

    def _after(self, before: bytes, text: bytes) -> tuple[int, ...]:
        """Spelled together; none when no token ends where ``before`` does."""
        try:
            token_ids = self._encode((before + text).decode())
        except UnicodeDecodeError:
            return ()
        start, rest = len(token_ids), text
        while rest and start:
            start -= 1
            spelled = self._vocabulary.tokens[token_ids[start]]
            if not spelled or not rest.endswith(spelled):
                return ()
            rest = rest[: -len(spelled)]
        return () if rest else tuple(token_ids[start:])
