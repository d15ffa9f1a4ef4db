"""Smart constructors keep bodies flat and free of dead alternatives."""

from __future__ import annotations

import pytest

from schema_compiler.grammar.ir import (
    EMPTY,
    NEVER,
    Expression,
    Grammar,
    LazyRules,
    Literal,
    Reference,
    choice,
    repeat,
    rules_by,
    sequence,
)
from schema_compiler.grammar.printing import print_expression

A, B, R = Literal(b"a"), Literal(b"b"), Reference("r")


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (sequence(), '""'),
        (sequence(A, B), '"ab"'),
        (sequence(A, sequence(B, R), A, A), '"ab" r "aa"'),
        (sequence(A, Literal(b""), R), '"a" r'),
        (sequence(A, NEVER, R), "<never>"),
        (sequence(R), "r"),
        (choice(), "<never>"),
        (choice(A, NEVER, A, choice(B, A)), '"a" | "b"'),
        (choice(R, R), "r"),
        (choice(A, EMPTY), '"a" | ""'),
        (choice(NEVER, EMPTY), '""'),
        (repeat(A, 0, 0), '""'),
        (repeat(A, 1, 1), '"a"'),
        (repeat(NEVER, 0, 3), '""'),
        (repeat(NEVER, 1, None), "<never>"),
        (repeat(sequence(A, R), 2, 5), '("a" r){2,5}'),
        (repeat(A, 0, None), '"a"*'),
    ],
)
def test_constructors(built: Expression, expected: str) -> None:
    """Each builds the shortest equal expression."""
    assert print_expression(built) == expected


def test_rules_are_built_once_and_when_asked_for() -> None:
    """Lazy rules stay lazy through rewriting."""
    asked: list[str] = []

    def build(name: str) -> Expression:
        asked.append(name)
        return {"r": sequence(A, Reference("s")), "s": B, "t": A}[name]

    rewritten = rules_by(Grammar("r", LazyRules(build)), LazyRules(build).__getitem__)
    assert asked == []
    assert list(rewritten.reachable()) == ["r", "s"]
    assert rewritten.rules["r"] is rewritten.rules["r"]
    assert asked == ["r", "s"]
