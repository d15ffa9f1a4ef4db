"""Rules before and after, as text; and for any rules at all, the language before and after, enumerated."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.engine.pushdown import states
from schema_compiler.grammar import ir as g
from schema_compiler.grammar.ir import EMPTY, NEVER, Grammar, Literal, Reference, choice, repeat, sequence
from schema_compiler.grammar.passes.left_recursion import without_left_recursion
from schema_compiler.grammar.passes.prune import prune
from schema_compiler.grammar.printing import print_grammar
from tests.assembly import matcher_of
from tests.vocabularies import byte_vocabulary

A, B, N = Reference("a"), Reference("b"), Reference("n")
X, Y, Z = Literal(b"x"), Literal(b"y"), Literal(b"z")

CASES = {
    "right recursion stays": ({"a": choice(sequence(X, A), Y)}, ['a ::= ("x" a) | "y"']),
    "direct": (
        {"a": choice(sequence(A, X), Y)},
        ['a ::= "y" a/a', 'a/a ::= "" | ("x" a/a)'],
    ),
    "indirect": (
        {"a": choice(sequence(B, X), Y), "b": choice(sequence(A, Z), X)},
        [
            'a ::= ("y" a/a) | ("x" a/b)',
            'a/a ::= "" | ("z" a/b)',
            'a/b ::= "x" a/a',
        ],
    ),
    "hidden behind what may be empty": (
        {"a": choice(sequence(N, A, X), Y), "n": choice(Z, EMPTY)},
        ['a ::= ((n+ a "x") | "y") a/a', 'n+ ::= "z"', 'a/a ::= "" | ("x" a/a)'],
    ),
    "itself may be empty": (
        {"a": choice(sequence(A, X), EMPTY)},
        ['a ::= ("x" a/a) | ""', 'a/a ::= "" | ("x" a/a)'],
    ),
    "in a repetition": (
        {"a": choice(sequence(repeat(A, 2, 3), X), Y)},
        ['a ::= "y" a/a', 'a/a ::= "" | (a{1,2} "x" a/a)'],
    ),
    "nothing but itself": ({"a": choice(A, X)}, ['a ::= "x" a/a', 'a/a ::= "" | a/a']),
}


@pytest.mark.parametrize("name", CASES)
def test_before_and_after(name: str):
    rules, expected = CASES[name]
    before = dict(rules)
    after = without_left_recursion(Grammar("a", rules))
    assert print_grammar(after).splitlines() == expected
    assert rules == before


def test_a_grammar_without_left_recursion_is_kept():
    grammar = Grammar("a", {"a": sequence(N, X, A), "n": EMPTY})
    assert without_left_recursion(grammar) is grammar


LONGEST = 4
"""Languages are compared up to texts of this length."""

NAMES = ("a", "b", "c")


def expressions() -> st.SearchStrategy[g.Expression]:
    atoms = st.sampled_from([X, Y, EMPTY, *map(Reference, NAMES), *map(Reference, NAMES)])
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: sequence(*parts)),
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: choice(*parts)),
            st.builds(repeat, inner, st.integers(0, 1), st.sampled_from([1, 2, None])),
        ),
        max_leaves=6,
    )


def enumerated(rules: Mapping[str, g.Expression]) -> set[bytes]:
    """The texts of rule "a" up to the longest: what follows from what is known, until nothing new does."""
    known: dict[str, set[bytes]] = {name: set() for name in rules}
    while True:
        grown = {name: texts(body, known) for name, body in rules.items()}
        if grown == known:
            return known["a"]
        known = grown


def texts(expression: g.Expression, known: Mapping[str, set[bytes]]) -> set[bytes]:
    match expression:
        case Literal(text):
            return {text} if len(text) <= LONGEST else set()
        case Reference(rule):
            return known[rule]
        case g.Sequence(items):
            return joined([texts(item, known) for item in items])
        case g.Choice(options):
            return set().union(*(texts(option, known) for option in options))
        case g.Repeat(item, minimum, maximum):
            once, found = texts(item, known), set()
            for count in range(minimum, (LONGEST + minimum if maximum is None else maximum) + 1):
                found |= joined([once] * count)
            return found
        case _:
            raise ValueError(f"expected an expression of literals and rules, found {expression}")


def joined(parts: list[set[bytes]]) -> set[bytes]:
    found = {b""}
    for part in parts:
        found = {left + right for left, right in product(found, part) if len(left + right) <= LONGEST}
    return found


def walked(grammar: Grammar) -> set[bytes]:
    """The texts that a matcher takes, up to the longest; each state's mask says exactly what it accepts."""
    found: set[bytes] = set()
    waiting = [(matcher_of(grammar, byte_vocabulary()), b"")]
    for matcher, text in waiting:
        if matcher.is_complete():
            found.add(text)
            assert matcher.closing() == b""
        mask = matcher.mask()
        for byte in b"xyz":
            twin = matcher.fork()
            accepted = twin.accept(byte)
            assert accepted == bool(mask[byte >> 5] >> (byte & 31) & 1)
            if accepted and len(text) < LONGEST:
                waiting.append((twin, text + bytes((byte,))))
            if accepted:
                closed = twin.fork()
                assert all(map(closed.accept, closed.closing()))
                assert closed.is_complete()
    return found


@pytest.mark.parametrize("threshold", [states.MERGE_THRESHOLD, 0], ids=["as it is", "stacks always merged"])
def test_any_rules_keep_their_language(threshold: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(states, "MERGE_THRESHOLD", threshold)

    @settings(max_examples=150, deadline=None)
    @given(st.fixed_dictionaries({name: expressions() for name in NAMES}))
    def check(rules: dict[str, g.Expression]) -> None:
        pruned = prune(Grammar("a", rules))
        if pruned.rules["a"] is not NEVER:
            turned = prune(without_left_recursion(pruned))
            assert walked(turned) == enumerated(rules)

    check()
