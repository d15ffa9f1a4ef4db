"""What the report says of each keyword."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.schema.normalization.normalize import normalize

ROWS: list[tuple[dict[str, Any], tuple[str, str, str]]] = [
    ({"minLength": 2}, ("", "minLength", "enforced")),
    ({"properties": {"a/b": {"$ref": "#/$defs/c"}}, "$defs": {"c": {"const": 1}}}, ("/$defs/c", "const", "enforced")),
    ({"format": "date"}, ("", "format", "enforced")),
    ({"format": "regex"}, ("", "format regex", "checked afterwards")),
    ({"items": {"uniqueItems": True}}, ("/items", "uniqueItems", "checked afterwards")),
    ({"uniqueItems": True, "maxItems": 1}, ("", "uniqueItems", "enforced")),
    ({"uniqueItems": True, "items": {"enum": ["a", "b"]}}, ("", "uniqueItems", "enforced")),
    (
        {"uniqueItems": True, "items": {"type": "boolean"}, "prefixItems": [{}]},
        ("", "uniqueItems", "checked afterwards"),
    ),
    ({"format": "byte"}, ("", "format byte", "ignored annotation")),
    ({"format": "hostname"}, ("", "format hostname", "checked afterwards")),
    ({"default": 1}, ("", "default", "ignored annotation")),
    ({"not-a-keyword": 1}, ("", "not-a-keyword", "ignored annotation")),
    ({"then": False}, ("", "then", "ignored annotation")),
    ({"allOf": [{"minimum": 1}]}, ("/allOf/0", "minimum", "enforced")),
    ({"type": "string", "x-pydantic-checked": ["after validator f"]}, ("", "after validator f", "checked afterwards")),
    ({"$schema": "http://json-schema.org/draft-04/schema#", "const": 1}, ("", "const", "ignored annotation")),
    (
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "items": {"$ref": "#/definitions/a", "minimum": 3},
            "definitions": {"a": {}},
        },
        ("/items", "minimum", "ignored annotation"),
    ),
]


@pytest.mark.parametrize(("raw", "row"), ROWS, ids=str)
def test_rows(raw: dict[str, Any], row: tuple[str, str, str]) -> None:
    assert row in {(found.path, found.constraint, found.status) for found in normalize(raw).report()}


def test_a_report_prints_as_a_table() -> None:
    raw = {"properties": {"tags": {"uniqueItems": True}}, "minProperties": 1}
    assert str(normalize(raw).report()).splitlines() == [
        "/                 properties     enforced",
        "/                 minProperties  enforced",
        "/properties/tags  uniqueItems    checked afterwards  the grammar does not compare items",
    ]
    assert [row.constraint for row in normalize(raw).report().with_status("checked afterwards")] == ["uniqueItems"]
