"""Questions about string languages that decide what a schema means: is it empty, does it hold this text?

Object keys need both: which ``patternProperties`` a declared name falls under, and which combinations of key
patterns no key can satisfy. The automata of the ``regular`` package answer exactly; a length beside a pattern is
followed character by character, as in "3 to 5 characters of /^(ab)*$/" (there is one such text, "abab").
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import islice

from schema_compiler.errors import PatternError
from schema_compiler.regular.automata.lengths import lengths_of
from schema_compiler.regular.automata.operations import intersect
from schema_compiler.regular.automata.properties import is_endless, is_infinite, texts_of
from schema_compiler.regular.formats import format_string, max_length
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import CountedStrings, is_matched, pattern_string
from schema_compiler.regular.regex.parser import parse
from schema_compiler.regular.text.json_strings import exclude, string_literal
from schema_compiler.schema.algebra.numbers import contains_number
from schema_compiler.schema.algebra.numerals import numeral
from schema_compiler.schema.algebra.strings import counted_strings
from schema_compiler.schema.algebra.witness import begin_differently, holds_plainly, is_shared
from schema_compiler.schema.ir import ANY_STRING, Number, String

__all__ = ["are_told_apart", "has_names", "holds", "is_possible", "unreadable"]

_PLAIN = re.compile(
    r"\^?(?:\\[^bBAzZ]|[^\\^$\[\]()]|\((?!\?)|\(\?:|\)|\[(?:[^\\\]^]|\\.)+\]|\[\^(?:[^\\\]]|\\[^SDWP])+\])*\$?"
)
"""Patterns that some text surely matches: no anchors inside, no look-around, no class that may be empty.

Such a pattern needs no automaton to be found possible.
"""
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
"""The spellings of JSON numbers (RFC 8259, section 6), which ``Decimal`` reads."""


def are_told_apart(strings: String) -> bool:
    """Whether the grammar can see to it that no text of ``strings`` comes twice in a list.

    It can where no length is counted and whatever is begun can go on without end; see ``grammar.leaves.distinct``.
    Raises what ``counted_strings`` raises.
    """
    language = counted_strings(strings)
    return language.maximum is None and is_endless(language.dfa)


def holds(keys: String | Number, text: str) -> bool:
    """Whether ``text`` is in the language; a ``Number`` stands for its spellings between quotes.

    Raises ``PatternError`` for a pattern that cannot be read, ``CompileBudgetError`` where an automaton gets too large.
    """
    if isinstance(keys, Number):
        return _NUMBER.fullmatch(text) is not None and contains_number(keys, Decimal(text))
    if keys == ANY_STRING:
        return True
    if len(text) < keys.min_length or (keys.max_length is not None and len(text) > keys.max_length):
        return False
    if any(len(text) > (max_length(name) or len(text)) for name in keys.formats):
        return False
    spelling = string_literal(text)
    return (
        all(_matches(pattern, text, spelling) for pattern in keys.patterns)
        and all(format_string(name).accepts(spelling) for name in keys.formats)
        and not any(format_string(name).accepts(spelling) for name in keys.excluded)
    )


def _matches(pattern: Pattern, text: str, spelling: bytes) -> bool:
    answer = holds_plainly(pattern, text)
    return pattern_string(pattern).accepts(spelling) if answer is None else answer


@lru_cache(maxsize=4096)
def is_possible(string: String) -> bool:
    """Whether any text satisfies lengths, patterns and formats together.

    Raises ``PatternError`` for a pattern that cannot be read, ``CompileBudgetError`` where it takes too long to tell.
    """
    if string.max_length is not None and string.min_length > string.max_length:
        return False
    if not string.formats and not string.excluded:
        if not string.patterns:
            return True
        if len(string.patterns) == 1:
            return _is_surely_matched(string) or is_matched(string.patterns[0], string.min_length, string.max_length)
    if string == String(formats=string.formats[:1]):
        return True
    return not begin_differently(string.patterns) and is_shared(string)


def _is_surely_matched(string: String) -> bool:
    """Whether a text satisfies the one pattern of ``string``, which is plain and stands alone."""
    pattern = string.patterns[0]
    is_alone = not string.min_length and string.max_length is None and not pattern.negated
    return is_alone and _PLAIN.fullmatch(pattern.regex) is not None


@lru_cache(maxsize=256)
def has_names(names: String | Number, declared: frozenset[str], count: int) -> bool:
    """Whether there are ``count`` texts (at least 1) in ``names`` that are not ``declared``.

    Raises ``PatternError`` for a pattern that cannot be read, ``CompileBudgetError`` where an automaton gets too large.
    """
    if names == ANY_STRING:
        return True
    strings = CountedStrings(numeral(names)) if isinstance(names, Number) else counted_strings(names)
    dfa = intersect(strings.dfa, exclude(declared))
    if dfa.is_empty or not lengths_of(dfa).viable(0, strings.minimum, strings.maximum):
        return False
    if count == 1 or (strings.maximum is None and is_infinite(dfa)):
        return True
    spellings = texts_of(dfa, strings.minimum, strings.maximum)
    return sum(1 for _ in islice(_without_duplicates(map(json.loads, spellings)), count)) == count


def _without_duplicates(texts: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


@lru_cache(maxsize=4096)
def unreadable(pattern: Pattern) -> str:
    """Why ``pattern`` cannot be enforced: it is malformed or not regular; "" if it can."""
    try:
        parse(pattern.regex, pattern.dialect)
    except PatternError as error:
        return str(error)
    return ""
