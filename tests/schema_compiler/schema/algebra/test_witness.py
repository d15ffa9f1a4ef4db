"""What the first characters of patterns say, and whether texts satisfy several patterns, formats and lengths."""

from __future__ import annotations

import pytest

from schema_compiler.errors import CompileBudgetError, PatternError, UnsupportedSchemaError
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra import witness
from schema_compiler.schema.algebra.witness import begin_differently, holds_plainly, is_shared, only_text
from schema_compiler.schema.ir import String


def patterns(*regexes: str) -> tuple[Pattern, ...]:
    """Patterns, those with a leading ``!`` negated."""
    return tuple(Pattern(regex.removeprefix("!"), negated=regex.startswith("!")) for regex in regexes)


BEGINNINGS: dict[str, tuple[tuple[str, ...], bool]] = {
    "different characters": (("^a", "^b"), True),
    "different characters behind equal ones": (("^ab", "^ac"), True),
    "different characters among others": (("^a", "^ab", "^b"), True),
    "one beginning that goes on": (("^a", "^ab"), False),
    "equal beginnings": (("^ab", "^abc*"), False),
    "a beginning ends before what repeats": (("^ax*", "^ay"), False),
    "a beginning ends before an option": (("^a(x|y)", "^az"), False),
    "characters in a class of one": (("^[a]", "^b"), True),
    "a class of several says nothing": (("^[ab]", "^c"), False),
    "without an anchor nothing is said": (("a", "b"), False),
    "an option without an anchor": (("^a|b", "^c"), False),
    "what is excluded says nothing": (("!^a", "^b"), False),
    "one pattern": (("^a",), False),
    "no pattern": ((), False),
}

PLAINLY: dict[str, tuple[str, str, bool | None]] = {
    "another beginning": ("^ab", "cd", False),
    "a text too short for the beginning": ("^ab", "a", False),
    "the beginning": ("^ab", "ab", None),
    "the beginning and more": ("^ab$", "abc", None),
    "no beginning": ("ab", "cd", None),
    "negated: another beginning": ("!^ab", "cd", True),
    "negated: the beginning": ("!^ab", "abc", None),
    "negated: no beginning": ("!ab", "cd", None),
    "Unicode's versions matter": (r"^a\p{L}", "b", False),
    "negated: Unicode's versions matter": (r"!^a\p{L}", "b", None),
}

ONLY_TEXTS: dict[str, tuple[str, str | None]] = {
    "a text": ("^name$", "name"),
    "no characters": ("^$", ""),
    "escaped characters": (r"^a\.\$b$", "a.$b"),
    "a class of one": ("^[a]b$", "ab"),
    "negated": ("!^name$", "name"),
    "no anchor in front": ("name$", None),
    "no anchor behind": ("^name", None),
    "a class of several": ("^[ab]$", None),
    "a repetition": ("^ab+$", None),
    "an option": ("^ab?$", None),
    "one of several texts": ("^a$|^b$", None),
    "Unicode's versions matter": (r"^\p{L}$", None),
}

