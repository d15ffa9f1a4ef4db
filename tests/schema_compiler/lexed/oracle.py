"""The naive answer: lex the whole text with ``re``, feed Lark's own parser, try completions one by one.

It shares nothing with the masks but Lark's reading of the grammar. A text is a legal beginning when some completion
out of a given list makes it a sequence of whole lexemes that Lark's interactive parser takes one after the other, up to
one that it does not ignore or the end of a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

from lark import Lark, Token
from lark.exceptions import LarkError
from lark.lexer import TerminalDef
from lark.parsers.lalr_interactive_parser import InteractiveParser

__all__ = ["Oracle"]


class Oracle:
    """Answers for one grammar.

    ``lexemes``: at least one text per terminal; their endings are the completions tried, those of ignored lexemes also
    with another lexeme behind.
    """

    def __init__(self, grammar: str, lexemes: Iterable[str]) -> None:
        self._lark = Lark(grammar, parser="lalr", lexer="basic")
        endings = {(lexeme, lexeme[at:]) for lexeme in lexemes for at in range(len(lexeme) + 1)}
        behind = {ending + lexeme for whole, ending in endings if self._ignores(whole) for lexeme in ("", *lexemes)}
        completions = behind | {ending for _, ending in endings}
        self._completions = sorted(completions, key=lambda ending: (len(ending), ending))
        self.legal = lru_cache(maxsize=None)(self._legal)
        self._parser = lru_cache(maxsize=None)(self._fed)

    def _ignores(self, text: str) -> bool:
        lexemes = self.lex(text)
        return lexemes is not None and all(name in self._lark.ignore_tokens for name, _ in lexemes)

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

    def _fed(self, names: tuple[str, ...]) -> InteractiveParser | None:
        """Lark's parser behind these terminals; ``None`` where it refuses one."""
        if not names:
            return self._lark.parse_interactive("")
        before = self._parser(names[:-1])
        if before is None or names[-1] in self._lark.ignore_tokens:
            return before
        parser = before.copy(deepcopy_values=False)
        try:
            parser.feed_token(Token(names[-1], ""))
        except LarkError:
            return None
        return parser

    def complete(self, text: str) -> bool:
        """Whether a text is a document."""
        lexemes = self.lex(text)
        parser = None if lexemes is None else self._parser(tuple(name for name, _ in lexemes))
        return parser is not None and "$END" in parser.accepts()

    def _legal(self, text: str) -> bool:
        return any(self._leads(text + ending) for ending in self._completions)

    def _leads(self, text: str) -> bool:
        lexemes = self.lex(text)
        if not lexemes or lexemes[-1][0] in self._lark.ignore_tokens:
            return self.complete(text)
        return self._parser(tuple(name for name, _ in lexemes)) is not None


def _precedence(terminal: TerminalDef) -> tuple[int, bool, int, int, str]:
    pattern = terminal.pattern
    return (-terminal.priority, pattern.type != "str", -pattern.max_width, -len(pattern.value), terminal.name)
