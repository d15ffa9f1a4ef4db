"""Emptiness and membership of string languages, against strings listed one by one."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import product

import pytest

from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.languages import are_told_apart, has_names, holds, is_possible, unreadable
from schema_compiler.schema.algebra.witness import begin_differently, holds_plainly, only_text
from schema_compiler.schema.ir import Number, String

TEXTS = ["".join(letters) for length in range(7) for letters in product('a"', repeat=length)]
X_Y = String(patterns=(Pattern("^[xy]$"),))
REGEXES = ["^a$", "^(?:aa)*$", "^(?:aaa)+$", 'a"', "^(?!a)", "^$", "a^", '^(?:a|"")$', "[^\\s\\S]"]


@pytest.mark.parametrize("regex", REGEXES)
@pytest.mark.parametrize("other", ["", '"$', "^a"])
@pytest.mark.parametrize("lengths", [(0, None), (0, 0), (1, 1), (2, 3), (4, None), (5, 5)])
def test_lengths_beside_patterns(regex: str, other: str, lengths: tuple[int, int | None]) -> None:
    least, most = lengths
    patterns = (Pattern(regex), Pattern(other))
    found = any(
        least <= len(text) <= (6 if most is None else most) and re.search(regex, text) and re.search(other, text)
        for text in TEXTS
    )
    assert is_possible(String(least, most, patterns)) == found


@pytest.mark.parametrize("regex", REGEXES)
def test_membership(regex: str) -> None:
    for negated in (False, True):
        string = String(max_length=3, patterns=(Pattern(regex, negated=negated),))
        for text in TEXTS:
            expected = len(text) <= 3 and (re.search(regex, text) is not None) != negated
            assert holds(string, text) == expected


def test_numbers_between_quotes() -> None:
    keys = Number(integer=True, quoted=True, maximum=None)
    assert [text for text in ("1", "-20", "01", "1.5", "x", "") if holds(keys, text)] == ["1", "-20"]


@pytest.mark.parametrize("left", REGEXES)
@pytest.mark.parametrize("right", ['"$', "^a+$", '^a"|"a$', "^aa"])
@pytest.mark.parametrize("excluded", ["^a", '""', "a$"])
@pytest.mark.parametrize("lengths", [(0, None), (0, 2), (3, 6), (6, 6)])
def test_several_patterns(left: str, right: str, excluded: str, lengths: tuple[int, int | None]) -> None:
    least, most = lengths
    found = any(
        least <= len(text) <= (6 if most is None else most)
        and re.search(left, text)
        and re.search(right, text)
        and not re.search(excluded, text)
        for text in TEXTS
    )
    assert is_possible(String(least, most, (Pattern(left), Pattern(right), Pattern(excluded, negated=True)))) == found


@pytest.mark.parametrize("regex", [*REGEXES, "a$", "^a", '^"a"$', "^aa|$", "^aa?$", "^aaa*", "^a(?=a)$", "^[a]$"])
def test_what_patterns_plainly_say(regex: str) -> None:
    matching = {text for text in TEXTS if re.search(regex, text)}
    text = only_text(Pattern(regex))
    assert text is None or matching == {text}
    for negated in (False, True):
        for text in TEXTS:
            assert holds_plainly(Pattern(regex, negated=negated), text) in (None, (text in matching) != negated)


def test_texts_that_patterns_spell_out() -> None:
    spelled = {"^name$": "name", "^$": "", "name$": None, "^name": None, "^nam[e]$": "name", "^na+$": None, "/$": None}
    assert {regex: only_text(Pattern(regex)) for regex in spelled} == spelled


def test_patterns_that_begin_differently() -> None:
    assert begin_differently([Pattern("^a:x"), Pattern("^a:(y|z)"), Pattern("^b")])
    assert not begin_differently([Pattern("^a:x"), Pattern("^a"), Pattern("b"), Pattern("^a:y", negated=True)])


NAMES: dict[str, tuple[String | Number, set[str], int, bool]] = {
    "all strings": (String(), {"a"}, 9, True),
    "one of two": (X_Y, {"x"}, 1, True),
    "both of two": (X_Y, set(), 2, True),
    "more than there are": (X_Y, set(), 3, False),
    "declared names do not count": (X_Y, {"x"}, 2, False),
    "all are declared": (X_Y, {"x", "y"}, 1, False),
    "no text at all": (String(patterns=(Pattern("x^"),)), set(), 1, False),
    "endless many": (String(patterns=(Pattern("^x"),)), {"x"}, 9, True),
    "lengths": (String(0, 1, patterns=(Pattern("^x*$"),)), set(), 2, True),
    "lengths beyond which there are more": (String(0, 1, patterns=(Pattern("^x*$"),)), set(), 3, False),
    "a length that none has": (String(3, 3, patterns=(Pattern("^(xx)*$"),)), set(), 1, False),
    "each text once, however it is escaped": (String(patterns=(Pattern('^"$'),)), set(), 2, False),
    "numbers": (Number(integer=True, quoted=True, minimum=Decimal(1), maximum=Decimal(2)), {"1"}, 1, True),
    "fewer numbers": (Number(integer=True, quoted=True, minimum=Decimal(1), maximum=Decimal(2)), {"1"}, 2, False),
}


@pytest.mark.parametrize(("names", "declared", "count", "expected"), NAMES.values(), ids=NAMES)
def test_how_many_names_there_are(names: String | Number, declared: set[str], count: int, expected: bool) -> None:
    assert has_names(names, frozenset(declared), count) == expected


TOLD_APART: dict[str, tuple[String, bool]] = {
    "all strings": (String(), True),
    "all go on": (String(patterns=(Pattern("^x"),)), True),
    "a length is counted": (String(max_length=9), False),
    "some do not go on": (String(patterns=(Pattern("^[xy]$"),)), False),
}


@pytest.mark.parametrize(("strings", "expected"), TOLD_APART.values(), ids=TOLD_APART)
def test_strings_that_are_told_apart(strings: String, expected: bool) -> None:
    assert are_told_apart(strings) == expected


def test_patterns_that_cannot_be_read() -> None:
    regexes = {"^a": True, "(": False, r"(a)\1": False}
    assert {regex: unreadable(Pattern(regex)) == "" for regex in regexes} == regexes
