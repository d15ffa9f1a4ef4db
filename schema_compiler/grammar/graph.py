"""From an expression to a graph: an automaton over bytes and rule calls, without empty moves.

The graph is built from the end backwards: ``build(expression, after)`` returns the node from which the expression
leads to ``after``. Equal continuations are therefore one node, and an expression object that occurs twice before
the same continuation is built once: a chain of optional properties costs nodes in proportion to its length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from schema_compiler.grammar.grammar import (
    Bytes,
    Choice,
    Counted,
    Expression,
    Graph,
    Leaf,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    Symbol,
)

__all__ = ["graph_of"]


def graph_of(body: Expression) -> Graph:
    """The body as a graph; a body that is one already is returned as it is."""
    if isinstance(body, Graph):
        return body
    builder = _Builder()
    end = builder.new(_Draft(accepting=True))
    return builder.graph(builder.build(body, end))


@dataclass(slots=True)
class _Draft:
    """A node under construction; ``empty`` are moves that read nothing."""

    edges: dict[int, int] = field(default_factory=dict)
    calls: tuple[tuple[Symbol, int], ...] = ()
    empty: tuple[int, ...] = ()
    accepting: bool = False


class _Builder:
    def __init__(self) -> None:
        self.drafts: list[_Draft] = []
        self._built: dict[tuple[int, int], int] = {}

    def new(self, draft: _Draft) -> int:
        self.drafts.append(draft)
        return len(self.drafts) - 1

    def build(self, expression: Expression, after: int) -> int:
        key = (id(expression), after)
        node = self._built.get(key)
        if node is None:
            node = self._built[key] = self._build(expression, after)
        return node

    def _build(self, expression: Expression, after: int) -> int:
        match expression:
            case Literal(text):
                for byte in reversed(text):
                    after = self.new(_Draft(edges={byte: after}))
                return after
            case Bytes(members):
                return self.new(_Draft(edges=dict.fromkeys(sorted(members), after)))
            case Sequence(items):
                for item in reversed(items):
                    after = self.build(item, after)
                return after
            case Choice(options):
                return self.new(_Draft(empty=tuple(self.build(option, after) for option in options)))
            case Repeat(item, minimum, maximum):
                return self._repeat(item, minimum, maximum, after)
            case Reference() | Leaf() | Counted():
                return self.new(_Draft(calls=((expression, after),)))
            case Graph():
                raise AssertionError("a graph is a whole rule body, never a part of one")
            case _:
                assert_never(expression)

    def _repeat(self, item: Expression, minimum: int, maximum: int | None, after: int) -> int:
        node = after
        if maximum is None:
            loop = self.new(_Draft())
            self.drafts[loop].empty = (self.build(item, loop), after)
            node = loop
        else:
            for _ in range(maximum - minimum):
                node = self.new(_Draft(empty=(self.build(item, node), after)))
        for _ in range(minimum):
            node = self.build(item, node)
        return node

    def graph(self, start: int) -> Graph:
        """The nodes reachable from ``start``, empty moves folded into the nodes they leave."""
        number = {start: 0}
        order = [start]
        nodes = []
        for draft_index in order:
            edges: dict[int, list[int]] = {}
            calls: dict[tuple[Symbol, int], None] = {}
            accepting = False
            for member in self._closure(draft_index):
                draft = self.drafts[member]
                accepting |= draft.accepting
                for byte, target in draft.edges.items():
                    targets = edges.setdefault(byte, [])
                    if target not in targets:
                        targets.append(target)
                calls.update(dict.fromkeys(draft.calls))
            for target in _targets(edges, calls):
                if target not in number:
                    number[target] = len(order)
                    order.append(target)
            nodes.append(
                Node(
                    {byte: tuple(number[target] for target in targets) for byte, targets in edges.items()},
                    tuple((symbol, number[target]) for symbol, target in calls),
                    accepting,
                )
            )
        return Graph(tuple(nodes))

    def _closure(self, node: int) -> Iterable[int]:
        if not self.drafts[node].empty:
            return (node,)
        found = {node: None}
        waiting = [node]
        while waiting:
            for target in reversed(self.drafts[waiting.pop()].empty):
                if target not in found:
                    found[target] = None
                    waiting.append(target)
        return found


def _targets(edges: dict[int, list[int]], calls: Iterable[tuple[Symbol, int]]) -> Iterable[int]:
    for targets in edges.values():
        yield from targets
    for _, target in calls:
        yield target
