"""How the model itself would cut a text into tokens.

A text has many spellings in tokens, and a model knows one of them: that of its tokenizer. Boundaries depend on what
stands before, so a text that goes on after some tokens is spelled together with the last of them:

    before `"tot`, text `al": `         "total": is  `"` `total` `":` ` `, no boundary after `tot`: spelled apart
    before `{"`, text `total": `        {"total": is `{"` `total` `":` ` `: the tokens are `total` `":` ` `
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from schema_compiler import Vocabulary

__all__ = ["Speller"]


class Speller:
    """Canonical tokens of texts. Shared by threads; answers are kept, since the texts of a grammar come back.

    ``encode``: a text's tokens, as ``Model.encode``.
    """

    def __init__(self, encode: Callable[[str], list[int]], vocabulary: Vocabulary) -> None:
        self._encode = encode
        self._vocabulary = vocabulary
        self.following = lru_cache(4096)(self._following)

    def _following(self, before: bytes, text: bytes) -> tuple[int, ...]:
        """The tokens of ``text`` after a token that reads ``before``; none where the tokenizer cannot spell it."""
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
