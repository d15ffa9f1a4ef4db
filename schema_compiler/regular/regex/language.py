r"""Patterns as automata: the strings in which a regular expression matches.

A pattern is read in its dialect (``parser``), made an automaton over classes of characters (``determinize``) and then
over bytes (``text.json_strings``). JSON Schema's ``pattern`` searches: ``b+`` accepts ``"abc"``, and only anchors tie a
pattern to the ends::

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
from schema_compiler.regular.text.categories import category
from schema_compiler.regular.text.codepoints import ANY, CodePoints
from schema_compiler.regular.text.json_strings import quoted, raw

__all__ = ["CountedStrings", "counted_pattern", "is_matched", "pattern_string", "regex_string", "regex_text"]


_UNROLLED = 16
"""A set of characters that is repeated up to so many times is written out in states; beyond, its length is counted.

States need no arithmetic when masks are made, counters need no states. Chosen, not measured.
"""


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
    """Whether some text of ``minimum`` to ``maximum`` characters (None: any number) is in the language of ``pattern``.

    Builds no automaton, so the answer comes sooner than from ``pattern_string``. Raises as that does.
    """
    parsed = parse(pattern.regex, pattern.dialect)
    alphabet = _alphabet(parsed, pattern.dialect)
    return is_found(parsed.regex, minimum, maximum, alphabet=alphabet, negated=pattern.negated)


def counted_pattern(pattern: Pattern) -> CountedStrings:
    """As ``pattern_string``, with one long repetition left to a counter: ``^a[b-z]{0,99}$`` is ``^a[b-z]*$``, 1 to 100.

    That is exact when everything else between the anchors has a fixed length, and spares a state per repetition.
    Patterns of another shape are not changed. Raises as ``pattern_string`` does.
    """
    return _strings(pattern, counted=True)


@lru_cache(maxsize=64)
def _strings(pattern: Pattern, *, counted: bool) -> CountedStrings:
    parsed = parse(pattern.regex, pattern.dialect)
    alphabet = _alphabet(parsed, pattern.dialect)
    term, minimum, maximum = _uncounted(parsed.regex) if counted and not pattern.negated else (parsed.regex, 0, None)
    if counted and term is parsed.regex:
        return _strings(pattern, counted=False)
    return CountedStrings(quoted(search(term, alphabet=alphabet, negated=pattern.negated)), minimum, maximum)


@lru_cache(maxsize=64)
def regex_string(regex: str, dialect: Dialect = "ecma") -> Dfa:
    """The JSON strings, with quotes, that ``regex`` matches as a whole. Raises as ``pattern_string`` does."""
    parsed = parse(regex, dialect)
    return quoted(search(_whole(parsed.regex), alphabet=_alphabet(parsed, dialect)))


@lru_cache(maxsize=64)
def regex_text(regex: str, dialect: Dialect = "rust") -> Dfa:
    """The texts in UTF-8, without quotes, that ``regex`` matches as a whole. Raises as ``pattern_string`` does."""
    parsed = parse(regex, dialect)
    return raw(search(_whole(parsed.regex), alphabet=_alphabet(parsed, dialect)))


def _whole(term: Regex) -> Regex:
    return sequence((START, term, END))


def _alphabet(parsed: Parsed, dialect: Dialect) -> CodePoints:
    """The characters that texts may have. Python judges its own patterns, so its version of Unicode is known."""
    if not parsed.asks_unicode or dialect == "python":
        return ANY
    return category("Assigned") or ANY


def _uncounted(term: Regex) -> tuple[Regex, int, int | None]:
    """The term with its one long repetition made endless, and the lengths (None: any) that texts must then have.

    A term of another shape comes back unchanged.
    """
    parts = term.parts if isinstance(term, Sequence) else ()
    if len(parts) < 3 or parts[0] != START or parts[-1] != END:
        return term, 0, None
    widths = [width(part) for part in parts]
    flexible = [at for at, length in enumerate(widths) if length is None]
    at = flexible[0] if flexible else max(range(len(parts)), key=lambda place: widths[place] or 0)
    repeat = parts[at]
    if len(flexible) > 1 or not isinstance(repeat, Repeat) or not isinstance(repeat.body, Chars):
        return term, 0, None
    if max(repeat.minimum, repeat.maximum or 0) <= _UNROLLED:
        return term, 0, None
    others = sum(length or 0 for place, length in enumerate(widths) if place != at)
    unlimited = sequence((*parts[:at], Repeat(repeat.body, 0, None), *parts[at + 1 :]))
    return unlimited, others + repeat.minimum, None if repeat.maximum is None else others + repeat.maximum
