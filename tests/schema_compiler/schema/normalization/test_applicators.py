"""What a whole place says: typed keywords, lists of values, references and combinations, intersected."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import (
    CompileBudgetError,
    ImpossibleSchemaError,
    InvalidSchemaError,
    UnsupportedSchemaError,
)
from schema_compiler.schema.normalization.normalize import normalize
from tests.schema_compiler.schema.normalization.places import (
    DRAFT_4,
    DRAFT_6,
    DRAFT_7,
    DRAFT_2019,
    NOT_OBJECT,
    disagreements,
    registry_of,
    shape_of,
)

NULL = {"type": "null"}
TEXT = {"type": "string"}
NOT_NULL = "boolean | number | string | [any*] | {string: any}"
NOT_TEXT = "null | boolean | number | [any*] | {string: any}"

LISTED: dict[str, tuple[dict[str, Any], str]] = {
    "enum": ({"enum": ["b", 1, None]}, 'one of ["b", 1, null]'),
    "equal values once": ({"enum": [1, 1.0, "1", True]}, 'one of [1, "1", true]'),
    "enum of null": ({"enum": [None]}, "null"),
    "enum beside type": ({"enum": [1, "a", None], "type": ["string", "null"]}, 'one of ["a"] | null'),
    "enum beside limits": ({"enum": ["a", "ab", 1], "minLength": 2}, 'one of [1, "ab"]'),
    "const": ({"const": {"a": [1]}}, 'one of [{"a": [1]}]'),
    "const of null": ({"const": None}, "null"),
    "const beside enum": ({"enum": [1, 2], "const": 2.0}, "one of [2]"),
    "draft 6: const": ({**DRAFT_6, "const": 1}, "one of [1]"),
    "draft 4: const is not known": ({**DRAFT_4, "const": 1}, "any"),
    "draft 4: enum": ({**DRAFT_4, "enum": [1]}, "one of [1]"),
}

REFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "$ref alone": ({"$ref": "#/$defs/a"}, "integer in [1, inf)"),
    "$ref beside a keyword": ({"$ref": "#/$defs/a", "maximum": 3}, "integer in [1, 3]"),
    "draft 2019: $ref beside a keyword": ({**DRAFT_2019, "$ref": "#/$defs/a", "maximum": 3}, "integer in [1, 3]"),
    "draft 7: $ref ignores what is beside it": ({**DRAFT_7, "$ref": "#/$defs/a", "maximum": 3}, "integer in [1, inf)"),
    "draft 4: $ref ignores what is beside it": (
        {**DRAFT_4, "$ref": "#/$defs/a", "type": "null"},
        "integer in [1, inf)",
    ),
    "$ref beside an annotation": ({"$ref": "#/$defs/a", "title": "A"}, "integer in [1, inf)"),
    "$ref to $ref": ({"$ref": "#/$defs/b"}, "integer in [1, inf)"),
    "$ref to what is false": ({"$ref": "#/$defs/no"}, "never"),
    "$ref to what is true": ({"$ref": "#/$defs/yes", "type": "null"}, "null"),
    "$dynamicRef without an anchor": ({"$dynamicRef": "#/$defs/a", "maximum": 3}, "integer in [1, 3]"),
    "$dynamicRef to an anchor": ({"$dynamicRef": "#c", "maximum": 3}, "integer in (-inf, 3]"),
    "draft 2019: $dynamicRef is not known": ({**DRAFT_2019, "$dynamicRef": "#/$defs/a"}, "any"),
    "draft 7: $recursiveRef is not known": ({**DRAFT_7, "$recursiveRef": "#", "type": "null"}, "null"),
}
DEFINITIONS: dict[str, Any] = {
    "a": {"type": "integer", "minimum": 1},
    "b": {"$ref": "#/$defs/a"},
    "c": {"$dynamicAnchor": "c", "type": "integer"},
    "no": False,
    "yes": True,
}

COMBINATIONS: dict[str, tuple[dict[str, Any], str]] = {
    "allOf": ({"allOf": [{"type": "integer"}, {"minimum": 1}, {"maximum": 3}]}, "integer in [1, 3]"),
    "allOf beside a keyword": ({"minimum": 2, "allOf": [{"type": "integer"}, {"minimum": 1}]}, "integer in [2, inf)"),
    "allOf in allOf": ({"allOf": [{"allOf": [TEXT]}, {"allOf": [{"minLength": 1}]}]}, "string{1,}"),
    "allOf of what is true": ({"allOf": [True, NULL]}, "null"),
    "allOf of what is false": ({"allOf": [NULL, False]}, "never"),
    "anyOf": ({"anyOf": [NULL, {"type": "integer", "minimum": 1}]}, "null | integer in [1, inf)"),
    "anyOf beside a keyword": (
        {"anyOf": [NULL, {"type": "string", "minLength": 1}], "maxLength": 3},
        "null | string{1,3}",
    ),
    "anyOf of what is true": ({"anyOf": [NULL, True]}, "any"),
    "anyOf of what is false": ({"anyOf": [NULL, False]}, "null"),
    "anyOf of nothing": ({"anyOf": [False, False]}, "never"),
    "anyOf of what overlaps": (
        {"anyOf": [{"type": "integer", "maximum": 3}, {"type": "integer", "minimum": 2}]},
        "integer in (-inf, 3] | integer in [2, inf)",
    ),
    "oneOf of different types": ({"oneOf": [NULL, TEXT]}, "null | string"),
    "oneOf of what overlaps": (
        {"oneOf": [{"type": ["null", "string"]}, {"type": ["null", "boolean"]}]},
        "string | boolean",
    ),
    "oneOf of what is true": ({"oneOf": [True, NULL]}, NOT_NULL),
    "oneOf of the same": ({"oneOf": [NULL, NULL]}, "never"),
    "oneOf of one": ({"oneOf": [NULL]}, "null"),
    "oneOf of what is false": ({"oneOf": [False, NULL, False]}, "null"),
    "oneOf beside a keyword": (
        {"type": "integer", "oneOf": [{"minimum": 1}, {"minimum": 3}]},
        "integer in [1, 2]",
    ),
    "oneOf of three": ({"oneOf": [{"enum": [1, 2]}, {"enum": [2, 3]}, {"enum": [3, 4]}]}, "one of [1, 4]"),
    "oneOf in allOf": (
        {"allOf": [{"oneOf": [{"type": "integer"}, {"minimum": 3}]}, {"type": "integer"}]},
        "integer in (-inf, 2]",
    ),
    "two oneOf in allOf": (
        {
            "type": "integer",
            "allOf": [{"oneOf": [{"minimum": 1}, {"minimum": 3}]}, {"oneOf": [{"minimum": 0}, {"minimum": 2}]}],
        },
        "integer in [1, 1]",
    ),
    "not": ({"not": NULL}, NOT_NULL),
    "not of a limit": ({"not": {"minLength": 2}}, "string{0,1}"),
    "not beside a keyword": ({"type": "string", "not": {"maxLength": 2}}, "string{3,}"),
    "not of not": ({"not": {"not": NULL}}, "null"),
    "not of what is false": ({"not": False}, "any"),
    "not of what is true": ({"not": True}, "never"),
    "not of anyOf": ({"not": {"anyOf": [NULL, {"not": {"type": ["null", "string"]}}]}}, "string"),
}

CONDITIONS: dict[str, tuple[dict[str, Any], str]] = {
    "if, then and else": (
        {"if": TEXT, "then": {"minLength": 1}, "else": {"type": ["null", "boolean"]}},
        "string{1,} | null | boolean",
    ),
    "if and then": ({"if": TEXT, "then": {"minLength": 1}}, f"string{{1,}} | {NOT_TEXT}"),
    "if and else": ({"if": TEXT, "else": NULL}, "string | null"),
    "if alone": ({"if": NULL}, "any"),
    "then alone": ({"then": NULL}, "any"),
    "else alone": ({"else": NULL}, "any"),
    "if of what is true": ({"if": True, "then": NULL, "else": TEXT}, "null"),
    "if of what is false": ({"if": False, "then": NULL, "else": TEXT}, "string"),
    "then of what is false": ({"if": TEXT, "then": False}, NOT_TEXT),
    "else of what is false": ({"if": TEXT, "else": False}, "string"),
    "then and else of what is true": ({"if": TEXT, "then": True, "else": True}, "any"),
    "beside a keyword": (
        {"type": "integer", "if": {"minimum": 3}, "then": {"multipleOf": 2}, "else": {"minimum": 0}},
        "integer in [3, inf) step 2 | integer in [0, 2]",
    ),
    "draft 7: if": ({**DRAFT_7, "if": TEXT, "else": NULL}, "string | null"),
    "draft 6: if is not known": ({**DRAFT_6, "if": TEXT, "else": NULL}, "any"),
}

A_IS_ABSENT = '{"a"?: never, string: any}'

DEPENDENCIES: dict[str, tuple[dict[str, Any], str]] = {
    "dependentRequired": ({"dependentRequired": {"a": ["b"]}}, f'{A_IS_ABSENT} | {{"a": any, "b": any, string: any}}'),
    "dependentRequired of nothing": ({"dependentRequired": {"a": []}}, f'{A_IS_ABSENT} | {{"a": any, string: any}}'),
    "dependentRequired of itself": ({"dependentRequired": {"a": ["a"]}}, f'{A_IS_ABSENT} | {{"a": any, string: any}}'),
    "dependentRequired of no key": ({"dependentRequired": {}}, "{string: any}"),
    "dependentRequired beside required": (
        {"dependentRequired": {"a": ["b"]}, "required": ["a"]},
        '{"a": any, "b": any, string: any}',
    ),
    "dependentRequired of two keys": (
        {"dependentRequired": {"a": ["b"], "b": ["c"]}},
        '{"a"?: never, "b"?: never, string: any} | {"a"?: never, "b": any, "c": any, string: any} '
        '| {"a": any, "b": any, "c": any, string: any}',
    ),
    "dependentSchemas": (
        {"dependentSchemas": {"a": {"required": ["b"], "maxProperties": 2}}},
        f'{A_IS_ABSENT} | {{"a": any, "b": any, string: any}}{{0,2}}',
    ),
    "dependentSchemas of what is false": ({"dependentSchemas": {"a": False}}, A_IS_ABSENT),
    "dependentSchemas of what is true": (
        {"dependentSchemas": {"a": True}},
        f'{A_IS_ABSENT} | {{"a": any, string: any}}',
    ),
    "dependentSchemas of the key itself": (
        {"dependentSchemas": {"a": {"properties": {"a": NULL}}}},
        f'{A_IS_ABSENT} | {{"a": null, string: any}}',
    ),
    "dependentSchemas of another type": ({"dependentSchemas": {"a": NULL}}, A_IS_ABSENT),
    "draft 2019: dependentSchemas": ({**DRAFT_2019, "dependentSchemas": {"a": False}}, A_IS_ABSENT),
    "draft 7: dependentSchemas is not known": ({**DRAFT_7, "dependentSchemas": {"a": False}}, "{string: any}"),
    "draft 7: dependentRequired is not known": ({**DRAFT_7, "dependentRequired": {"a": ["b"]}}, "{string: any}"),
    "draft 4: dependencies on keys": (
        {**DRAFT_4, "dependencies": {"a": ["b"]}},
        f'{A_IS_ABSENT} | {{"a": any, "b": any, string: any}}',
    ),
    "draft 4: dependencies on a schema": (
        {**DRAFT_4, "dependencies": {"a": {"required": ["b"]}}},
        f'{A_IS_ABSENT} | {{"a": any, "b": any, string: any}}',
    ),
    "draft 7: dependencies on what is false": ({**DRAFT_7, "dependencies": {"a": False}}, A_IS_ABSENT),
}

EMPTY: dict[str, tuple[dict[str, Any], str]] = {
    "types that exclude each other": ({"allOf": [TEXT, NULL]}, "string and null exclude each other"),
    "a listed value of another type": ({"enum": [1], "type": "string"}, "no value of the enumeration is left"),
    "an empty list of values": ({"enum": []}, "no value of the enumeration is left"),
    "not of what is true": ({"not": {}}, "its negation admits everything"),
    "a reference to what is false": ({"$ref": "#/$defs/a", "$defs": {"a": False}}, "false at /$defs/a"),
}

MALFORMED: dict[str, tuple[dict[str, Any], str, str]] = {
    **{
        f"{keyword} is a list": (
            {keyword: {"a": NULL}},
            f"expected {keyword} to be a list of schemas, found {{'a': {NULL}}}",
            "",
        )
        for keyword in ("allOf", "anyOf", "oneOf")
    },
    **{
        f"{keyword} is not empty": ({keyword: []}, f"expected {keyword} to be a list of schemas, found []", "")
        for keyword in ("allOf", "anyOf", "oneOf")
    },
    "a branch is a schema": ({"anyOf": [NULL, 3]}, "expected a schema, found 3", "/anyOf/1"),
    **{
        f"{keyword} is a schema": ({"if": True, keyword: 3}, "expected a schema, found 3", f"/{keyword}")
        for keyword in ("not", "if", "then", "else")
    },
    "enum is a list": ({"enum": "ab"}, "expected enum to be a list of values, found 'ab'", ""),
    "enum holds JSON values": ({"enum": [float("nan")]}, "expected enum to hold JSON values, found nan", ""),
    "const is a JSON value": ({"const": float("inf")}, "expected const to hold JSON values, found inf", ""),
    "const holds JSON values": ({"const": [[float("nan")]]}, "expected const to hold JSON values, found nan", ""),
    "enum holds them inside": (
        {"enum": [1, {"a": float("inf")}]},
        "expected enum to hold JSON values, found inf",
        "",
    ),
    "$ref is a URI reference": ({"$ref": "http://[#/a"}, "expected a URI reference, found 'http://['", ""),
    "$ref is a text": ({"$ref": 3}, "expected a URI reference, found 3", ""),
    "$dynamicRef is a text": ({"$dynamicRef": None}, "expected a URI reference, found None", ""),
    "$ref leads somewhere": ({"$ref": "#/$defs/a", "type": "null"}, "the reference '#/$defs/a' leads nowhere", ""),
    "dependentRequired is an object": (
        {"dependentRequired": ["a"]},
        "expected dependentRequired to be a dict, found ['a']",
        "",
    ),
    "dependentRequired lists names": (
        {"dependentRequired": {"a": [1]}},
        "expected dependentRequired to be a list of names, found [1]",
        "",
    ),
    "dependentRequired holds no schemas": (
        {"dependentRequired": {"a": NULL}},
        f"expected dependentRequired to be a list of names, found {NULL}",
        "",
    ),
    "dependentSchemas holds no lists": (
        {"dependentSchemas": {"a": ["b"]}},
        "expected a schema, found ['b']",
        "/dependentSchemas/a",
    ),
    "dependentSchemas is an object": ({"dependentSchemas": 3}, "expected dependentSchemas to be a dict, found 3", ""),
    "dependentSchemas holds schemas": (
        {"dependentSchemas": {"a": 3}},
        "expected a schema, found 3",
        "/dependentSchemas/a",
    ),
    "dependencies is an object": ({"dependencies": True}, "expected dependencies to be a dict, found True", ""),
    "dependencies holds schemas or lists": (
        {"dependencies": {"a": "b"}},
        "expected a schema, found 'b'",
        "/dependencies/a",
    ),
}


@pytest.mark.parametrize(("raw", "expected"), LISTED.values(), ids=LISTED)
def test_listed_values(raw: dict[str, Any], expected: str) -> None:
    assert shape_of(raw) == expected


@pytest.mark.parametrize(("raw", "expected"), REFERENCES.values(), ids=REFERENCES)
def test_references(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "$defs": DEFINITIONS}) == expected


@pytest.mark.parametrize(("raw", "expected"), COMBINATIONS.values(), ids=COMBINATIONS)
def test_combinations(raw: dict[str, Any], expected: str) -> None:
    assert shape_of(raw) == expected


@pytest.mark.parametrize(("raw", "expected"), CONDITIONS.values(), ids=CONDITIONS)
def test_conditions(raw: dict[str, Any], expected: str) -> None:
    assert shape_of(raw) == expected


@pytest.mark.parametrize(("raw", "expected"), DEPENDENCIES.values(), ids=DEPENDENCIES)
def test_dependencies(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "object"}) == expected


@pytest.mark.parametrize(
    "raw",
    [
        *({**raw, "$defs": DEFINITIONS} for raw, _ in REFERENCES.values()),
        *(raw for raw, _ in (LISTED | COMBINATIONS | CONDITIONS | DEPENDENCIES).values()),
    ],
    ids=[*REFERENCES, *LISTED, *COMBINATIONS, *CONDITIONS, *DEPENDENCIES],
)
def test_places_mean_what_jsonschema_says(raw: dict[str, Any]) -> None:
    assert disagreements(raw) == []


def test_dependencies_do_not_concern_other_types() -> None:
    assert shape_of({"dependentSchemas": {"a": False}}) == f"{NOT_OBJECT} | {A_IS_ABSENT}"
    assert shape_of({"type": "null", "dependentRequired": {"a": ["b"]}}) == "null"


def test_references_among_the_options_stay_names() -> None:
    """What nothing narrows is read later."""
    registry = registry_of({"anyOf": [{"$ref": "#/$defs/a"}, NULL, {"enum": [1]}], "$defs": {"a": {"type": "object"}}})
    registry.child(registry.document.root)
    assert list(map(str, registry.view("#"))) == ["@#/$defs/a", "null", "@#/anyOf/2"]


def test_a_reference_that_nothing_narrows_stays_a_name() -> None:
    raw = {"$ref": "#/$defs/a", "minLength": 1, "$defs": {"a": {"type": ["object", "null"]}}}
    registry = registry_of(raw)
    registry.child(registry.document.root)
    assert list(map(str, registry.view("#"))) == ["@#/$defs/a"]


def test_listed_integers_may_have_a_fraction() -> None:
    for raw, expected in (({"enum": [1, "a"]}, True), ({"const": {"a": [1]}}, True), ({"const": "a"}, False)):
        for allowed in (True, False):
            registry = registry_of(raw, integer_fraction=allowed)
            (listed,) = registry.shape(registry.child(registry.document.root))
            assert getattr(listed, "fraction") == (expected and allowed)  # noqa: B009


@pytest.mark.parametrize(("raw", "reason"), EMPTY.values(), ids=EMPTY)
def test_what_no_value_satisfies(raw: dict[str, Any], reason: str) -> None:
    with pytest.raises(ImpossibleSchemaError) as caught:
        normalize(raw)
    assert str(caught.value) == f"no value satisfies the schema: {reason} at the root"


@pytest.mark.parametrize(("raw", "message", "pointer"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_values(raw: dict[str, Any], message: str, pointer: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        normalize({"items": raw}).report()
    assert (str(caught.value), caught.value.pointer) == (f"{message} at /items{pointer}", f"/items{pointer}")


@pytest.mark.parametrize(
    "raw",
    [
        {"enum": ["\ud800"]},
        {"const": {"\ud800": 1}},
        {"dependentRequired": {"a": ["\ud800"]}},
        {"dependencies": {"\ud800": []}},
    ],
    ids=["enum", "const", "a companion", "a dependency"],
)
def test_texts_must_be_spelled(raw: dict[str, Any]) -> None:
    with pytest.raises(InvalidSchemaError, match=r"lone surrogate in .* at /items"):
        normalize({"items": raw}).report()


@pytest.mark.parametrize(
    "raw", [{"type": "array", "not": {"uniqueItems": True}}, {"not": {"uniqueItems": True}}], ids=str
)
def test_arrays_that_repeat_an_item_are_not_supported(raw: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize({"items": raw}).report()
    message = "this negation is not supported: not (unique [any*])"
    assert (str(caught.value), caught.value.pointer) == (f"{message} at /items", "/items")


def test_a_complement_that_is_left_is_refused_with_its_place() -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize({"items": {"not": {"type": "array", "uniqueItems": True}}}).report()
    assert str(caught.value) == "this negation is not supported: not (unique [any*]) at /items"


def test_a_complement_of_several_places_is_refused_at_the_first() -> None:
    """Those of a name are in the order of their pointers."""
    definitions = {"a": {"not": {"type": "array", "uniqueItems": True}}, "list": {"items": {}, "maxItems": 3}}
    raw = {"anyOf": [NULL, {"$ref": "#/$defs/a"}], "$ref": "#/$defs/list"}
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize({"properties": {"b": raw}, "$defs": definitions}).report()
    assert caught.value.pointer == "/properties/b"


def test_listed_values_may_be_nested_so_deep() -> None:
    value: Any = None
    for _ in range(10_000):
        value = [value]
    with pytest.raises(CompileBudgetError, match=r"^a value of const is nested over 200 deep at /items$"):
        normalize({"items": {"const": value}}).report()
