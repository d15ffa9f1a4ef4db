"""Complements of disjuncts and disjunctions, limit by limit, and against sets of values."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings

from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.complement import complement, fewer_than, open_object
from schema_compiler.schema.algebra.disjunction import (
    TYPES,
    Complement,
    Disjunct,
    InexpressibleError,
    kind,
)
from schema_compiler.schema.algebra.languages import holds
from schema_compiler.schema.ir import (
    Alternative,
    AnyValue,
    Array,
    Boolean,
    Contains,
    Enumeration,
    KeyRule,
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
    Expression,
    algebra_of,
    array,
    disagreements,
    expressions,
    is_valid,
    members,
    printed,
    schema_of,
    shape_of,
    valid_values,
    values_in,
)

NULL = {"type": "null"}
TEXT = {"type": "string"}
BOOLEAN = {"type": "boolean"}


def string(**keywords: Any) -> dict[str, Any]:
    return {"type": "string", **keywords}


def number(**keywords: Any) -> dict[str, Any]:
    return {"type": "number", **keywords}


SIMPLE: dict[str, tuple[Any, str]] = {
    "anything": (True, "never"),
    "never": (False, "any"),
    "null": (NULL, "boolean | number | string | [any*] | {string: any}"),
    "booleans": (BOOLEAN, "null | number | string | [any*] | {string: any}"),
    "numbers": (number(), "null | boolean | string | [any*] | {string: any}"),
    "strings": (TEXT, "null | boolean | number | [any*] | {string: any}"),
    "arrays": (array(), "null | boolean | number | string | {string: any}"),
    "objects": (members(), "null | boolean | number | string | [any*]"),
    "several types": ({"type": ["null", "array", "number"]}, "boolean | string | {string: any}"),
    "all types in part": (
        {"minLength": 1, "maximum": 0},
        "number in (0, inf) | string{0,0}",
    ),
}

# Of the expected texts below, only the part about the type of the schema is written; all other types are there as well.

STRINGS: dict[str, tuple[Any, str]] = {
    "a least length": (string(minLength=3), "string{0,2}"),
    "a greatest length": (string(maxLength=2), "string{3,}"),
    "a pattern": (string(pattern="^a"), "string !/^a/"),
    "a pattern that must not match": (string(**{"not": {"pattern": "^a"}}), "string /^a/"),
    "a format": (string(format="date"), "string !<date>"),
    "a format of so many characters": (string(format="hostname"), "string !<hostname> | string{254,}"),
    "a format that is excluded": (string(**{"not": {"format": "date"}}), "string <date>"),
    "each limit": (string(minLength=1, maxLength=4, pattern="a"), "string{0,0} | string{5,} | string !/a/"),
    "two strings": (
        {"anyOf": [string(minLength=2, maxLength=3), string(pattern="a")]},
        "string{0,1} !/a/ | string{4,} !/a/",
    ),
}

NUMBERS: dict[str, tuple[Any, str]] = {
    "a minimum": (number(minimum=1), "number in (-inf, 1)"),
    "an exclusive minimum": (number(exclusiveMinimum=1), "number in (-inf, 1]"),
    "a maximum": (number(maximum=1), "number in (1, inf)"),
    "an exclusive maximum": (number(exclusiveMaximum=1), "number in [1, inf)"),
    "integers": ({"type": "integer"}, "number !(integer.0)"),
    "multiples": (number(multipleOf=2), "number !(number step 2)"),
    "each limit": (
        {"type": "integer", "minimum": 1, "maximum": 5},
        "number in (-inf, 1) | number in (5, inf) | number !(integer.0)",
    ),
    "numbers but some": (number(**{"not": {"multipleOf": 2}}), "number step 2"),
}

LISTED: dict[str, tuple[list[Any], str]] = {
    "null": ([None], ""),
    "null and a text": ([None, "a"], "string !/^(?:a)$/"),
    "one boolean": ([True], "one of [false]"),
    "the other boolean": ([False], "one of [true]"),
    "both booleans": ([True, False], ""),
    "a number": ([1], "number in (-inf, 1) | number in (1, inf)"),
    "numbers": ([3, 1.5], "number in (-inf, 1.5) | number in (1.5, 3) | number in (3, inf)"),
    "a text": (["a"], "string !/^(?:a)$/"),
    "texts": (["b", "", "a"], "string !/^(?:b||a)$/"),
    "an array": ([[1]], "[any*]{0,0} | [any*]{2,} | [any*]{1,} has{1,} (@not (one of [1]), never)"),
    "an array of two": (
        [[1, None]],
        "[any*]{0,1} | [any*]{3,} | [any*]{1,} has{1,} (@not (one of [1]), @not (null), never)",
    ),
    "the empty array": ([[]], "[any*]{1,}"),
    "an object": (
        [{"a": 1}],
        '{"a"?: any, string: any} with "a": absent (0) or "a": @not (one of [1]) (0) or string: any (0)',
    ),
    "the empty object": ([{}], "{string: any} with string: any (0)"),
}

ARRAYS: dict[str, tuple[Any, str]] = {
    "a least count": (array(minItems=2), "[any*]{0,1}"),
    "a greatest count": (array(maxItems=2), "[any*]{3,}"),
    "items": (array(items=NULL), "[any*]{1,} has{1,} (@not (null))"),
    "a prefix": (array(prefixItems=[NULL, True]), "[any*]{1,} has{1,} (@not (null), never, never)"),
    "a prefix and items": (
        array(prefixItems=[NULL], items=TEXT),
        "[any*]{1,} has{1,} (@not (null), @not (string))",
    ),
    "a closed prefix": (
        array(prefixItems=[NULL], items=False),
        "[any*]{2,} | [any*]{1,} has{1,} (@not (null), never)",
    ),
    "items are negated by name": (array(items={"enum": [1]}), "[any*]{1,} has{1,} (@not (@schema/items))"),
    "contains": (array(contains=NULL), "[any*]{0,0} | [@not (null)*]"),
    "contains several": (array(contains=NULL, minContains=2), "[any*]{0,1} | [any*] has{0,1} (null)"),
    "contains at most": (array(contains=NULL, minContains=0, maxContains=1), "[any*] has{2,} (null)"),
    "each limit": (
        array(minItems=3, items=TEXT, contains=NULL, maxContains=1),
        "[any*]{0,2} | [any*]{1,} has{1,} (@not (string)) | [@not (null)*] | [any*] has{2,} (null)",
    ),
    "unique items": (array(uniqueItems=True), "not (unique [any*])"),
    "unique items are a limit of their own": (
        array(uniqueItems=True, items=NULL),
        "[any*]{1,} has{1,} (@not (null)) | not (unique [any*])",
    ),
}

NOT_BOTH = {"not": {"properties": {"a": NULL}, "required": ["b"]}}

OBJECTS: dict[str, tuple[Any, str]] = {
    "a least count": (members(minProperties=2), "{string: any}{0,1}"),
    "a greatest count": (members(maxProperties=2), "{string: any}{3,}"),
    "a required name": (members(required=["a"]), '{"a"?: never, string: any}'),
    "a property": (members(properties={"a": NULL}), '{"a": @not (null), string: any}'),
    "a required property": (
        members(properties={"a": NULL}, required=["a"]),
        '{"a"?: @not (null), string: any}',
    ),
    "a forbidden name": (members(properties={"a": False}), '{"a": any, string: any}'),
    "several properties": (
        members(properties={"a": NULL, "b": TEXT, "c": True}, required=["a", "c"]),
        '{"a"?: any, "b"?: any, "c"?: any, string: any} with "a": absent (0) or "a": @not (null) (0) '
        'or "b": @not (string) (0) or "c": absent (0)',
    ),
    "values of undeclared keys": (members(additionalProperties=NULL), "{string: any} with string: @not (null) (0)"),
    "a closed object": (members(additionalProperties=False), "{string: any} with string: any (0)"),
    "a property of a closed object": (
        members(properties={"a": NULL}, additionalProperties=False),
        '{"a"?: any, string: any} with "a": @not (null) (0) or string: any (0)',
    ),
    "keys of a pattern": (
        members(patternProperties={"^x": NULL}),
        "{string: any} with string /^x/: @not (null) (0)",
    ),
    "no keys but of a pattern": (
        members(patternProperties={"^x": True}, additionalProperties=False),
        "{string: any} with string !/^x/: any (0)",
    ),
    "no keys but of two patterns": (
        members(propertyNames={"anyOf": [{"pattern": "^x"}, {"pattern": "^y"}]}),
        "{string: any} with string !/^x/ !/^y/: any (0)",
    ),
    "no keys but of a length": (
        members(propertyNames={"minLength": 2, "maxLength": 3}),
        "{string: any} with string{0,1}: any (0) or string{4,}: any (0)",
    ),
    "each limit": (
        members(required=["a"], minProperties=2, maxProperties=3),
        '{string: any}{0,1} | {string: any}{4,} | {"a"?: never, string: any}',
    ),
    "an obligation of properties": (members(**NOT_BOTH), '{"a"?: null, "b": any, string: any}'),
    "an obligation of undeclared members": (
        members(**{"not": {"additionalProperties": NULL}}),
        "{string: null}",
    ),
    "an obligation of members under some keys": (
        members(**{"not": {"patternProperties": {"^x": NULL}}}),
        "{string /^x/: null, string !/^x/: any}",
    ),
    "obligations of their own": (
        members(allOf=[NOT_BOTH, {"not": {"additionalProperties": NULL}}]),
        '{"a"?: null, "b": any, string: any} | {"a"?: null, "b"?: null, string: null}',
    ),
    "an obligation beside limits": (
        members(**NOT_BOTH, maxProperties=2, required=["c"]),
        '{string: any}{3,} | {"c"?: any, "a"?: any, "b"?: any, string: any} with "c": absent (0) '
        '| {"c"?: any, "a"?: null, "b": any, string: any}',
    ),
}

START = Sentence('start: "a"', "start")
QUOTED = Number(quoted=True)
UNIQUE = Array(unique=True)
INTEGERS = Number(integer=True, fraction=True)
OPEN = (KeyRule(String(), AnyValue()),)
SHORT_X = String(max_length=2, patterns=(Pattern("^x"),))
MET_BY_SHORT_X = Object(rules=OPEN, alternatives=(Alternative(frozenset({0}), SHORT_X, Null()),))
MET_BY_NUMBERS = Object(rules=OPEN, alternatives=(Alternative(frozenset({0}), QUOTED, Null()),))

DISJUNCTS: dict[str, tuple[Disjunct, str]] = {
    "numbers between quotes": (QUOTED, "not (quoted number)"),
    "numbers of so many digits": (Number(max_digits=2), "not (number digits 2)"),
    "numbers of so many places": (Number(decimal_places=2), "not (number places 2)"),
    "texts of a grammar": (START, f"not ({START})"),
    "a complement": (Complement(UNIQUE), "unique [any*]"),
    "a complement of numbers between quotes": (Complement(QUOTED), "quoted number"),
    "a pattern that must not match": (String(patterns=(Pattern("a", negated=True),)), "string /a/"),
    "excluded formats": (String(excluded=("date", "time")), "string <date> | string <time>"),
    "excluded numbers": (Number(excluded=(INTEGERS,)), "integer.0"),
    "an obligation of keys with several limits": (MET_BY_SHORT_X, f"not ({MET_BY_SHORT_X})"),
    "an obligation of keys that are numbers": (MET_BY_NUMBERS, f"not ({MET_BY_NUMBERS})"),
    "a union": (Union((String(1), TYPES["number"])), "string{0,0}"),
}


@pytest.mark.parametrize(("raw", "text"), SIMPLE.values(), ids=SIMPLE)
def test_types(raw: Any, text: str) -> None:
    algebra = algebra_of({"schema": raw})
    outside = complement(shape_of("schema", algebra), algebra)
    assert printed(*outside) == text
    assert values_in(outside, algebra) == valid_values(lambda value: not is_valid(raw, value))


def test_why_nothing_is_outside() -> None:
    assert complement((AnyValue(),), algebra_of()) == (Never("its negation admits everything"),)


@pytest.mark.parametrize(("raw", "text"), STRINGS.values(), ids=STRINGS)
def test_strings(raw: Any, text: str) -> None:
    check_complement(raw, "string", text)


@pytest.mark.parametrize(("raw", "text"), NUMBERS.values(), ids=NUMBERS)
def test_numbers(raw: Any, text: str) -> None:
    check_complement(raw, "number", text)


@pytest.mark.parametrize(("values", "text"), LISTED.values(), ids=LISTED)
def test_listed_values(values: list[Any], text: str) -> None:
    algebra = algebra_of()
    outside = complement((Enumeration(tuple(values)),), algebra)
    types = {"null" if value is None else kind_of(value) for value in values}
    assert printed(*(one for one in outside if not (one in TYPES.values() and kind(one) not in types))) == text
    assert {kind(one) for one in outside if one in TYPES.values()} == TYPES.keys() - types
    assert values_in(outside, algebra) == valid_values(lambda value: not is_valid({"enum": values}, value))


@pytest.mark.parametrize("text", ["a.b", "$^", "a|b", "(a)*+?", "[a]{2}", "\\d", "a/b", "-", "a\nb", "é"])
def test_listed_texts_are_no_patterns(text: str) -> None:
    """The text itself is left out, and nothing else."""
    (outside,) = (one for one in complement((Enumeration((text,)),), algebra_of()) if isinstance(one, String))
    others = ["", "a", "axb", "b", "aa", "2", "\\", text + text, text[:-1]]
    assert [one for one in (text, *others) if not holds(outside, one)] == [text]


@pytest.mark.parametrize(("raw", "text"), ARRAYS.values(), ids=ARRAYS)
def test_arrays(raw: Any, text: str) -> None:
    check_complement(raw, "array", text)


@pytest.mark.parametrize(("raw", "text"), OBJECTS.values(), ids=OBJECTS)
def test_objects(raw: Any, text: str) -> None:
    check_complement(raw, "object", text)


def test_objects_of_which_no_keyword_speaks() -> None:
    """What undeclared keys hold is not stated, so no value of theirs is bad, closed or not."""
    algebra = algebra_of({"schema": members(properties={"a": NULL})}, closed=True)
    assert printed(*shape_of("schema", algebra)) == '{"a"?: null, string: @unstated}'
    *_, outside = complement(shape_of("schema", algebra), algebra)
    assert printed(outside) == '{"a": @not (null), string: any}'


@pytest.mark.parametrize(("disjunct", "text"), DISJUNCTS.values(), ids=DISJUNCTS)
def test_disjuncts(disjunct: Disjunct, text: str) -> None:
    outside = complement((disjunct,), algebra_of())
    types = {"string", "number"} if isinstance(disjunct, Union) else {kind(disjunct)}
    assert printed(*(one for one in outside if kind(one) in types)) == text
    assert {kind(one) for one in outside if one in TYPES.values()} == TYPES.keys() - types


def test_references() -> None:
    algebra = algebra_of({"a": {"enum": [True, None]}})
    expected_text = "number | string | [any*] | {string: any} | one of [false]"
    assert printed(*complement((schema_of("a", algebra),), algebra)) == expected_text


def test_keys_that_are_no_numbers() -> None:
    schema = Object(rules=(KeyRule(Number(integer=True, quoted=True), AnyValue()),))
    with pytest.raises(InexpressibleError, match=r"^keys that are not quoted integer$"):
        complement((schema,), algebra_of())


@pytest.mark.xfail(strict=True, reason="names of complements are texts, in which a Decimal looks like a string")
def test_decimals_in_listed_arrays_are_no_texts() -> None:
    algebra = algebra_of()
    outside = complement((Enumeration(([Decimal("1.5")], ["1.5"])),), algebra)
    assert values_in(outside, algebra, [[1.5], ["1.5"], [2]]) == ["[2]"]


FEWER: dict[str, tuple[int, Contains, str]] = {
    "none": (1, Contains(items=Null()), "[@not (null)*]"),
    "none, by place": (1, Contains((Null(), Boolean()), Never(), 3, 4), "[@not (null), @not (boolean), any*]"),
    "a few": (3, Contains(items=Null(), minimum=3, maximum=5), "[any*] has{0,2} (null)"),
    "a few, by place": (2, Contains((Null(),), Boolean()), "[any*] has{0,1} (null, boolean)"),
}


@pytest.mark.parametrize(("count", "contained", "text"), FEWER.values(), ids=FEWER)
def test_fewer_items(count: int, contained: Contains, text: str) -> None:
    assert printed(fewer_than(count, contained, algebra_of())) == text


def test_open_objects() -> None:
    assert open_object() == TYPES["object"]
    some = open_object(Property("a", Null(), required=True), min_properties=1, max_properties=2)
    assert printed(some) == '{"a": null, string: any}{1,2}'


ALGEBRA = algebra_of(ATOMS)


@pytest.mark.parametrize("name", ATOMS)
def test_a_complement_has_all_other_values(name: str) -> None:
    assert disagreements(("not", name), ALGEBRA, refusable=False) == set()


@settings(max_examples=60, deadline=None)
@given(expressions(max_leaves=2))
def test_complements_of_combinations(expression: Expression) -> None:
    assert disagreements(("not", expression), ALGEBRA) == set()


def check_complement(raw: Any, type_name: str, text: str) -> None:
    """Outside of ``raw``, which is of one type, are all other types, and what prints as ``text``."""
    algebra = algebra_of({"schema": raw})
    outside = complement(shape_of("schema", algebra), algebra)
    others = [schema for name, schema in TYPES.items() if name != type_name]
    assert list(outside[:5]) == others
    assert printed(*outside[5:]) == text
    assert values_in(outside, algebra) == valid_values(lambda value: not is_valid(raw, value))


def kind_of(value: Any) -> str:
    """The name of the JSON type of a value that is not null."""
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return names[type(value)]
