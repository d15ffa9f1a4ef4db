"""What the keywords of objects say: declared properties, and keys in classes by the patterns that they match."""

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
    NOT_OBJECT,
    disagreements,
    shape_of,
)

NULL = {"type": "null"}
TEXT = {"type": "string"}
ONE: dict[str, Any] = {"enum": [1]}

MEMBERS: dict[str, tuple[dict[str, Any], str]] = {
    "no keyword": ({}, "{string: any}"),
    "properties in their order": ({"properties": {"b": NULL, "a": TEXT}}, '{"b"?: null, "a"?: string, string: any}'),
    "a property by name": ({"properties": {"a/b": ONE}}, '{"a/b"?: @#/properties/a~1b, string: any}'),
    "a property that is false": ({"properties": {"a": False}}, '{"a"?: never, string: any}'),
    "a property that is false in a closed object": (
        {"properties": {"a": False, "b": NULL}, "additionalProperties": False},
        '{"b"?: null}',
    ),
    "required": ({"properties": {"a": NULL}, "required": ["a"]}, '{"a": null, string: any}'),
    "required without properties": ({"required": ["b", "a"]}, '{"b": any, "a": any, string: any}'),
    "required twice": ({"required": ["a", "a"]}, '{"a": any, string: any}'),
    "required of none": ({"required": []}, "{string: any}"),
    "draft 4: required": ({**DRAFT_4, "properties": {"a": NULL}, "required": ["a"]}, '{"a": null, string: any}'),
    "additionalProperties": ({"properties": {"a": NULL}, "additionalProperties": TEXT}, '{"a"?: null, string: string}'),
    "additionalProperties true": (
        {"properties": {"a": NULL}, "additionalProperties": True},
        '{"a"?: null, string: any}',
    ),
    "additionalProperties false": ({"properties": {"a": NULL}, "additionalProperties": False}, '{"a"?: null}'),
    "additionalProperties false alone": ({"additionalProperties": False}, "{}"),
    "additionalProperties of a required key": (
        {"additionalProperties": NULL, "required": ["a"]},
        '{"a": null, string: null}',
    ),
    "minProperties": ({"minProperties": 1}, "{string: any}{1,}"),
    "maxProperties": ({"maxProperties": 2}, "{string: any}{0,2}"),
    "minProperties of zero": ({"minProperties": 0, "maxProperties": 0}, "{string: any}{0,0}"),
    "unevaluatedProperties alone": ({"unevaluatedProperties": NULL}, "{string: null}"),
    "unevaluatedProperties beside additionalProperties": (
        {"additionalProperties": TEXT, "unevaluatedProperties": NULL},
        "{string: string}",
    ),
    "draft 7: unevaluatedProperties is not known": ({**DRAFT_7, "unevaluatedProperties": False}, "{string: any}"),
}

PATTERNS: dict[str, tuple[dict[str, Any], str]] = {
    "keys of a pattern and the others": (
        {"patternProperties": {"^x": NULL}, "additionalProperties": TEXT},
        "{string /^x/: null, string !/^x/: string}",
    ),
    "a pattern that is false": ({"patternProperties": {"^x": False}}, "{string !/^x/: any}"),
    "a pattern in a closed object": (
        {"patternProperties": {"^x": NULL}, "additionalProperties": False},
        "{string /^x/: null}",
    ),
    "patterns are searched for": (
        {"patternProperties": {"x": NULL}, "properties": {"axb": {}}, "additionalProperties": False},
        '{"axb"?: null, string /x/: null}',
    ),
    "a declared key that a pattern matches": (
        {"properties": {"xa": ONE}, "patternProperties": {"^x": {"enum": [1, 2]}}},
        '{"xa"?: @#/patternProperties/^x & #/properties/xa, string /^x/: @#/patternProperties/^x, string !/^x/: any}',
    ),
    "a declared key that no pattern matches": (
        {"properties": {"a": ONE}, "patternProperties": {"^x": NULL}, "additionalProperties": False},
        '{"a"?: @#/properties/a, string /^x/: null}',
    ),
    "a required key that a pattern matches": (
        {"required": ["xa"], "patternProperties": {"^x": NULL}, "additionalProperties": False},
        '{"xa": null, string /^x/: null}',
    ),
    "keys of two patterns": (
        {"patternProperties": {"^a": ONE, "b$": {"enum": [1, 2]}}, "additionalProperties": False},
        "{string /^a/ /b$/: @#/patternProperties/^a & #/patternProperties/b$, "
        "string /^a/ !/b$/: @#/patternProperties/^a, string !/^a/ /b$/: @#/patternProperties/b$}",
    ),
    "patterns that share no key": (
        {"patternProperties": {"^a": NULL, "^b": TEXT}},
        "{string /^a/: null, string /^b/: string, string !/^a/ !/^b/: any}",
    ),
    "a pattern's place has its pointer": (
        {"patternProperties": {"^a/b": ONE}},
        r"{string /^a\/b/: @#/patternProperties/^a~1b, string !/^a\/b/: any}",
    ),
    "draft 4: patternProperties": (
        {**DRAFT_4, "patternProperties": {"^x": NULL}},
        "{string /^x/: null, string !/^x/: any}",
    ),
}

