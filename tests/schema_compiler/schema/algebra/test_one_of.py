"""``oneOf``: branches that share no value stay as they are, others are taken without each other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra import one_of as module
from schema_compiler.schema.algebra.disjunction import ANY, CircularError, InexpressibleError
from schema_compiler.schema.algebra.one_of import one_of
from schema_compiler.schema.ir import Never, Number, Reference, Schema, Sentence, String, Union
from tests.schema_compiler.schema.algebra.sets import (
    ATOMS,
    Expression,
    algebra_of,
    array,
    disagreements,
    expressions,
    is_valid,
    members,
    printed,
    requiring,
    schema_of,
    shape_of,
    valid_values,
    values_in,
)

NULL = {"type": "null"}
TEXT = {"type": "string"}
BOOLEAN = {"type": "boolean"}
INTEGER = {"type": "integer"}


def tagged(*kinds: Any, **properties: Any) -> dict[str, Any]:
    return members(properties={"kind": {"enum": list(kinds)}, **properties}, required=["kind"])


APART: dict[str, tuple[list[Any], str]] = {
    "scalar types": ([TEXT, NULL, INTEGER], "string | null | integer"),
    "types of parts": ([array(items=TEXT), members(properties={"a": TEXT})], "@0 | @1"),
    "several types each": ([{"type": ["string", "null"]}, {"type": ["array", "boolean"]}], "@0 | @1"),
    "a tag": ([tagged("cat", age=INTEGER), tagged("dog", age=TEXT)], "@0 | @1"),
    "tags of several values": ([tagged("cat", 1), tagged("dog", 2), tagged("cow", True)], "@0 | @1 | @2"),
    "a tag among other properties": (
        [
            members(properties={"a": TEXT, "b": {"const": 1}}, required=["a", "b"]),
            members(properties={"b": {"const": 2}, "a": TEXT}, required=["b", "a"]),
        ],
        "@0 | @1",
    ),
    "a tag in each alternative of a branch": (
        [{"anyOf": [tagged("cat", age=INTEGER), tagged("lion", age=TEXT)]}, tagged("dog", age=TEXT)],
        "@0 | @1",
    ),
    "ranges": (
        [{"type": "number", "maximum": 1}, {"type": "number", "exclusiveMinimum": 1}],
        "number in (-inf, 1] | number in (1, inf)",
    ),
    "patterns": ([{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}], "@0 | @1"),
    "counts of items": ([array(maxItems=1), array(minItems=2)], "@0 | @1"),
    "counts of members": ([members(maxProperties=1), members(minProperties=2)], "@0 | @1"),
    "more members than a closed object has": (
        [members(properties={"a": TEXT, "b": TEXT}, additionalProperties=False), members(minProperties=3)],
        "@0 | @1",
    ),
    "an obligation that a closed object cannot meet": (
        [
            members(**{"not": {"properties": {"a": NULL, "b": NULL}}}),
            members(properties={"c": NULL}, additionalProperties=False),
        ],
        "@0 | @1",
    ),
    "a required item": (
        [array(prefixItems=[TEXT], minItems=1), array(prefixItems=[NULL], minItems=1)],
        "@0 | @1",
    ),
    "all required items": ([array(items=TEXT, minItems=1), array(items=NULL, minItems=1)], "@0 | @1"),
    "a required property": ([requiring(a=TEXT), requiring(a=NULL)], "@0 | @1"),
    "a property that only one requires": ([requiring(a=TEXT), members(properties={"a": NULL})], "@0 | @1"),
    "a property that the other closes out": (
        [requiring(a=TEXT), members(properties={"b": TEXT}, additionalProperties=False)],
        "@0 | @1",
    ),
    "a property deep inside": ([requiring(a=requiring(b=TEXT)), requiring(a=requiring(b=NULL))], "@0 | @1"),
    "a property of objects that are counted": (
        [requiring(a=TEXT) | {"minProperties": 2}, requiring(a=NULL) | {"maxProperties": 3}],
        "@0 | @1",
    ),
    "an impossible branch": ([False, TEXT], "string"),
    "one branch": ([{"enum": [1, 2]}], "@0"),
}
"""Branches that share no value: their union keeps their names."""

OVERLAPPING: dict[str, tuple[list[Any], str]] = {
    "ranges": (
        [{"type": "number", "maximum": 5}, {"type": "number", "minimum": 2}],
        "number in (-inf, 2) | number in (5, inf)",
    ),
    "lengths": ([{"type": "string", "maxLength": 3}, {"type": "string", "minLength": 2}], "string{0,1} | string{4,}"),
    "one branch within another": ([TEXT, {"type": "string", "minLength": 2}], "string{0,1}"),
    "equal branches": ([NULL, NULL], "never"),
    "equal branches of three": ([TEXT, NULL, TEXT], "null"),
    "listed values": ([{"enum": [1, 2, "a"]}, {"enum": ["a", 3]}], "one of [1, 2, 3]"),
    "listed values and a type": ([{"enum": [1, "a"]}, TEXT], "one of [1] | string !/^(?:a)$/"),
    "values of one type of several": (
        [{"type": ["string", "null"]}, {"type": ["null", "boolean"]}],
        "string | boolean",
    ),
    "a tag that both have": (
        [tagged("cat", "dog"), tagged("dog", "cow")],
        '{"kind": @0/properties/kind & not (@1/properties/kind), string: any} | '
        '{"kind": @1/properties/kind & not (@0/properties/kind), string: any}',
    ),
    "required names": (
        [members(required=["a"]), members(required=["b"])],
        '{"a": any, "b"?: never, string: any} | {"b": any, "a"?: never, string: any}',
    ),
    "three branches": (
        [{"type": "integer", "maximum": 4}, {"type": "integer", "minimum": 2}, {"enum": [1, 3, 9]}],
        "integer in (-inf, 0] | integer in [5, 8] | integer in [10, inf)",
    ),
    "one branch apart from two": ([TEXT, {"type": "string", "minLength": 2}, {"enum": [1]}], "string{0,1} | @2"),
}

WITHIN: dict[str, tuple[Any, list[Any], str]] = {
    "the base narrows branches": (
        {"type": "string", "maxLength": 4},
        [{"minLength": 3}, {"maxLength": 3}],
        "string{4,4} | string{0,2}",
    ),
    "the base has types of which branches share one": (
        {"type": ["string", "null"]},
        [{"minLength": 2}, {"type": "null"}],
        "string{2,}",
    ),
    "the base leaves nothing to share": (
        {"type": "string", "maxLength": 1},
        [{"minLength": 1}, {"minLength": 2}],
        "string{1,1}",
    ),
    "the base is a branch": (INTEGER, [INTEGER, TEXT], "integer"),
    "the base excludes a branch": (TEXT, [INTEGER, {"type": ["string", "null"]}], "string"),
    "the base excludes all branches": (TEXT, [INTEGER, NULL], "never"),
    "the base excludes the type that is refused": (
        TEXT,
        [{"uniqueItems": True, "maxLength": 3}, {"minItems": 2, "minLength": 2}],
        "string{0,1} | string{4,}",
    ),
}

SENTENCE = Sentence('start: "a"', "start")
QUOTED = Number(quoted=True)

REFUSED: dict[str, tuple[list[Schema], str]] = {
    "numbers between quotes beside texts": ([QUOTED, String(1)], r"string\{0,0\} beside quoted number"),
}


@pytest.mark.parametrize(("branches", "text"), APART.values(), ids=APART)
def test_branches_that_share_no_value(branches: list[Any], text: str) -> None:
    check_one_of(True, branches, text)


@pytest.mark.parametrize(("branches", "text"), OVERLAPPING.values(), ids=OVERLAPPING)
def test_branches_that_overlap(branches: list[Any], text: str) -> None:
    check_one_of(True, branches, text)


@pytest.mark.parametrize(("base", "branches", "text"), WITHIN.values(), ids=WITHIN)
def test_branches_beside_other_keywords(base: Any, branches: list[Any], text: str) -> None:
    check_one_of(base, branches, text)


PROVEN: dict[str, tuple[list[Any], str]] = {
    "types": ([array(items=TEXT), members(), {"type": ["null", "string"]}], "combinations"),
    "tags": ([tagged("cat"), tagged("dog")], "combinations"),
    "parts that one of them requires": ([requiring(a=TEXT), members(properties={"a": NULL})], "meet_disjuncts"),
}


@pytest.mark.parametrize(("branches", "unused"), PROVEN.values(), ids=PROVEN)
def test_quick_proofs(branches: list[Any], unused: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No pair of branches is compared, or no pair intersected."""
    monkeypatch.delattr(module, unused)
    check_one_of(True, branches, " | ".join(f"@{index}" for index in range(len(branches))))


