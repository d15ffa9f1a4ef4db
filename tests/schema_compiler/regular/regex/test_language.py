"""Patterns, against Python's ``re`` and the regex crate inside Pydantic."""

from __future__ import annotations

import json
import re
import unicodedata
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import SchemaValidator, core_schema

from schema_compiler.errors import CompileBudgetError, PatternError
from schema_compiler.regular.automata.operations import difference, intersect
from schema_compiler.regular.regex.dialect import Dialect, Pattern
from schema_compiler.regular.regex.language import counted_pattern, pattern_string, regex_string, regex_text
from schema_compiler.regular.text.json_strings import any_string, string_literal
from tests.schema_compiler.regular.walks import random_texts

ALPHABET = "aB1_-\n"
SHORT_TEXTS = ["".join(chars) for length in range(5) for chars in product(ALPHABET, repeat=length)]


def accepts(regex: str, text: str, dialect: Dialect = "ecma") -> bool:
    return pattern_string(Pattern(regex, dialect)).accepts(string_literal(text))


atoms = st.sampled_from(
    [
        "a",
        "B",
        "1",
        ".",
        "[aB]",
        "[^a]",
        r"\d",
        r"\w",
        r"\W",
        r"\s",
        "^",
        "$",
        r"\A",
        r"\Z",
        r"\b",
        r"\B",
        "",
        "_",
        r"\n",
    ]
)
quantifiers = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "*?"])


def quantified(body: str, quantifier: str) -> str:
    return f"(?:{body}){quantifier}"


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return (
        st.builds(quantified, inner, quantifiers)
        | st.lists(inner, min_size=2, max_size=3).map("".join)
        | st.lists(inner, min_size=2, max_size=3).map(lambda options: f"(?:{'|'.join(options)})")
        | st.builds(lambda sign, body: f"(?{sign}{body})", st.sampled_from("=!"), inner)
        | st.builds(lambda flags, body: f"(?{flags}:{body})", st.sampled_from("ims"), inner)
    )


@given(st.recursive(atoms, combined, max_leaves=8))
@settings(max_examples=100, deadline=None)
def test_random_patterns_match_where_re_does(regex: str) -> None:
    expected = re.compile(regex)
    dfa = pattern_string(Pattern(regex, "python"))
    negated = pattern_string(Pattern(regex, "python", negated=True))
    for text in SHORT_TEXTS:
        found = expected.search(text) is not None
        spelled = string_literal(text)
        assert (dfa.accepts(spelled), negated.accepts(spelled)) == (found, not found), text


rust_atoms = st.sampled_from(
    ["a", "B", ".", "[aB]", "[^a]", r"\d", r"\w", "^", "$", r"\b", r"\B", "", r"[\w--\d]", r"\pL"]
)
rust_combined = st.recursive(
    rust_atoms,
    lambda inner: (
        st.builds(quantified, inner, quantifiers)
        | st.lists(inner, min_size=2, max_size=3).map("".join)
        | st.lists(inner, min_size=2, max_size=3).map(lambda options: f"(?:{'|'.join(options)})")
        | st.builds(lambda flags, body: f"(?{flags}:{body})", st.sampled_from(["i", "m", "s", "x"]), inner)
    ),
    max_leaves=8,
)


def rust(regex: str) -> SchemaValidator:
    return SchemaValidator(core_schema.str_schema(pattern=regex, regex_engine="rust-regex"))


@given(rust_combined)
@settings(max_examples=60, deadline=None)
def test_random_patterns_match_where_pydantic_does(regex: str) -> None:
    expected = rust(regex)
    dfa = pattern_string(Pattern(regex, "rust"))
    for text in SHORT_TEXTS:
        assert dfa.accepts(string_literal(text)) == expected.isinstance_python(text), text


def assigned() -> list[str]:
    planes = (*range(0x30000), *range(0xE0000, 0xE1000))
    return [chr(code) for code in planes if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]