NAMES: dict[str, tuple[dict[str, Any], str]] = {
    "any name": ({"propertyNames": True}, "{string: any}"),
    "no name": ({"propertyNames": False}, "{}"),
    "lengths": ({"propertyNames": {"maxLength": 2}}, "{string{0,2}: any}"),
    "a pattern": ({"propertyNames": {"pattern": "^a"}}, "{string /^a/: any}"),
    "a format": ({"propertyNames": {"format": "date"}}, "{string <date>: any}"),
    "names are strings": ({"propertyNames": {"type": "integer"}}, "{}"),
    "listed names": ({"propertyNames": {"enum": ["b", 1, "a"]}}, '{"b"?: any, "a"?: any}'),
    "one name": ({"propertyNames": {"const": "a"}}, '{"a"?: any}'),
    "declared names": (
        {"properties": {"ab": NULL, "c": NULL}, "propertyNames": {"maxLength": 1}},
        '{"c"?: null, string{0,1}: any}',
    ),
    "values of listed names": (
        {"propertyNames": {"enum": ["a", "xa"]}, "patternProperties": {"^x": NULL}, "additionalProperties": TEXT},
        '{"a"?: string, "xa"?: null}',
    ),
    "listed names or a pattern": (
        {"propertyNames": {"anyOf": [{"const": "a"}, {"pattern": "^x"}]}, "additionalProperties": NULL},
        '{"a"?: null, string /^x/: null}',
    ),
    "patterns that share no name": (
        {"propertyNames": {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]}},
        "{string /^a/: any, string /^b/: any}",
    ),
    "names by reference": (
        {"propertyNames": {"$ref": "#/$defs/n"}, "$defs": {"n": {"maxLength": 1}}},
        "{string{0,1}: any}",
    ),
    "draft 6: propertyNames": ({**DRAFT_6, "propertyNames": {"maxLength": 2}}, "{string{0,2}: any}"),
    "draft 4: propertyNames is not known": ({**DRAFT_4, "propertyNames": False}, "{string: any}"),
}

QUOTED_NAMES: dict[str, tuple[dict[str, Any], str]] = {
    "numbers": ({"x-pydantic-quoted": "integer"}, "{quoted integer: any}"),
    "ranges that do not overlap": (
        {"anyOf": [{"x-pydantic-quoted": "number", "maximum": 1}, {"x-pydantic-quoted": "number", "minimum": 2}]},
        "{quoted number in (-inf, 1]: any, quoted number in [2, inf): any}",
    ),
    "ranges that overlap": (
        {"anyOf": [{"x-pydantic-quoted": "number", "maximum": 5}, {"x-pydantic-quoted": "number", "minimum": 2}]},
        "{quoted number in (-inf, 5]: any, quoted number in (5, inf): any}",
    ),
}