@pytest.mark.parametrize(("branches", "reason"), REFUSED.values(), ids=REFUSED)
def test_overlaps_that_no_disjunction_describes(branches: list[Schema], reason: str) -> None:
    with pytest.raises(InexpressibleError, match=reason):
        one_of(ANY, branches, algebra_of())


def test_an_overlap_of_arrays_that_may_repeat_items() -> None:
    algebra = algebra_of({"0": array(uniqueItems=True), "1": array(minItems=2)})
    with pytest.raises(InexpressibleError, match=r"\[any\*\]\{2,\} but not unique \[any\*\]"):
        one_of(ANY, [schema_of("0", algebra), schema_of("1", algebra)], algebra)


def test_overlaps_in_too_many_ways() -> None:
    lengths = tuple(String(length, length) for length in range(65))
    (first, *others) = one_of(ANY, [Union(lengths[:64]), String(3, 3)], algebra_of())
    assert (first, len(others)) == (lengths[0], 62)
    with pytest.raises(InexpressibleError, match="oneOf with branches that overlap in over 64 ways"):
        one_of(ANY, [Union(lengths), String(3, 3)], algebra_of())


def test_intersections_of_too_many_disjuncts() -> None:
    strings = tuple(String(length, length) for length in range(65))
    with pytest.raises(CompileBudgetError, match="an intersection of 65 by 65 alternatives"):
        one_of(strings, [Union(strings), String(3, 3)], algebra_of())


