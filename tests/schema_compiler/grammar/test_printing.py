"""Every expression prints as readable text."""

from __future__ import annotations

import pytest

from schema_compiler.grammar.ir import (
    Bytes,
    Choice,
    Difference,
    Expression,
    Grammar,
    Leaf,
    Literal,
    Reference,
    Selection,
    Sequence,
)
from schema_compiler.grammar.leaves import counted, leaf
from schema_compiler.grammar.printing import print_expression, print_grammar
from schema_compiler.regular.automata.dfa import literal
from schema_compiler.regular.text.json_strings import any_string

X = literal(b'"x"')
NAMED = Leaf("key", X, X.digest)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Literal(b'say "\\\n'), r'"say \"\\\n"'),
        (Literal("é".encode()), '"é"'),
        (Literal(b"\xff\x00"), r'"\xff\x00"'),
        (Bytes(frozenset(b"a")), '"a"'),
        (Bytes(frozenset(b"abcx0 -")), r"[\x20\x2d0a-cx]"),
        (leaf("name", X), "<name>"),
        (counted("name", X, 0, 3), "<name>{0,3}"),
        (counted("name", any_string(), 2, None), "<name>{2,}"),
        (counted("name", X, 2, None), "<never>"),
        (Difference(NAMED, frozenset([b'"b"', b'"a"'])), '<key but "a", "b">'),
        (Selection(((b"1", b"1.0"), (b'"x"',)), NAMED, 1, 2), r"""("1" | "1.0" | "\"x\"")!{1,2} by <key>"""),
        (Sequence((Choice((Literal(b"a"), Reference("r"))), Literal(b"c"))), '("a" | r) "c"'),
    ],
)
def test_expressions(expression: Expression, expected: str) -> None:
    """One line each."""
    assert print_expression(expression) == expected


def test_grammars_print_reachable_rules_only() -> None:
    """In the order in which they are mentioned."""
    rules: dict[str, Expression] = {"z": Reference("a"), "a": Literal(b"1"), "unused": Literal(b"2")}
    assert print_grammar(Grammar("z", rules)) == 'z ::= a\na ::= "1"'
