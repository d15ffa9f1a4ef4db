"""What the keywords of strings say: lengths, patterns, formats; grammars; numbers between quotes."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import ImpossibleSchemaError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.normalization.context import GrammarCheck
from schema_compiler.schema.normalization.normalize import normalize
from schema_compiler.schema.normalization.strings import read_pattern
from schema_compiler.schema.source.document import Place
from tests.schema_compiler.schema.normalization.places import (
    DRAFT_4,
    DRAFT_7,
    check_grammar,
    disagreements,
    registry_of,
    shape_of,
)

GREETING = {"text": 'start: "hi" | "ho"', "start": "start"}

STRINGS: dict[str, tuple[dict[str, Any], str]] = {
    "no keyword": ({}, "string"),
    "minLength": ({"minLength": 1}, "string{1,}"),
    "minLength of zero": ({"minLength": 0}, "string"),
    "maxLength": ({"maxLength": 2}, "string{0,2}"),
    "maxLength of zero": ({"maxLength": 0}, "string{0,0}"),
    "minLength and maxLength": ({"minLength": 2, "maxLength": 2}, "string{2,2}"),
    "a length may be written 2.0": ({"minLength": 2.0}, "string{2,}"),
    "pattern": ({"pattern": "^a"}, "string /^a/"),
    "pattern beside lengths": ({"minLength": 1, "maxLength": 3, "pattern": "b$"}, "string{1,3} /b$/"),
    "format": ({"format": "date"}, "string <date>"),
    "format beside a pattern": ({"format": "date", "pattern": "^2"}, "string /^2/ <date>"),
    "draft 4: format": ({**DRAFT_4, "format": "ipv4"}, "string <ipv4>"),
    "a format that is not known": ({"format": "colour"}, "string"),
    "a format that is not regular": ({"format": "regex"}, "string"),
    "a format of Pydantic's": ({"format": "byte"}, "string"),
    "a dialect of one's own": ({"pattern": "^a", "x-pydantic-dialect": "rust"}, "string /^a/rust"),
    "draft 7: lengths": ({**DRAFT_7, "minLength": 1, "maxLength": 2}, "string{1,2}"),
    "a format that is not enforced beside a quoted number": (
        {"x-pydantic-quoted": "integer", "format": "int32"},
        "quoted integer",
    ),
    "a number between quotes": ({"x-pydantic-quoted": "number", "maximum": 2.5}, "quoted number in (-inf, 2.5]"),
    "an integer between quotes": ({"x-pydantic-quoted": "integer", "maximum": 2.5}, "quoted integer in (-inf, 2]"),
}

EMPTY: dict[str, tuple[dict[str, Any], str]] = {
    "lengths": ({"minLength": 3, "maxLength": 2}, "minLength (3) is greater than maxLength (2)"),
    "pattern and length": ({"pattern": "^ab?$", "minLength": 3}, "no text satisfies: string{3,} /^ab?$/"),
    "format and length": ({"format": "date", "maxLength": 9}, "no text satisfies: string{0,9} <date>"),
    "format and pattern": ({"format": "date", "pattern": "^x"}, "no text satisfies: string /^x/ <date>"),
}

MALFORMED: dict[str, tuple[dict[str, Any], str]] = {
    "minLength is not negative": (
        {"minLength": -1},
        "expected minLength to be a whole number of at least 0, found -1",
    ),
    "maxLength is whole": ({"maxLength": 1.5}, "expected maxLength to be a whole number of at least 0, found 1.5"),
    "maxLength is a number": ({"maxLength": "2"}, "expected maxLength to be a number, found '2'"),
    "pattern is a text": ({"pattern": ["a"]}, "expected a regular expression, found ['a']"),
    "a dialect that is not known": (
        {"pattern": "a", "x-pydantic-dialect": "perl"},
        "expected a dialect (ecma, rust, python), found 'perl'",
    ),
    "a dialect is a text": (
        {"patternProperties": {"a": {}}, "x-pydantic-dialect": []},
        "expected a dialect (ecma, rust, python), found []",
    ),
    "format is a text": ({"format": []}, "expected format to be a str, found []"),
    "format is a text where no string is": ({"type": "null", "format": {}}, "expected format to be a str, found {}"),
    "what is checked is a list": (
        {"type": "string", "x-pydantic-checked": "f"},
        "expected x-pydantic-checked to be a list of texts, found 'f'",
    ),
    "what is checked beside a reference": (
        {"$ref": "#", "x-pydantic-checked": [1]},
        "expected x-pydantic-checked to be a list of texts, found [1]",
    ),
    "what stands between quotes": (
        {"x-pydantic-quoted": "boolean"},
        "expected x-pydantic-quoted to be 'number' or 'integer', found 'boolean'",
    ),
}

UNSUPPORTED: dict[str, tuple[dict[str, Any], str]] = {
    "a pattern that is no regular expression": (
        {"pattern": "a("},
        "group without a closing ')' at position 1 of pattern 'a('",
    ),
    **{
        f"{', '.join(beside)} beside a quoted number": (
            {"x-pydantic-quoted": kind, **beside},
            f"{', '.join(beside)} beside a quoted number is not supported",
        )
        for kind in ("number", "integer")
        for beside in ({"pattern": "^1"}, {"minLength": 3}, {"maxLength": 3}, {"format": "date", "pattern": "^1"})
    },
    "a pattern that is not regular": (
        {"pattern": r"(a)\1"},
        r"backreference \1 is not supported: it is not regular at position 4 of pattern '(a)\\1'",
    ),
}


@pytest.mark.parametrize(("raw", "expected"), STRINGS.values(), ids=STRINGS)
def test_strings(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "string"}) == expected


@pytest.mark.parametrize(
    "raw",
    [raw for raw, _ in STRINGS.values() if "format" not in raw and not any(name.startswith("x-") for name in raw)],
    ids=str,
)
def test_strings_mean_what_jsonschema_says(raw: dict[str, Any]) -> None:
    assert disagreements({**raw, "type": "string"}, ["", "a", "ab", "abb", "abbb", "b", "x\U0001f600", None, 1]) == []


def test_other_types_are_not_concerned() -> None:
    assert shape_of({"minLength": 1}) == "null | boolean | number | string{1,} | [any*] | {string: any}"
    assert shape_of({"type": ["null", "string"], "pattern": "a"}) == "null | string /a/"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"pattern": "^a"}, "string /^a/python"),
        ({"pattern": "^a", "x-pydantic-dialect": "rust"}, "string /^a/rust"),
        ({"format": "byte"}, "string <byte>"),
        ({"format": "date"}, "string <date>"),
        ({"format": "colour"}, "string"),
    ],
    ids=["pattern", "a dialect of one's own", "a format of Pydantic's", "a format of JSON Schema", "an unknown format"],
)
def test_strings_of_pydantic(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "string"}, dialect="python") == expected


@pytest.mark.parametrize(("raw", "reason"), EMPTY.values(), ids=EMPTY)
def test_what_no_string_satisfies(raw: dict[str, Any], reason: str) -> None:
    with pytest.raises(ImpossibleSchemaError) as caught:
        normalize({**raw, "type": "string"})
    assert str(caught.value) == f"no value satisfies the schema: {reason} at the root"


@pytest.mark.parametrize(("raw", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_values(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        normalize({"properties": {"a": raw}}).report()
    assert (str(caught.value), caught.value.pointer) == (f"{message} at /properties/a", "/properties/a")


@pytest.mark.parametrize(("raw", "message"), UNSUPPORTED.values(), ids=UNSUPPORTED)
def test_what_is_not_supported(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize({"items": raw}).report()
    assert (str(caught.value), caught.value.pointer) == (f"{message} at /items", "/items")


def test_a_pattern_that_cannot_be_read_has_its_place() -> None:
    registry = registry_of({}, dialect="rust")
    assert str(read_pattern(Place("/a", {}), "^a", registry)) == "/^a/rust"
    with pytest.raises(UnsupportedSchemaError) as caught:
        read_pattern(Place("/a", {}), "[", registry)
    assert caught.value.pointer == "/a"


def test_a_pattern_is_in_the_dialect_of_its_place() -> None:
    registry = registry_of({}, dialect="rust")
    assert str(read_pattern(Place("/a", {"x-pydantic-dialect": "python"}), "^a", registry)) == "/^a/python"


def test_a_grammar() -> None:
    raw = {"type": "string", "x-pydantic-grammar": GREETING}
    assert shape_of(raw) == f"sentence start of {GREETING['text']!r}"


def test_what_a_grammar_does_not_use_is_reported() -> None:
    grammar = {"text": 'start: "a"\nspare: "b"', "start": "start"}
    registry = registry_of({"type": "string", "x-pydantic-grammar": grammar})
    registry.shape(registry.child(registry.document.root))
    row = next(row for row in registry.rows() if row.constraint == "spare is not used")
    assert (row.path, row.status) == ("", "ignored annotation")
    assert row.why == "the grammar's language is the same without it"


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ("start", "expected x-pydantic-grammar to be a dict, found 'start'"),
        (
            {"text": "start:"},
            "expected x-pydantic-grammar to have a text and a start, found {'text': 'start:'}",
        ),
        (
            {"text": 3, "start": "start"},
            "expected x-pydantic-grammar to have a text and a start, found {'text': 3, 'start': 'start'}",
        ),
        (
            {"text": "start: missing", "start": "start"},
            "the grammar cannot be used: missing is not defined at line 1, column 8",
        ),
    ],
    ids=["no object", "no start", "no text", "a rule that is not defined"],
)
def test_malformed_grammars(grammar: Any, message: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        normalize({"items": {"x-pydantic-grammar": grammar}}, check_grammar=check_grammar).report()
    assert (str(caught.value), caught.value.pointer) == (f"{message} at /items", "/items")


@pytest.mark.parametrize(
    ("beside", "check", "message"),
    [
        (
            {"maxLength": 1, "format": "date", "pattern": "a", "minLength": 1},
            check_grammar,
            "format, maxLength, minLength, pattern beside a grammar is not supported",
        ),
        ({"x-pydantic-quoted": "number"}, check_grammar, "x-pydantic-quoted beside a grammar is not supported"),
        ({}, None, "x-pydantic-grammar is not supported without a check of grammars"),
    ],
    ids=["beside other keywords", "beside a number", "without a check"],
)
def test_grammars_that_are_not_supported(beside: dict[str, Any], check: GrammarCheck | None, message: str) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize({"items": {"x-pydantic-grammar": GREETING, **beside}}, check_grammar=check).report()
    assert (str(caught.value), caught.value.pointer) == (f"{message} at /items", "/items")
