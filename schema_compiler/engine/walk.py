"""One pass of a table over the vocabulary: which trie nodes it admits, and where in the table they lead.

The pass goes level by level, gathering the children of the nodes still alive. From the root, once a good part of a
level is alive (the text of a string admits nearly all), it is cheaper to carry a state for every node of the levels
that remain, the dead ones included: then nothing has to be gathered, and tokens are looked up by their node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from schema_compiler.engine.scan import Piece, pieces_at
from schema_compiler.engine.trie import Int32Array, Position, Trie
from schema_compiler.grammar.dfa import Dfa

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Walk", "walk"]

Reached: TypeAlias = tuple[Int32Array, Int32Array, Int32Array]
"""Ids of nodes or tokens; for each the state of the table, and the characters begun on the way there."""

Narrow: TypeAlias = "npt.NDArray[np.signedinteger[Any]]"
"""Integers of 16 bits where those are enough, else of 32."""

_DENSE = 4
"""A level is walked densely when more than one in so many of its nodes is alive."""
_SMALL = 1024
"""Levels up to this size are not worth it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Sparse:
    """The nodes reached, as a list."""

    trie: Trie
    nodes: Int32Array
    states: Int32Array
    begun: Int32Array

    def pieces(self) -> tuple[Piece, ...]:
        """The tokens that end where the walk came: one piece, or none."""
        return pieces_at(self.nodes, self.trie)

    def tokens(self) -> Reached:
        """The same, one by one."""
        ids, owner = self.trie.tokens_at(self.nodes)
        return ids, self.states[owner], self.begun[owner]

    def ended(self, accepting: npt.NDArray[np.bool_]) -> Reached:
        """The nodes where the table accepts."""
        kept = np.flatnonzero(accepting[self.states])
        return self.nodes[kept], self.states[kept], self.begun[kept]


@dataclass(frozen=True, slots=True, eq=False)
class _Dense:
    """A state for every node of the trie; ``dead`` where the walk did not come."""

    trie: Trie
    dead: int
    states: Narrow
    begun: Int32Array

    def pieces(self) -> tuple[Piece, ...]:
        """The tokens that end where the walk came: one piece, or none."""
        flags = self.states.take(self.trie.node_of_token, mode="clip") < self.dead
        flags &= self.trie.is_text
        return (np.packbits(flags, bitorder="little").view(np.uint32),)

    def tokens(self) -> Reached:
        """The same, one by one."""
        states = self.states.take(self.trie.node_of_token, mode="clip")
        ids = np.flatnonzero((states < self.dead) & self.trie.is_text).astype(np.int32)
        return ids, states[ids].astype(np.int32), self._begun(self.trie.node_of_token[ids])

    def ended(self, accepting: npt.NDArray[np.bool_]) -> Reached:
        """The nodes where the table accepts."""
        nodes = np.flatnonzero(np.append(accepting, False).take(self.states)).astype(np.int32)
        return nodes, self.states[nodes].astype(np.int32), self._begun(nodes)

    def _begun(self, nodes: Int32Array) -> Int32Array:
        return self.begun[nodes] if self.begun.size else np.zeros(nodes.size, np.int32)


Walk: TypeAlias = _Sparse | _Dense


def walk(position: Position, dfa: Dfa, state: int, *, count: bool) -> Walk:
    """Everything ``dfa`` admits from ``position`` on, starting in ``state``; characters are counted if ``count``."""
    trie, table = position.trie, dfa.table
    begins = (dfa.boundary[:, None] & ~dfa.accepting[table] & (table >= 0)) if count else None
    nodes = position.nodes
    states = np.full(nodes.size, state, np.int32)
    begun = np.zeros(nodes.size, np.int32)
    levels: list[Reached] = []
    while nodes.size:
        depth = len(levels)
        if position is trie.root and depth and nodes.size * _DENSE > trie.level_size(depth) > _SMALL:
            return _dense(trie, table, begins, levels)
        children, owner = trie.children(nodes)
        bytes_ = trie.byte[children]
        before = states[owner]
        after = table[before, bytes_]
        alive = np.flatnonzero(after >= 0)
        nodes, states = children[alive], after[alive]
        if begins is not None:
            begun = begun[owner[alive]] + begins[before[alive], bytes_[alive]]
        levels.append((nodes, states, begun if begins is not None else np.zeros(nodes.size, np.int32)))
    return _Sparse(trie, *(np.concatenate(parts) for parts in zip(*levels, strict=True)))


def _dense(trie: Trie, table: Int32Array, begins: npt.NDArray[np.bool_] | None, levels: list[Reached]) -> _Dense:
    """The walk goes on below ``levels`` with a state for every node, the table having one more for the dead."""
    dead = len(table)
    kind = np.int16 if dead < np.iinfo(np.int16).max else np.int32
    flat = np.full((dead + 1) << 8, dead, kind)
    flat[: dead << 8] = np.where(table < 0, dead, table).ravel()
    found: Narrow = np.full(trie.size, dead, kind)
    begun = np.zeros(0 if begins is None else trie.size, np.int32)
    first = None if begins is None else np.append(begins.ravel(), np.zeros(256, np.bool_))
    for nodes, states, characters in levels:
        found[nodes] = states
        if first is not None:
            begun[nodes] = characters
    for start, stop in trie.levels_below(len(levels)):
        parents = trie.parents[start:stop]
        moves = found.take(parents).astype(np.int32)
        moves <<= 8
        moves += trie.byte[start:stop]
        found[start:stop] = flat.take(moves)
        if first is not None:
            begun[start:stop] = begun.take(parents) + first.take(moves)
    return _Dense(trie, dead, found, begun)