def nested(levels: int, inner: Any) -> Any:
    return inner if levels == 0 else requiring(a=nested(levels - 1, inner))


@pytest.mark.parametrize(("levels", "is_kept"), [(1, True), (4, True), (5, False)])
def test_how_deep_contradictions_are_found(levels: int, is_kept: bool) -> None:
    """Deeper ones make the result longer, not wrong."""
    algebra = algebra_of({"0": nested(levels, TEXT), "1": nested(levels, NULL)})
    union = one_of(ANY, [schema_of("0", algebra), schema_of("1", algebra)], algebra)
    assert (printed(*union) == "@0 | @1") == is_kept
    values = [nested_value(levels, value) for value in ("x", None, 1)]
    assert values_in(union, algebra, values) == list(map(json.dumps, values[:2]))


def nested_value(levels: int, inner: Any) -> Any:
    return inner if levels == 0 else {"a": nested_value(levels - 1, inner)}


CIRCULAR: dict[str, Any] = {
    "a tag": {"$ref": "#/$defs/tree"},
    "a required part": requiring(a={"$ref": "#/$defs/tree"}),
}


@pytest.mark.parametrize("part", CIRCULAR.values(), ids=CIRCULAR)
def test_parts_that_are_being_read(part: Any) -> None:
    """They may have any value, so the branches are told apart by what else they require."""
    algebra = algebra_of({"tree": {"oneOf": [requiring(kind=part, a=TEXT), requiring(kind=part, a=NULL)]}})
    assert schema_of("tree", algebra) == Reference("#/$defs/tree")
    assert printed(*algebra.view("#/$defs/tree")) == "@tree/oneOf/0 | @tree/oneOf/1"


def test_a_branch_that_is_the_whole() -> None:
    algebra = algebra_of({"loop": {"oneOf": [{"$ref": "#/$defs/loop"}, NULL]}})
    with pytest.raises(CircularError, match="#/\\$defs/loop refers to itself with nothing in between"):
        shape_of("loop", algebra)


def test_why_no_value_is_in_one_branch_only() -> None:
    algebra = algebra_of({"0": requiring(a=TEXT)})
    branch = schema_of("0", algebra)
    (disjunct,) = one_of(ANY, [branch, branch], algebra)
    assert disjunct == Never("no value is in this branch only")


ALGEBRA = algebra_of(ATOMS)


@settings(max_examples=80, deadline=None)
@given(expressions(max_leaves=1), st.lists(expressions(max_leaves=1), min_size=2, max_size=3))
def test_one_of_has_the_values_in_exactly_one_branch(base: Expression, branches: list[Expression]) -> None:
    assert disagreements(("one of", base, *branches), ALGEBRA) == set()


def check_one_of(base: Any, branches: list[Any], text: str) -> None:
    """The values of ``base`` in one of ``branches``, which have their indexes as names, print as ``text``."""
    algebra = algebra_of({"base": base} | {str(index): branch for index, branch in enumerate(branches)})
    schemas = [schema_of(str(index), algebra) for index in range(len(branches))]
    union = one_of(shape_of("base", algebra), schemas, algebra)
    assert printed(*union) == text
    valid = valid_values(
        lambda value: is_valid(base, value) and sum(is_valid(branch, value) for branch in branches) == 1
    )
    assert values_in(union, algebra) == valid
