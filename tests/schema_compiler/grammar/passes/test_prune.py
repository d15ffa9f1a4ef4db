"""Pruning: grammars before and after, as text."""

from __future__ import annotations

import pytest

from schema_compiler.grammar.ir import (
    NEVER,
    Bytes,
    Choice,
    Expression,
    Grammar,
    Literal,
    Reference,
    Repeat,
    Sequence,
)
from schema_compiler.grammar.passes.prune import prune
from schema_compiler.grammar.printing import print_grammar

A, B = Literal(b"a"), Literal(b"b")


def ref(name: str) -> Expression:
    """A reference."""
    return Reference(name)


CASES: dict[str, tuple[dict[str, Expression], str]] = {
    "nothing to do": ({"s": Sequence((A, ref("r"))), "r": B}, 's ::= "a" r\nr ::= "b"'),
    "a dead alternative": ({"s": Choice((A, ref("r"))), "r": NEVER}, 's ::= "a"'),
    "a dead part": ({"s": Choice((A, Sequence((B, ref("r"))))), "r": Bytes(frozenset())}, 's ::= "a"'),
    "endless recursion": ({"s": Choice((A, ref("r"))), "r": Sequence((B, ref("r")))}, 's ::= "a"'),
    "mutual endless recursion": (
        {"s": Choice((A, ref("r"))), "r": Sequence((B, ref("q"))), "q": Sequence((A, ref("r")))},
        's ::= "a"',
    ),
    "recursion with a way out": (
        {"s": Choice((A, Sequence((B, ref("s")))))},
        's ::= "a" | ("b" s)',
    ),
    "mutual recursion with one way out": (
        {"s": Sequence((A, ref("r"))), "r": Choice((ref("q"), ref("dead"))), "q": Choice((ref("s"), B)), "dead": NEVER},
        's ::= "a" r\nr ::= q\nq ::= s | "b"',
    ),
    "an optional dead repetition": ({"s": Sequence((A, Repeat(ref("r"), 0, 3))), "r": NEVER}, 's ::= "a"'),
    "a required dead repetition": ({"s": Choice((A, Repeat(ref("r"), 1, 3))), "r": NEVER}, 's ::= "a"'),
    "nothing left": ({"s": ref("r"), "r": ref("s")}, "s ::= <never>"),
    "a rule that is tried while it is open": (
        {
            "s": Sequence((ref("x"), ref("y"))),
            "x": Choice((Sequence((ref("y"), A)), ref("y"))),
            "y": Choice((Sequence((ref("x"), A)), B)),
        },
        's ::= x y\nx ::= (y "a") | y\ny ::= (x "a") | "b"',
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_prune(name: str) -> None:
    """What derives no text is gone, and the grammar given is as it was."""
    before, expected = CASES[name]
    grammar = Grammar("s", before)
    printed = print_grammar(grammar)
    assert print_grammar(prune(grammar)) == expected
    assert print_grammar(grammar) == printed


def test_productivity_looks_only_as_far_as_it_must() -> None:
    """The second alternative is not looked at when the first derives a text."""
    asked: list[str] = []

    class Rules(dict[str, Expression]):
        def __getitem__(self, name: str) -> Expression:
            asked.append(name)
            return super().__getitem__(name)

    rules = Rules(s=Choice((A, ref("large"))), large=B)
    assert prune(Grammar("s", rules)).start == "s"
    assert asked == []
