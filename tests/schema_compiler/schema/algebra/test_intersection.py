"""Intersections of disjuncts and disjunctions, rule by rule, and against sets of values."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.disjunction import (
    ANY,
    Complement,
    Disjunct,
    Disjunction,
    InexpressibleError,
)
from schema_compiler.schema.algebra.intersection import (
    expand,
    meet,
    meet_disjuncts,
    meet_keys,
    narrow,
    required_of_both,
)
from schema_compiler.schema.ir import (
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    Never,
    Null,
    Number,
    Object,
    Reference,
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
NONEMPTY = {"type": "string", "minLength": 1}
INTEGER = {"type": "integer"}
BOOLEAN = {"type": "boolean"}
ONE: dict[str, Any] = {"enum": [1, "a"]}
TWO: dict[str, Any] = {"enum": [2, "a"]}


def has(count: int, schema: Any) -> dict[str, Any]:
    return array(contains=schema, minContains=count)


TYPES: dict[str, tuple[Any, Any, str]] = {
    "anything adds nothing": (True, NULL, "null"),
    "never leaves nothing": (False, NULL, "never"),
    "the types of both": (
        {"type": ["null", "string", "boolean"]},
        {"type": ["boolean", "array", "null"]},
        "null | boolean",
    ),
    "integers are numbers": (INTEGER, {"type": ["number", "null"]}, "integer"),
    "each limit for its type": (
        {"type": ["string", "array"]},
        {"minLength": 1, "maxItems": 2},
        "string{1,} | [any*]{0,2}",
    ),
    "all pairs of one type": (
        {"anyOf": [{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}]},
        {"anyOf": [{"type": "string", "pattern": "c"}, {"type": "string", "pattern": "d"}]},
        "string /a/ /c/ | string /a/ /d/ | string /b/ /c/ | string /b/ /d/",
    ),
}

ENUMERATIONS: dict[str, tuple[Any, Any, str]] = {
    "values of a type": ({"enum": ["a", 1, None, [1]]}, TEXT, 'one of ["a"]'),
    "values within limits, others unharmed": ({"enum": ["a", "bb", 3]}, {"maxLength": 1}, 'one of [3, "a"]'),
    "values on the right": ({"type": "string", "minLength": 2}, {"enum": ["a", "bb"]}, 'one of ["bb"]'),
    "null alone is no enumeration": ({"enum": ["a", None]}, NULL, "null"),
    "the spelling of the left": ({"enum": [1.0, 2, 3]}, {"enum": [3, 1, "1"]}, "one of [1.0, 3]"),
    "arrays by their items": ({"enum": [[1], ["a"], []]}, array(items=INTEGER), "one of [[1], []]"),
    "objects by their members": (
        {"enum": [{"a": 1}, {"a": "x"}, {}]},
        members(properties={"a": INTEGER}, required=["a"]),
        'one of [{"a": 1}]',
    ),
    "values by named schemas": ({"enum": [[1], [2]]}, array(items=ONE), "one of [[1]]"),
}

STRINGS: dict[str, tuple[Any, Any, str]] = {
    "lengths": ({"type": "string", "minLength": 2}, {"type": "string", "maxLength": 5}, "string{2,5}"),
    "the narrower lengths": (
        {"type": "string", "minLength": 1, "maxLength": 4},
        {"type": "string", "minLength": 2, "maxLength": 9},
        "string{2,4}",
    ),
    "patterns": ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "b$"}, "string /^a/ /b$/"),
    "a pattern once": ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^a"}, "string /^a/"),
    "a format and a pattern": (
        {"type": "string", "format": "date"},
        {"type": "string", "pattern": "^2"},
        "string /^2/ <date>",
    ),
    "a format once": ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}, "string <date>"),
    "an excluded format": (
        {"type": "string", "format": "date"},
        {"not": {"type": "string", "format": "time"}},
        "string <date> !<time>",
    ),
}

NUMBERS: dict[str, tuple[Any, Any, str]] = {
    "bounds": ({"type": "number", "minimum": 1}, {"type": "number", "exclusiveMaximum": 2.5}, "number in [1, 2.5)"),
    "integer bounds are whole": ({"type": "integer", "minimum": 0.5}, {"maximum": 3.2}, "integer in [1, 3]"),
    "steps": ({"type": "number", "multipleOf": 4}, {"type": "number", "multipleOf": 6}, "number step 12"),
}

ARRAYS: dict[str, tuple[Any, Any, str]] = {
    "items of both": (array(items=TEXT), array(items=NONEMPTY), "[@string & string{1,}*]"),
    "items of one": (array(items=TEXT), array(), "[string*]"),
    "items are joined by name": (array(items=ONE), array(items=TWO), "[@left/items & right/items*]"),
    "items are not looked into": (array(items=TEXT), array(items=NULL), "[@null & string*]"),
    "prefixes place by place": (
        array(prefixItems=[NULL, ONE]),
        array(prefixItems=[True, TWO]),
        "[null, @left/prefixItems/1 & right/prefixItems/1, any*]",
    ),
    "a prefix beside items": (array(prefixItems=[NULL]), array(items=BOOLEAN), "[@boolean & null, boolean*]"),
    "a longer prefix on the right": (
        array(prefixItems=[NULL], items=BOOLEAN),
        array(prefixItems=[True, TEXT]),
        "[null, @boolean & string, boolean*]",
    ),
    "a longer prefix on the left": (
        array(prefixItems=[True, TEXT]),
        array(prefixItems=[NULL], items=BOOLEAN),
        "[null, @boolean & string, boolean*]",
    ),
    "a closed prefix ends a longer one": (
        array(prefixItems=[NULL], items=False),
        array(prefixItems=[True, TEXT]),
        "[null]{0,1}",
    ),
    "counts": (array(minItems=1, maxItems=4), array(minItems=2, maxItems=9), "[any*]{2,4}"),
    "unique on the left": (array(uniqueItems=True), array(), "unique [any*]"),
    "unique on the right": (array(), array(uniqueItems=True), "unique [any*]"),
    "contains of both": (has(1, NULL), has(2, TEXT), "[any*]{2,} has{1,} (null) has{2,} (string)"),
    "contains once": (has(1, NULL), has(1, NULL), "[any*]{1,} has{1,} (null)"),
}

OBJECTS: dict[str, tuple[Any, Any, str]] = {
    "a declared name beside rules": (
        members(properties={"a": TEXT}, required=["a"]),
        members(properties={"b": INTEGER}, patternProperties={"^_": False}, additionalProperties=BOOLEAN),
        '{"a": @boolean & string, "b"?: integer, string !/^_/: boolean}',
    ),
    "a name of both": (
        members(properties={"a": ONE}),
        members(properties={"a": TWO}),
        '{"a"?: @left/properties/a & right/properties/a, string: any}',
    ),
    "required by either": (
        members(properties={"a": NULL, "b": NULL}, required=["a"]),
        members(required=["b"]),
        '{"a": null, "b": null, string: any}',
    ),
    "names of the left first": (
        members(properties={"b": NULL, "a": NULL}),
        members(properties={"c": NULL, "a": True}),
        '{"b"?: null, "a"?: null, "c"?: null, string: any}',
    ),
    "a closed object forbids names": (
        members(properties={"a": NULL}, additionalProperties=False),
        members(properties={"b": TEXT}),
        '{"a"?: null}',
    ),
    "a closed object on the right forbids names": (
        members(properties={"b": TEXT}),
        members(properties={"a": NULL}, additionalProperties=False),
        '{"a"?: null}',
    ),
    "a rule that is false forbids a name": (
        members(properties={"_a": NULL, "b": NULL}),
        members(patternProperties={"^_": False}),
        '{"b"?: null, string !/^_/: any}',
    ),
    "a name stays forbidden where a rule admits it": (
        members(properties={"a": False}),
        members(properties={"b": NULL}),
        '{"a"?: never, "b"?: null, string: any}',
    ),
    "a name under the rule that holds": (
        members(patternProperties={"^a": NULL}, additionalProperties=BOOLEAN),
        members(properties={"ab": ONE, "b": ONE}),
        '{"ab"?: @right/properties/ab & null, "b"?: @right/properties/b & boolean, '
        "string /^a/: null, string !/^a/: boolean}",
    ),
    "rules beside an open object": (members(additionalProperties=NULL), members(), "{string: null}"),
    "an open object beside rules": (members(), members(additionalProperties=NULL), "{string: null}"),
    "rules in pairs": (
        members(patternProperties={"^a": BOOLEAN}, additionalProperties=TEXT),
        members(patternProperties={"b$": True}, additionalProperties=NULL),
        "{string /^a/ /b$/: boolean, string /^a/ !/b$/: @boolean & null, "
        "string !/^a/ /b$/: string, string !/^a/ !/b$/: @null & string}",
    ),
    "rules that share no key": (
        members(patternProperties={"^a": NULL}, additionalProperties=False),
        members(patternProperties={"^b": NULL}, additionalProperties=False),
        "{}",
    ),
    "rules of which few pairs share a key": (
        members(patternProperties={"^a": NULL}, additionalProperties=TEXT),
        members(patternProperties={"^b": True}, additionalProperties=False),
        "{string !/^a/ /^b/: string}",
    ),
    "counts": (
        members(minProperties=1, maxProperties=4),
        members(minProperties=2, maxProperties=9),
        "{string: any}{2,4}",
    ),
}

NOT_BOTH = members(**{"not": {"properties": {"a": NULL}, "required": ["b"]}})
SOME_NOT_NULL = members(**{"not": {"additionalProperties": NULL}})
SOME_X_NOT_NULL = members(**{"not": {"patternProperties": {"^x": NULL}}})

OBLIGATIONS: dict[str, tuple[Any, Any, str]] = {
    "those of one": (
        NOT_BOTH,
        members(required=["a"]),
        '{"a": any, "b"?: any, string: any} with "a": @not (null) (0) or "b": absent (0)',
    ),
    "those of both have numbers of their own": (
        SOME_NOT_NULL,
        SOME_X_NOT_NULL,
        "{string: any} with string: @not (null) (0) or string /^x/: @not (null) (1)",
    ),
    "an undeclared name that the other declares": (
        SOME_NOT_NULL,
        members(properties={"b": TEXT}),
        '{"b"?: string, string: any} with string: @not (null) (0) or "b": @not (null) (0)',
    ),
    "an undeclared name that the left declares": (
        members(properties={"b": TEXT}),
        SOME_NOT_NULL,
        '{"b"?: string, string: any} with string: @not (null) (0) or "b": @not (null) (0)',
    ),
    "only a name among the keys": (
        SOME_X_NOT_NULL,
        members(properties={"b": TEXT, "xb": TEXT}),
        '{"b"?: string, "xb"?: string, string: any} with string /^x/: @not (null) (0) or "xb": @not (null) (0)',
    ),
    "no name that has its own": (
        NOT_BOTH,
        members(properties={"a": TEXT, "b": TEXT}),
        '{"a"?: string, "b"?: string, string: any} with "a": @not (null) (0) or "b": absent (0)',
    ),
    "what is required cannot be absent": (
        NOT_BOTH,
        members(properties={"b": TEXT}, required=["b"]),
        '{"a"?: any, "b": string, string: any} with "a": @not (null) (0)',
    ),
    "what is impossible is absent": (
        NOT_BOTH,
        members(properties={"b": False}),
        '{"a"?: any, "b"?: never, string: any}',
    ),
}

REASONS: dict[str, tuple[Any, Any, str]] = {
    "false": (False, NULL, "false at /$defs/left"),
    "false on the right": (NULL, False, "false at /$defs/right"),
    "types": (TEXT, NULL, "string and null exclude each other"),
    "several types": (
        {"type": ["string", "null"]},
        {"type": ["boolean", "array"]},
        "string | null and boolean | array exclude each other",
    ),
    "listed values": ({"enum": ["a"]}, {"enum": ["b"]}, "no value of the enumeration is left"),
    "lengths": (
        {"type": "string", "minLength": 3},
        {"type": "string", "maxLength": 2},
        "minLength (3) is greater than maxLength (2)",
    ),
    "patterns": (
        {"type": "string", "pattern": "^a$"},
        {"type": "string", "pattern": "^b$"},
        "no text satisfies: string /^a$/ /^b$/",
    ),
    "a pattern and a length": (
        {"type": "string", "pattern": "^a$"},
        {"type": "string", "minLength": 2},
        "no text satisfies: string{2,} /^a$/",
    ),
    "bounds": (
        {"type": "number", "minimum": 3},
        {"type": "number", "maximum": 2},
        "no number satisfies: number in [3, 2]",
    ),
    "items": (array(minItems=3), array(maxItems=2), "minItems (3) is greater than the most items possible (2)"),
    "a missing property": (
        members(additionalProperties=False),
        members(required=["b"]),
        "property 'b' is required, but impossible: the object admits no property 'b'",
    ),
    "a property": (
        members(properties={"b": False}),
        members(required=["b"]),
        "property 'b' is required, but impossible: false at /$defs/left/properties/b",
    ),
    "members": (
        members(minProperties=3),
        members(maxProperties=2),
        "required properties (0) or minProperties (3) exceed the most properties possible (2)",
    ),
    "obligations": (
        NOT_BOTH,
        members(properties={"a": False, "b": True}, required=["b"]),
        "every object that it admits is one that it excludes",
    ),
    "the first of several": (
        {"type": ["string", "array"], "minLength": 3, "minItems": 1},
        {"type": ["string", "array"], "maxLength": 2, "maxItems": 0},
        "minLength (3) is greater than maxLength (2)",
    ),
}

DATE = String(formats=("date",))
START, OTHER = Sentence('start: "a"', "start"), Sentence('start: "b"', "start")
QUOTED = Number(quoted=True)
FEW = Number(quoted=True, maximum=Decimal(3))
MANY = Number(quoted=True, minimum=Decimal(5))
UNIQUE = Array(unique=True)

DISJUNCTS: dict[str, tuple[Disjunct, Disjunct, str | None]] = {
    "different types": (Null(), Boolean(), None),
    "numbers and numbers between quotes": (Number(), QUOTED, None),
    "equal disjuncts": (Boolean(), Boolean(), "boolean"),
    "the grammar of both": (START, START, f"{START}"),
    "a grammar beside any string": (START, String(), f"{START}"),
    "any string beside a grammar": (String(), START, f"{START}"),
    "a grammar beside another type": (START, Null(), None),
    "a grammar beside values that are no texts": (START, Enumeration((1,)), "never"),
    "quoted numbers": (FEW, Number(quoted=True, integer=True), "quoted integer in (-inf, 3]"),
    "quoted numbers beside any string": (QUOTED, String(), "quoted number"),
    "any string beside quoted numbers": (String(), QUOTED, "quoted number"),
    "quoted numbers in common with none": (FEW, MANY, "never"),
    "a complement without effect": (Complement(MANY), FEW, "quoted number in (-inf, 3]"),
    "a complement without effect on the right": (FEW, Complement(MANY), "quoted number in (-inf, 3]"),
    "a complement of all": (Complement(QUOTED), FEW, "never"),
    "a complement of itself": (UNIQUE, Complement(UNIQUE), "never"),
    "a complement beside another type": (Complement(UNIQUE), Null(), None),
    "a complement beside listed values": (Complement(UNIQUE), Enumeration(([1, 1], [1], 1)), "one of [[1, 1]]"),
    "never beside a complement": (Never(), Complement(UNIQUE), "never"),
    "anything beside a complement": (AnyValue(), Complement(UNIQUE), "not (unique [any*])"),
}

REFUSED: dict[str, tuple[Disjunct, Disjunct, str]] = {
    "two grammars": (START, OTHER, f"{START} beside {OTHER}"),
    "a grammar beside a length": (String(1), START, f"string{{1,}} beside {START}"),
    "a grammar beside quoted numbers": (START, QUOTED, f"{START} beside quoted number"),
    "a grammar beside texts": (Enumeration(("a",)), START, f"the value 'a' beside {START}"),
    "quoted numbers beside a length": (QUOTED, String(1), "string{1,} beside quoted number"),
    "quoted numbers beside a pattern": (
        String(patterns=(Pattern("^1"),)),
        QUOTED,
        "string /^1/ beside quoted number",
    ),
    "part of a complement": (Array(min_items=2), Complement(UNIQUE), "[any*]{2,} but not unique [any*]"),
    "a complement in part": (Complement(UNIQUE), Array(min_items=2), "[any*]{2,} but not unique [any*]"),
    "two complements": (Complement(UNIQUE), Complement(Array()), "both not ([any*]) and not (unique [any*])"),
}


def keys(regex: str) -> String:
    return String(patterns=(Pattern(regex),))


KEYS: dict[str, tuple[String | Number, String | Number, str]] = {
    "strings": (keys("^a"), String(1, 3, excluded=("date",)), "string{1,3} /^a/ !<date>"),
    "an excluded format once": (String(excluded=("date",)), String(excluded=("date",)), "string !<date>"),
    "a format that is excluded": (DATE, String(excluded=("date",)), "never"),
    "patterns without a common key": (keys("^a"), keys("^b"), "never"),
    "numbers": (FEW, Number(quoted=True, minimum=Decimal(1)), "quoted number in [1, 3]"),
    "numbers without a common key": (FEW, MANY, "never"),
    "numbers among all strings": (String(), FEW, "quoted number in (-inf, 3]"),
    "all strings, which have the numbers": (FEW, String(), "quoted number in (-inf, 3]"),
}

NARROWED: dict[str, tuple[Any, Any, str]] = {
    "anything on the left": (True, ONE, "@right"),
    "anything on the right": (ONE, True, "@left"),
    "the right adds nothing": ({"enum": [1, 2]}, INTEGER, "@left"),
    "the left adds nothing": (INTEGER, {"enum": [1, 2]}, "@right"),
    "equal schemas": (ONE, ONE, "@left"),
    "both add something": (ONE, TWO, 'one of ["a"]'),
    "types in another order": ({"type": ["null", "string"]}, {"type": ["string", "null"]}, "@left"),
    "an object within another": (members(properties={"a": ONE}, required=["a"]), members(), "@left"),
    "an object around another": (members(), members(properties={"a": ONE}), "@right"),
    "the same properties, other values": (
        members(properties={"a": ONE}),
        members(properties={"a": TWO}),
        '{"a"?: @left/properties/a & right/properties/a, string: any}',
    ),
    "a property becomes required": (
        members(properties={"a": ONE}),
        members(required=["a"]),
        '{"a": @left/properties/a, string: any}',
    ),
    "nothing in common": (ONE, TEXT | {"enum": ["b"]}, "never"),
}

REQUIRED: dict[str, tuple[Any, Any, list[str]]] = {
    "of the left": (members(properties={"a": ONE}, required=["a"]), members(), ["@left/properties/a"]),
    "of the right": (members(properties={"a": ONE}), members(required=["a"]), ["@left/properties/a"]),
    "of both, once": (
        members(properties={"a": ONE}, required=["a"]),
        members(properties={"a": TWO}, required=["a"]),
        ["@left/properties/a & right/properties/a"],
    ),
    "the left first": (
        members(properties={"a": NULL}, required=["a"]),
        members(properties={"b": TEXT}, required=["b"]),
        ["null", "string"],
    ),
    "optional properties": (members(properties={"a": ONE}), members(properties={"a": TWO}), []),
    "by a rule": (
        members(properties={"a": TEXT}, required=["a"]),
        members(additionalProperties=NULL),
        ["@null & string"],
    ),
    "against a closed object": (members(required=["a"]), members(additionalProperties=False), ["never"]),
}


@pytest.mark.parametrize(("left", "right", "text"), TYPES.values(), ids=TYPES)
def test_types(left: Any, right: Any, text: str) -> None:
    check_meet(left, right, text)


@pytest.mark.parametrize(("left", "right", "text"), ENUMERATIONS.values(), ids=ENUMERATIONS)
def test_enumerations(left: Any, right: Any, text: str) -> None:
    check_meet(left, right, text)


@pytest.mark.parametrize(("left", "right", "text"), STRINGS.values(), ids=STRINGS)
def test_strings(left: Any, right: Any, text: str) -> None:
    check_meet(left, right, text)


@pytest.mark.parametrize(("left", "right", "text"), NUMBERS.values(), ids=NUMBERS)
def test_numbers(left: Any, right: Any, text: str) -> None:
    check_meet(left, right, text)


@pytest.mark.parametrize(("left", "right", "text"), ARRAYS.values(), ids=ARRAYS)
def test_arrays(left: Any, right: Any, text: str) -> None:
    check_meet(left, right, text)


@pytest.mark.parametrize(("left", "right", "text"), OBJECTS.values(), ids=OBJECTS)
def test_objects(left: Any, right: Any, text: str) -> None:
    check_meet(left, right, text)


@pytest.mark.parametrize(("left", "right", "text"), OBLIGATIONS.values(), ids=OBLIGATIONS)
def test_obligations(left: Any, right: Any, text: str) -> None:
    check_meet(left, right, text)


@pytest.mark.parametrize(("left", "right", "reason"), REASONS.values(), ids=REASONS)
def test_why_nothing_is_in_both(left: Any, right: Any, reason: str) -> None:
    algebra = algebra_of({"left": left, "right": right})
    assert meet(shape_of("left", algebra), shape_of("right", algebra), algebra) == (Never(reason),)


@pytest.mark.parametrize(("left", "right", "text"), DISJUNCTS.values(), ids=DISJUNCTS)
def test_disjuncts(left: Disjunct, right: Disjunct, text: str | None) -> None:
    common = meet_disjuncts(left, right, algebra_of())
    assert (None if common is None else printed(common)) == text


@pytest.mark.parametrize("fractions", [(True, True), (True, False), (False, True), (False, False)], ids=str)
@pytest.mark.parametrize("other", [Number(integer=True), Enumeration((1,))], ids=["integers", "listed integers"])
def test_spellings_with_a_fraction_are_those_of_both(other: Number | Enumeration, fractions: tuple[bool, bool]) -> None:
    listed, other = Enumeration((1, 2), fractions[0]), replace(other, fraction=fractions[1])
    common = meet_disjuncts(listed, other, algebra_of())
    assert isinstance(common, Enumeration)
    assert common.fraction == all(fractions)


@pytest.mark.parametrize("fraction", [False, True])
def test_numbers_have_both_spellings(fraction: bool) -> None:
    listed = Enumeration((1,), fraction)
    assert meet_disjuncts(listed, Number(), algebra_of()) == listed


def test_why_a_complement_leaves_nothing() -> None:
    reason = "every unique [any*] is unique [any*]"
    assert meet_disjuncts(UNIQUE, Complement(UNIQUE), algebra_of()) == Never(reason)


@pytest.mark.parametrize(("left", "right", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_no_disjunct_describes(left: Disjunct, right: Disjunct, reason: str) -> None:
    with pytest.raises(InexpressibleError) as caught:
        meet_disjuncts(left, right, algebra_of())
    assert str(caught.value) == reason


@pytest.mark.parametrize("other", [Array(), Complement(UNIQUE)], ids=str)
def test_a_complement_beside_what_contains_it(other: Disjunct) -> None:
    assert meet_disjuncts(Complement(UNIQUE), other, algebra_of()) == Complement(UNIQUE)


@pytest.mark.parametrize(("left", "right", "text"), KEYS.values(), ids=KEYS)
def test_keys(left: String | Number, right: String | Number, text: str) -> None:
    assert str(meet_keys(left, right)) == text


def test_keys_that_are_numbers_within_limits() -> None:
    with pytest.raises(InexpressibleError, match=r"^string\{1,\} beside quoted number$"):
        meet_keys(QUOTED, String(1))


def test_too_many_pairs() -> None:
    strings = tuple(String(length, length) for length in range(65))
    assert meet(strings[:64], strings[1:], algebra_of()) == strings[1:64]
    with pytest.raises(CompileBudgetError, match="an intersection of 65 by 64 alternatives exceeds 4096"):
        meet(strings, strings[:64], algebra_of())


@pytest.mark.parametrize("side", [(ANY, (String(1),)), ((String(1),), ANY)], ids=["left", "right"])
def test_anything_adds_nothing(side: tuple[Disjunction, Disjunction]) -> None:
    assert meet(*side, algebra_of()) == narrow(*side, algebra_of()) == (String(1),)


@pytest.mark.parametrize(("left", "right", "text"), NARROWED.values(), ids=NARROWED)
def test_narrowing_keeps_names(left: Any, right: Any, text: str) -> None:
    algebra = algebra_of({"left": left, "right": right})
    assert printed(*narrow((schema_of("left", algebra),), (schema_of("right", algebra),), algebra)) == text


def test_expanding() -> None:
    algebra = algebra_of({"a": {"anyOf": [{"$ref": "#/$defs/b"}, NULL]}, "b": {"type": ["boolean", "null"]}})
    parts = (schema_of("a", algebra), Union((String(1), Null())), Number())
    assert printed(*expand(parts, algebra)) == "boolean | null | string{1,} | number"


@pytest.mark.parametrize(("left", "right", "texts"), REQUIRED.values(), ids=REQUIRED)
def test_required_of_both(left: Any, right: Any, texts: list[str]) -> None:
    algebra = algebra_of({"left": left, "right": right})
    (mine,), (other,) = shape_of("left", algebra), shape_of("right", algebra)
    assert isinstance(mine, Object)
    assert isinstance(other, Object)
    assert [printed(schema) for schema in required_of_both(mine, other, algebra)] == texts


def test_recursive_schemas_have_a_finite_intersection() -> None:
    """Its items are named by the same two places, at any depth."""
    algebra = algebra_of(
        {"list": array(items={"$ref": "#/$defs/list"}), "short": array(items={"$ref": "#/$defs/short"}, maxItems=2)}
    )
    both = algebra.join(schema_of("list", algebra), schema_of("short", algebra))
    assert both == Reference("#/$defs/list & #/$defs/short")
    assert printed(*algebra.shape(both)) == "[@list & short*]{0,2}"


ALGEBRA = algebra_of(ATOMS)


@pytest.mark.parametrize("name", ATOMS)
def test_an_intersection_has_the_values_of_both(name: str) -> None:
    """Beside each other atom."""
    differing_pairs = {other for other in ATOMS if disagreements(("meet", name, other), ALGEBRA, refusable=False)}
    assert differing_pairs == set()


@settings(max_examples=40, deadline=None)
@given(expressions(max_leaves=2), expressions(max_leaves=2))
def test_intersections_of_combinations(left: Expression, right: Expression) -> None:
    assert disagreements(("meet", left, right), ALGEBRA) == set()


def check_meet(left: Any, right: Any, text: str) -> None:
    """The intersection prints as ``text``, and has the values that are valid for both, whichever comes first."""
    algebra = algebra_of({"left": left, "right": right})
    mine, other = shape_of("left", algebra), shape_of("right", algebra)
    both = meet(mine, other, algebra)
    assert printed(*both) == text
    valid = valid_values(lambda value: is_valid(left, value) and is_valid(right, value))
    assert values_in(both, algebra) == values_in(meet(other, mine, algebra), algebra) == valid
