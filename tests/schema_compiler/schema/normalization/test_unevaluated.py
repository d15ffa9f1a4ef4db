"""What ``unevaluatedProperties`` and ``unevaluatedItems`` leave to others, through every applicator.

Each table has, for a rule, the keywords beside ``unevaluated...: false`` and the members that may remain. All of it is
also put to ``jsonschema``, for small objects and arrays; but for ``dependencies``, which it does not know in these
drafts.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from schema_compiler.errors import CompileBudgetError, InvalidSchemaError
from schema_compiler.schema.ir import AnyValue, Never, Null
from schema_compiler.schema.normalization.normalize import normalize
from schema_compiler.schema.normalization.unevaluated import Branch, Evaluated, seen_branches
from tests.schema_compiler.schema.normalization.places import (
    DRAFT_7,
    DRAFT_2019,
    disagreements,
    meaning_of,
    registry_of,
)

NULL = {"type": "null"}
TEXT = {"type": "string"}
A = {"properties": {"a": NULL}}
B = {"properties": {"b": NULL}}
NEEDS_A = {**A, "required": ["a"]}
NEEDS_B = {**B, "required": ["b"]}

OBJECTS = tuple(
    {name: value for name, value in zip("abx", values, strict=True) if value != "absent"}
    for values in product([None, 1, "absent"], repeat=3)
)
ARRAYS = tuple(list(items) for length in range(4) for items in product([None, 1, "s"], repeat=length))

PROPERTIES: dict[str, tuple[dict[str, Any], str]] = {
    "nothing beside": ({}, "{}"),
    "properties": (A, '{"a"?: null}'),
    "properties that are required": (NEEDS_A, '{"a": null}'),
    "patternProperties": ({"patternProperties": {"^x": NULL}}, "{string /^x/: null}"),
    "additionalProperties": ({"properties": {"a": NULL}, "additionalProperties": TEXT}, '{"a"?: null, string: string}'),
    "additionalProperties does not see allOf": (
        {"additionalProperties": TEXT, "allOf": [A]},
        '{"a"?: never, string: string}',
    ),
    "required evaluates nothing": ({"required": ["a"]}, "never"),
    "propertyNames evaluates nothing": ({"propertyNames": {"maxLength": 9}}, "{}"),
    "dependentRequired evaluates nothing": ({"properties": {"a": NULL}, "dependentRequired": {"a": ["b"]}}, "{}"),
    "allOf": ({"allOf": [A, B]}, '{"a"?: null, "b"?: null}'),
    "allOf in allOf": ({"allOf": [{"allOf": [A]}]}, '{"a"?: null}'),
    "additionalProperties in allOf": ({"allOf": [{"additionalProperties": NULL}]}, "{string: null}"),
    "patternProperties in allOf": ({"allOf": [{"patternProperties": {"^x": NULL}}]}, "{string /^x/: null}"),
    "unevaluatedProperties in allOf": (
        {"allOf": [{**A, "unevaluatedProperties": TEXT}]},
        '{"a"?: null, string: string}',
    ),
    "$ref": ({"$ref": "#/$defs/a", "$defs": {"a": A}}, '{"a"?: null}'),
    "$ref to $ref": (
        {"$ref": "#/$defs/b", "$defs": {"a": A, "b": {"$ref": "#/$defs/a", **B}}},
        '{"a"?: null, "b"?: null}',
    ),
    "$ref in allOf": ({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": A}}, '{"a"?: null}'),
    "$dynamicRef": ({"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", **A}}}, '{"a"?: null}'),
    "draft 2019: $ref": ({**DRAFT_2019, "$ref": "#/$defs/a", "$defs": {"a": A}}, '{"a"?: null}'),
    "anyOf": ({"anyOf": [A, {"type": "object"}]}, '{} | {"a"?: null}'),
    "anyOf of branches that may both hold": (
        {"anyOf": [NEEDS_A, NEEDS_B]},
        '{"b": null} | {"a": null} | {"a": null, "b": null}',
    ),
    "oneOf": ({"oneOf": [NEEDS_A, NEEDS_B]}, '{"a": null} | {"b": null}'),
    "if that holds": ({"if": NEEDS_A}, '{} | {"a": null}'),
    "if and then": ({"if": NEEDS_A, "then": B}, '{} | {"a": null, "b"?: null}'),
    "if and else": ({"if": {"required": ["a"]}, "else": B}, '{} | {"b"?: null}'),
    "if, then and else": (
        {"properties": {"a": NULL}, "if": {"required": ["a"]}, "then": B, "else": {"properties": {"x": NULL}}},
        '{"a": null} | {} | {"a": null, "b"?: null} | {"x"?: null}',
    ),
    "then without if": ({"then": A}, "{}"),
    "else without if": ({"else": A}, "{}"),
    "if of what is true": ({"if": True, "then": A, "else": B}, '{"a"?: null}'),
    "if of what is false": ({"if": False, "then": A, "else": B}, '{"b"?: null}'),
    "dependentSchemas": ({**A, "dependentSchemas": {"a": B}}, '{} | {"a": null} | {"a": null, "b"?: null}'),
    "dependencies": ({**DRAFT_2019, **A, "dependencies": {"a": B}}, '{} | {"a": null} | {"a": null, "b"?: null}'),
    "dependencies on keys": ({**DRAFT_2019, **A, "dependencies": {"a": ["b"]}}, "{}"),
    "not evaluates nothing": ({"not": {**A, "required": ["b"]}}, "{}"),
    "not of not evaluates nothing": ({"not": {"not": A}}, "{}"),
    "cousins are not seen": ({"allOf": [A, {"unevaluatedProperties": False}]}, "{}"),
    "properties of a value are not seen": ({"properties": {"a": A}}, '{"a"?: @#/properties/a}'),
    "additionalProperties in a branch": (
        {"anyOf": [{"required": ["a"], "additionalProperties": NULL}, True]},
        '{} | {"a": null, string: null}',
    ),
    "a branch that is true": ({"anyOf": [A, True]}, '{} | {"a"?: null}'),
    "a branch that is false": ({"anyOf": [{"properties": {"b": NULL}, "not": {}}, NEEDS_A]}, '{"a": null}'),
    "anyOf in allOf": ({"allOf": [{"anyOf": [NEEDS_A, True]}]}, '{} | {"a": null}'),
    "anyOf in a definition": ({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [NEEDS_A, True]}}}, '{} | {"a": null}'),
    "members of an inner object": ({"properties": {"a": {"$ref": "#"}}}, '{"a"?: @#}'),
}

CONTAINS_2019 = "draft 2019: contains evaluates nothing"
"""JSON Schema 2019-09 core, section 9.3.1.3; ``jsonschema`` evaluates there what later drafts do."""

ITEMS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing beside": ({}, "[]{0,0}"),
    "prefixItems": ({"prefixItems": [NULL]}, "[null]{0,1}"),
    "items": ({"items": NULL}, "[null*]"),
    "items behind prefixItems": ({"prefixItems": [TEXT], "items": NULL}, "[string, null*]"),
    "draft 2019: a list of items": ({**DRAFT_2019, "items": [NULL]}, "[null]{0,1}"),
    "draft 2019: items": ({**DRAFT_2019, "items": NULL}, "[null*]"),
    "draft 2019: additionalItems": ({**DRAFT_2019, "items": [TEXT], "additionalItems": NULL}, "[string, null*]"),
    "draft 2019: additionalItems in allOf": (
        {**DRAFT_2019, "allOf": [{"items": [TEXT], "additionalItems": NULL}]},
        "[string, null*]",
    ),
    "contains": ({"contains": NULL}, "[null*]{1,} has{1,} (null)"),
    "contains behind prefixItems": (
        {"prefixItems": [TEXT], "contains": NULL},
        "[string, null*]{1,} has{1,} (null)",
    ),
    "contains with minContains of zero": ({"contains": NULL, "minContains": 0}, "[null*]"),
    "contains in allOf": ({"allOf": [{"contains": NULL}]}, "[null*]{1,} has{1,} (null)"),
    "two contains": (
        {"contains": NULL, "allOf": [{"contains": TEXT}]},
        "[(null | string)*]{1,} has{1,} (null) has{1,} (string)",
    ),
    CONTAINS_2019: ({**DRAFT_2019, "contains": NULL}, "never"),
    "minItems evaluates nothing": ({"minItems": 1}, "never"),
    "uniqueItems evaluates nothing": ({"uniqueItems": True}, "unique []{0,0}"),
    "allOf": ({"allOf": [{"prefixItems": [NULL]}, {"prefixItems": [True, TEXT]}]}, "[null, string]{0,2}"),
    "items in allOf": ({"allOf": [{"items": NULL}]}, "[null*]"),
    "unevaluatedItems in allOf": ({"allOf": [{"prefixItems": [TEXT], "unevaluatedItems": NULL}]}, "[string, null*]"),
    "$ref": ({"$ref": "#/$defs/a", "$defs": {"a": {"prefixItems": [NULL]}}}, "[null]{0,1}"),
    "$dynamicRef": ({"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", "items": NULL}}}, "[null*]"),
    "anyOf": (
        {"anyOf": [{"prefixItems": [NULL], "minItems": 1}, {"prefixItems": [TEXT, TEXT], "minItems": 2}]},
        "[string, string]{2,2} | [null]{1,1}",
    ),
    "oneOf": (
        {"oneOf": [{"prefixItems": [NULL], "minItems": 1}, {"prefixItems": [TEXT, TEXT], "minItems": 2}]},
        "[null]{1,1} | [string, string]{2,2}",
    ),
    "if and then": (
        {"if": {"prefixItems": [NULL], "minItems": 1}, "then": {"prefixItems": [True, TEXT], "minItems": 2}},
        "[]{0,0} | [null, string]{2,2}",
    ),
    "if and else": (
        {"if": {"maxItems": 0}, "else": {"prefixItems": [NULL]}},
        "[]{0,0} | [null]{1,1}",
    ),
    "not evaluates nothing": ({"not": {"prefixItems": [NULL], "minItems": 1}}, "[]{0,0}"),
    "cousins are not seen": ({"allOf": [{"prefixItems": [NULL]}, {"unevaluatedItems": False}]}, "[]{0,0}"),
    "items of a value are not seen": ({"prefixItems": [{"prefixItems": [NULL]}]}, "[@#/prefixItems/0]{0,1}"),
}

SCHEMAS: dict[str, tuple[dict[str, Any], str]] = {
    "unevaluatedProperties takes a schema": (
        {"type": "object", **A, "unevaluatedProperties": TEXT},
        '{"a"?: null, string: string}',
    ),
    "unevaluatedProperties true": (
        {"type": "object", "allOf": [A], "unevaluatedProperties": True},
        '{"a"?: null, string: any}',
    ),
    "unevaluatedItems takes a schema": (
        {"type": "array", "allOf": [{"prefixItems": [NULL]}], "unevaluatedItems": TEXT},
        "[null, string*]",
    ),
    "unevaluatedItems true": (
        {"type": "array", "allOf": [{"prefixItems": [NULL]}], "unevaluatedItems": True},
        "[null, any*]",
    ),
    "unevaluatedItems beside contains": (
        {"type": "array", "contains": NULL, "unevaluatedItems": TEXT},
        "[(null | string)*]{1,} has{1,} (null)",
    ),
    "both ask": (
        {"allOf": [{**A, "prefixItems": [NULL]}], "unevaluatedProperties": False, "unevaluatedItems": False},
        'null | boolean | number | string | [null]{0,1} | {"a"?: null}',
    ),
    "draft 7: neither is known": (
        {**DRAFT_7, "allOf": [A], "unevaluatedProperties": False, "unevaluatedItems": False, "type": "object"},
        '{"a"?: null, string: any}',
    ),
}


@pytest.mark.parametrize(("raw", "expected"), PROPERTIES.values(), ids=PROPERTIES)
def test_properties(raw: dict[str, Any], expected: str) -> None:
    assert meaning_of({**raw, "type": "object", "unevaluatedProperties": False}) == expected


@pytest.mark.parametrize(("raw", "expected"), ITEMS.values(), ids=ITEMS)
def test_items(raw: dict[str, Any], expected: str) -> None:
    assert meaning_of({**raw, "type": "array", "unevaluatedItems": False}) == expected


@pytest.mark.parametrize(("raw", "expected"), SCHEMAS.values(), ids=SCHEMAS)
def test_schemas(raw: dict[str, Any], expected: str) -> None:
    assert meaning_of(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [raw for raw, _ in PROPERTIES.values() if "dependencies" not in raw],
    ids=[name for name, (raw, _) in PROPERTIES.items() if "dependencies" not in raw],
)
def test_properties_mean_what_jsonschema_says(raw: dict[str, Any]) -> None:
    assert disagreements({**raw, "unevaluatedProperties": False}, OBJECTS) == []
    assert disagreements({**raw, "type": "object", "unevaluatedProperties": TEXT}, OBJECTS) == []


@pytest.mark.parametrize(
    "raw",
    [raw for name, (raw, _) in ITEMS.items() if name != CONTAINS_2019],
    ids=[name for name in ITEMS if name != CONTAINS_2019],
)
def test_items_mean_what_jsonschema_says(raw: dict[str, Any]) -> None:
    assert disagreements({**raw, "unevaluatedItems": False}, ARRAYS) == []
    assert disagreements({**raw, "type": "array", "unevaluatedItems": TEXT}, ARRAYS) == []


@pytest.mark.parametrize("raw", [{"additionalItems": NULL}, {"allOf": [{"additionalItems": NULL}]}], ids=str)
def test_additional_items_without_a_list_of_items(raw: dict[str, Any]) -> None:
    """JSON Schema 2019-09 core, section 9.3.1.2: it is ignored, and evaluates nothing."""
    assert meaning_of({**DRAFT_2019, "type": "array", "unevaluatedItems": False, **raw}) == "[]{0,0}"
    assert meaning_of({"type": "array", "unevaluatedItems": False, **raw}) == "[]{0,0}"


@pytest.mark.parametrize(
    "raw", [{"prefixItems": [NULL]}, {"$dynamicRef": "#/$defs/a"}], ids=["prefixItems", "$dynamicRef"]
)
def test_keywords_of_later_drafts_evaluate_nothing(raw: dict[str, Any]) -> None:
    definitions = {"a": {"items": NULL}}
    schema = {**DRAFT_2019, "type": "array", "allOf": [raw], "unevaluatedItems": False, "$defs": definitions}
    assert meaning_of(schema) == "[]{0,0}"


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"])
def test_malformed_applicators(keyword: str) -> None:
    for schema in ({keyword: 3}, {"$ref": "#/$defs/a", "$defs": {"a": {keyword: 3}}}):
        with pytest.raises(InvalidSchemaError, match=f"^expected {keyword} to be a (list of schemas|dict), found 3 at"):
            normalize({**schema, "unevaluatedProperties": False})


def test_so_many_alternatives_are_told_apart() -> None:
    def raw(count: int) -> dict[str, Any]:
        branches = [{"properties": {name: NULL}, "required": [name]} for name in "abcdefg"[:count]]
        return {"items": {"anyOf": branches, "unevaluatedProperties": False}}

    normalize(raw(6)).report()
    with pytest.raises(CompileBudgetError) as caught:
        normalize(raw(7)).report()
    assert str(caught.value) == "there are over 64 branches of what unevaluated members are at /items"


def test_an_alternative_that_another_covers_is_left_out() -> None:
    branches = [A, {**A, "minProperties": 1}, True]
    registry = registry_of({"anyOf": branches, "unevaluatedProperties": False})
    found = seen_branches(registry.document.root, registry)
    texts = sorted((*map(str, branch.conditions), *sorted(branch.seen.names)) for branch in found)
    assert texts == [(), ("@#/anyOf/0", "a"), ("@#/anyOf/1", "a")]


def test_nothing_is_asked_without_the_keywords() -> None:
    registry = registry_of({"anyOf": [A, B], "unevaluatedProperties": True})
    assert seen_branches(registry.document.root, registry) == [Branch((), Evaluated(all_keys=True, all_items=True))]


def test_what_two_have_seen() -> None:
    left = Evaluated(frozenset("a"), frozenset("^"), prefix=2, contained=(Null(),))
    right = Evaluated(frozenset("b"), frozenset("$"), prefix=1, contained=(Null(), AnyValue()))
    assert left | right == Evaluated(frozenset("ab"), frozenset("^$"), prefix=2, contained=(Null(), AnyValue()))
    assert left | Evaluated(all_keys=True) == Evaluated(
        frozenset("a"), frozenset("^"), prefix=2, contained=(Null(),), all_keys=True
    )
    assert Evaluated(all_items=True) | Evaluated() == Evaluated(all_items=True)


def test_which_alternative_covers_another() -> None:
    """One with fewer conditions that has seen more."""
    nothing, seen = Branch(), Branch((), Evaluated(frozenset("a")))
    condition = Branch((Null(),), Evaluated(frozenset("a")))
    assert [seen.covers(other) for other in (nothing, seen, condition)] == [True, True, True]
    assert [nothing.covers(other) for other in (nothing, seen, condition)] == [True, False, False]
    assert [condition.covers(other) for other in (nothing, seen, condition)] == [False, False, True]
    both = Branch((Null(),), Evaluated(prefix=1)) & Branch((Null(), Never()), Evaluated(frozenset("a")))
    assert both == Branch((Null(), Never()), Evaluated(frozenset("a"), prefix=1))
