"""The naive answer: lex the whole text with ``re``, feed Lark's own parser, try completions one by one.

It shares nothing with the masks but Lark's reading of the grammar. A text is a legal beginning when some completion
out of a given list makes it a sequence of whole lexemes that Lark's interactive parser takes one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

from lark import Lark, Token
from lark.exceptions import LarkError
from lark.lexer import TerminalDef

__all__ = ["Oracle"]


class Oracle:
    """Answers for one grammar. ``lexemes``: at least one text per terminal; their endings are the completions tried."""

    def __init__(self, grammar: str, lexemes: Iterable[str]) -> None:
        self._lark = Lark(grammar, parser="lalr", lexer="basic")
        endings = {lexeme[at:] for lexeme in lexemes for at in range(len(lexeme) + 1)}
        self._completions = sorted(endings, key=lambda ending: (len(ending), ending))
        self.legal = lru_cache(maxsize=None)(self._legal)

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        """Terminals, those first that win where two match the same text."""
        ordered = sorted(self._lark.terminals, key=_precedence)
        return [(terminal.name, re.compile(terminal.pattern.to_regexp())) for terminal in ordered]

    def lex(self, text: str) -> list[tuple[str, str]] | None:
        """The lexemes of a whole text by longest match; ``None`` where it has none."""
        found = []
        at = 0
        while at < len(text):
            matches = [(match.end(), name) for name, regex in self._patterns if (match := regex.match(text, at))]
            if not matches:
                return None
            end, name = max(matches, key=lambda match: match[0])
            found.append((name, text[at:end]))
            at = end
        return found

    def _parses(self, text: str, *, whole: bool) -> bool:
        lexemes = self.lex(text)
        if lexemes is None:
            return False
        parser = self._lark.parse_interactive("")
        try:
            for name, lexeme in lexemes:
                if name not in self._lark.ignore_tokens:
                    parser.feed_token(Token(name, lexeme))
            if whole:
                parser.feed_eof()
        except LarkError:
            return False
        return True

    def complete(self, text: str) -> bool:
        """Whether a text is a document."""
        return self._parses(text, whole=True)

    def _legal(self, text: str) -> bool:
        return any(self._parses(text + ending, whole=False) for ending in self._completions)


def _precedence(terminal: TerminalDef) -> tuple[int, bool, int, int, str]:
    pattern = terminal.pattern
    return (-terminal.priority, pattern.type != "str", -pattern.max_width, -len(pattern.value), terminal.name)
