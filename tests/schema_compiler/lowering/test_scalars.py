"""Scalars and constants, as text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from schema_compiler.grammar.ir import Choice, Expression, Leaf, Literal
from schema_compiler.grammar.printing import print_expression
from schema_compiler.lowering.layout import Whitespace, layout_of
from schema_compiler.lowering.scalars import (
    CHOICE_LIMIT,
    LEAF_LIMIT,
    enumeration_expression,
    number_expression,
    string_expression,
)
from schema_compiler.schema.ir import Enumeration, Number, Pattern, String


def enumeration(*values: object, fraction: bool = False, whitespace: Whitespace = "spaced") -> Expression:
    return enumeration_expression(Enumeration(values, fraction), layout_of(whitespace))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (number_expression(Number()), "<number>"),
        (number_expression(Number(integer=True, minimum=Decimal(0), maximum=Decimal(9))), "<integer >=0 <=9>"),
        (
            number_expression(Number(minimum=Decimal(0), exclusive_minimum=True, multiple_of=Decimal("0.5"))),
            "<number >0 /0.5>",
        ),
        (
            number_expression(Number(maximum=Decimal(1), exclusive_maximum=True, max_digits=3, decimal_places=2)),
            "<number <1 digits 3 places 2>",
        ),
        (number_expression(Number(integer=True, minimum=Decimal(2), maximum=Decimal(1))), "<never>"),
        (string_expression(String()), "<string>"),
        (string_expression(String(2, None)), "<string>{2,}"),
        (string_expression(String(patterns=(Pattern("^a"),))), "</^a/>"),
        (string_expression(String(max_length=2, patterns=(Pattern("^abc"),))), "<never>"),
    ],
)
def test_strings_and_numbers(expression: Expression, expected: str) -> None:
    assert print_expression(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (enumeration(), "<never>"),
        (enumeration("é\n", None, True, 1.5), r'"\"é\\n\"" | "null" | "true" | "1.5"'),
        (enumeration([], {}, [[1, "a"]]), r'"[]" | "{}" | "[[1, \"a\"]]"'),
        (enumeration({"a": [1, 2], "b": 3}, whitespace="compact"), r'"{\"a\":[1,2],\"b\":3}"'),
        (enumeration({"a": [1, 2]}, whitespace="flexible"), r'<{ws> "\"a\"" <ws:ws> <[ws> "1" <ws,ws> "2" <ws]> <ws}>'),
        (enumeration(1, 2.0, 2.5, fraction=True), '"1" | "1.0" | "2.0" | "2" | "2.5"'),
        (enumeration(1, 2.0), '"1" | "2.0"'),
        (
            enumeration(True, "1", {"a": [1, None]}, fraction=True),
            r'"true" | "\"1\"" | "{\"a\": [1, null]}" | "{\"a\": [1.0, null]}"',
        ),
        (enumeration(2**53 + 1, fraction=True), '"9007199254740993"'),
    ],
)
def test_constants(expression: Expression, expected: str) -> None:
    """Also whole numbers in both spellings, where there is a float that is equal."""
    assert print_expression(expression) == expected


def test_an_integer_beyond_all_floats_has_one_spelling() -> None:
    assert enumeration(10**400, fraction=True) == Literal(b"1" + b"0" * 400)


def test_many_scalars_are_one_leaf_beside_the_compound_values() -> None:
    few = enumeration(*range(CHOICE_LIMIT), [1])
    many = enumeration(*range(CHOICE_LIMIT + 1), [1])
    assert isinstance(few, Choice)
    assert len(few.options) == CHOICE_LIMIT + 1
    assert print_expression(many) == '<enum> | "[1]"'
    assert isinstance(many, Choice)
    assert isinstance(leaf := many.options[0], Leaf)
    assert [leaf.dfa.accepts(text) for text in (b"0", b"32", b"33", b"[1]")] == [True, True, False, False]


def test_what_is_too_large_for_a_leaf_stays_literals() -> None:
    texts = [f"{number:02}" * (LEAF_LIMIT // CHOICE_LIMIT) for number in range(CHOICE_LIMIT + 1)]
    large = enumeration(*texts)
    assert isinstance(large, Choice)
    assert [option.text.decode() for option in large.options if isinstance(option, Literal)] == [
        f'"{text}"' for text in texts
    ]