SHARED: dict[str, tuple[String, bool]] = {
    "no limit": (String(), True),
    "lengths alone": (String(3, 3), True),
    "patterns side by side": (String(patterns=patterns("^a", "b$")), True),
    "patterns that exclude each other": (String(patterns=patterns("^a", "^b")), False),
    "a pattern and its negation": (String(patterns=patterns("a", "!a")), False),
    "a pattern without another": (String(patterns=patterns("^a", "!b$")), True),
    "a pattern and a negation that contains it": (String(patterns=patterns("^ab", "!^a")), False),
    "negated patterns alone": (String(patterns=patterns("!^a", "!b")), True),
    "negated patterns that leave nothing": (String(patterns=patterns("!^a", "!^[^a]", "!^$")), False),
    "the empty text, which patterns plainly admit": (String(patterns=patterns("!^a", "!^b")), True),
    "the empty text is too short": (String(1, patterns=patterns("!^[a-z]", "!^[^a-z]")), False),
    "a pattern that cannot match": (String(patterns=patterns("a^", "b")), False),
    "a length that a pattern has not": (String(3, 3, patterns=patterns("^(ab)*$", "^a")), False),
    "a length that a pattern has": (String(3, 5, patterns=patterns("^(ab)*$", "^a")), True),
    "the shortest common text is too long": (String(0, 3, patterns=patterns("a.b", "c.d")), False),
    "the shortest common text is as long as may be": (String(0, 4, patterns=patterns("a.b", "c.d")), True),
    "a common text beyond a least length": (String(9, patterns=patterns("^(aa)*$", "^(aaa)*$")), True),
    "no common text beyond a least length": (String(7, patterns=patterns("^a{0,6}$", "^a*$")), False),
    "characters of several bytes count once": (String(2, 2, patterns=patterns("^é", "€$")), True),
    "characters of several bytes are not cut": (String(0, 1, patterns=patterns("^é", "€$")), False),
    "a format": (String(formats=("date",)), True),
    "a format beside a pattern": (String(patterns=patterns("^2024"), formats=("date",)), True),
    "a format beside a pattern that excludes it": (String(patterns=patterns("^a"), formats=("date",)), False),
    "a format beside a length": (String(0, 9, formats=("date",)), False),
    "formats that share no text": (String(formats=("ipv4", "ipv6")), False),
    "formats that share a text": (String(formats=("date", "uri-reference")), True),
    "a format and itself excluded": (String(formats=("date",), excluded=("date",)), False),
    "a format and another excluded": (String(formats=("date",), excluded=("time",)), True),
    "a format and a larger one excluded": (String(formats=("date",), excluded=("uri-reference",)), False),
    "an excluded format alone": (String(excluded=("date",)), True),
    "an excluded format beside its only text": (String(patterns=patterns("^2024-01-31$"), excluded=("date",)), False),
    "letters that are none": (String(patterns=patterns(r"^\p{L}$", r"!^\p{L}$")), False),
    "letters of a kind": (String(patterns=patterns(r"^\p{L}$", r"!^\p{Lu}$")), True),
}


@pytest.mark.parametrize(("regexes", "expected"), BEGINNINGS.values(), ids=BEGINNINGS)
def test_beginnings(regexes: tuple[str, ...], expected: bool) -> None:
    assert begin_differently(iter(patterns(*regexes))) == expected


@pytest.mark.parametrize(("regex", "text", "expected"), PLAINLY.values(), ids=PLAINLY)
def test_what_first_characters_say(regex: str, text: str, expected: bool | None) -> None:
    assert holds_plainly(*patterns(regex), text) is expected


@pytest.mark.parametrize(("regex", "expected"), ONLY_TEXTS.values(), ids=ONLY_TEXTS)
def test_only_texts(regex: str, expected: str | None) -> None:
    assert only_text(*patterns(regex)) == expected


@pytest.mark.parametrize(("string", "expected"), SHARED.values(), ids=SHARED)
def test_shared_texts(string: String, expected: bool) -> None:
    assert is_shared(string) == expected


def test_plain_patterns_need_no_automaton(monkeypatch: pytest.MonkeyPatch) -> None:
    """The empty text satisfies them, as their first characters say."""
    monkeypatch.delattr(witness, "pattern_string")
    assert is_shared(String(patterns=patterns("!^a", "!^b")))


@pytest.mark.parametrize("regexes", [("(", "a"), ("a", r"!(a)\1")], ids=str)
def test_patterns_that_cannot_be_read(regexes: tuple[str, ...]) -> None:
    with pytest.raises(PatternError):
        is_shared(String(patterns=patterns(*regexes)))


@pytest.mark.parametrize("string", [String(formats=("x",)), String(excluded=("x",))], ids=str)
def test_formats_that_are_not_known(string: String) -> None:
    with pytest.raises(UnsupportedSchemaError, match="format 'x' is not known"):
        is_shared(string)


def test_a_search_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lengths that both patterns have are the multiples of 11 * 13."""
    string = String(1, patterns=patterns("^(a{11})*$", "^(a{13})*$"))
    assert is_shared(string)
    monkeypatch.setattr(witness, "PRODUCT_BUDGET", 100)
    with pytest.raises(CompileBudgetError, match="whether several patterns share a text takes more than 100 states"):
        is_shared(string)