@pytest.mark.parametrize(
    "regex", [r"^\w$", r"^\d$", r"^\s$", r"^\W$", r"^\pL$", r"^\p{Lu}$", r"^\p{Sc}$", r"^[[:punct:]]$"]
)
def test_rust_classes_are_pydantics(regex: str) -> None:
    expected, dfa = rust(regex), pattern_string(Pattern(regex, "rust"))
    different = [char for char in assigned() if dfa.accepts(string_literal(char)) != expected.isinstance_python(char)]
    assert different == []


@pytest.mark.parametrize("letters", [r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", "."])
@pytest.mark.parametrize("flags", ["", "(?a)"])
def test_python_classes_are_those_of_re(letters: str, flags: str) -> None:
    expected, dfa = re.compile(flags + letters), regex_text(flags + letters, "python")
    for code in (*range(0x3000), *range(0xA000, 0xB000), *range(0xFB00, 0x10000), *range(0x1F000, 0x20000)):
        char = chr(code)
        assert dfa.accepts(char.encode()) == (expected.fullmatch(char) is not None), hex(code)


CASED = [chr(code) for code in range(0x1F000) if chr(code).upper() != chr(code) or chr(code).lower() != chr(code)]


@pytest.mark.parametrize("char", [*"aksiİıſKßẞμςΣåÅǅǆθϴϑΩΩᲀдꙋﬅﬆΐΰ𐐀", "ა", "Ა"])
def test_ignoring_case_finds_the_same_letters(char: str) -> None:
    by_python, by_rust = re.compile(char, re.IGNORECASE), rust(f"^(?i:{char})$")
    python, rust_like = regex_text(f"(?i){char}", "python"), regex_text(f"(?i){char}", "rust")
    for other in {*CASED, char}:
        assert python.accepts(other.encode()) == bool(by_python.fullmatch(other)), other
        assert rust_like.accepts(other.encode()) == by_rust.isinstance_python(other), other


CASES: list[tuple[Dialect, str, list[str], list[str]]] = [
    ("ecma", "b+", ["abc", "b"], ["", "ac"]),
    ("ecma", "^a{2}$", ["aa"], ["a", "aaa", "aa\n"]),
    ("python", "^a{2}$", ["aa", "aa\n"], ["aa\n\n", "a"]),
    ("ecma", "^a|b$", ["ax", "xb"], ["xa", "bx"]),
    ("ecma", "(^a|b$)c?", ["ac", "b"], ["ca", "bc"]),
    ("ecma", r"^\d\w\s$", ["1a\u00a0", "1_\ufeff"], ["١a ", "1é ", "1a\x85"]),
    ("ecma", "^.$", ["a", "\u0085", "\U0001f600"], ["\n", "\r", "\u2028", "\u2029", ""]),
    ("rust", "^.$", ["\r", "\u2028"], ["\n"]),
    ("rust", "(?s)^.$", ["\n"], [""]),
    ("rust", "(?m)^b$", ["a\nb\nc"], ["a\nbc"]),
    ("rust", "(?x) a b # comment\n c", ["abc"], ["a b c"]),
    ("rust", "a(?i)b(?-i)c", ["abc", "aBc"], ["Abc", "abC"]),
    ("rust", "(?:a(?i)b)c", ["aBc"], ["aBC"]),
    ("rust", r"^[a-z&&[^aeiou]--[x-z]]$", ["b"], ["a", "x"]),
    ("rust", r"^[\w~~\d]$", ["a"], ["1"]),
    ("rust", r"^[[:alpha:]_][[:^digit:]]$", ["_é"], ["é_", "a1"]),
    ("rust", r"^\x{1F600}\u{e9}\x41\U0001F600$", ["😀éA😀"], ["😀éA"]),
    ("ecma", r"^\u{1F600}\uD83D\uDE00\x41\cJ\0$", ["😀😀A\n\0"], [""]),
    ("ecma", r"^[\uD800-\uDFFF]$", [], ["a", "\ud7ff"]),
    ("ecma", r"^[^\uD800-\uDFFF]$", ["a", "\U0001f600"], ["ab"]),
    ("ecma", r"^\-\_\@\/\#\ $", ["-_@/# "], [""]),
    ("ecma", r"^[\w-.]$", ["-", ".", "a"], ["/"]),
    ("ecma", r"^[a-]]$", ["a]", "-]"], ["a"]),
    ("ecma", r"^[^]$", ["a", "\n"], [""]),
    ("ecma", r"[]", [], ["", "a"]),
    ("python", r"^[]a]$", ["]", "a"], [""]),
    ("ecma", r"^a{,2}$", ["a{,2}"], ["aa"]),
    ("python", r"^a{,2}$", ["", "aa"], ["aaa"]),
    ("ecma", r"^x{a}{1$", ["x{a}{1"], ["x"]),
    ("ecma", r"^(?<year>\d{4})(?P<x>a)$", ["2024a"], ["2024"]),
    ("python", r"^\w+(?<![ab])-(?<=-)$", ["c-", "abc-"], ["a-", "c"]),
    ("ecma", r"(?<!b)a", ["a", "baa"], ["ba", "b"]),
    ("ecma", r"\bfoo\b", ["foo", "a foo b", "foo-"], ["afoo", "foo_"]),
    ("ecma", r"^\Bx", ["x"][:0], ["x", "-x"]),
    ("ecma", r"\p{Lu}\P{L}", ["aÉ1"], ["é1", "ÉÉ"]),
    ("ecma", r"^\p{Letter}\p{gc=Nd}\p{General_Category=Dash_Punctuation}\p{LC}$", ["é٣-a"], ["é٣-ª"]),
    ("rust", r"^\pL\PL\p{^L}\p{ASCII}\p{Any}$", ["é11a\n"], ["é11é1", "11111"]),
    ("ecma", r"^(?!admin$)[a-z]+$", ["adminx", "user"], ["admin"]),
    ("ecma", r"^(?=.*[A-Z])(?=.*\d)(?!.*\s).{4,}$", ["aB1x"], ["ab1x", "aB1", "aB1 x"]),
    ("ecma", r"^(?:a(?=b)|b(?!b))*$", ["", "ab", "abab"], ["abb", "a"]),
    ("ecma", r"(?!.*x)^a(?=b$)", ["ab"], ["abx", "ac"]),
    ("rust", r"^(?!^[-+.]*$)[+-]?0*\d{0,3}(?:\.\d{0,2}0*)?$", ["0", "-1.500", "+1.", ".5"], ["", "-", "1234", "1.234"]),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "regex", "matching", "others"), CASES)
def test_meaning(dialect: Dialect, regex: str, matching: list[str], others: list[str]) -> None:
    assert [text for text in (*matching, *others) if accepts(regex, text, dialect)] == matching


@pytest.mark.parametrize(
    ("dialect", "regex", "message", "position"),
    [
        ("ecma", r"(a)\1", "backreference \\1", 4),
        ("ecma", r"(?<n>a)\k<n>", "backreference \\k", 8),
        ("ecma", r"a(?<=bc)", "look-behind", 1),
        ("ecma", r"(?<!b+)a", "look-behind", 0),
        ("python", r"(?P<n>a)(?P=n)", "backreference", 8),
        ("python", r"(?>a)", "atomic group", 0),
        ("python", r"(a)?(?(1)b)", "conditional", 4),
        ("python", r"a*+", "quantifier after a quantifier", 2),
        ("ecma", r"*a", "nothing to repeat", 0),
        ("ecma", r"a|^*", "nothing to repeat", 3),
        ("ecma", r"{2}", "nothing to repeat", 0),
        ("ecma", r"(?<=a)?", "nothing to repeat", 6),
        ("python", r"a\b*", "nothing to repeat", 3),
        ("python", r"(?i)+", "nothing to repeat", 4),
        ("python", r"a(?i)", "not at the start", 1),
        ("rust", r"a{b", "a brace that begins no repetition", 1),
        ("rust", r"a{,2}", "a brace that begins no repetition", 1),
        ("rust", r"a(?#b)", "inline flag '#'", 3),
        ("ecma", r"(a", "without a closing ')'", 0),
        ("ecma", r"a)", "unbalanced", 1),
        ("ecma", r"[a", "without a closing ']'", 1),
        ("ecma", r"[b-a]", "range from U+0062", 2),
        ("ecma", r"a{3,2}", "at least 3 and at most 2", 1),
        ("ecma", "a\\", "ends too early", 2),
        ("ecma", r"\xZZ", "not the number of a code point", 4),
        ("ecma", r"\i", "escape \\i is not known", 1),
        ("rust", r"\p{Greek}", "only general categories", 2),
        ("rust", r"[[:foo:]]", "POSIX class 'foo'", 8),
        ("rust", r"(?u-u)a", "inline flag 'u'", 4),
        ("ecma", "(" * 200 + ")" * 200, "nested deeper", 151),
    ],
)  # fmt: skip
def test_refusals_name_the_operator_and_the_place(dialect: Dialect, regex: str, message: str, position: int) -> None:
    with pytest.raises(PatternError, match=re.escape(message)) as caught:
        pattern_string(Pattern(regex, dialect))
    assert caught.value.position == position


@pytest.mark.parametrize("regex", ["(a{1000}){1000}", "a{99999999}", "(?=(.*a.{30}))b|(.*c.{30}x)"])
def test_large_patterns_are_refused_quickly(regex: str) -> None:
    with pytest.raises(CompileBudgetError):
        pattern_string(Pattern(regex))


def test_a_negated_pattern_is_the_complement() -> None:
    for regex in ("^a", "b$", r"^[^\n]*$", "x", ""):
        positive, negative = pattern_string(Pattern(regex)), pattern_string(Pattern(regex, negated=True))
        assert intersect(positive, negative).is_empty
        assert difference(any_string(), positive).digest == negative.digest


def test_code_points_without_a_meaning_yet_are_left_out_of_unicode_patterns() -> None:
    unassigned = "\u0378"
    assert accepts("^.$", unassigned, "rust")
    assert not accepts(r"^\W$", unassigned, "rust")
    assert not pattern_string(Pattern(r"\w", "rust", negated=True)).accepts(string_literal(unassigned))


def test_whole_texts_with_and_without_quotes() -> None:
    assert regex_string("a|b").accepts(b'"a"')
    assert not regex_string("a|b").accepts(b'"ab"')
    assert [text for text in (b"\n", b'"', b"\xc3\xa9", b"\\n") if regex_text('\\n|"|é').accepts(text)] == [
        b"\n",
        b'"',
        b"\xc3\xa9",
    ]
    assert not regex_text("(?s).*").boundary.any()


@pytest.mark.parametrize("regex", [r"^[a-z]+(-[a-z]+)*$", r"\bx\b.*\d{2}", r"^(?=.*\d)[^\s]{3,9}$", "é|\\n{2}"])
def test_random_texts_match(regex: str) -> None:
    for text in random_texts(pattern_string(Pattern(regex)), 200):
        assert re.search(regex, json.loads(text), re.ASCII), text


@pytest.mark.parametrize(
    ("regex", "minimum", "maximum"),
    [
        (r"^a[b-z]{0,99}$", 1, 100),
        (r"^(?:[0-9a-f]{40})$", 40, 40),
        (r"^(?=.*\d)(?!.*__)(?:a|b)[^\s]{8,128}c$", 10, 130),
        (r"^\bx[a-z ]{20,}\b$", 21, None),
        (r"^[A-Z]{2,3}$", 0, None),
        (r"^a+[b]{1,40}$", 0, None),
        (r"[a-z]{1,40}$", 0, None),
        (r"^[a-z]{1,40}|b$", 0, None),
    ],
)
def test_a_long_repetition_is_left_to_a_counter(regex: str, minimum: int, maximum: int | None) -> None:
    counted, plain = counted_pattern(Pattern(regex)), pattern_string(Pattern(regex))
    assert (counted.minimum, counted.maximum) == (minimum, maximum)
    for text in (*random_texts(counted.dfa, 150, longest=200), *random_texts(plain, 50, longest=200)):
        length = len(json.loads(text))
        within = minimum <= length <= (length if maximum is None else maximum)
        assert (counted.dfa.accepts(text) and within) == plain.accepts(text), text
