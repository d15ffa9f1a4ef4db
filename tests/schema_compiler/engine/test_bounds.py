"""Adversarial schemas: what they cost is counted in nodes, rules and states, not in seconds."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.compiler import compile_schema
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.matchers import GrammarMatchers
from schema_compiler.engine.pushdown.automaton import Automaton
from schema_compiler.engine.pushdown.masks import PushdownEngine
from schema_compiler.grammar.graph import Graph
from schema_compiler.grammar.ir import Grammar, Literal, Reference, choice
from schema_compiler.grammar.passes.prune import prune
from schema_compiler.lowering.lower import lower
from schema_compiler.schema import ir as s
from tests.assembly import ids_in, matcher_of
from tests.vocabularies import byte_vocabulary, made_up_vocabulary

VOCABULARY = made_up_vocabulary()


class Counting:
    """An engine whose tables can be counted."""

    def __init__(self, schema: s.Schema) -> None:
        self.grammar: Grammar = prune(lower(s.NormalizedSchema(schema, {})))
        self.automaton = Automaton(Graph(self.grammar), VOCABULARY.leaves)
        self.engine = PushdownEngine(self.automaton, VOCABULARY)

    def cost(self, text: bytes) -> tuple[int, int, int]:
        """Rules, nodes and bytes of tables after masks at every token of ``text``."""
        matcher = Matcher(self.engine)
        for token_id in VOCABULARY.tokenize(text):
            matcher.mask()
            assert matcher.accept(token_id)
        matcher.mask()
        return len(self.grammar.rules), len(self.automaton.nodes), self.engine.size


@pytest.mark.parametrize(
    ("small", "large", "text"),
    [
        (s.String(max_length=50), s.String(max_length=100_000), b'"some text'),
        (s.String(min_length=20), s.String(min_length=100_000), b'"some text'),
        (s.Array(items=s.Null(), max_items=20), s.Array(items=s.Null(), max_items=30_000), b"[null, null, nul"),
        (s.Array(items=s.Null(), min_items=20), s.Array(items=s.Null(), min_items=30_000), b"[null, null, nul"),
        (
            s.Object(rules=(s.KeyRule(s.String(), s.Null()),), max_properties=20),
            s.Object(rules=(s.KeyRule(s.String(), s.Null()),), max_properties=30_000),
            b'{"a": null, "b": null',
        ),
        (
            s.Object(tuple(s.Property(f"p{number}", s.Null(), False) for number in range(20))),
            s.Object(tuple(s.Property(f"p{number}", s.Null(), False) for number in range(20))),
            b'{"p0": null, "p1": null',
        ),
    ],
)
def test_bounds_cost_nothing_until_reached(small: s.Schema, large: s.Schema, text: bytes) -> None:
    """The same document under a bound a thousand times as large."""
    assert Counting(small).cost(text) == Counting(large).cost(text)


def test_many_optional_properties() -> None:
    """Nodes in proportion to the properties, however many subsets there are."""

    def nodes(count: int) -> int:
        schema = s.Object(tuple(s.Property(f"p{number:04}", s.Null(), False) for number in range(count)))
        return Counting(schema).cost(b'{"p0000": null, "p%04d": null}' % (count - 1))[1]

    assert nodes(400) <= 3 * nodes(200)


def test_large_enumeration() -> None:
    """1,200 texts are one leaf, not 1,200 alternatives."""
    counting = Counting(s.Enumeration(tuple(f"item-{number:04}" for number in range(1200))))
    assert counting.cost(b'"item-0999"')[1] < 10


def deep(depth: int) -> Any:
    """Arrays in arrays."""
    return {"$ref": "#/$defs/T", "$defs": {"T": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}, b"[" * depth


def test_deep_nesting() -> None:
    """Two thousand open brackets: masks, forks, endings and rollback, without recursion in Python."""
    schema, text = deep(2_000)
    matcher = compile_schema(schema, byte_vocabulary()).matcher()
    for byte in text:
        assert matcher.accept(byte)
    assert sorted(ids_in(matcher.mask(), byte_vocabulary())) == [ord("["), ord("]")]
    closing = matcher.closing()
    assert closing == b"]" * 2_000
    assert all(map(matcher.accept, closing))
    assert matcher.is_complete()
    matcher.rollback(2_000)
    assert matcher.closing() == closing


def test_left_recursive_references() -> None:
    """A rule that is first of all itself is what remains of it."""
    rules = {"a": choice(Reference("b"), Literal(b"null")), "b": choice(Reference("a"), Literal(b"no"))}
    matcher = matcher_of(Grammar("a", rules), byte_vocabulary())
    assert matcher.forced() == b"n"
    assert matcher.closing() == b"no"
    assert ids_in(matcher.mask(), byte_vocabulary()) == [ord("n")]


def test_an_engine_beyond_its_budget_is_replaced() -> None:
    """Later matchers start afresh with the same masks and new state numbers; earlier ones go on."""
    grammar = lower(s.NormalizedSchema(s.Array(items=s.Array(items=s.Null())), {}))
    matchers = GrammarMatchers(lambda: prune(grammar), VOCABULARY, budget=10_000)
    first, seen = matchers.matcher(), dict[int, bytes]()
    for _ in range(6):
        matcher = matchers.matcher()
        for token_id in VOCABULARY.tokenize(b"[[null, null], [], [null]]"):
            assert seen.setdefault(matcher.state_id, matcher.mask().tobytes()) == matcher.mask().tobytes()
            assert matcher.accept(token_id)
        assert matcher.is_complete()
    assert matchers.matcher().state_id != first.state_id
    assert (matchers.matcher().mask() == first.mask()).all()
    assert all(map(first.accept, VOCABULARY.tokenize(b"[[null]]")))
