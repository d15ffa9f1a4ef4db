"""The names that the registry makes, and what they stand for; what it refuses, reports and looks up."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import CompileBudgetError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.algebra.disjunction import UNSTATED, CircularError
from schema_compiler.schema.ir import AnyValue, Never, Null, Reference, Schema, String, Union
from schema_compiler.schema.normalization.normalize import normalize
from schema_compiler.schema.normalization.registry import Registry
from schema_compiler.schema.report import ReportRow
from schema_compiler.schema.source.keywords import FIRST_DRAFT
from tests.schema_compiler.schema.normalization.places import (
    DRAFT_4,
    DRAFT_6,
    DRAFT_7,
    DRAFT_2019,
    meaning_of,
    registry_of,
    shape_of,
)

NULL = {"type": "null"}
DRAFTS: dict[int, dict[str, Any]] = {4: DRAFT_4, 6: DRAFT_6, 7: DRAFT_7, 2019: DRAFT_2019, 2020: {}}
UNKNOWN = "the declared draft does not have it"

DEFINITIONS: dict[str, Any] = {
    "a": {"type": ["integer", "null"], "enum": [1, 2, None]},
    "b": {"enum": [2, 3]},
    "list": {"type": "array", "items": {"$ref": "#/$defs/list"}},
    "short": {"type": "array", "items": {"$ref": "#/$defs/short"}, "maxItems": 2},
}

CHILDREN: dict[str, tuple[Any, str]] = {
    "true": (True, "any"),
    "false": (False, "never"),
    "no keyword": ({}, "any"),
    "annotations alone": ({"title": "A", "default": 1, "$defs": {}, "x-unit": "kg"}, "any"),
    "a scalar type": ({"type": "null"}, "null"),
    "a scalar type with limits": ({"type": "string", "minLength": 1, "title": "A"}, "string{1,}"),
    "a scalar type with limits that exclude each other": ({"type": "integer", "minimum": 2, "maximum": 1}, "never"),
    "a scalar type with a pattern": ({"type": "string", "pattern": "a"}, "@#/items"),
    "a list of types": ({"type": ["null"]}, "@#/items"),
    "limits alone": ({"minLength": 1}, "@#/items"),
    "an array": ({"type": "array"}, "@#/items"),
    "an object": ({"type": "object"}, "@#/items"),
    "a reference": ({"$ref": "#/$defs/a"}, "@#/$defs/a"),
    "a reference to a reference": ({"$ref": "#/properties/r"}, "@#/$defs/a"),
    "a reference with an annotation": ({"$ref": "#/$defs/a", "title": "A"}, "@#/$defs/a"),
    "a reference with a sentence": ({"$ref": "#/$defs/a", "x-pydantic-checked": ["f"]}, "@#/$defs/a"),
    "a reference with a keyword": ({"$ref": "#/$defs/a", "minimum": 1}, "@#/items"),
    "a reference to a scalar": ({"$ref": "#/properties/n"}, "null"),
    "a dynamic reference": ({"$dynamicRef": "#/$defs/a"}, "@#/items"),
}

IDENTIFIERS: dict[str, tuple[dict[str, Any], str, str]] = {
    "a pointer": ({}, "#/properties/n", "#/properties/n"),
    "a pointer with escapes": ({}, "#/properties/a~1b~0c%25", "#/properties/a~1b~0c%"),
    "draft 4: definitions": (DRAFT_4, "#/definitions/d", "#/definitions/d"),
    "draft 7: definitions": (DRAFT_7, "#/definitions/d", "#/definitions/d"),
    "draft 2019: $defs": (DRAFT_2019, "#/$defs/d", "#/$defs/d"),
    "draft 4: id is a base": ({**DRAFT_4, "id": "http://x.test/s"}, "s#/definitions/d", "#/definitions/d"),
    "draft 4: id of a resource": ({**DRAFT_4, "id": "http://x.test/s"}, "old", "#/definitions/old"),
    "draft 4: id is an anchor": (DRAFT_4, "#anchored", "#/definitions/id"),
    "draft 6: $id is an anchor": (DRAFT_6, "#dollar", "#/definitions/$id"),
    "draft 7: $id of a resource": (DRAFT_7, "http://x.test/inner", "#/definitions/inner"),
    "draft 7: $id is a base": ({**DRAFT_7, "$id": "http://x.test/s"}, "inner", "#/definitions/inner"),
    "draft 2019: $anchor": (DRAFT_2019, "#new", "#/$defs/anchor"),
    "draft 2020: $anchor": ({}, "#new", "#/$defs/anchor"),
    "draft 2020: $dynamicAnchor is an anchor, too": ({}, "#dynamic", "#/$defs/dynamic"),
    "draft 2020: $id of a resource": ({}, "http://x.test/inner", "#/definitions/inner"),
    "draft 2020: $id is a base": ({"$id": "http://x.test/s"}, "inner", "#/definitions/inner"),
}
NAMED: dict[str, Any] = {
    "properties": {"n": {"enum": [1]}, "a/b~c%": {"enum": [1]}},
    "definitions": {
        "d": {"enum": [1]},
        "id": {"id": "#anchored", "enum": [1]},
        "$id": {"$id": "#dollar", "enum": [1]},
        "inner": {"$id": "http://x.test/inner", "enum": [1]},
        "old": {"id": "http://x.test/old", "enum": [1]},
    },
    "$defs": {
        "d": {"enum": [1]},
        "anchor": {"$anchor": "new", "enum": [1]},
        "dynamic": {"$dynamicAnchor": "dynamic", "enum": [1]},
    },
}

JOINED: dict[str, tuple[tuple[str, ...], str]] = {
    "two places": (("a", "b"), "@#/$defs/a & #/$defs/b"),
    "in any order": (("b", "a"), "@#/$defs/a & #/$defs/b"),
    "three places": (("list", "b", "a"), "@#/$defs/a & #/$defs/b & #/$defs/list"),
    "a place and itself": (("a", "a"), "@#/$defs/a"),
    "a place that is there already": (("a", "b", "a"), "@#/$defs/a & #/$defs/b"),
    "a place and a complement": (("a", "not b"), "@#/$defs/a & not (@#/$defs/b)"),
    "a complement and a complement": (("not b", "not a"), "@not (@#/$defs/a) & not (@#/$defs/b)"),
    "a place and what is not in it": (("a", "not a"), "never"),
    "what is not in a place, and it": (("not a", "b", "a"), "never"),
}


def named(registry: Registry, name: str) -> Schema:
    """The definition ``name``, or what is ``not name``."""
    if name.startswith("not "):
        return registry.negate(named(registry, name.removeprefix("not ")))
    return registry.child(registry.document.child(registry.document.root, "$defs", name))


def text(registry: Registry, schema: Schema) -> str:
    return " | ".join(map(str, registry.shape(schema)))


def rows(raw: Any) -> set[tuple[str, str, str, str]]:
    return {(row.path, row.constraint, row.status, row.why) for row in normalize(raw).report()}


@pytest.mark.parametrize(("raw", "expected"), CHILDREN.values(), ids=CHILDREN)
def test_children(raw: Any, expected: str) -> None:
    properties = {"r": {"$ref": "#/$defs/a"}, "n": NULL}
    registry = registry_of({"items": raw, "properties": properties, "$defs": DEFINITIONS})
    assert str(registry.child(registry.document.child(registry.document.root, "items"))) == expected


def test_why_a_child_is_never() -> None:
    registry = registry_of({"items": False})
    assert registry.child(registry.document.child(registry.document.root, "items")) == Never("false at /items")
    registry = registry_of(False)
    assert registry.child(registry.document.root) == Never("the schema is false")


@pytest.mark.parametrize("year", [4, 6, 7, 2019])
def test_what_stands_beside_a_reference(year: int) -> None:
    """Up to draft 7 it does not count."""
    registry = registry_of(
        {**DRAFTS[year], "$ref": "#/definitions/a", "minimum": 1, "definitions": {"a": {"enum": [1]}}}
    )
    expected = "@#/definitions/a" if year < 2019 else "@#"
    assert str(registry.child(registry.document.root)) == expected


@pytest.mark.parametrize(("raw", "reference", "name"), IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_where_references_lead(raw: dict[str, Any], reference: str, name: str) -> None:
    registry = registry_of({**NAMED, **raw, "items": {"$ref": reference}})
    assert registry.child(registry.document.child(registry.document.root, "items")) == Reference(name)


@pytest.mark.parametrize(
    "raw",
    [
        {**DRAFT_4, "$id": "http://x.test/s", "$ref": "http://x.test/s"},
        {**DRAFT_7, "id": "http://x.test/s", "items": {"$ref": "http://x.test/s"}},
        {"id": "http://x.test/s", "items": {"$ref": "http://x.test/s"}},
        {**DRAFT_7, "$id": "http://x.test/s", "$ref": "http://x.test/s"},
    ],
    ids=["$id in draft 4", "id in draft 7", "id in draft 2020", "$id beside $ref in draft 7"],
)
def test_what_names_no_resource(raw: dict[str, Any]) -> None:
    pointer = "/items" if "items" in raw else ""
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize(raw).report()
    assert caught.value.pointer == pointer
    assert str(caught.value).startswith("the remote reference 'http://x.test/s' is not fetched")


def test_references_to_resources() -> None:
    resources = {"http://x.test/a": {"$defs": {"n": {"enum": [1]}}, "items": {"$ref": "#/$defs/n"}, "type": "array"}}
    registry = registry_of({"$ref": "http://x.test/a"}, resources=resources)
    schema = registry.child(registry.document.root)
    assert str(schema) == "@#http://x.test/a#"
    assert text(registry, schema) == "[@#http://x.test/a#/$defs/n*]"


def test_a_dynamic_reference_has_a_name_for_each_way_to_it() -> None:
    """The same list, reached from the root and from a schema that says what its items are."""
    raw = {
        "$id": "http://x.test/root",
        "properties": {"any": {"$ref": "list"}, "numbers": {"$ref": "numbers"}},
        "$defs": {
            "list": {
                "$id": "list",
                "type": "array",
                "items": {"$dynamicRef": "#item"},
                "$defs": {"item": {"$dynamicAnchor": "item", "enum": [1]}},
            },
            "numbers": {
                "$id": "numbers",
                "allOf": [{"$ref": "list"}],
                "$defs": {"item": {"$dynamicAnchor": "item", "enum": [2]}},
            },
        },
    }
    registry = registry_of(raw)
    (plain, numbers) = (
        registry.child(registry.document.child(registry.document.root, "properties", name))
        for name in ("any", "numbers")
    )
    assert str(plain) == "@#/$defs/list within http://x.test/list"
    assert text(registry, plain) == "[@#/$defs/list/items within http://x.test/list*]"
    assert text(registry, numbers) == "[@#/$defs/list/items within http://x.test/numbers, http://x.test/list*]"
    assert text(registry, registry.shape(plain)[0].items) == "one of [1]"  # type: ignore[union-attr]
    assert text(registry, registry.shape(numbers)[0].items) == "one of [2]"  # type: ignore[union-attr]


@pytest.mark.parametrize(("names", "expected"), JOINED.values(), ids=JOINED)
def test_join(names: tuple[str, ...], expected: str) -> None:
    registry = registry_of({"$defs": DEFINITIONS})
    schema: Schema = AnyValue()
    for name in names:
        schema = registry.join(schema, named(registry, name))
    assert str(schema) == expected


def test_join_with_everything_and_nothing() -> None:
    registry = registry_of({"$defs": DEFINITIONS})
    a = named(registry, "a")
    for one, other in ((a, AnyValue()), (AnyValue(), a), (a, UNSTATED), (UNSTATED, a)):
        assert registry.join(one, other) == a
    for one, other in ((a, Never("no")), (Never("no"), a), (Never("no"), UNSTATED), (AnyValue(), Never("no"))):
        assert registry.join(one, other) == Never("no")
    assert registry.join(UNSTATED, UNSTATED) == UNSTATED
    assert registry.join(AnyValue(), UNSTATED) == UNSTATED
    assert registry.join(UNSTATED, AnyValue()) == UNSTATED
    assert registry.join(a, registry.negate(a)) == Never("@#/$defs/a and its negation")


def test_join_of_schemas_without_a_name() -> None:
    registry = registry_of({"$defs": DEFINITIONS})
    both = registry.join(String(min_length=1), String(max_length=2))
    assert str(both) == "@string{0,2} & string{1,}"
    assert text(registry, both) == "string{1,2}"
    assert str(registry.join(Null(), named(registry, "a"))) == "@#/$defs/a & null"


def test_negate() -> None:
    registry = registry_of({"$defs": DEFINITIONS})
    a = named(registry, "a")
    assert str(registry.negate(a)) == "@not (@#/$defs/a)"
    assert registry.negate(registry.negate(a)) == a
    assert str(registry.negate(Null())) == "@not (null)"
    assert registry.negate(registry.negate(Null())) == Null()
    assert str(registry.negate(registry.join(a, named(registry, "b")))) == "@not (@#/$defs/a & #/$defs/b)"
    assert registry.negate(Never("no")) == AnyValue()
    assert registry.negate(AnyValue()) == Never("the negation of anything")
    assert registry.negate(UNSTATED) == Never("the negation of anything")


def test_either() -> None:
    registry = registry_of({"$defs": DEFINITIONS})
    a, b = named(registry, "a"), named(registry, "b")
    assert str(registry.either(a, b)) == "@(@#/$defs/a | @#/$defs/b)"
    assert str(registry.either(a, Null(), b)) == "@(@#/$defs/a | null | @#/$defs/b)"
    assert registry.either(a) == a
    assert registry.either(Never("no"), a) == a
    assert registry.either(a, Never("no")) == a
    assert registry.either(Never("first"), Never("second")) == Never("first")


def test_what_the_names_stand_for() -> None:
    registry = registry_of({"$defs": DEFINITIONS})
    a, b = named(registry, "a"), named(registry, "b")
    assert text(registry, registry.join(a, b)) == "one of [2]"
    assert text(registry, registry.either(a, b)) == "one of [1, 2, 3] | null"
    assert text(registry, registry.join(registry.either(a, Null()), registry.negate(b))) == "one of [1] | null"
    assert text(registry, registry.negate(b)) == (
        "null | boolean | string | [any*] | {string: any} | number in (-inf, 2) | number in (2, 3) | number in (3, inf)"
    )


def test_view_keeps_references_and_shape_follows_them() -> None:
    options = [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]
    registry = registry_of({"anyOf": options, "$defs": DEFINITIONS})
    root = registry.child(registry.document.root)
    assert list(map(str, registry.view("#"))) == ["@#/$defs/a", "@#/$defs/b"]
    assert text(registry, root) == "one of [1, 2, 3] | null"
    assert registry.view("#") is registry.view("#")
    assert registry.shape(root) is registry.shape(root)


def test_shape_of_what_has_no_name() -> None:
    registry = registry_of({"$defs": DEFINITIONS})
    assert registry.shape(Null()) == (Null(),)
    assert registry.shape(UNSTATED) == (AnyValue(),)
    assert text(registry, Union((named(registry, "b"), Null()))) == "one of [2, 3] | null"


def test_place_of() -> None:
    registry = registry_of({"$defs": DEFINITIONS})
    a, b = named(registry, "a"), named(registry, "b")
    place = registry.place_of(a)
    assert place is not None
    assert place.pointer == "/$defs/a"
    assert [registry.place_of(schema) for schema in (registry.join(a, b), registry.negate(a), Null())] == [None] * 3


def test_recursion_ends() -> None:
    """A list of lists, what is no such list, and intersections of the two: finitely many names."""
    registry = registry_of({"$defs": DEFINITIONS})
    lists, short = named(registry, "list"), named(registry, "short")
    others = "null | boolean | number | string | {string: any}"
    assert text(registry, lists) == "[@#/$defs/list*]"
    assert text(registry, registry.join(lists, short)) == "[@#/$defs/list & #/$defs/short*]{0,2}"
    assert text(registry, registry.negate(lists)) == f"{others} | [any*]{{1,}} has{{1,}} (@not (@#/$defs/list))"
    assert text(registry, registry.negate(short)) == (
        f"{others} | [any*]{{3,}} | [any*]{{1,}} has{{1,}} (@not (@#/$defs/short))"
    )
    assert text(registry, registry.join(lists, registry.negate(short))) == (
        "[@#/$defs/list*]{3,} | [@#/$defs/list*]{1,} has{1,} (@not (@#/$defs/short))"
    )


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}}, "#/$defs/a"),
        ({"anyOf": [NULL, {"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}, "#/$defs/a"),
        ({"if": {"$ref": "#"}, "then": NULL}, "#"),
        ({"minimum": 1, "oneOf": [{"$ref": "#"}, NULL]}, "#"),
        ({"type": "object", "dependentSchemas": {"a": {"$ref": "#"}}}, "#"),
    ],
    ids=["allOf", "not", "if", "oneOf", "dependentSchemas"],
)
def test_recursion_with_nothing_in_between(raw: dict[str, Any], name: str) -> None:
    registry = registry_of(raw)
    with pytest.raises(CircularError, match=f"^{name.replace('$', '[$]')} refers to itself with nothing in between$"):
        registry.shape(registry.child(registry.document.root))
    with pytest.raises(InvalidSchemaError, match="refers to itself with nothing in between"):
        normalize(raw).report()


def test_references_in_a_circle() -> None:
    raw = {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    with pytest.raises(InvalidSchemaError) as caught:
        normalize(raw)
    assert str(caught.value) == "the reference leads back to itself at /$defs/a"


@pytest.mark.parametrize("keyword", ["allOf", "not"])
def test_schemas_may_apply_each_other_so_deep(keyword: str) -> None:
    def nested(depth: int) -> Any:
        raw: Any = {"minimum": 1}
        for _ in range(depth):
            raw = {keyword: [raw] if keyword == "allOf" else raw}
        return {"items": raw}

    normalize(nested(40)).report()
    with pytest.raises(CompileBudgetError, match=r"^schemas apply each other in place over 60 deep, at /items/"):
        normalize(nested(80)).report()


@pytest.mark.parametrize("raw", [3, None, "null", [NULL], 1.5], ids=repr)
def test_what_is_no_schema(raw: Any) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        normalize({"contains": raw})
    assert (str(caught.value), caught.value.pointer) == (f"expected a schema, found {raw!r} at /contains", "/contains")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"extends": {}}, "unsupported keywords: extends"),
        ({"disallow": "null"}, "unsupported keywords: disallow"),
        ({"divisibleBy": 2}, "unsupported keywords: divisibleBy"),
        ({"$recursiveRef": "#"}, "unsupported keywords: $recursiveRef"),
        ({"type": "number", "divisibleBy": 2, "disallow": "null"}, "unsupported keywords: disallow, divisibleBy"),
        ({"x-pydantic-unsupported": "a callable has no JSON form"}, "a callable has no JSON form"),
    ],
    ids=lambda value: "" if isinstance(value, str) else str(value),
)
def test_what_is_refused(raw: dict[str, Any], message: str) -> None:
    for schema in ({"items": raw}, {**DRAFT_2019, "items": raw}):
        with pytest.raises(UnsupportedSchemaError) as caught:
            normalize(schema).report()
        assert (str(caught.value), caught.value.pointer) == (f"{message} at /items", "/items")


def test_what_no_disjunction_expresses_is_refused_with_its_place() -> None:
    sets = {"$defs": {"set": {"uniqueItems": True}, "list": {"type": "array", "minItems": 1}}}
    raw = {"allOf": [{"$ref": "#/$defs/list"}, {"not": {"$ref": "#/$defs/set"}}], **sets}
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize({"properties": {"a": raw}, **sets}).report()
    assert str(caught.value) == (
        "the keywords combine to what is not supported: [any*]{1,} but not unique [any*] at /properties/a"
    )


@pytest.mark.parametrize("keyword", sorted(FIRST_DRAFT))
def test_drafts_have_a_keyword_from_the_first_one_on(keyword: str) -> None:
    """Before, it is an annotation."""
    partner = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}.get(keyword)
    value: Any = {
        "const": 1,
        "minContains": 1,
        "maxContains": 1,
        "prefixItems": [],
        "$dynamicRef": "#/definitions/n",
    }.get(keyword, {})
    raw = {keyword: value, "definitions": {"n": NULL}, **({partner: {}} if partner else {})}
    for year, declared in DRAFTS.items():
        if year < FIRST_DRAFT[keyword]:
            assert ("", keyword, "ignored annotation", UNKNOWN) in rows({**declared, **raw})
        elif keyword != "$recursiveRef":
            assert ("", keyword, "enforced", "") in rows({**declared, **raw})


def test_keywords_of_later_drafts_mean_nothing() -> None:
    assert shape_of({**DRAFT_4, "type": "array", "contains": False, "if": False, "else": False, "minItems": 1}) == (
        "[any*]{1,}"
    )
    assert (
        meaning_of({**DRAFT_7, "dependentSchemas": {"a": False}, "prefixItems": [False], "type": "array"}) == "[any*]"
    )


def test_rows_of_the_places_that_were_read() -> None:
    raw = {"type": "array", "items": {"enum": [1]}, "$defs": {"a": {"enum": [2]}}}
    registry = registry_of(raw)
    assert registry.rows() == []
    registry.shape(registry.child(registry.document.root))
    assert [(row.path, row.constraint) for row in registry.rows()] == [("", "type"), ("", "items")]
    registry.shape(registry.child(registry.document.child(registry.document.root, "items")))
    assert ("/items", "enum") in {(row.path, row.constraint) for row in registry.rows()}


def test_a_row_takes_the_place_of_one_about_the_same_keyword() -> None:
    registry = registry_of({"type": "array", "uniqueItems": True})
    registry.shape(registry.child(registry.document.root))
    registry.record(ReportRow("", "uniqueItems", "enforced", "first"))
    registry.record(ReportRow("", "uniqueItems", "checked afterwards", "second"))
    assert [(row.constraint, row.why) for row in registry.rows()] == [("type", ""), ("uniqueItems", "second")]


def test_references_have_rows() -> None:
    """Of the place that refers, too, although it has no name of its own."""
    raw = {"items": {"$ref": "#/$defs/a", "title": "A", "default": 1}, "$defs": {"a": {"enum": [1]}}}
    assert rows(raw) == {
        ("", "items", "enforced", ""),
        ("/items", "$ref", "enforced", ""),
        ("/items", "default", "ignored annotation", "JSON Schema ignores it"),
        ("/$defs/a", "enum", "enforced", ""),
    }


def test_members_of_all_of_have_rows() -> None:
    raw = {"allOf": [{"minimum": 1}, {"title": "A", "oneOf": [NULL, {"type": "number"}]}]}
    assert {row[:2] for row in rows(raw)} == {
        ("", "allOf"),
        ("/allOf/0", "minimum"),
        ("/allOf/1", "oneOf"),
        ("/allOf/1/oneOf/0", "type"),
        ("/allOf/1/oneOf/1", "type"),
    }


@pytest.mark.parametrize("declared", [[], {}, [["null"]], {"null": True}, None, [[]], ["null", 3], [{}]], ids=str)
def test_a_type_is_a_text(declared: Any) -> None:
    with pytest.raises(InvalidSchemaError):
        normalize({"anyOf": [NULL, {"type": [declared]}]})
    with pytest.raises(InvalidSchemaError, match=r"^expected a type \(null, .*\), found .* at /anyOf/1$"):
        normalize({"anyOf": [NULL, {"type": declared}]})
