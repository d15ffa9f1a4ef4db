r"""Patterns as automata: the strings in which a regular expression matches.

A pattern is read in its dialect (``regex_parser``), run on classes of characters (``regex_automaton``) and spelled as
bytes (``text``). JSON Schema's ``pattern`` searches: ``b+`` accepts ``"abc"``, and only anchors tie it to the ends::

    pattern_string(Pattern("^a{2}$")).shortest() == b'"aa"'
"""

from __future__ import annotations

from functools import lru_cache

from schema_compiler.grammar import text
from schema_compiler.grammar.codepoints import ANY, CodePoints
from schema_compiler.grammar.dfa import Dfa
from schema_compiler.grammar.regex import END, START, Regex, sequence
from schema_compiler.grammar.regex_automaton import search
from schema_compiler.grammar.regex_parser import Parsed, parse
from schema_compiler.grammar.unicode import category
from schema_compiler.schema.schema import Dialect, Pattern

__all__ = ["pattern_string", "regex_string", "regex_text"]


@lru_cache(maxsize=256)
def pattern_string(pattern: Pattern) -> Dfa:
    """The JSON strings, with quotes, in which ``pattern`` matches somewhere (``negated``: nowhere).

    A pattern that asks for Unicode properties leaves out code points that this Python's Unicode does not assign: the
    engine that will judge the text may know a later version. Raises ``PatternError`` for a pattern that is malformed
    or not regular, ``CompileBudgetError`` when its automaton grows too large.
    """
    parsed = parse(pattern.regex, pattern.dialect)
    return text.quoted(search(parsed.regex, alphabet=_alphabet(parsed, pattern.dialect), negated=pattern.negated))


@lru_cache(maxsize=256)
def regex_string(regex: str, dialect: Dialect = "ecma") -> Dfa:
    """The JSON strings, with quotes, that ``regex`` matches from the first character to the last."""
    parsed = parse(regex, dialect)
    return text.quoted(search(_whole(parsed.regex), alphabet=_alphabet(parsed, dialect)))


@lru_cache(maxsize=256)
def regex_text(regex: str, dialect: Dialect = "rust") -> Dfa:
    """The plain UTF-8 texts, without quotes, that ``regex`` matches from the first character to the last."""
    parsed = parse(regex, dialect)
    return text.raw(search(_whole(parsed.regex), alphabet=_alphabet(parsed, dialect)))


def _whole(term: Regex) -> Regex:
    return sequence((START, term, END))


def _alphabet(parsed: Parsed, dialect: Dialect) -> CodePoints:
    if not parsed.asks_unicode or dialect == "python":
        return ANY
    return category("Assigned") or ANY
