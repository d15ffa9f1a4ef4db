"""Rule inlining and node merging: graphs as text, and their size."""

from __future__ import annotations

import pytest

from schema_compiler.grammar.graph import Graph
from schema_compiler.grammar.ir import EMPTY, Choice, Expression, Grammar, Literal, Reference, Repeat, Sequence
from schema_compiler.grammar.printing import explored, print_graph

A, B, C = Literal(b"a"), Literal(b"b"), Literal(b"c")
LONG = Literal(b"x" * 100)
S, R = Reference("s"), Reference("r")


CASES: dict[str, tuple[dict[str, Expression], str]] = {
    "common prefixes share nodes": (
        {"s": Choice((Literal(b"abx"), Literal(b"aby")))},
        's ::=\n  0: "a" 1\n  1: "b" 2\n  2: [x-y] 3\n  3: end',
    ),
    "so do those of rules in tail position": (
        {"s": Choice((R, Sequence((A, B)))), "r": Sequence((A, C))},
        's ::=\n  0: "a" 1\n  1: [b-c] 2\n  2: end',
    ),
    "elsewhere a rule is called": (
        {"s": Sequence((R, C)), "r": Choice((A, B))},
        's ::=\n  0: r 1\n  1: "c" 2\n  2: end\nr ::=\n  0: [a-b] 1\n  1: end',
    ),
    "recursion stays a call": (
        {"s": Choice((Sequence((A, S, B)), C))},
        's ::=\n  0: "a" 1 | "c" 2\n  1: s 3\n  2: end\n  3: "b" 2',
    ),
    "recursion in tail position needs none": (
        {"s": Choice((Sequence((A, S)), B))},
        's ::=\n  0: "a" 1 | "b" 2\n  1: "a" 1 | "b" 2\n  2: end',
    ),
    "a loop comes back to itself": (
        {"s": Sequence((Repeat(Sequence((A, B)), 0, None), C))},
        's ::=\n  0: "a" 1 | "c" 2\n  1: "b" 3\n  2: end\n  3: "a" 1 | "c" 2',
    ),
    "bounds are counted": (
        {"s": Repeat(A, 1, 3)},
        's ::=\n  0: "a" 1\n  1: "a" 2 | end\n  2: "a" 3 | end\n  3: end',
    ),
    "the empty text": ({"s": Choice((A, EMPTY))}, 's ::=\n  0: "a" 1 | end\n  1: end'),
}


@pytest.mark.parametrize("name", CASES)
def test_graphs(name: str) -> None:
    """Nodes numbered as they are met."""
    rules, expected = CASES[name]
    assert print_graph(Graph(Grammar("s", rules)), "s") == expected


def test_large_rules_are_called_and_shared() -> None:
    """A body of many nodes that others follow is one rule, whoever calls it."""
    graph = Graph(Grammar("s", {"s": Choice((Sequence((A, R, A)), Sequence((B, R, B)))), "r": LONG}))
    assert list(explored(graph, "s")) == ["s", "r"]
    assert list(explored(Graph(Grammar("s", {"s": Sequence((A, R)), "r": LONG})), "s")) == ["s"]


def test_switches() -> None:
    """Without inlining each reference is a call; without merging each alternative has its own nodes."""
    rules: dict[str, Expression] = {"s": Choice((R, Literal(b"ax"))), "r": Literal(b"ay")}
    assert list(explored(Graph(Grammar("s", rules), inline=False), "s")) == ["s", "r"]
    merged = explored(Graph(Grammar("s", rules)), "s")["s"]
    apart = explored(Graph(Grammar("s", rules), merge=False), "s")["s"]
    assert (len(merged), len(apart)) == (3, 4)


def test_optional_chain_is_linear() -> None:
    """Two hundred optional properties take nodes in proportion to their number."""

    def size(count: int) -> int:
        rules: dict[str, Expression] = {
            f"m{index}": Choice(
                (Sequence((Literal(b"p%03d" % index), Reference(f"m{index + 1}"))), Reference(f"m{index + 1}"))
            )
            for index in range(count)
        }
        rules[f"m{count}"] = Literal(b"}")
        return len(explored(Graph(Grammar("m0", rules)), "m0")["m0"])

    assert size(200) <= 2 * size(100) + 10


def test_nodes_are_explored_when_looked_at() -> None:
    """A large bound costs nothing until a document counts that far."""
    graph = Graph(Grammar("s", {"s": Repeat(A, 0, 30_000)}))
    start = graph.start("s")
    assert len(graph.nodes) < 5
    (target,) = graph.targets(start, ord("a"))
    graph.node(target)
    assert len(graph.nodes) < 8