CLOSED: dict[str, tuple[dict[str, Any], str]] = {
    "no property is stated": ({}, "{string: any}"),
    "required states nothing": ({"required": ["a"]}, '{"a": any, string: any}'),
    "properties": ({"properties": {"a": NULL}}, '{"a"?: null, string: @unstated}'),
    "patternProperties": ({"patternProperties": {"^x": NULL}}, "{string /^x/: null, string !/^x/: @unstated}"),
    "additionalProperties": ({"properties": {"a": NULL}, "additionalProperties": True}, '{"a"?: null, string: any}'),
    "unevaluatedProperties": (
        {"properties": {"a": NULL}, "unevaluatedProperties": True},
        '{"a"?: null, string: any}',
    ),
}

EMPTY: dict[str, tuple[dict[str, Any], str]] = {
    "a required property that is false": (
        {"properties": {"a": False}, "required": ["a"]},
        "property 'a' is required, but impossible: false at /properties/a",
    ),
    "a required property in a closed object": (
        {"required": ["a"], "additionalProperties": False},
        "property 'a' is required, but impossible: false at /additionalProperties",
    ),
    "a required property that is not named": (
        {"required": ["ab"], "propertyNames": {"maxLength": 1}},
        "property 'ab' is required, but impossible: the object admits no property 'ab'",
    ),
    "more properties than maxProperties": (
        {"required": ["a", "b"], "maxProperties": 1},
        "required properties (2) or minProperties (0) exceed the most properties possible (1)",
    ),
    "minProperties above maxProperties": (
        {"minProperties": 2, "maxProperties": 1},
        "required properties (0) or minProperties (2) exceed the most properties possible (1)",
    ),
    "minProperties of a closed object": (
        {"properties": {"a": {}}, "additionalProperties": False, "minProperties": 2},
        "required properties (0) or minProperties (2) exceed the most properties possible (1)",
    ),
}

MALFORMED: dict[str, tuple[dict[str, Any], str, str]] = {
    "properties is an object": ({"properties": ["a"]}, "expected properties to be a dict, found ['a']", ""),
    "a property is a schema": ({"properties": {"a~b": 3}}, "expected a schema, found 3", "/properties/a~0b"),
    "required is a list": ({"required": True}, "expected required to be a list of names, found True", ""),
    "required lists names": ({"required": ["a", 1]}, "expected required to be a list of names, found ['a', 1]", ""),
    "patternProperties is an object": (
        {"patternProperties": 3},
        "expected patternProperties to be a dict, found 3",
        "",
    ),
    "a pattern's value is a schema": (
        {"patternProperties": {"a": 3}},
        "expected a schema, found 3",
        "/patternProperties/a",
    ),
    "additionalProperties is a schema": (
        {"additionalProperties": 0},
        "expected a schema, found 0",
        "/additionalProperties",
    ),
    "propertyNames is a schema": ({"propertyNames": []}, "expected a schema, found []", "/propertyNames"),
    "unevaluatedProperties is a schema": (
        {"unevaluatedProperties": 3},
        "expected a schema, found 3",
        "/unevaluatedProperties",
    ),
    **{
        f"{keyword} is counted": (
            {keyword: 1.5},
            f"expected {keyword} to be a whole number of at least 0, found 1.5",
            "",
        )
        for keyword in ("minProperties", "maxProperties")
    },
}


@pytest.mark.parametrize(("raw", "expected"), MEMBERS.values(), ids=MEMBERS)
def test_members(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "object"}) == expected


@pytest.mark.parametrize(("raw", "expected"), PATTERNS.values(), ids=PATTERNS)
def test_pattern_properties(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "object"}) == expected


@pytest.mark.parametrize(("raw", "expected"), NAMES.values(), ids=NAMES)
def test_property_names(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "object"}) == expected


@pytest.mark.parametrize(("names", "expected"), QUOTED_NAMES.values(), ids=QUOTED_NAMES)
def test_names_that_are_numbers(names: dict[str, Any], expected: str) -> None:
    assert shape_of({"type": "object", "propertyNames": {"type": "string", **names}}) == expected


@pytest.mark.parametrize(("raw", "expected"), CLOSED.values(), ids=CLOSED)
def test_what_closed_objects_leave_unstated(raw: dict[str, Any], expected: str) -> None:
    assert shape_of({**raw, "type": "object"}, closed=True) == expected
    assert shape_of({**raw, "type": "object"}) == expected.replace("@unstated", "any")


