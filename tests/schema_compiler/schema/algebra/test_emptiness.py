"""Which schemas have a value, and why others have none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from schema_compiler.schema.algebra.disjunction import UNSTATED, Complement, Disjunct, InexpressibleError
from schema_compiler.schema.algebra.emptiness import Inhabitants, required_items
from schema_compiler.schema.ir import (
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    Never,
    Null,
    Number,
    Object,
    Property,
    Sentence,
    String,
    Union,
)
from tests.schema_compiler.schema.algebra.sets import (
    ATOMS,
    VALUES,
    Expression,
    algebra_of,
    array,
    computed,
    expressions,
    is_expected,
    is_valid,
    members,
    printed,
    requiring,
    schema_of,
    shape_of,
)

NULL = {"type": "null"}
TEXT = {"type": "string"}
BOOLEAN = {"type": "boolean"}
ITSELF = {"$ref": "#/$defs/schema"}


def one_kind(*regexes: str) -> dict[str, Any]:
    """Objects with only such keys."""
    return members(patternProperties=dict.fromkeys(regexes, True), additionalProperties=False)


ENDLESS = requiring(next=ITSELF)

INHABITED: dict[str, tuple[Any, Any]] = {
    "a scalar": (TEXT, "a"),
    "an option of several": ({"anyOf": [ENDLESS, NULL]}, None),
    "a property that can be left out": (members(properties={"next": ITSELF}), {}),
    "a property that can be null": (requiring(next={"anyOf": [ITSELF, NULL]}), {"next": None}),
    "a property of a name with a value": (requiring(a=array(items=ITSELF)), {"a": []}),
    "items that need not be": (array(items=ITSELF), []),
    "items of lists of lists": (array(items=ITSELF, maxItems=3), [[], []]),
    "a prefix that need not be": (array(prefixItems=[NULL, ITSELF], minItems=1), [None]),
    "enough different items": (array(items=BOOLEAN, uniqueItems=True, minItems=2), [True, False]),
    "enough different items of several types": (
        array(items={"type": ["boolean", "null"]}, uniqueItems=True, minItems=3),
        [True, False, None],
    ),
    "different items among many": (array(items={"type": "integer"}, uniqueItems=True, minItems=9), list(range(9))),
    "few values that may come again": (array(items=NULL, minItems=3), [None] * 3),
    "contained items": (array(items={"type": ["null", "string"]}, contains=TEXT, minContains=2), ["a", "a"]),
    "contained at most": (array(items=ITSELF, contains=ITSELF, minContains=0, maxContains=0), []),
    "enough properties": (members(properties={"a": NULL}, additionalProperties=False, minProperties=1), {"a": None}),
    "enough keys": (one_kind("^[ab]$") | {"minProperties": 2}, {"a": 1, "b": 1}),
    "enough keys of two rules": (one_kind("^a$", "^b$") | {"minProperties": 2}, {"a": 1, "b": 1}),
    "something to differ in": (members(properties={"a": NULL}, **{"not": requiring(a=NULL)}), {}),
    "another value to differ in": (
        requiring(a=BOOLEAN) | {"not": {"properties": {"a": {"const": True}}}},
        {"a": False},
    ),
    "a cycle with a way out": (requiring(a={"$ref": "#/$defs/other"}), {"a": {}}),
}
"""Schemas and a value of each. The schema ``other`` is an object that may have an ``a`` in ``schema``."""

EMPTY: dict[str, tuple[Any, str]] = {
    "false": (False, "false at /$defs/schema"),
    "keywords that exclude each other": (
        {"type": "string", "minLength": 2, "maxLength": 1},
        "minLength (2) is greater than maxLength (1)",
    ),
    "a property that is false": (
        requiring(a=False),
        "property 'a' is required, but impossible: false at /$defs/schema/properties/a",
    ),
    "a property without a value": (
        requiring(a={"allOf": [TEXT, NULL]}),
        "property 'a' is required, but: string and null exclude each other",
    ),
    "a property in a property": (
        requiring(a=requiring(b={"allOf": [TEXT, NULL]})),
        "property 'a' is required, but: property 'b' is required, but: string and null exclude each other",
    ),
    "the second of two properties": (
        requiring(a=TEXT, b={"allOf": [TEXT, NULL]}),
        "property 'b' is required, but: string and null exclude each other",
    ),
    "itself": (ENDLESS, "property 'next' is required, but: #/$defs/schema requires itself without end"),
    "itself by way of another": (
        requiring(a=requiring(b=ITSELF)),
        "property 'a' is required, but: property 'b' is required, but: #/$defs/schema requires itself without end",
    ),
    "itself as an item": (
        array(items=ITSELF, minItems=1),
        "an item is required, but: #/$defs/schema requires itself without end",
    ),
    "itself in a prefix": (
        array(prefixItems=[NULL, ITSELF], minItems=2),
        "an item is required, but: #/$defs/schema requires itself without end",
    ),
    "itself behind a prefix": (
        array(prefixItems=[NULL], items=ITSELF, minItems=2),
        "an item is required, but: #/$defs/schema requires itself without end",
    ),
    "itself in all options": (
        {"anyOf": [ENDLESS, array(items=ITSELF, minItems=1)]},
        "property 'next' is required, but: #/$defs/schema requires itself without end",
    ),
    "contained items": (array(items=NULL, contains=TEXT), "it cannot have as many items as it needs"),
    "too many contained items": (
        array(items=NULL, contains=NULL, maxContains=1, minItems=2),
        "it cannot have as many items as it needs",
    ),
    "itself as a contained item": (array(contains=ITSELF), "it cannot have as many items as it needs"),
    "too few different items": (
        array(items=BOOLEAN, uniqueItems=True, minItems=3),
        "it cannot have as many items as it needs",
    ),
    "too few different items of several types": (
        array(items={"anyOf": [BOOLEAN, {"enum": [None, True, 1, 1.0]}]}, uniqueItems=True, minItems=5),
        "it cannot have as many items as it needs",
    ),
    "too few properties with a value": (
        members(properties={"a": NULL, "b": {"allOf": [TEXT, NULL]}}, additionalProperties=False, minProperties=2),
        "it cannot have as many properties as it needs",
    ),
    "members that need members": (
        members(additionalProperties=ITSELF, minProperties=1),
        "it cannot have as many properties as it needs",
    ),
    "members that need members in turn": (
        members(**{"not": {"additionalProperties": {"not": array(items=ITSELF, minItems=1)}}}),
        "it cannot have as many properties as it needs",
    ),
    "too few keys": (one_kind("^[ab]$") | {"minProperties": 3}, "it cannot have as many properties as it needs"),
    "too few keys that are not declared": (
        one_kind("^[ab]$") | {"properties": {"a": False}, "minProperties": 2},
        "it cannot have as many properties as it needs",
    ),
    "nothing to differ in": (
        requiring(a={"enum": [True]}) | {"not": {"properties": {"a": {"const": True}}}},
        "property 'a' is required, but: no value of the enumeration is left",
    ),
    "nothing to differ in, of several properties": (
        requiring(a={"enum": [1]}, b={"enum": [1]}) | {"not": {"properties": {"a": {"const": 1}, "b": {"const": 1}}}},
        "it cannot have as many properties as it needs",
    ),
}

DISJUNCTS: dict[str, tuple[Disjunct, bool]] = {
    "never": (Never(), False),
    "anything": (AnyValue(), True),
    "null": (Null(), True),
    "booleans": (Boolean(), True),
    "numbers": (Number(), True),
    "strings": (String(), True),
    "a grammar": (Sentence('start: "a"', "start"), True),
    "an enumeration": (Enumeration((1,)), True),
    "the empty array": (Array(items=Never()), True),
    "the empty object": (Object(), True),
    "an array with an impossible item": (Array(items=Never(), min_items=1), False),
    "an object with an impossible property": (Object((Property("a", Never(), required=True),)), False),
    "a union is taken to have one": (Union((Null(), Never())), True),
    "a complement is taken to have one": (Complement(Array(unique=True)), True),
    "what is not stated": (UNSTATED, True),
}

REQUIRED_ITEMS: dict[str, tuple[Array, list[str]]] = {
    "none": (Array((Null(),), String()), []),
    "part of a prefix": (Array((Null(), Boolean()), String(), 1), ["null"]),
    "a prefix": (Array((Null(), Boolean()), String(), 2), ["null", "boolean"]),
    "items behind a prefix, once": (Array((Null(), Boolean()), String(), 9), ["null", "boolean", "string"]),
    "items": (Array(items=String(), min_items=2), ["string"]),
}


def document(raw: Any) -> dict[str, Any]:
    return {"schema": raw, "other": members(properties={"a": ITSELF})}


@pytest.mark.parametrize(("raw", "value"), INHABITED.values(), ids=INHABITED)
def test_schemas_with_a_value(raw: Any, value: Any) -> None:
    algebra = algebra_of(document(raw))
    assert is_valid({"$defs": document(raw), **ITSELF}, value)
    assert Inhabitants(algebra).include(schema_of("schema", algebra))


@pytest.mark.parametrize(("raw", "reason"), EMPTY.values(), ids=EMPTY)
def test_schemas_without_a_value(raw: Any, reason: str) -> None:
    algebra = algebra_of(document(raw))
    schema = schema_of("schema", algebra)
    inhabitants = Inhabitants(algebra)
    assert not inhabitants.include(schema)
    assert not any(map(inhabitants.holds, shape_of("schema", algebra)))
    assert inhabitants.why_not(schema) == reason


@pytest.mark.parametrize(("disjunct", "expected"), DISJUNCTS.values(), ids=DISJUNCTS)
def test_disjuncts(disjunct: Disjunct, expected: bool) -> None:
    assert Inhabitants(algebra_of()).holds(disjunct) == expected


def test_why_a_disjunct_has_no_value() -> None:
    inhabitants = Inhabitants(algebra_of())
    assert inhabitants.why_not(Never("a reason")) == "a reason"
    assert inhabitants.why_not(Union((Never(), Never()))) == "nothing satisfies never | never"


def reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


EVEN_ODD_MAYBE = {
    "even": requiring(next=reference("odd")),
    "odd": {"anyOf": [requiring(next=reference("even")), requiring(next=reference("maybe"))]},
    "maybe": {"anyOf": [NULL, requiring(next=reference("even"))]},
}


@pytest.mark.parametrize("names", [["even", "odd", "maybe"], ["maybe", "odd", "even"]], ids=", ".join)
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, {"even", "odd", "maybe"}),
        ({"odd": requiring(next=reference("even"))}, {"maybe"}),
        ({"maybe": requiring(next=reference("even"))}, set()),
    ],
    ids=["null ends all", "null is out of reach", "no null"],
)
def test_what_depends_on_each_other_is_settled_together(names: list[str], changed: Any, expected: set[str]) -> None:
    """In whichever order it is asked for."""
    algebra = algebra_of(EVEN_ODD_MAYBE | changed)
    inhabitants = Inhabitants(algebra)
    assert {name for name in names if inhabitants.include(schema_of(name, algebra))} == expected


@pytest.mark.parametrize(("array", "texts"), REQUIRED_ITEMS.values(), ids=REQUIRED_ITEMS)
def test_required_items(array: Array, texts: list[str]) -> None:
    assert [printed(schema) for schema in required_items(array)] == texts


@pytest.mark.xfail(strict=True, reason="how many keys obligations have for their members is not counted")
def test_one_key_with_two_values() -> None:
    """One member under ``x`` would have to be null, and one not."""
    obligations = [{"not": {"patternProperties": {"^x$": schema}}} for schema in (NULL, {"not": NULL})]
    algebra = algebra_of({"schema": members(allOf=obligations)})
    assert not Inhabitants(algebra).include(schema_of("schema", algebra))


ALGEBRA = algebra_of(ATOMS)
INHABITANTS = Inhabitants(ALGEBRA)


@settings(max_examples=60, deadline=None)
@given(expressions(max_leaves=2), expressions(max_leaves=2))
def test_what_has_no_value_excludes_all(left: Expression, right: Expression) -> None:
    """An intersection with one of the values is never taken to be empty."""
    both = ("meet", left, right)
    try:
        disjuncts = computed(both, ALGEBRA)
    except InexpressibleError:
        return
    assert any(map(INHABITANTS.holds, disjuncts)) or not any(is_expected(both, value) for value in VALUES)
