"""How the model itself would cut a text into tokens.

A text has many spellings in tokens, and a model prefers one of them: that of its tokenizer. Boundaries depend on what
stands before, so a text that goes on after some tokens is spelled together with the last of them:

    before `{"`, text `total": `     {"total":  is cut `{"` `total` `":` ` `, so the tokens are `total` `":` ` `
    before `tot`, text `al": `       total":  is cut `total` `":` ` `, nowhere after `tot`, so `al": ` is cut alone

Under a mask, a model that would rather have written something else spells a forced text in its own way, which is
learned from its first answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from schema_compiler import Vocabulary

__all__ = ["Speller"]

_REMEMBERED_TEXTS = 4096
"""How many spellings to remember; entries take some hundred bytes, and a grammar has some dozen forced texts.

A power of two that hundreds of grammars share; chosen, not measured.
"""


class Speller:
    """Spells texts in tokens. Shared by threads; answers are remembered, since the texts of a grammar come back.

    ``encode``: a text's tokens, as ``Model.encode`` gives them.
    """

    def __init__(self, encode: Callable[[str], list[int]], vocabulary: Vocabulary) -> None:
        self._encode = encode
        self._vocabulary = vocabulary
        self._canonical = lru_cache(_REMEMBERED_TEXTS)(self._spell_after)
        self._learned: dict[tuple[bytes, bytes], tuple[int, ...]] = {}

    def following(self, before: bytes, text: bytes, forced: int = 0) -> tuple[int, ...]:
        """The tokens of ``text`` after a token that reads ``before``; none where the tokenizer cannot spell it.

        ``forced``: how many bytes at the beginning of ``text`` the grammar forces, which is what ``learn`` is about.
        """
        learned = self._learned.get((before, text[:forced]))
        if learned is None:
            return self._canonical(before, text)
        last = self._vocabulary.tokens[learned[-1]] or b""
        return learned + self._canonical(last, text[forced:])

    def learn(self, before: bytes, forced: bytes, token_ids: Sequence[int]) -> None:
        """Remember how the model itself spelled a forced text, for the next document."""
        if len(self._learned) < _REMEMBERED_TEXTS:
            self._learned[before, forced] = tuple(token_ids)

    def _spell_after(self, before: bytes, text: bytes) -> tuple[int, ...]:
        """Together with ``before``, or else at the beginning of a line, or of everything."""
        for context in (before, b"\n", b""):
            tokens = self._spell_together(context, text)
            if tokens:
                return tokens
        return ()

    def _spell_together(self, before: bytes, text: bytes) -> tuple[int, ...]:
        """The tokens that ``before + text`` has for ``text``; none when no token ends where ``before`` does."""
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
