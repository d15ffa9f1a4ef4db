r"""Patterns as automata: the strings in which a regular expression matches.

A pattern is read in its dialect (``regex_parser``), run on classes of characters (``regex_automaton``) and spelled as
bytes (``text``). JSON Schema's ``pattern`` searches: ``b+`` accepts ``"abc"``, and only anchors tie it to the ends::

    pattern_string(Pattern("^a{2}$")).shortest() == b'"aa"'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from mypy_extensions import mypyc_attr

from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.regex.determinize import is_found, search
from schema_compiler.regular.regex.dialect import Dialect, Pattern
from schema_compiler.regular.regex.parser import Parsed, parse
from schema_compiler.regular.regex.syntax import END, START, Chars, Regex, Repeat, Sequence, sequence, width
from schema_compiler.regular.text import json_strings as text
from schema_compiler.regular.text.categories import category
from schema_compiler.regular.text.codepoints import ANY, CodePoints

__all__ = ["CountedStrings", "counted_pattern", "is_matched", "pattern_string", "regex_string", "regex_text"]


UNROLLED = 16
"""A class of characters repeated up to so many times is written out in states; beyond, its length is counted."""


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class CountedStrings:
    """The JSON strings of ``dfa``, quotes included, with ``minimum`` to ``maximum`` code points (None: no limit)."""

    dfa: Dfa
    minimum: int = 0
    maximum: int | None = None


def pattern_string(pattern: Pattern) -> Dfa:
    """The JSON strings, with quotes, in which ``pattern`` matches somewhere (``negated``: nowhere).

    A pattern that asks for Unicode properties leaves out code points that this Python's Unicode does not assign: the
    engine that will judge the text may know a later version. Raises ``PatternError`` for a pattern that is malformed
    or not regular, ``CompileBudgetError`` when its automaton grows too large.
    """
    return _strings(pattern, counted=False).dfa


@lru_cache(maxsize=1024)
def is_matched(pattern: Pattern, minimum: int = 0, maximum: int | None = None) -> bool:
    """Whether some text of ``minimum`` to ``maximum`` characters is in the language of ``pattern``."""
    parsed = parse(pattern.regex, pattern.dialect)
    alphabet = _alphabet(parsed, pattern.dialect)
    return is_found(parsed.regex, minimum, maximum, alphabet=alphabet, negated=pattern.negated)


def counted_pattern(pattern: Pattern) -> CountedStrings:
    """As ``pattern_string``, with one long repetition left to a counter: ``^a[b-z]{0,99}$`` is ``^a[b-z]*$``, 1 to 100.

    That is exact when everything else between the anchors has a fixed length, and spares a state per repetition.
    """
    return _strings(pattern, counted=True)


@lru_cache(maxsize=64)
def _strings(pattern: Pattern, *, counted: bool) -> CountedStrings:
    parsed = parse(pattern.regex, pattern.dialect)
    alphabet = _alphabet(parsed, pattern.dialect)
    term, minimum, maximum = _uncounted(parsed.regex) if counted and not pattern.negated else (parsed.regex, 0, None)
    if counted and term is parsed.regex:
        return _strings(pattern, counted=False)
    return CountedStrings(text.quoted(search(term, alphabet=alphabet, negated=pattern.negated)), minimum, maximum)


@lru_cache(maxsize=64)
def regex_string(regex: str, dialect: Dialect = "ecma") -> Dfa:
    """The JSON strings, with quotes, that ``regex`` matches from the first character to the last."""
    parsed = parse(regex, dialect)
    return text.quoted(search(_whole(parsed.regex), alphabet=_alphabet(parsed, dialect)))


@lru_cache(maxsize=64)
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


def _uncounted(term: Regex) -> tuple[Regex, int, int | None]:
    """The term with its one long repetition unlimited, and the lengths of text that leaves."""
    parts = term.parts if isinstance(term, Sequence) else ()
    if len(parts) < 3 or parts[0] != START or parts[-1] != END:
        return term, 0, None
    widths = [width(part) for part in parts]
    flexible = [at for at, length in enumerate(widths) if length is None]
    at = flexible[0] if flexible else max(range(len(parts)), key=lambda place: widths[place] or 0)
    repeat = parts[at]
    if len(flexible) > 1 or not isinstance(repeat, Repeat) or not isinstance(repeat.body, Chars):
        return term, 0, None
    if max(repeat.minimum, repeat.maximum or 0) <= UNROLLED:
        return term, 0, None
    others = sum(length or 0 for place, length in enumerate(widths) if place != at)
    unlimited = sequence((*parts[:at], Repeat(repeat.body, 0, None), *parts[at + 1 :]))
    return unlimited, others + repeat.minimum, None if repeat.maximum is None else others + repeat.maximum
