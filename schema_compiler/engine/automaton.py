"""The pushdown automaton: a grammar's graph, and the leaf languages it calls, in one space of integer nodes.

A node below ``LEAF`` belongs to the graph. A node from ``LEAF`` on is a state of a leaf language:
``(index of the leaf + 1) * LEAF + state``.
"""

from __future__ import annotations

import threading
from typing import assert_never

from schema_compiler.engine.leaf import LeafLanguage, Leaves
from schema_compiler.engine.undeclared import UndeclaredLeaf
from schema_compiler.grammar.grammar import Counted, Grammar, Leaf, Reference, Undeclared
from schema_compiler.grammar.graph import Graph

__all__ = ["LEAF", "Automaton"]

LEAF_BITS = 48
LEAF = 1 << LEAF_BITS
_STATE = LEAF - 1


class Automaton:
    """Graph and leaves. Rules are lowered and explored, and leaves attached, when a document first reaches them."""

    def __init__(self, grammar: Grammar, leaves: Leaves, *, inline: bool = True, merge: bool = True) -> None:
        self._graph = Graph(grammar, inline=inline, merge=merge)
        self.leaves = leaves
        self._lock = threading.Lock()
        self._starts: dict[int, int] = {}
        self._languages: list[LeafLanguage] = []
        self.node = self._graph.node
        self.nodes = self._graph.nodes
        self.within = self._graph.within
        self.root = self._graph.start(grammar.start)

    def start(self, callee: int) -> int:
        """The first node of a callee (the index of a symbol, as in ``Node.calls``)."""
        node = self._starts.get(callee)
        return self._attach(callee) if node is None else node

    def language(self, node: int) -> tuple[LeafLanguage, int]:
        """The leaf that a node from ``LEAF`` on belongs to, and the state it stands for."""
        return self._languages[(node >> LEAF_BITS) - 1], node & _STATE

    def _attach(self, callee: int) -> int:
        symbol = self._graph.symbols[callee]
        match symbol:
            case Reference(rule):
                start = self._graph.start(rule)
            case Leaf(dfa=dfa, digest=digest):
                start = self._attach_leaf(self.leaves.plain(digest, dfa))
            case Counted(dfa=dfa, digest=digest, minimum=minimum, maximum=maximum):
                start = self._attach_leaf(self.leaves.counted(digest, dfa, minimum, maximum))
            case Undeclared(base=base, spellings=spellings):
                start = self._attach_leaf(UndeclaredLeaf(self.leaves.plain(base.digest, base.dfa), spellings))
            case _:
                assert_never(symbol)
        return self._starts.setdefault(callee, start)

    def _attach_leaf(self, language: LeafLanguage) -> int:
        with self._lock:
            self._languages.append(language)
            return len(self._languages) * LEAF + language.start