@pytest.mark.parametrize(
    "raw",
    [raw for raw, _ in (MEMBERS | PATTERNS | NAMES | EMPTY).values() if "format" not in str(raw)],
    ids=[name for name, (raw, _) in (MEMBERS | PATTERNS | NAMES | EMPTY).items() if "format" not in str(raw)],
)
def test_objects_mean_what_jsonschema_says(raw: dict[str, Any]) -> None:
    assert disagreements({**raw, "type": "object"}) == []


def test_other_types_are_not_concerned() -> None:
    assert shape_of({"minProperties": 1}) == f"{NOT_OBJECT} | {{string: any}}{{1,}}"
    assert shape_of({"type": ["null", "object"], "required": ["a"]}) == 'null | {"a": any, string: any}'


def test_key_patterns_have_the_dialect_of_the_schema() -> None:
    raw = {"type": "object", "patternProperties": {r"^\d": NULL}, "additionalProperties": False}
    assert shape_of(raw, dialect="python") == r"{string /^\d/python: null}"
    assert shape_of({**raw, "x-pydantic-dialect": "rust"}) == r"{string /^\d/rust: null}"


@pytest.mark.parametrize(("raw", "reason"), EMPTY.values(), ids=EMPTY)
def test_what_no_object_satisfies(raw: dict[str, Any], reason: str) -> None:
    with pytest.raises(ImpossibleSchemaError) as caught:
        normalize({**raw, "type": "object"})
    assert str(caught.value) == f"no value satisfies the schema: {reason} at the root"


@pytest.mark.parametrize(("raw", "message", "pointer"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_values(raw: dict[str, Any], message: str, pointer: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        normalize(raw).report()
    assert (str(caught.value), caught.value.pointer) == (f"{message} at {pointer or 'the root'}", pointer)


@pytest.mark.parametrize("keyword", ["properties", "patternProperties"])
def test_names_must_be_spelled(keyword: str) -> None:
    with pytest.raises(InvalidSchemaError, match=r"lone surrogate in .* at /items"):
        normalize({"items": {keyword: {"\ud800": {}}}}).report()


def test_a_key_pattern_must_be_a_regular_expression() -> None:
    with pytest.raises(UnsupportedSchemaError, match=r"at position 1 of pattern '\[' at /items") as caught:
        normalize({"items": {"patternProperties": {"[": {}}}}).report()
    assert caught.value.pointer == "/items"


def test_names_of_alternatives_that_overlap() -> None:
    names = {"anyOf": [{"minLength": 3, "type": "string"}, {"pattern": "x", "type": "string"}]}
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize({"items": {"propertyNames": names, "type": "object"}}).report()
    assert str(caught.value) == (
        "the keywords combine to what is not supported: propertyNames with alternatives that overlap at /items"
    )


def test_patterns_may_split_keys_into_so_many_classes() -> None:
    def raw(count: int) -> dict[str, Any]:
        patterns = dict.fromkeys("abcdefghi"[:count], NULL)
        return {"items": {"type": "object", "patternProperties": patterns}}

    normalize(raw(8)).report()
    with pytest.raises(CompileBudgetError) as caught:
        normalize(raw(9)).report()
    assert str(caught.value) == "patternProperties split keys into over 256 classes at /items"


NAMES_OF_A_GRAMMAR = {"type": "string", "x-pydantic-grammar": {"text": 'start: "a"', "start": "start"}}


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (NAMES_OF_A_GRAMMAR, "sentence start of 'start: \"a\"'"),
        ({"not": NAMES_OF_A_GRAMMAR}, "not (sentence start of 'start: \"a\"')"),
        ({"not": {"type": "string", "x-pydantic-quoted": "integer"}}, "not (quoted integer)"),
    ],
    ids=["a grammar", "not a grammar", "no quoted number"],
)
def test_names_that_are_not_supported(names: dict[str, Any], keys: str) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        shape_of({"items": {}, "propertyNames": names})
    assert caught.value.pointer == "/propertyNames"
    assert str(caught.value) == f"keys as these are not supported: {keys} at /propertyNames"
