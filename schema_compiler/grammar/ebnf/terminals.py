"""Terminals as regular expressions over characters: what a name, a quoted text or a pattern matches.

A terminal is a set of texts, each taken by itself from its first character to its last; anchors and look-ahead see no
more than that text. So ``/(?!(?:if|else)$)[a-z]+/`` are the words that are no keywords, wherever they stand::

    SIGN: "+" | "-"
    INT: SIGN? /[0-9]+/         the regular expression (?:[+]|-)?[0-9]+
"""

from __future__ import annotations

import re
from typing import assert_never

from schema_compiler.errors import CompileBudgetError, PatternError
from schema_compiler.grammar.ebnf.common import common
from schema_compiler.grammar.ebnf.syntax import (
    Choice,
    Name,
    Pattern,
    Range,
    Repeat,
    Sequence,
    Source,
    Term,
    Text,
    atoms_in,
)
from schema_compiler.regular.regex import syntax as regex
from schema_compiler.regular.regex.determinize import search
from schema_compiler.regular.regex.parser import parse
from schema_compiler.regular.regex.syntax import Chars, Regex
from schema_compiler.regular.text.codepoints import CodePoints
from schema_compiler.regular.text.json_strings import TextLanguage

__all__ = ["Terminals"]


class Terminals:
    """The terminals of one grammar, each turned into a regular expression when it is first asked for."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._regexes: dict[str, Regex] = {}
        self._under_way: list[str] = []

    def language(self, term: Term) -> TextLanguage:
        """The texts of ``term``, in which only terminals may be named.

        Raises ``GrammarError`` for a terminal that is undefined, malformed or not regular, ``CompileBudgetError`` for
        one that is too large.
        """
        term_regex = self._regex(term)
        try:
            return search(regex.sequence((regex.START, term_regex, regex.END)))
        except CompileBudgetError as error:
            names = [f"terminal {term.name}"] if isinstance(term, Name) else map(self._source.home, atoms_in(term))
            raise CompileBudgetError(f"{next(iter(names))}: {error}") from error

    def _regex(self, term: Term) -> Regex:
        match term:
            case Text(value, ignore_case):
                return _text_regex(value, ignore_case=ignore_case)
            case Pattern():
                return self._pattern_regex(term)
            case Range(first, last):
                return Chars(CodePoints.of((ord(first), ord(last))))
            case Name():
                return self._terminal_regex(term)
            case Sequence(items):
                return regex.sequence(map(self._regex, items))
            case Choice(options):
                return regex.choice(map(self._regex, options))
            case Repeat(item, minimum, maximum):
                return regex.Repeat(self._regex(item), minimum, maximum)
            case _:
                assert_never(term)

    def _terminal_regex(self, name: Name) -> Regex:
        if name.name in self._under_way:
            raise name.location.error(f"terminal {name.name} is defined by itself; only rules may be")
        if name.name not in self._regexes:
            self._under_way.append(name.name)
            self._regexes[name.name] = self._definition_regex(name)
            self._under_way.pop()
        return self._regexes[name.name]

    def _definition_regex(self, name: Name) -> Regex:
        if imported := self._source.imports.get(name.name):
            if imported.name not in common().definitions:
                raise imported.location.error(f"there is no common terminal {imported.name}")
            return Terminals(common())._terminal_regex(Name(imported.name, imported.location))
        definition = self._source.definitions.get(name.name)
        if definition is None:
            raise name.location.error(f"{name.name} is not defined")
        if not definition.is_terminal:
            raise name.location.error(f"rule {name.name} cannot be part of a terminal")
        return self._regex(definition.body)

    def _pattern_regex(self, pattern: Pattern) -> Regex:
        try:
            return parse(pattern.regex, "python", flags=pattern.flags).regex
        except PatternError as error:
            raise pattern.location.error(f"{self._source.home(pattern)}: {error}") from error


def _text_regex(value: str, *, ignore_case: bool) -> Regex:
    if ignore_case:
        return parse(re.escape(value), "python", flags="i").regex
    return regex.sequence(Chars(CodePoints.chars(char)) for char in value)
