"""The pushdown automaton: a grammar's graph, and the leaf languages it calls, in one space of integer nodes.

A node below ``LEAF`` belongs to the graph. A node from ``LEAF`` on is a state of a leaf language:
``(index of the leaf + 1) * LEAF + state``.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from schema_compiler.engine.leaves.difference import DifferenceLeaf
from schema_compiler.engine.leaves.distinct_pieces import DistinctPieces, FiniteLeaf
from schema_compiler.engine.leaves.history import HistoryLeaf
from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.leaves.selection import SelectionLeaf
from schema_compiler.engine.vocabulary.leaves import Leaves
from schema_compiler.errors import UnboundLeafError
from schema_compiler.grammar.graph import Graph
from schema_compiler.grammar.ir import Bound, BoundList, Counted, Difference, Distinct, Leaf, Reference, Selection

__all__ = ["LEAF", "Automaton"]

_LEAF_BITS = 48
"""The bits for the state of a leaf: more states than memory could hold, also for leaves that number what they read."""
LEAF = 1 << _LEAF_BITS
"""The first node that belongs to a leaf; see the module's docstring."""
_STATE = LEAF - 1
"""The bits of a node that are the leaf's state."""


class Automaton:
    """Graph and leaves. Rules are lowered and explored, and leaves attached, when a document first reaches them.

    ``bound``: the leaves that belong to one request, by the names that the grammar's ``Bound`` symbols use.
    ``remembers``: some leaf reached so far must not read the same text twice.
    """

    def __init__(self, graph: Graph, leaves: Leaves, bound: Mapping[str, LeafLanguage] = MappingProxyType({})) -> None:
        self.graph = graph
        self.leaves = leaves
        self.node = graph.node
        self.nodes = graph.nodes
        self.targets = graph.targets
        self.within = graph.within
        self.root = graph.root
        self.remembers = False
        self._bound = bound
        self._lock = threading.Lock()
        self._starts: dict[int, int] = {}
        self._languages: list[LeafLanguage] = []
        self._of_request: set[int] = set()

    def start(self, callee: int) -> int:
        """The first node of a callee (the index of a symbol, as in ``Node.calls``)."""
        node = self._starts.get(callee)
        return self._attach(callee) if node is None else node

    def language(self, node: int) -> tuple[LeafLanguage, int]:
        """The leaf that a node from ``LEAF`` on belongs to, and the state it stands for."""
        return self._languages[(node >> _LEAF_BITS) - 1], node & _STATE

    def _attach(self, callee: int) -> int:
        symbol = self.graph.symbols[callee]
        match symbol:
            case Reference(rule):
                start = self.graph.start(rule)
            case Leaf(dfa=dfa, digest=digest):
                start = self._attach_leaf(self.leaves.plain(digest, dfa))
            case Counted(dfa=dfa, digest=digest, minimum=minimum, maximum=maximum):
                start = self._attach_leaf(self.leaves.counted(digest, dfa, minimum, maximum))
            case Difference(base=base, spellings=spellings):
                start = self._attach_leaf(DifferenceLeaf(self.leaves.plain(base.digest, base.dfa), spellings))
            case Distinct(leaf):
                inner, _ = self.language(self.start(self.graph.number(leaf)))
                start = self._attach_leaf(HistoryLeaf(inner))
                self.remembers = True
            case Selection(values, separator, minimum, maximum):
                between = self.leaves.plain(separator.digest, separator.dfa)
                start = self._attach_leaf(SelectionLeaf(values, between, minimum, maximum))
            case Bound(name):
                start = self._attach_leaf(self._supplied(name), of_request=True)
            case BoundList(name, separator, minimum, maximum):
                start = self._attach_leaf(self._supplied_list(name, separator, minimum, maximum), of_request=True)
            case _:
                assert_never(symbol)
        return self._starts.setdefault(callee, start)

    def _supplied(self, name: str) -> LeafLanguage:
        if name not in self._bound:
            raise UnboundLeafError(f"the grammar asks for a leaf named {name!r}, found {sorted(self._bound)}")
        return self._bound[name]

    def _supplied_list(self, name: str, separator: Leaf, minimum: int, maximum: int | None) -> LeafLanguage:
        leaf = self._supplied(name)
        if not isinstance(leaf, FiniteLeaf):
            raise UnboundLeafError(f"the grammar asks for a leaf of finitely many texts named {name!r}, found {leaf!r}")
        return DistinctPieces(leaf, self.leaves.plain(separator.digest, separator.dfa), minimum, maximum)

    def is_of_request(self, node: int) -> bool:
        """Whether the leaf that a node from ``LEAF`` on belongs to is one of the request's, or made of one."""
        return (node >> _LEAF_BITS) - 1 in self._of_request

    def _attach_leaf(self, language: LeafLanguage, *, of_request: bool = False) -> int:
        with self._lock:
            if of_request:
                self._of_request.add(len(self._languages))
            self._languages.append(language)
            return len(self._languages) * LEAF + language.start
