"""Node merging: within a rule, alternatives that read the same byte share a node.

Two union members that both begin ``{"type": "`` are two nodes per byte until the values differ. Determinising the
rule's graph (subset construction over bytes and call symbols) leaves one; equal nodes are then shared from the end
backwards. Fewer nodes in a state means fewer scans per mask. After XGrammar (arXiv 2411.15100, section 3.4).
"""

from __future__ import annotations

from collections.abc import Iterable

from schema_compiler.grammar.grammar import Grammar, Graph, Node, Symbol, rules_by
from schema_compiler.grammar.graph import graph_of

__all__ = ["merge"]


def merge(grammar: Grammar) -> Grammar:
    """The grammar with every body a deterministic graph of distinct nodes."""
    return rules_by(grammar, lambda name: _share(_determinise(graph_of(grammar.rules[name]))))


def _determinise(graph: Graph) -> Graph:
    """Subset construction; a symbol called by several members returns to the set of their return nodes."""
    if all(_deterministic(node) for node in graph.nodes):
        return graph
    number: dict[frozenset[int], int] = {frozenset((0,)): 0}
    order = [frozenset((0,))]
    nodes = []

    def numbered(targets: Iterable[int]) -> int:
        subset = frozenset(targets)
        if subset not in number:
            number[subset] = len(order)
            order.append(subset)
        return number[subset]

    for subset in order:
        edges: dict[int, set[int]] = {}
        calls: dict[Symbol, set[int]] = {}
        members = [graph.nodes[member] for member in sorted(subset)]
        for node in members:
            for byte, targets in node.edges.items():
                edges.setdefault(byte, set()).update(targets)
            for symbol, target in node.calls:
                calls.setdefault(symbol, set()).add(target)
        nodes.append(
            Node(
                {byte: (numbered(targets),) for byte, targets in edges.items()},
                tuple((symbol, numbered(targets)) for symbol, targets in calls.items()),
                any(node.accepting for node in members),
            )
        )
    return Graph(tuple(nodes))


def _deterministic(node: Node) -> bool:
    single = all(len(targets) == 1 for targets in node.edges.values())
    return single and len({symbol for symbol, _ in node.calls}) == len(node.calls)


def _share(graph: Graph) -> Graph:
    """Nodes with equal moves are one node, found in one sweep from the end (loops keep their own nodes)."""
    kept: dict[object, int] = {}
    same = list(range(len(graph.nodes)))
    for index in _children_first(graph):
        node = graph.nodes[index]
        edges = tuple(sorted((byte, same[target]) for byte, (target,) in node.edges.items()))
        calls = frozenset((symbol, same[target]) for symbol, target in node.calls)
        same[index] = kept.setdefault((edges, calls, node.accepting), index)
    return _renumber(graph, same)


def _children_first(graph: Graph) -> list[int]:
    order: list[int] = []
    entered = [False] * len(graph.nodes)
    waiting = [(0, False)]
    while waiting:
        index, leaving = waiting.pop()
        if leaving:
            order.append(index)
        elif not entered[index]:
            entered[index] = True
            waiting.append((index, True))
            waiting.extend((target, False) for target in _targets(graph.nodes[index]) if not entered[target])
    return order


def _renumber(graph: Graph, same: list[int]) -> Graph:
    number = {same[0]: 0}
    order = [same[0]]
    for index in order:
        for target in _targets(graph.nodes[index]):
            if same[target] not in number:
                number[same[target]] = len(order)
                order.append(same[target])
    return Graph(
        tuple(
            Node(
                {byte: tuple(number[same[t]] for t in targets) for byte, targets in graph.nodes[index].edges.items()},
                tuple((symbol, number[same[target]]) for symbol, target in graph.nodes[index].calls),
                graph.nodes[index].accepting,
            )
            for index in order
        )
    )


def _targets(node: Node) -> Iterable[int]:
    for targets in node.edges.values():
        yield from targets
    for _, target in node.calls:
        yield target
