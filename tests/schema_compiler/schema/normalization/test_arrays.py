"""What the keywords of arrays say, in the spelling of each draft."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import ImpossibleSchemaError, InvalidSchemaError
from schema_compiler.schema.normalization.normalize import normalize
from tests.schema_compiler.schema.normalization.places import (
    DRAFT_4,
    DRAFT_6,
    DRAFT_7,
    DRAFT_2019,
    NOT_ARRAY,
    disagreements,
    registry_of,
    shape_of,
)

NULL = {"type": "null"}
TEXT = {"type": "string"}

ITEMS: dict[str, tuple[dict[str, Any], str]] = {
    "no keyword": ({}, "[any*]"),
    "items": ({"items": NULL}, "[null*]"),
    "items by name": ({"items": {"enum": [1]}}, "[@#/items*]"),
    "items true": ({"items": True}, "[any*]"),
    "items false": ({"items": False}, "[]{0,0}"),
    "draft 4: items": ({**DRAFT_4, "items": NULL}, "[null*]"),
    "prefixItems": ({"prefixItems": [NULL, TEXT]}, "[null, string, any*]"),
    "prefixItems of none": ({"prefixItems": []}, "[any*]"),
    "items behind prefixItems": ({"prefixItems": [NULL], "items": TEXT}, "[null, string*]"),
    "no items behind prefixItems": ({"prefixItems": [NULL, TEXT], "items": False}, "[null, string]{0,2}"),
    "false in prefixItems": ({"prefixItems": [NULL, False, TEXT], "items": TEXT}, "[null]{0,1}"),
    "draft 2019: prefixItems is not known": ({**DRAFT_2019, "prefixItems": [NULL], "items": TEXT}, "[string*]"),
    "draft 4: a list of items": ({**DRAFT_4, "items": [NULL, TEXT]}, "[null, string, any*]"),
    "draft 2019: a list of items": ({**DRAFT_2019, "items": [NULL, TEXT]}, "[null, string, any*]"),
    "draft 4: additionalItems": ({**DRAFT_4, "items": [NULL], "additionalItems": TEXT}, "[null, string*]"),
    "draft 7: additionalItems": ({**DRAFT_7, "items": [NULL], "additionalItems": TEXT}, "[null, string*]"),
    "draft 4: no additionalItems": ({**DRAFT_4, "items": [NULL], "additionalItems": False}, "[null]{0,1}"),
    "draft 4: additionalItems without items": ({**DRAFT_4, "additionalItems": False}, "[any*]"),
    "draft 7: additionalItems beside items": ({**DRAFT_7, "items": NULL, "additionalItems": TEXT}, "[null*]"),
    "draft 2020: additionalItems beside prefixItems": (
        {"prefixItems": [NULL], "additionalItems": False},
        "[null, any*]",
    ),
    "unevaluatedItems alone": ({"unevaluatedItems": NULL}, "[null*]"),
    "unevaluatedItems beside items": ({"items": TEXT, "unevaluatedItems": NULL}, "[string*]"),
    "unevaluatedItems beside prefixItems": ({"prefixItems": [TEXT], "unevaluatedItems": NULL}, "[string, null*]"),
    "draft 7: unevaluatedItems is not known": ({**DRAFT_7, "unevaluatedItems": False}, "[any*]"),
}

COUNTS: dict[str, tuple[dict[str, Any], str]] = {
    "minItems": ({"minItems": 2}, "[any*]{2,}"),
    "maxItems": ({"maxItems": 2}, "[any*]{0,2}"),
    "maxItems cuts the prefix": ({"prefixItems": [NULL, TEXT], "items": NULL, "maxItems": 1}, "[null]{0,1}"),
    "maxItems beyond the prefix": ({"prefixItems": [NULL], "maxItems": 2}, "[null, any*]{0,2}"),
    "maxItems of no items": ({"items": NULL, "maxItems": 0}, "[]{0,0}"),
    "contains": ({"contains": NULL}, "[any*]{1,} has{1,} (null)"),
    "contains by name": ({"contains": {"enum": [1]}}, "[any*]{1,} has{1,} (@#/contains)"),
    "contains beside items": (
        {"items": {"enum": [1, 2]}, "contains": {"enum": [1]}},
        "[@#/items*]{1,} has{1,} (@#/contains)",
    ),
    "contains anything": ({"contains": True}, "[any*]{1,}"),
    "draft 6: contains": ({**DRAFT_6, "contains": NULL}, "[any*]{1,} has{1,} (null)"),
    "draft 4: contains is not known": ({**DRAFT_4, "contains": NULL}, "[any*]"),
    "minContains": ({"contains": NULL, "minContains": 2}, "[any*]{2,} has{2,} (null)"),
    "minContains of zero": ({"contains": NULL, "minContains": 0}, "[any*]"),
    "minContains of what is false": ({"contains": False, "minContains": 0}, "[any*]"),
    "maxContains": ({"contains": NULL, "maxContains": 2}, "[any*]{1,} has{1,2} (null)"),
    "maxContains of anything": ({"contains": True, "maxContains": 2}, "[any*]{1,2}"),
    "minContains and maxContains": (
        {"contains": NULL, "minContains": 2, "maxContains": 2},
        "[any*]{2,} has{2,2} (null)",
    ),
    "maxContains with minContains of zero": (
        {"contains": NULL, "minContains": 0, "maxContains": 2},
        "[any*] has{0,2} (null)",
    ),
    "maxContains of zero": ({"contains": NULL, "minContains": 0, "maxContains": 0}, "[@not (null)*]"),
    "maxContains of zero of anything": ({"contains": True, "minContains": 0, "maxContains": 0}, "[]{0,0}"),
    "maxContains of zero of what is false": ({"contains": False, "minContains": 0, "maxContains": 0}, "[any*]"),
    "maxContains of zero beside items": (
        {"items": TEXT, "contains": NULL, "minContains": 0, "maxContains": 0},
        "[@not (null) & string*]",
    ),
    "minContains without contains": ({"minContains": 2}, "[any*]"),
    "maxContains without contains": ({"maxContains": 0}, "[any*]"),
    "draft 7: minContains is not known": ({**DRAFT_7, "contains": NULL, "minContains": 2}, "[any*]{1,} has{1,} (null)"),
    "draft 7: maxContains is not known": ({**DRAFT_7, "contains": NULL, "maxContains": 0}, "[any*]{1,} has{1,} (null)"),
    "draft 2019: minContains": ({**DRAFT_2019, "contains": NULL, "minContains": 2}, "[any*]{2,} has{2,} (null)"),
    "uniqueItems": ({"uniqueItems": True}, "unique [any*]"),
    "uniqueItems false": ({"uniqueItems": False}, "[any*]"),
    "uniqueItems of one item": ({"uniqueItems": True, "maxItems": 1}, "[any*]{0,1}"),
    "uniqueItems of two items": ({"uniqueItems": True, "maxItems": 2}, "unique [any*]{0,2}"),
}

TOLD_APART: dict[str, tuple[dict[str, Any], bool]] = {
    "listed values": ({"items": {"enum": ["a", 1]}}, True),
    "a constant": ({"items": {"const": 1}}, True),
    "boolean or null": ({"items": {"type": ["boolean", "null"]}}, True),
    "integers between bounds": ({"items": {"type": "integer", "minimum": 1, "maximum": 9}}, True),
    "a union of listed values": ({"items": {"anyOf": [{"enum": [1]}, NULL]}}, True),
    "no items": ({"items": False}, True),
    "strings without end": ({"items": TEXT}, True),
    "strings of one text": ({"items": {"type": "string", "pattern": "^a$"}}, False),
    "strings with maxLength": ({"items": {"type": "string", "maxLength": 9}}, False),
    "strings or null": ({"items": {"type": ["string", "null"]}}, False),
    "integers": ({"items": {"type": "integer"}}, False),
    "anything": ({}, False),
    "objects": ({"items": {"type": "object"}}, False),
    "a prefix": ({"prefixItems": [NULL], "items": {"enum": [1]}}, False),
    "recursion": ({"items": {"$ref": "#"}}, False),
    "arrays that repeat an item": ({"items": {"not": {"type": "array", "uniqueItems": True}}}, False),
    "one item": ({"maxItems": 1}, True),
    "no item": ({"maxItems": 0}, True),
}

EMPTY: dict[str, tuple[dict[str, Any], str]] = {
    "minItems above maxItems": (
        {"minItems": 2, "maxItems": 1},
        "minItems (2) is greater than the most items possible (1)",
    ),
    "draft 4: minItems beyond a closed prefix": (
        {**DRAFT_4, "items": [{}], "additionalItems": False, "minItems": 2},
        "minItems (2) is greater than the most items possible (1)",
    ),
    "contains what is false": ({"contains": False}, "what the array must contain is impossible"),
    "minContains above maxContains": (
        {"contains": NULL, "minContains": 2, "maxContains": 1},
        "minContains (2) is greater than maxContains (1)",
    ),
    "maxContains of zero alone": (
        {"contains": NULL, "maxContains": 0},
        "minContains (1) is greater than maxContains (0)",
    ),
    "minItems of maxContains zero": (
        {"contains": True, "minContains": 0, "maxContains": 0, "minItems": 1},
        "minItems (1) is greater than the most items possible (0)",
    ),
}

MALFORMED: dict[str, tuple[dict[str, Any], str, str]] = {
    "prefixItems is a list": ({"prefixItems": {}}, "expected prefixItems to be a list, found {}", ""),
    "an item of prefixItems is a schema": ({"prefixItems": [{}, 1]}, "expected a schema, found 1", "/prefixItems/1"),
    "items is a schema": ({"items": 3}, "expected a schema, found 3", "/items"),
    "additionalItems is a schema": (
        {**DRAFT_4, "items": [], "additionalItems": 3},
        "expected a schema, found 3",
        "/additionalItems",
    ),
    "uniqueItems is a boolean": ({"uniqueItems": "yes"}, "expected uniqueItems to be a bool, found 'yes'", ""),
    "uniqueItems is not null": ({"uniqueItems": None}, "expected uniqueItems to be a bool, found None", ""),
    "a limit is not null": ({"minItems": None}, "expected minItems to be a number, found None", ""),
    "contains is a schema": ({"contains": []}, "expected a schema, found []", "/contains"),
    "unevaluatedItems is a schema": ({"unevaluatedItems": 0}, "expected a schema, found 0", "/unevaluatedItems"),
    **{
        f"{keyword} is counted": (
            {"contains": True, keyword: -1},
            f"expected {keyword} to be a whole number of at least 0, found -1",
            "",
        )
        for keyword in ("minItems", "maxItems", "minContains", "maxContains")
    },
}


@pytest.mark.parametrize(("raw", "expected"), ITEMS.values(), ids=ITEMS)
def test_items(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "array"}) == expected


@pytest.mark.parametrize(("raw", "expected"), COUNTS.values(), ids=COUNTS)
def test_counts(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "array"}) == expected


@pytest.mark.parametrize("raw", [raw for raw, _ in (ITEMS | COUNTS | EMPTY).values()], ids=[*ITEMS, *COUNTS, *EMPTY])
def test_arrays_mean_what_jsonschema_says(raw: dict[str, Any]) -> None:
    assert disagreements({**raw, "type": "array"}) == []


def test_other_types_are_not_concerned() -> None:
    assert shape_of({"minItems": 1}) == NOT_ARRAY.replace("string |", "string | [any*]{1,} |")
    assert shape_of({"type": ["null", "array"], "items": NULL}) == "null | [null*]"


@pytest.mark.parametrize(("raw", "enforced"), TOLD_APART.values(), ids=TOLD_APART)
def test_whether_the_grammar_tells_items_apart(raw: dict[str, Any], enforced: bool) -> None:
    registry = registry_of({**raw, "type": "array", "uniqueItems": True})
    registry.shape(registry.child(registry.document.root))
    row = next(row for row in registry.rows() if row.constraint == "uniqueItems")
    if enforced:
        assert (row.path, row.status, row.why) == ("", "enforced", "")
    else:
        assert (row.path, row.status, row.why) == ("", "checked afterwards", "the grammar does not compare items")


@pytest.mark.parametrize(("raw", "reason"), EMPTY.values(), ids=EMPTY)
def test_what_no_array_satisfies(raw: dict[str, Any], reason: str) -> None:
    with pytest.raises(ImpossibleSchemaError) as caught:
        normalize({**raw, "type": "array"})
    assert str(caught.value) == f"no value satisfies the schema: {reason} at the root"


@pytest.mark.parametrize(("raw", "message", "pointer"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_values(raw: dict[str, Any], message: str, pointer: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        normalize(raw).report()
    assert (str(caught.value), caught.value.pointer) == (f"{message} at {pointer or 'the root'}", pointer)


@pytest.mark.parametrize("items", [{"prefixItems": [NULL]}, {"contains": {"const": "a"}}], ids=str)
def test_items_that_are_not_compared_are_reported_where_they_are(items: dict[str, Any]) -> None:
    raw = {"type": "array", "uniqueItems": True, "items": {"type": "string"}, **items}
    why = "the grammar does not compare items that are counted, or not all alike"
    for schema, path in (({"properties": {"a": raw}}, "/properties/a"), ({"items": {"$ref": "#/$defs/b"}}, "/$defs/b")):
        rows = [row for row in normalize({**schema, "$defs": {"b": raw}}).report() if row.constraint == "uniqueItems"]
        assert [(row.path, row.status, row.why) for row in rows] == [(path, "checked afterwards", why)]
