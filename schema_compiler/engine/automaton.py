"""The pushdown automaton: the rules' graphs in one space of integer nodes, numbered on demand.

A node below ``LEAF`` belongs to a rule's graph. A node from ``LEAF`` on is a state of a leaf language:
``(index of the leaf + 1) * LEAF + state``. A rule is lowered, rewritten and numbered when it is first called.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from schema_compiler.engine.leaf import LeafLanguage, Leaves
from schema_compiler.grammar.grammar import Counted, Grammar, Leaf, Reference, Symbol
from schema_compiler.grammar.graph import graph_of

__all__ = ["LEAF", "Automaton"]

LEAF = 1 << 48


class Automaton:
    """Nodes of all rules reached so far. Lists only grow, under a lock; a start is published when it is complete.

    ``edges[node]``: the nodes after each byte. ``calls[node]``: ``(callee, return node)``. ``accepting[node]``:
    the rule may end. ``final[node]``: it must end, so a call that returns here needs no frame. ``plain[node]``: it
    only reads bytes.
    """

    def __init__(self, grammar: Grammar, leaves: Leaves) -> None:
        self._grammar = grammar
        self._leaves = leaves
        self._lock = threading.RLock()
        self._callees: dict[Symbol, int] = {}
        self._symbols: list[Symbol] = []
        self._starts: list[int] = []
        self._languages: list[LeafLanguage] = []
        self.edges: list[Mapping[int, tuple[int, ...]]] = []
        self.calls: list[tuple[tuple[int, int], ...]] = []
        self.accepting: list[bool] = []
        self.final: list[bool] = []
        self.plain: list[bool] = []
        self.root = self.start(self._callee(Reference(grammar.start)))

    def start(self, callee: int) -> int:
        """The first node of a callee, built now if it is met for the first time."""
        node = self._starts[callee]
        return node if node >= 0 else self._build(callee)

    def language(self, node: int) -> tuple[LeafLanguage, int]:
        """The leaf a node from ``LEAF`` on belongs to, and the state it stands for."""
        index, state = divmod(node, LEAF)
        return self._languages[index - 1], state

    def _callee(self, symbol: Symbol) -> int:
        index = self._callees.get(symbol)
        if index is None:
            self._symbols.append(symbol)
            self._starts.append(-1)
            index = self._callees[symbol] = len(self._starts) - 1
        return index

    def _build(self, callee: int) -> int:
        with self._lock:
            if self._starts[callee] < 0:
                self._starts[callee] = self._number(self._symbols[callee])
            return self._starts[callee]

    def _number(self, symbol: Symbol) -> int:
        match symbol:
            case Reference(rule):
                return self._number_rule(rule)
            case Leaf(dfa=dfa, digest=digest):
                return self._number_leaf(self._leaves.plain(digest, dfa))
            case Counted(dfa=dfa, digest=digest, minimum=minimum, maximum=maximum):
                return self._number_leaf(self._leaves.counted(digest, dfa, minimum, maximum))

    def _number_leaf(self, language: LeafLanguage) -> int:
        self._languages.append(language)
        return len(self._languages) * LEAF + language.start

    def _number_rule(self, rule: str) -> int:
        nodes = graph_of(self._grammar.rules[rule]).nodes
        first = len(self.edges)
        for node in nodes:
            self.calls.append(tuple((self._callee(symbol), first + target) for symbol, target in node.calls))
            self.accepting.append(node.accepting)
            self.plain.append(not node.accepting and not node.calls)
            self.final.append(node.accepting and not node.edges and not node.calls)
        self.edges.extend(
            {byte: tuple(first + target for target in targets) for byte, targets in node.edges.items()}
            for node in nodes
        )
        return first
