"""Smart constructors of strings, arrays and objects: what they drop, and what they find impossible."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.canonical import (
    canonical_array,
    canonical_object,
    canonical_string,
    is_open_to,
    without_duplicates,
)
from schema_compiler.schema.ir import (
    Alternative,
    AnyValue,
    Array,
    Contains,
    Enumeration,
    KeyRule,
    Never,
    Null,
    Number,
    Object,
    Property,
    Schema,
    String,
)

DATE = String(formats=("date",))


def keys(regex: str) -> String:
    return String(patterns=(Pattern(regex),))


STRINGS: dict[str, tuple[String, Schema]] = {
    "possible": (String(1, 2, (Pattern("^a"),)), String(1, 2, (Pattern("^a"),))),
    "lengths": (String(2, 1), Never("minLength (2) is greater than maxLength (1)")),
    "a pattern": (String(patterns=(Pattern("a^"),)), Never("no text satisfies: string /a^/")),
    "a format": (String(0, 9, formats=("date",)), Never("no text satisfies: string{0,9} <date>")),
}


NOTHING = Never("nothing")

ARRAYS: dict[str, tuple[Array, str]] = {
    "nothing to do": (Array((Null(),), String(), 1, 3), "[null, string*]{1,3}"),
    "an impossible item ends it": (Array((Null(), NOTHING, Null())), "[null]{0,1}"),
    "an impossible first item ends it": (Array((NOTHING,)), "[]{0,0}"),
    "an impossible item beyond the most": (Array((Null(), NOTHING), max_items=1), "[null]{0,1}"),
    "impossible items end it": (Array((Null(), String()), NOTHING), "[null, string]{0,2}"),
    "impossible items without a prefix": (Array(items=NOTHING), "[]{0,0}"),
    "impossible items and fewer at most": (Array((Null(), String()), NOTHING, max_items=1), "[null]{0,1}"),
    "as many items as the prefix": (Array((Null(),), String(), max_items=1), "[null]{0,1}"),
    "what is contained counts": (Array(contains=(Contains(items=Null(), minimum=2),)), "[any*]{2,} has{2,} (null)"),
    "the greater of two counts": (
        Array(min_items=3, contains=(Contains(items=Null(), minimum=2),)),
        "[any*]{3,} has{2,} (null)",
    ),
    "containing anything is counting": (Array(contains=(Contains(minimum=2, maximum=3),)), "[any*]{2,3}"),
    "containing anything by place": (Array(contains=(Contains((AnyValue(),), AnyValue(), 2),)), "[any*]{2,}"),
    "containing anything but first": (
        Array(contains=(Contains((Null(),), AnyValue()),)),
        "[any*]{1,} has{1,} (null, any)",
    ),
    "containing at least none": (Array(contains=(Contains(items=Null(), minimum=0),)), "[any*]"),
    "containing the impossible at most": (Array(contains=(Contains(items=NOTHING, minimum=0, maximum=1),)), "[any*]"),
    "containing at most": (
        Array(contains=(Contains(items=Null(), minimum=0, maximum=1),)),
        "[any*] has{0,1} (null)",
    ),
    "containing what is impossible behind a place": (
        Array(contains=(Contains((Null(),), NOTHING),)),
        "[any*]{1,} has{1,} (null, never)",
    ),
}

IMPOSSIBLE_ARRAYS: dict[str, tuple[Array, str]] = {
    "counts": (Array(min_items=2, max_items=1), "minItems (2) is greater than the most items possible (1)"),
    "an impossible item": (
        Array((Null(), NOTHING), min_items=2),
        "minItems (2) is greater than the most items possible (1)",
    ),
    "impossible items": (Array(items=NOTHING, min_items=1), "minItems (1) is greater than the most items possible (0)"),
    "too few for what is contained": (
        Array(max_items=1, contains=(Contains(items=Null(), minimum=2),)),
        "minItems (2) is greater than the most items possible (1)",
    ),
    "contained counts": (
        Array(contains=(Contains(items=Null(), minimum=2, maximum=1),)),
        "minContains (2) is greater than maxContains (1)",
    ),
    "containing the impossible": (
        Array(contains=(Contains(items=NOTHING),)),
        "what the array must contain is impossible",
    ),
}


def prop(name: str, schema: Schema, *, required: bool = False) -> Property:
    return Property(name, schema, required)


OPEN = (KeyRule(String(), AnyValue()),)
ONLY_X = (KeyRule(keys("^x"), AnyValue()),)
A_OR_B = (prop("a", Null()), prop("b", Null()))


def differing(
    *alternatives: tuple[set[int], Any, Schema | None], properties: Any = A_OR_B, rules: Any = OPEN
) -> Object:
    """An object with obligations."""
    listed = (Alternative(frozenset(obligations), names, schema) for obligations, names, schema in alternatives)
    return Object(properties, rules, alternatives=tuple(listed))


OBJECTS: dict[str, tuple[Object, str]] = {
    "nothing to do": (Object(A_OR_B, OPEN, 1, 3), '{"a"?: null, "b"?: null, string: any}{1,3}'),
    "an impossible property of a closed object": (Object((prop("a", NOTHING), prop("b", Null()))), '{"b"?: null}'),
    "an impossible property that no rule admits": (Object((prop("a", NOTHING),), ONLY_X), "{string /^x/: any}"),
    "an impossible property that a rule admits": (
        Object((prop("xa", NOTHING),), ONLY_X),
        '{"xa"?: never, string /^x/: any}',
    ),
    "an impossible property that an impossible rule admits": (
        Object((prop("a", NOTHING), prop("b", Null())), (KeyRule(String(), NOTHING),)),
        '{"b"?: null}',
    ),
    "an impossible rule": (
        Object(A_OR_B, (*ONLY_X, KeyRule(DATE, NOTHING))),
        '{"a"?: null, "b"?: null, string /^x/: any}',
    ),
    "as many members as there can be": (Object(A_OR_B, min_properties=2), '{"a"?: null, "b"?: null}{2,}'),
    "more members by rules": (Object(A_OR_B, OPEN, min_properties=9), '{"a"?: null, "b"?: null, string: any}{9,}'),
    "an obligation": (
        differing(({0}, "a", String()), ({0}, "b", None)),
        '{"a"?: null, "b"?: null, string: any} with "a": string (0) or "b": absent (0)',
    ),
    "an obligation met as a property is impossible": (
        differing(({0}, "a", None), ({0, 1}, "b", None), properties=(prop("a", NOTHING), prop("b", Null()))),
        '{"a"?: never, "b"?: null, string: any} with "b": absent (0)',
    ),
    "an obligation met as no property is declared": (
        differing(({0}, "c", None)),
        '{"a"?: null, "b"?: null, string: any}',
    ),
    "a required property cannot be absent": (
        differing(({0}, "a", None), ({0}, "a", String()), properties=(prop("a", Null(), required=True),)),
        '{"a": null, string: any} with "a": string (0)',
    ),
    "a property without a value cannot differ": (
        differing(({0}, "a", NOTHING), ({0}, "b", None)),
        '{"a"?: null, "b"?: null, string: any} with "b": absent (0)',
    ),
    "an impossible property cannot differ": (
        differing(({0}, "a", String()), ({0}, "b", None), properties=(prop("a", NOTHING), prop("b", Null()))),
        '{"a"?: never, "b"?: null, string: any} with "b": absent (0)',
    ),
    "undeclared members without a value cannot differ": (
        differing(({0}, String(), NOTHING), ({0}, keys("^x"), Null())),
        '{"a"?: null, "b"?: null, string: any} with string /^x/: null (0)',
    ),
    "an alternative once": (
        differing(({0}, "a", String()), ({1}, "b", None), ({0}, "a", String())),
        '{"a"?: null, "b"?: null, string: any} with "a": string (0) or "b": absent (1)',
    ),
    "numbers without gaps": (
        differing(({3}, "a", String()), ({7}, "b", None), ({3, 7}, String(), Null())),
        '{"a"?: null, "b"?: null, string: any} with "a": string (0) or "b": absent (1) or string: null (0, 1)',
    ),
}

IMPOSSIBLE_OBJECTS: dict[str, tuple[Object, str]] = {
    "a required property": (
        Object((prop("a", NOTHING, required=True),), OPEN),
        "property 'a' is required, but impossible: nothing",
    ),
    "too few properties": (
        Object((prop("a", Null()), prop("b", NOTHING)), min_properties=2),
        "required properties (0) or minProperties (2) exceed the most properties possible (1)",
    ),
    "too many are required": (
        Object((prop("a", Null(), required=True), prop("b", Null(), required=True)), OPEN, max_properties=1),
        "required properties (2) or minProperties (0) exceed the most properties possible (1)",
    ),
    "counts": (
        Object(A_OR_B, OPEN, min_properties=3, max_properties=2),
        "required properties (0) or minProperties (3) exceed the most properties possible (2)",
    ),
    "an impossible rule adds none": (
        Object((), (KeyRule(String(), NOTHING),), min_properties=1),
        "required properties (0) or minProperties (1) exceed the most properties possible (0)",
    ),
    "an obligation": (
        differing(({0}, "a", NOTHING), ({0}, "b", None), properties=(prop("b", Null(), required=True),)),
        "every object that it admits is one that it excludes",
    ),
    "one obligation of two": (
        differing(({0}, "a", String()), ({1}, String(), NOTHING)),
        "every object that it admits is one that it excludes",
    ),
}


@pytest.mark.parametrize(("string", "schema"), STRINGS.values(), ids=STRINGS)
def test_strings(string: String, schema: Schema) -> None:
    assert canonical_string(string) == schema


@pytest.mark.parametrize(("given", "text"), ARRAYS.values(), ids=ARRAYS)
def test_arrays(given: Array, text: str) -> None:
    assert str(canonical_array(given)) == text


@pytest.mark.parametrize(("given", "text"), OBJECTS.values(), ids=OBJECTS)
def test_objects(given: Object, text: str) -> None:
    assert str(canonical_object(given)) == text


@pytest.mark.parametrize(("given", "reason"), IMPOSSIBLE_ARRAYS.values(), ids=IMPOSSIBLE_ARRAYS)
def test_why_arrays_are_impossible(given: Array, reason: str) -> None:
    assert canonical_array(given) == Never(reason)


@pytest.mark.parametrize(("given", "reason"), IMPOSSIBLE_OBJECTS.values(), ids=IMPOSSIBLE_OBJECTS)
def test_why_objects_are_impossible(given: Object, reason: str) -> None:
    assert canonical_object(given) == Never(reason)


OPEN_TO: dict[str, tuple[Object, str, bool]] = {
    "a rule that admits it": (Object((), ONLY_X), "xa", True),
    "no rule": (Object(A_OR_B), "a", False),
    "a rule for other names": (Object((), ONLY_X), "a", False),
    "a rule without values": (Object((), (KeyRule(String(), NOTHING),)), "a", False),
    "one rule of several": (Object((), (*ONLY_X, KeyRule(Number(quoted=True), Null()))), "1.5", True),
}


@pytest.mark.parametrize(("schema", "name", "expected"), OPEN_TO.values(), ids=OPEN_TO)
def test_names_that_rules_admit(schema: Object, name: str, expected: bool) -> None:
    assert is_open_to(schema, name) == expected


def test_parts_are_there_once() -> None:
    """They are compared by their texts, as values in enumerations have no hash."""
    one, other = (Contains(items=Enumeration(([value],))) for value in (1, 2))
    assert without_duplicates(iter([one, other, Contains(items=Enumeration(([1],)))])) == (one, other)
