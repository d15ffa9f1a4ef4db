"""Raw schemas and the normal form they print as."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import CompileBudgetError, ImpossibleSchemaError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.ir import Reference, Schema
from schema_compiler.schema.normalization.normalize import normalize

FORMS: list[tuple[dict[str, Any] | bool, str]] = [
    (True, "any"),
    ({}, "any"),
    ({"title": "nothing said", "x-unknown": 1}, "any"),
    ({"type": "string", "minLength": 2, "pattern": "^a"}, "string{2,} /^a/"),
    ({"type": "string", "format": "date"}, "string <date>"),
    ({"type": "string", "format": "no-such-format"}, "string"),
    ({"type": ["string", "null"]}, "string | null"),
    ({"type": ["integer", "number"]}, "number"),
    ({"minLength": 2}, "null | boolean | number | string{2,} | [any*] | {string: any}"),
    ({"type": "integer", "exclusiveMinimum": 0.5, "maximum": 3.9}, "integer in [1, 3]"),
    ({"type": "number", "minimum": 1, "exclusiveMinimum": True}, "number in (1, inf)"),
    ({"type": "integer", "allOf": [{"multipleOf": 4}, {"multipleOf": 6}]}, "integer step 12"),
    ({"type": "number", "allOf": [{"multipleOf": 0.01}, {"multipleOf": 0.025}]}, "number step 0.05"),
    ({"enum": [1, "a", None, True, 1.0]}, 'one of [1, "a", null, true]'),
    ({"enum": [1, True, "a", [1]], "type": ["integer", "array"]}, "one of [1, [1]]"),
    ({"enum": ["aa", "b", 3], "maxLength": 1}, 'one of [3, "b"]'),
    ({"const": 1, "minimum": 1}, "one of [1]"),
    ({"const": None}, "null"),
    ({"type": "string", "not": {"enum": ["a", "b.c"]}}, r"string !/^(?:a|b\.c)$/"),
    ({"type": "number", "not": {"const": 3}}, "number in (-inf, 3) | number in (3, inf)"),
    ({"type": ["string", "integer"], "not": {"type": "string"}}, "integer"),
    ({"not": {"type": ["array", "object"]}}, "null | boolean | number | string"),
    ({"oneOf": [{"type": "integer", "minimum": 3}, {"type": "integer", "maximum": 5}]},
     "integer in [6, inf) | integer in (-inf, 2]"),
    ({"anyOf": [{"type": "string"}, {"type": "string"}, False]}, "string"),
    ({"type": "string", "maxLength": 5, "anyOf": [{"minLength": 3}, {"pattern": "x"}]},
     "string{3,5} | string{0,5} /x/"),
]  # fmt: skip

OBJECTS: list[tuple[dict[str, Any], str]] = [
    ({"properties": {"a": {"type": "integer"}}, "required": ["a", "z"]}, '{"a": integer, "z": any, string: any}'),
    ({"properties": {"a": {}, "b": False}, "additionalProperties": False}, '{"a"?: any}'),
    ({"properties": {"a": False}}, '{"a"?: never, string: any}'),
    ({"additionalProperties": {"type": "null"}, "required": ["n"]}, '{"n": null, string: null}'),
    ({"patternProperties": {"^x": {"type": "null"}}}, "{string /^x/: null, string !/^x/: any}"),
    ({"patternProperties": {"^x": {"type": "null"}}, "properties": {"xy": {}, "y": {}}, "additionalProperties": False},
     '{"xy"?: null, "y"?: any, string /^x/: null}'),
    ({"patternProperties": {"^a": {"type": ["null", "string"]}, "b$": {"minLength": 3, "type": "string"}},
      "additionalProperties": False},
     "{string /^a/ /b$/: string{3,}, string /^a/ !/b$/: null | string, string !/^a/ /b$/: string{3,}}"),
    ({"patternProperties": {"^a": {}, "^b": {}}, "additionalProperties": False},
     "{string /^a/: any, string /^b/: any}"),
    ({"propertyNames": {"maxLength": 3}, "additionalProperties": {"type": "null"}}, "{string{0,3}: null}"),
    ({"propertyNames": {"enum": ["a", "b"]}, "minProperties": 1}, '{"a"?: any, "b"?: any}{1,}'),
    ({"allOf": [{"properties": {"a": {"type": "null"}}, "patternProperties": {"^x": {}}}],
      "unevaluatedProperties": False}, '{"a"?: null, string /^x/: any}'),
    ({"dependentRequired": {"a": ["b"]}}, '{"a"?: never, string: any} | {"a": any, "b": any, string: any}'),
    ({"dependencies": {"a": {"required": ["b"]}}}, '{"a"?: never, string: any} | {"a": any, "b": any, string: any}'),
    ({"allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"minimum": 3}, "b": {}}}]},
     '{"a"?: integer in [3, inf), "b"?: any, string: any}'),
    ({"if": {"properties": {"k": {"const": True}}, "required": ["k"]}, "then": {"required": ["t"]}},
     '{"k": one of [true], "t": any, string: any}'
     ' | {"k"?: null | number | string | [any*] | {string: any} | one of [false], string: any}'),
    ({"not": {"properties": {"a": {"minimum": 3}}, "patternProperties": {"^x": False}, "minProperties": 1}},
     '{string: any}{0,0} | {"a"?: any, string: any} with "a": number in (-inf, 3) (0) or string /^x/: any (0)'),
    ({"allOf": [{"additionalProperties": False, "properties": {"a": {}}}, {"not": {"properties": {"a": False}}}]},
     '{"a": any}'),
    ({"oneOf": [{"properties": {"k": {"const": "a"}}, "required": ["k"]},
                {"properties": {"k": {"const": "b"}, "n": {"type": "null"}}, "required": ["k"]}]},
     '{"k": one of ["a"], string: any} | {"k": one of ["b"], "n"?: null, string: any}'),
]  # fmt: skip

ARRAYS: list[tuple[dict[str, Any], str]] = [
    ({"items": {"type": "integer"}, "minItems": 1}, "[integer*]{1,}"),
    ({"prefixItems": [{"type": "string"}], "items": False}, "[string]{0,1}"),
    ({"items": [{"type": "string"}], "additionalItems": {"type": "null"}}, "[string, null*]"),
    ({"prefixItems": [{"type": "string"}, False, {}]}, "[string]{0,1}"),
    (
        {"$ref": "#/$defs/a", "unevaluatedItems": False, "$defs": {"a": {"prefixItems": [{"type": "null"}]}}},
        "[null]{0,1}",
    ),
    ({"uniqueItems": True, "maxItems": 1}, "[any*]{0,1}"),
    ({"uniqueItems": True, "maxItems": 2}, "unique [any*]{0,2}"),
    ({"contains": {}, "minContains": 2}, "[any*]{2,}"),
    (
        {"contains": {"type": ["null", "array", "object"]}, "minContains": 0, "maxContains": 0},
        "[(boolean | number | string)*]",
    ),
]


@pytest.mark.parametrize(("raw", "expected"), FORMS, ids=str)
def test_scalars(raw: dict[str, Any] | bool, expected: str) -> None:
    assert str(_root(raw)) == expected


@pytest.mark.parametrize(("raw", "expected"), OBJECTS, ids=str)
def test_objects(raw: dict[str, Any], expected: str) -> None:
    assert str(_root({"type": "object", **raw})) == expected


@pytest.mark.parametrize(("raw", "expected"), ARRAYS, ids=str)
def test_arrays(raw: dict[str, Any], expected: str) -> None:
    assert str(_root({"type": "array", **raw})) == expected


def test_closed_objects_stay_open_where_the_schema_opens_them() -> None:
    closed = {
        "properties": {
            "silent": {"type": "object", "properties": {"a": {}}},
            "open": {"type": "object", "properties": {"a": {}}, "additionalProperties": True},
            "patterns": {"type": "object", "patternProperties": {"^x": {}}},
            "merged": {"type": "object", "allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
        }
    }
    normalized = normalize(closed, additional_properties="closed")
    texts = {name.rpartition("/")[2]: str(schema) for name, schema in normalized.schema.definitions.items()}
    assert texts["silent"] == '{"a"?: any}'
    assert texts["open"] == '{"a"?: any, string: any}'
    assert texts["patterns"] == "{string /^x/: any}"
    assert str(normalize({"type": "object"}, additional_properties="closed")) == "{string: any}"
    assert texts["merged"] == '{"a"?: any, "b"?: any}'


def test_recursion_through_an_intersection_ends() -> None:
    def tree(value: dict[str, Any], name: str) -> dict[str, Any]:
        branches = {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}
        return {"type": "object", "properties": {"value": value, "branches": branches}, "required": ["value"]}

    definitions = {"a": tree({"type": "integer"}, "a"), "b": tree({"minimum": 3}, "b")}
    normalized = normalize({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": definitions})
    assert str(normalized) == "\n".join(
        [
            '@# = {"value": integer in [3, inf), "branches"?: @#/$defs/a/properties/branches '
            "& #/$defs/b/properties/branches, string: any}",
            "@#/$defs/a/properties/branches & #/$defs/b/properties/branches = [@#/$defs/a & #/$defs/b*]",
            '@#/$defs/a & #/$defs/b = {"value": integer in [3, inf), "branches"?: @#/$defs/a/properties/branches '
            "& #/$defs/b/properties/branches, string: any}",
        ]
    )


def test_impossible_branches_and_properties_are_removed() -> None:
    endless = {"type": "object", "properties": {"next": {"$ref": "#/$defs/endless"}}, "required": ["next"]}
    raw = {
        "type": "object",
        "properties": {
            "a": {"anyOf": [{"$ref": "#/$defs/endless"}, {"type": "null"}]},
            "b": {"$ref": "#/$defs/endless"},
        },
        "additionalProperties": False,
        "$defs": {"endless": endless},
    }
    assert str(normalize(raw)) == '@# = {"a"?: null}'


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (False, "the schema is false at the root"),
        ({"type": "number", "minimum": 3, "maximum": 2}, "no number satisfies"),
        ({"type": "integer", "minimum": 1, "maximum": 4, "multipleOf": 5}, "no number satisfies"),
        ({"type": "string", "minLength": 3, "maxLength": 2}, "minLength (3) is greater than maxLength (2)"),
        ({"type": "string", "minLength": 3, "pattern": "^a$"}, "no text satisfies"),
        ({"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "^b"}]}, "no text satisfies"),
        ({"type": "string", "pattern": "a^"}, "no text satisfies"),
        ({"type": "array", "minItems": 2, "prefixItems": [{}], "items": False}, "minItems (2)"),
        ({"type": "object", "required": ["a"], "properties": {"a": False}}, "property 'a' is required"),
        ({"type": "object", "minProperties": 2, "maxProperties": 1}, "exceed the most properties possible (1)"),
        ({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}, "requires itself without end"),
        ({"type": "array", "items": {"$ref": "#"}, "minItems": 1}, "requires itself without end"),
        ({"enum": [1, 2], "type": "string"}, "no value of the enumeration is left"),
        ({"type": "array", "items": {"enum": [1, 1.0, 2]}, "uniqueItems": True, "minItems": 3}, "as many items"),
        ({"type": "array", "items": {"type": "string"}, "contains": {"type": "null"}}, "as many items"),
        ({"type": "array", "contains": {"minimum": 1}, "minContains": 2, "maxContains": 1}, "minContains (2)"),
        (
            {"type": "object", "patternProperties": {"^[ab]$": {}}, "additionalProperties": False, "minProperties": 3},
            "as many properties",
        ),
        ({"type": "object", "properties": {"a": {}}, "required": ["a"], "not": {"required": ["a"]}}, "absent"),
        ({"type": "number", "multipleOf": 6, "not": {"multipleOf": 1.5}}, "no number satisfies"),
        ({"allOf": [{"type": "string"}, {"type": "null"}]}, "string and null exclude each other"),
        ({"type": "string", "not": {}}, "negation admits everything"),
    ],
    ids=str,
)
def test_impossible_schemas_give_their_reason(raw: Any, reason: str) -> None:
    with pytest.raises(ImpossibleSchemaError) as caught:
        normalize(raw)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "pointer", "words"),
    [
        ({"type": "strin"}, "", "found 'strin'"),
        ({"properties": {"a": {"minLength": -1}}}, "/properties/a", "whole number"),
        ({"items": {"multipleOf": 0}}, "/items", "greater than 0"),
        ({"anyOf": []}, "", "anyOf to be a list"),
        ({"required": "a"}, "", "required to be a list of names"),
        ({"properties": {"a/b": 3}}, "/properties/a~1b", "expected a schema, found 3"),
        ({"$ref": "#/nowhere"}, "", "leads nowhere"),
        ({"$ref": "#"}, "", "leads back to itself"),
        ({"properties": {"\ud800": {}}}, "", "lone surrogate"),
        ({"items": {"enum": [{"a": ["\ud800"]}]}}, "/items", "lone surrogate"),
        ({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, "", "refers to itself"),
        ({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/a"}}}, "/$defs/a", "leads back to itself"),
    ],
    ids=str,
)
def test_malformed_schemas_are_refused_with_their_place(raw: Any, pointer: str, words: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        normalize(raw).report()
    assert (caught.value.pointer, words in str(caught.value)) == (pointer, True)


@pytest.mark.parametrize(
    ("raw", "pointer", "words"),
    [
        ({"properties": {"a": {"$recursiveRef": "#"}}}, "/properties/a", "$recursiveRef"),
        ({"properties": {"a": {"$ref": "https://example.com/a"}}}, "/properties/a", "remote reference"),
        ({"type": "array", "not": {"uniqueItems": True}}, "", "not (unique [any*])"),
        ({"type": "string", "pattern": r"(a)\1"}, "", "position"),
        ({"$schema": "https://example.com/mine"}, "", "https://example.com/mine"),
    ],
    ids=str,
)
def test_what_is_not_understood_is_refused_by_name(raw: Any, pointer: str, words: str) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize(raw).report()
    assert (caught.value.pointer, words in str(caught.value)) == (pointer, True)


def test_values_may_nest_a_thousand_deep() -> None:
    raw: dict[str, Any] = {"type": "null"}
    for _ in range(1000):
        raw = {"type": "object", "properties": {"a": raw}, "required": ["a"]}
    assert len(normalize(raw).schema.definitions) == 1000


def test_applying_in_place_has_a_limit() -> None:
    raw: dict[str, Any] = {"minimum": 3}
    for _ in range(1000):
        raw = {"allOf": [raw]}
    with pytest.raises(CompileBudgetError, match="60 deep"):
        normalize(raw)


def test_definitions_are_read_when_asked_for() -> None:
    definitions: dict[str, Any] = {
        f"d{n}": {"type": "array", "items": {"$ref": f"#/$defs/d{n + 1}"}} for n in range(99)
    }
    normalized = normalize({"$ref": "#/$defs/d0", "$defs": {**definitions, "d99": {"type": "strin"}}})
    assert str(normalized.schema.definitions["#/$defs/d0"]) == "[@#/$defs/d1*]"
    with pytest.raises(InvalidSchemaError, match="strin"):
        normalized.report()


def _root(raw: Any) -> Schema:
    schema = normalize(raw).schema
    return schema.definitions[schema.root.name] if isinstance(schema.root, Reference) else schema.root


def test_unevaluated_members_depend_on_the_branch() -> None:
    raw = {
        "type": "object",
        "anyOf": [{"properties": {"a": {"type": "null"}}}, {"required": ["b"]}],
        "unevaluatedProperties": False,
    }
    assert str(normalize(raw)) == '@# = {} | {"a"?: null}'


def test_a_dynamic_reference_leads_to_the_outermost_anchor() -> None:
    raw = {
        "$id": "https://example.com/strict",
        "$ref": "list",
        "$defs": {"item": {"$dynamicAnchor": "item", "type": "integer"}},
    }
    items = {
        "$id": "list",
        "type": "array",
        "items": {"$dynamicRef": "#item"},
        "$defs": {"item": {"$dynamicAnchor": "item"}},
    }
    resources = {"https://example.com/list": items}
    assert str(normalize(raw, resources=resources).schema.root).startswith("@#")
    assert str(normalize(raw, resources=resources)).endswith("= [integer*]")


def test_resources_of_other_drafts_are_refused() -> None:
    other = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "null"}
    with pytest.raises(UnsupportedSchemaError, match="another draft"):
        normalize({"$ref": "https://example.com/other"}, resources={"https://example.com/other": other}).report()
