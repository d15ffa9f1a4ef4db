"""Leaves from automata, as text."""

from __future__ import annotations

import pytest

from schema_compiler.grammar.ir import NEVER, Bound, Choice, Difference, Expression, Leaf, Literal
from schema_compiler.grammar.leaves import counted, distinct, leaf
from schema_compiler.grammar.printing import print_expression
from schema_compiler.regular.automata.dfa import empty, literal
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import pattern_string
from schema_compiler.regular.text.json_strings import any_string

X = literal(b'"x"')
EVEN = pattern_string(Pattern("^(ab)*$"))
STRING = leaf("string", any_string())
assert isinstance(STRING, Leaf)
NOT_X = Difference(STRING, frozenset([b'"x"']))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (leaf("x", X), "<x>"),
        (leaf("nothing", empty()), "<never>"),
        (counted("x", X, 0, None), "<x>"),
        (counted("a pair", EVEN, 2, 2), "<a pair>{2,2}"),
        (counted("x", X, 2, None), "<never>"),
        (counted("nothing", empty(), 1, 2), "<never>"),
        (counted("even", EVEN, 1, 2), "<even>{1,2}"),
        (counted("even", EVEN, 3, 3), "<never>"),
    ],
)
def test_leaves_without_texts_are_never(expression: Expression, expected: str) -> None:
    assert print_expression(expression) == expected
    assert (expression is NEVER) == (expected == "<never>")


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (STRING, "<string>!"),
        (NOT_X, '<string but "x">!'),
        (counted("string", any_string(), 2, None), "<string>{2,}!"),
        (Choice((STRING, Literal(b"null"))), '<string>! | "null"'),
        (counted("string", any_string(), 0, 2), "<string>{0,2}"),
        (leaf("x", X), "<x>"),
        (Bound("passage"), "<$passage>"),
        (NEVER, "<never>"),
    ],
)
def test_leaves_that_go_on_without_end_can_be_told_apart(item: Expression, expected: str) -> None:
    """All else stays as it is."""
    assert print_expression(distinct(item)) == expected


def test_equal_languages_are_equal_leaves() -> None:
    """The name is for the reader."""
    assert leaf("x", X) == leaf("y", literal(b'"x"'))
    assert leaf("x", X) != STRING
