"""Item classes of arrays with ``contains``, and what one member can do for several obligations at once."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.disjunction import InexpressibleError
from schema_compiler.schema.algebra.obligations import with_item_classes, with_joined_alternatives
from schema_compiler.schema.ir import (
    Alternative,
    AnyValue,
    Array,
    Boolean,
    Contains,
    KeyRule,
    Never,
    Null,
    Number,
    Object,
    Property,
    Schema,
    String,
)
from tests.schema_compiler.schema.algebra.sets import algebra_of, printed

INTEGER = Number(integer=True)
FROM_5 = Number(minimum=Decimal(5))
OPEN = ((String(), AnyValue()),)


def has(schema: Schema, minimum: int = 1, maximum: int | None = None, prefix: tuple[Schema, ...] = ()) -> Contains:
    return Contains(prefix, schema, minimum, maximum)


ITEM_CLASSES: dict[str, tuple[Array, list[str]]] = {
    "one that counts and one that does not": (
        Array(items=INTEGER, contains=(has(FROM_5),)),
        ["integer counts for nothing, @integer & number in [5, inf) counts for 0"],
    ),
    "what must not count is negated": (
        Array(items=INTEGER, contains=(has(FROM_5, 0, 1),)),
        ["@integer & not (number in [5, inf)) counts for nothing, @integer & number in [5, inf) counts for 0"],
    ),
    "every combination": (
        Array(contains=(has(Null()), has(String(), 0, 2))),
        [
            "@not (string) counts for nothing, @not (string) & null counts for 0, "
            "string counts for 1, @null & string counts for 0 and 1"
        ],
    ),
    "the same schema twice": (
        Array(contains=(has(Null()), has(Null(), 0, 2))),
        ["@not (null) counts for nothing, null counts for 1, @null counts for 0 and 1"],
    ),
    "classes by place": (
        Array((Null(), INTEGER), String(), contains=(has(FROM_5),)),
        [
            "null counts for nothing, @null & number in [5, inf) counts for 0",
            "integer counts for nothing, @integer & number in [5, inf) counts for 0",
            "string counts for nothing, @number in [5, inf) & string counts for 0",
        ],
    ),
    "a prefix longer than that of the array": (
        Array((Null(),), contains=(has(Boolean(), prefix=(AnyValue(), String())),)),
        [
            "null counts for nothing, null counts for 0",
            "any counts for nothing, string counts for 0",
            "any counts for nothing, boolean counts for 0",
        ],
    ),
    "prefixes of different lengths": (
        Array(contains=(has(Boolean(), prefix=(Null(),)), has(String()))),
        [
            "any counts for nothing, null counts for 0, string counts for 1, @null & string counts for 0 and 1",
            "any counts for nothing, boolean counts for 0, string counts for 1, @boolean & string counts for 0 and 1",
        ],
    ),
    "what never counts": (
        Array(contains=(has(Null(), prefix=(Never(),)),)),
        ["any counts for nothing", "any counts for nothing, null counts for 0"],
    ),
    "what never counts is not negated": (
        Array(contains=(has(Null(), 0, 1, prefix=(Never(),)),)),
        ["any counts for nothing", "@not (null) counts for nothing, null counts for 0"],
    ),
    "what always counts": (
        Array(items=String(), contains=(has(Null(), 0, 1, prefix=(AnyValue(),)),)),
        ["string counts for 0", "@not (null) & string counts for nothing, @null & string counts for 0"],
    ),
    "no items behind the prefix": (
        Array((INTEGER,), Never(), contains=(has(FROM_5),)),
        ["integer counts for nothing, @integer & number in [5, inf) counts for 0", ""],
    ),
}


def classes_of(array: Array) -> list[str]:
    """The item classes of each index, printed."""
    return [
        ", ".join(
            f"{printed(one.schema)} counts for {' and '.join(map(str, sorted(one.counts))) or 'nothing'}"
            for one in item_classes
        )
        for item_classes in array.item_classes
    ]


@pytest.mark.parametrize(("array", "texts"), ITEM_CLASSES.values(), ids=ITEM_CLASSES)
def test_item_classes(array: Array, texts: list[str]) -> None:
    sorted_array = with_item_classes(array, algebra_of())
    assert classes_of(sorted_array) == texts
    assert len(sorted_array.prefix) == len(texts) - 1


def test_the_array_itself_stays() -> None:
    array = Array((Null(),), String(), 1, 5, contains=(has(Boolean(), prefix=(Null(), Null())),))
    text = "[null, string, string*]{1,5} has{1,} (null, null, boolean)"
    assert printed(with_item_classes(array, algebra_of())) == text


def test_an_item_that_must_not_count_for_its_own_schema() -> None:
    """Where at most one may count, an item that does not is in no class: its own schema says that it does."""
    algebra = algebra_of({"a": {"enum": [1, 2]}})
    schema = algebra.child(algebra.document.child(algebra.document.root, "$defs", "a"))
    array = Array(items=schema, contains=(has(schema, 0, 1),))
    assert classes_of(with_item_classes(array, algebra)) == ["@a counts for 0"]


def test_too_many_contains() -> None:
    several = tuple(has(String(length)) for length in range(6))
    (item_classes,) = with_item_classes(Array(contains=several[:5]), algebra_of()).item_classes
    assert len(item_classes) == 32
    with pytest.raises(CompileBudgetError, match="6 contains in one place: the limit is 5"):
        with_item_classes(Array(contains=several), algebra_of())


def keys(regex: str) -> String:
    return String(patterns=(Pattern(regex),))


def differing(*alternatives: tuple[set[int], Any, Schema | None], rules: Any = OPEN) -> Object:
    """An object whose properties a and b are integers if they are there, with obligations."""
    properties = (Property("a", INTEGER, required=False), Property("b", INTEGER, required=False))
    listed = (Alternative(frozenset(obligations), names, schema) for obligations, names, schema in alternatives)
    return Object(properties, tuple(KeyRule(names, schema) for names, schema in rules), alternatives=tuple(listed))


JOINED: dict[str, tuple[Object, list[str]]] = {
    "nothing to meet": (differing(), []),
    "a property has its own schema, too": (
        differing(({0}, "a", FROM_5)),
        ['"a": @integer & number in [5, inf) (0)'],
    ),
    "an undeclared member has that of its rule, too": (
        differing(({0}, keys("^x"), Null()), rules=[(String(), Boolean())]),
        ["string /^x/: @boolean & null (0)"],
    ),
    "absence meets all that it can": (
        differing(({0}, "a", None), ({1}, "b", None), ({2}, "a", None)),
        ['"a": absent (0, 2)', '"b": absent (1)'],
    ),
    "absence before members": (
        differing(({0}, "a", Null()), ({0}, "b", None)),
        ['"b": absent (0)', '"a": @integer & null (0)'],
    ),
    "one member for two obligations": (
        differing(({0}, "a", FROM_5), ({1}, "a", Boolean())),
        [
            '"a": @integer & number in [5, inf) (0)',
            '"a": @boolean & integer (1)',
            '"a": @boolean & integer & number in [5, inf) (0, 1)',
        ],
    ),
    "one of two alternatives for one obligation": (
        differing(({0}, "a", FROM_5), ({0}, "a", Boolean())),
        ['"a": @integer & number in [5, inf) (0)', '"a": @boolean & integer (0)'],
    ),
    "an alternative for two obligations": (
        differing(({0, 1}, "a", FROM_5)),
        ['"a": @integer & number in [5, inf) (0, 1)'],
    ),
    "two members for themselves": (
        differing(({0}, "a", Boolean()), ({1}, "b", Boolean())),
        ['"a": @boolean & integer (0)', '"b": @boolean & integer (1)'],
    ),
    "an impossible value": (
        differing(({0}, "a", Never()), ({0}, "a", FROM_5)),
        ['"a": @integer & number in [5, inf) (0)'],
    ),
    "each rule": (
        differing(({0}, String(), Null()), rules=[(keys("^x"), Null()), (keys("^y"), AnyValue())]),
        ["string /^x/: @null (0)", "string /^y/: null (0)"],
    ),
    "keys of a rule that are among those of the alternative": (
        differing(({0}, keys("z$"), Null()), rules=[(keys("^x"), AnyValue())]),
        ["string /^x/ /z$/: null (0)"],
    ),
    "keys of a rule that are not": (
        differing(({0}, keys("^y"), Null()), rules=[(keys("^x"), AnyValue()), (keys("^yz"), AnyValue())]),
        ["string /^yz/ /^y/: null (0)"],
    ),
    "keys of two obligations that exclude each other": (
        differing(({0}, keys("^x"), Null()), ({1}, keys("^y"), Null())),
        ["string /^x/: null (0)", "string /^y/: null (1)"],
    ),
    "keys of two obligations": (
        differing(({0}, keys("^x"), Null()), ({1}, keys("y$"), FROM_5)),
        [
            "string /^x/: null (0)",
            "string /y$/: number in [5, inf) (1)",
            "string /^x/ /y$/: @null & number in [5, inf) (0, 1)",
        ],
    ),
    "numbers as keys": (
        differing(({0}, String(), Null()), rules=[(Number(quoted=True), AnyValue())]),
        ["quoted number: null (0)"],
    ),
}


@pytest.mark.parametrize(("schema", "texts"), JOINED.values(), ids=JOINED)
def test_joined_alternatives(schema: Object, texts: list[str]) -> None:
    """One that is there twice is as good as one."""
    joined = with_joined_alternatives(schema, algebra_of())
    assert list(dict.fromkeys(map(str, joined.alternatives))) == texts


def test_too_many_combinations() -> None:
    """Each obligation doubles them."""
    nine = [({obligation}, "a", AnyValue()) for obligation in range(9)]
    assert len(with_joined_alternatives(differing(*nine[:8]), algebra_of()).alternatives) == 255
    with pytest.raises(CompileBudgetError, match="512 combinations of obligations in one place: the limit is 256"):
        with_joined_alternatives(differing(*nine), algebra_of())


def test_keys_that_are_numbers_within_limits() -> None:
    schema = differing(({0}, keys("^1"), Null()), rules=[(Number(quoted=True), AnyValue())])
    with pytest.raises(InexpressibleError, match=r"string /\^1/ beside quoted number"):
        with_joined_alternatives(schema, algebra_of())
