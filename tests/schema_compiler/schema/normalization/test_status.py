"""The rows of the report for each keyword of one place."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import InvalidSchemaError
from schema_compiler.regular.formats import IRREGULAR, PARTLY_CHECKED, STANDARD_FORMATS
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.schema.normalization.context import ReadingOptions
from schema_compiler.schema.normalization.status import rows_of
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import APPLICATORS, ASSERTIONS, CHECKED, IDENTIFIERS

NOT_ALONE = {"format", "then", "else", "minContains", "maxContains", "additionalItems", CHECKED}
ENFORCED = sorted((ASSERTIONS | APPLICATORS) - NOT_ALONE)
OLD = "this draft ignores what stands beside $ref"
UNHEARD = "JSON Schema ignores it"

ROWS: dict[str, tuple[dict[str, Any], list[tuple[str, str, str]]]] = {
    "no keyword": ({}, []),
    "keywords in their order": (
        {"minimum": 1, "x-unit": "kg", "type": "number"},
        [("minimum", "enforced", ""), ("x-unit", "ignored annotation", UNHEARD), ("type", "enforced", "")],
    ),
    "then with if": ({"if": {}, "then": {}}, [("if", "enforced", ""), ("then", "enforced", "")]),
    "else with if": ({"else": {}, "if": {}}, [("else", "enforced", ""), ("if", "enforced", "")]),
    "then without if": ({"then": {}}, [("then", "ignored annotation", "it says nothing without if")]),
    "else without if": ({"else": {}}, [("else", "ignored annotation", "it says nothing without if")]),
    "minContains with contains": (
        {"contains": {}, "minContains": 2},
        [("contains", "enforced", ""), ("minContains", "enforced", "")],
    ),
    "minContains without contains": (
        {"minContains": 2},
        [("minContains", "ignored annotation", "it says nothing without contains")],
    ),
    "maxContains without contains": (
        {"maxContains": 2},
        [("maxContains", "ignored annotation", "it says nothing without contains")],
    ),
    "sentences that are checked afterwards": (
        {CHECKED: ["after f", "after g"]},
        [
            ("after f", "checked afterwards", "no grammar can see it"),
            ("after g", "checked afterwards", "no grammar can see it"),
        ],
    ),
    "$ref and what is beside it": (
        {"$ref": "#/a", "minimum": 1},
        [("$ref", "enforced", ""), ("minimum", "enforced", "")],
    ),
}

OLD_ROWS: dict[str, tuple[dict[str, Any], list[tuple[str, str, str]]]] = {
    "keywords beside $ref": (
        {"minimum": 1, "$ref": "#/a", "x-unit": "kg", "divisibleBy": 2},
        [
            ("minimum", "ignored annotation", OLD),
            ("$ref", "enforced", ""),
            ("x-unit", "ignored annotation", OLD),
            ("divisibleBy", "ignored annotation", OLD),
        ],
    ),
    "a format beside $ref": (
        {"$ref": "#/a", "format": "regex"},
        [("$ref", "enforced", ""), ("format", "ignored annotation", OLD)],
    ),
    "names and descriptions beside $ref": (
        {"$ref": "#/a", "definitions": {}, "title": "A", "description": "", "id": "#b"},
        [("$ref", "enforced", "")],
    ),
    "what is checked afterwards beside $ref": (
        {"$ref": "#/a", CHECKED: ["after f"]},
        [("$ref", "enforced", ""), ("after f", "checked afterwards", "no grammar can see it")],
    ),
    "no $ref": ({"minimum": 1}, [("minimum", "enforced", "")]),
}

FORMATS: dict[str, tuple[Any, Dialect, tuple[str, str, str]]] = {
    "one of the standard": ("date", "ecma", ("format", "enforced", "")),
    "one of the standard, for Pydantic": ("date", "python", ("format", "enforced", "")),
    "one of Pydantic's": ("byte", "python", ("format", "enforced", "")),
    "one of Pydantic's in a JSON Schema": (
        "byte",
        "ecma",
        ("format byte", "ignored annotation", "this format is not known"),
    ),
    "one that is not regular": (
        "regex",
        "ecma",
        ("format regex", "checked afterwards", "the grammar does not enforce this format"),
    ),
    "one that is not known": ("colour", "ecma", ("format colour", "ignored annotation", "this format is not known")),
    "one that is not known, for Pydantic": (
        "colour",
        "rust",
        ("format colour", "checked afterwards", "the grammar does not enforce this format"),
    ),
    **{
        f"one that is enforced in part: {name}": (
            name,
            "ecma",
            (f"format {name}", "checked afterwards", PARTLY_CHECKED[name]),
        )
        for name in ("hostname", "email")
    },
}


def rows(raw: dict[str, Any], draft: int = 2020, dialect: Dialect = "ecma") -> list[tuple[str, str, str]]:
    found = list(rows_of(Place("/a", raw), draft, ReadingOptions(dialect, closed=False, integer_fraction=False)))
    assert {row.path for row in found} <= {"/a"}
    return [(row.constraint, row.status, row.why) for row in found]


@pytest.mark.parametrize(("raw", "expected"), ROWS.values(), ids=ROWS)
def test_rows(raw: dict[str, Any], expected: list[tuple[str, str, str]]) -> None:
    assert rows(raw) == expected
    assert rows(raw, draft=2019) == expected


@pytest.mark.parametrize("draft", [4, 6, 7])
@pytest.mark.parametrize(("raw", "expected"), OLD_ROWS.values(), ids=OLD_ROWS)
def test_rows_of_drafts_that_ignore_what_is_beside_a_reference(
    raw: dict[str, Any], expected: list[tuple[str, str, str]], draft: int
) -> None:
    assert rows(raw, draft) == expected


@pytest.mark.parametrize("keyword", ENFORCED)
def test_assertions_and_applicators_are_enforced(keyword: str) -> None:
    assert rows({keyword: {}}) == [(keyword, "enforced", "")]


@pytest.mark.parametrize("keyword", sorted({"title", "description", "$comment"} | IDENTIFIERS))
def test_names_and_descriptions_have_no_row(keyword: str) -> None:
    assert rows({keyword: "a"}) == []
    assert rows({keyword: "a"}, draft=4) == []


@pytest.mark.parametrize(
    "keyword",
    [
        *("default", "examples", "deprecated", "readOnly", "writeOnly"),
        *("contentEncoding", "contentMediaType", "contentSchema", "nullable", "x-anything"),
    ],
)
def test_annotations_are_ignored(keyword: str) -> None:
    assert rows({keyword: "a"}) == [(keyword, "ignored annotation", UNHEARD)]


@pytest.mark.parametrize(("name", "dialect", "expected"), FORMATS.values(), ids=FORMATS)
def test_formats(name: Any, dialect: Dialect, expected: tuple[str, str, str]) -> None:
    assert rows({"format": name}, dialect=dialect) == [expected]


def test_every_format_of_the_standard_is_enforced_or_checked() -> None:
    """JSON Schema 2020-12 validation, section 7.3."""
    listed = {
        *("date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6"),
        *("uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template"),
        *("json-pointer", "relative-json-pointer", "regex"),
    }
    assert listed == STANDARD_FORMATS | IRREGULAR
    statuses = {name: rows({"format": name})[0][1] for name in listed}
    assert {name for name, status in statuses.items() if status == "checked afterwards"} == IRREGULAR | set(
        PARTLY_CHECKED
    )
    assert set(statuses.values()) == {"enforced", "checked afterwards"}


@pytest.mark.parametrize("value", [[], {}, 3, None], ids=str)
def test_a_format_is_a_text(value: Any) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        rows({"format": value})
    assert str(caught.value) == f"expected format to be a str, found {value!r} at /a"
    assert rows({"$ref": "#/a", "format": value}, draft=7)[1] == ("format", "ignored annotation", OLD)


@pytest.mark.parametrize("value", ["after f", ["after f", 3], {"after f": 1}, None], ids=str)
def test_what_is_checked_is_a_list_of_sentences(value: Any) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        rows({CHECKED: value})
    assert str(caught.value) == f"expected {CHECKED} to be a list of texts, found {value!r} at /a"


@pytest.mark.parametrize("raw", [{"additionalItems": False}, {"items": {}, "additionalItems": False}], ids=str)
def test_additional_items_without_a_list_of_items(raw: dict[str, Any]) -> None:
    row = ("additionalItems", "ignored annotation", "it says nothing without a list of items")
    assert rows(raw)[-1] == rows(raw, draft=7)[-1] == row


def test_additional_items_with_a_list_of_items() -> None:
    assert rows({"items": [], "additionalItems": False})[-1] == ("additionalItems", "enforced", "")
