"""One pass of a table over the vocabulary: which trie nodes it admits, and the state of the table at each.

    table of [0-9]+    tokens 1, 12, 1a      nodes of 1 and 12, both in the accepting state; that of 1a is not reached

Trie and table move together, in one of three ways. A few nodes are followed one by one, in plain Python. More are taken
level by level: the children of all nodes still alive are gathered at once (*sparse*). From the root, when a good part
of a level is alive (the inside of a string admits nearly every token), a state is kept for every node of the levels
that remain, -1 for those not reached (*dense*): then nothing has to be gathered, and tokens are looked up by node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.length_groups import LengthGroups
from schema_compiler.engine.tokens.token_sets import TokenSet, token_sets_at
from schema_compiler.engine.tokens.trie import ROOT, Int32Array, NodeSet, Trie
from schema_compiler.regular.automata.dfa import Dfa

__all__ = ["CountedWalk", "Reached", "TrieWalk", "Walk", "begins", "walk", "walk_on"]

Reached: TypeAlias = tuple[Int32Array, Int32Array, Int32Array]
"""Ids of nodes or tokens; for each the state of the table, and how many characters were begun on the way. All int32."""
_States: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Everywhere: TypeAlias = tuple[_States, Int32Array]
"""A state for every node of the trie, and the characters begun there: int32 ``[nodes]``."""

_DENSE = 4
"""A level is walked densely when more than one in so many of its nodes is alive.

Chosen, not measured: gathering a node costs a few times what carrying its state does.
"""
_SMALL = 1024
"""Levels of up to so many nodes are not walked densely: allocating the arrays of all nodes costs as much as they do."""
_FEW = 64
"""So many nodes are followed one by one; for more, some dozen numpy calls are cheaper. Chosen, not measured."""
_THIN = 16
"""A level with up to so many children is walked one by one, for the same reason; one level takes fewer calls."""
_SPREAD = 4
"""A state with more moves than this leads from the root to more than ``_FEW`` nodes, so counting them is not tried."""


class Walk(Protocol):
    """What a table admits of the tokens that go on from some trie nodes."""

    @property
    def is_wide(self) -> bool:
        """Whether this took a pass over much of the vocabulary."""

    def token_sets(self) -> tuple[TokenSet, ...]:
        """The tokens that end inside the table's language."""

    def ended(self, accepting: npt.NDArray[np.bool_]) -> Reached:
        """The nodes at which the table's state is one of ``accepting``: bool ``[states]``."""


class CountedWalk(Walk, Protocol):
    """A walk on which the characters begun were counted, if that was asked for."""

    def groups(self) -> LengthGroups:
        """The tokens that end inside the language, by state and characters begun."""


class TrieWalk(CountedWalk, Protocol):
    """A walk that knows the state at every node it reached."""

    def tokens(self) -> Reached:
        """The tokens that end inside the language, one by one."""

    def everywhere(self, dead: int) -> Everywhere:
        """A state for every node of the trie, ``dead`` where the walk did not come, and the characters begun there."""


@dataclass(frozen=True, slots=True, eq=False)
class _SparseWalk:
    """The nodes reached, as a list."""

    trie: Trie
    nodes: Int32Array
    states: Int32Array
    begun: Int32Array

    @property
    def is_wide(self) -> bool:
        """See ``Walk``."""
        return False

    def everywhere(self, dead: int) -> Everywhere:
        """See ``TrieWalk``."""
        states, begun = np.full(self.trie.size, dead, np.int16), np.zeros(self.trie.size, np.int32)
        states[self.nodes] = self.states
        begun[self.nodes] = self.begun
        return states, begun

    def token_sets(self) -> tuple[TokenSet, ...]:
        """See ``Walk``."""
        return token_sets_at(self.nodes, self.trie)

    def tokens(self) -> Reached:
        """See ``TrieWalk``."""
        ids, owner = self.trie.tokens_at(self.nodes)
        return ids, self.states[owner], self.begun[owner]

    def groups(self) -> LengthGroups:
        """See ``CountedWalk``."""
        return LengthGroups.of(*self.tokens())

    def ended(self, accepting: npt.NDArray[np.bool_]) -> Reached:
        """See ``Walk``."""
        kept = np.flatnonzero(accepting[self.states])
        return self.nodes[kept], self.states[kept], self.begun[kept]


@dataclass(frozen=True, slots=True, eq=False)
class _DenseWalk:
    """A state for every node of the trie; -1 where the walk did not come."""

    trie: Trie
    states: npt.NDArray[np.signedinteger[Any]]
    begun: Int32Array

    @property
    def is_wide(self) -> bool:
        """See ``Walk``."""
        return True

    def everywhere(self, dead: int) -> Everywhere:
        """See ``TrieWalk``."""
        begun = self.begun if self.begun.size else np.zeros(self.trie.size, np.int32)
        return np.where(self.states < 0, dead, self.states), begun

    def token_sets(self) -> tuple[TokenSet, ...]:
        """See ``Walk``."""
        flags = self.states.take(self.trie.node_of_token, mode="clip") >= 0
        flags &= self.trie.is_text
        return (np.packbits(flags, bitorder="little").view(np.uint32),)

    def tokens(self) -> Reached:
        """See ``TrieWalk``."""
        states = self.states.take(self.trie.node_of_token, mode="clip")
        ids = np.flatnonzero((states >= 0) & self.trie.is_text).astype(np.int32)
        return ids, states[ids].astype(np.int32), self._begun(self.trie.node_of_token[ids])

    def groups(self) -> LengthGroups:
        """See ``CountedWalk``."""
        return LengthGroups.of(*self.tokens())

    def ended(self, accepting: npt.NDArray[np.bool_]) -> Reached:
        """See ``Walk``."""
        ends = np.flatnonzero(accepting)
        flags = self.states == ends[0] if ends.size == 1 else np.append(accepting, False).take(self.states)
        nodes = np.flatnonzero(flags).astype(np.int32)
        return nodes, self.states[nodes].astype(np.int32), self._begun(nodes)

    def _begun(self, nodes: Int32Array) -> Int32Array:
        return self.begun[nodes] if self.begun.size else np.zeros(nodes.size, np.int32)


def walk(trie: Trie, node_set: NodeSet, dfa: Dfa, state: int, *, count: bool) -> TrieWalk:
    """Everything ``dfa`` admits from ``node_set`` on, starting in ``state``; characters are counted if ``count``."""
    few = None if count else _few(trie, node_set, dfa, state)
    if few is not None:
        return few
    nodes = trie.nodes(node_set)
    start = nodes, np.full(nodes.size, state, np.int32), np.zeros(nodes.size, np.int32)
    return _walk(trie, dfa, start, [], count=count, is_root=node_set == ROOT)


def walk_on(trie: Trie, dfa: Dfa, reached: Reached, *, count: bool) -> TrieWalk:
    """The nodes reached already, and everything ``dfa`` admits from them on."""
    return _walk(trie, dfa, reached, [reached], count=count, is_root=False)


def begins(dfa: Dfa, states: _States, after: _States) -> npt.NDArray[np.bool_]:
    """Whether the moves from ``states`` to the states ``after`` begin a character."""
    begin: npt.NDArray[np.bool_] = dfa.boundary[states] & ~dfa.accepting[after]
    return begin


def _few(trie: Trie, node_set: NodeSet, dfa: Dfa, state: int) -> _SparseWalk | None:
    """The walk node by node; ``None`` where that is no longer the fastest way."""
    nodes = trie.nodes(node_set)
    if nodes.size > _FEW:
        return None
    legal: dict[int, dict[int, int]] = {}
    waiting = [(node, state) for node in nodes.tolist()]
    known = len(waiting)
    for node, before in waiting:
        first, last = trie.children_of(node)
        moves = legal.get(before)
        if moves is None:
            row = dfa.table[before]
            bytes_ = np.flatnonzero(row >= 0)
            moves = legal[before] = dict(zip(bytes_.tolist(), row[bytes_].tolist(), strict=True))
        if node == 0 and len(moves) > _SPREAD:
            return None
        if len(moves) < last - first:
            children = ((trie.text.find(byte, first, last), after) for byte, after in moves.items())
            waiting.extend(child for child in children if child[0] >= 0)
        else:
            pairs = ((child, moves.get(trie.text[child], -1)) for child in range(first, last))
            waiting.extend(child for child in pairs if child[1] >= 0)
        if len(waiting) > _FEW:
            return None
    nodes, states = np.array(waiting[known:], np.int32).reshape(-1, 2).T
    return _SparseWalk(trie, nodes, states, np.zeros(nodes.size, np.int32))


def _walk(trie: Trie, dfa: Dfa, start: Reached, levels: list[Reached], *, count: bool, is_root: bool) -> TrieWalk:
    table = dfa.table.ravel()
    nodes, states, begun = start
    while nodes.size:
        depth = len(levels)
        if is_root and depth and nodes.size * _DENSE > trie.level_size(depth) > _SMALL:
            return _dense(trie, dfa, levels, count=count)
        lowest = trie.first_child[nodes]
        counts = trie.first_child[nodes + 1] - lowest
        ends = np.cumsum(counts, dtype=np.int32)
        if ends[-1] <= _THIN:
            inner = np.flatnonzero(counts)
            level = zip(nodes[inner].tolist(), states[inner].tolist(), begun[inner].tolist(), strict=True)
            reached, (nodes, states, begun) = _one_by_one(trie, dfa, list(level), count=count)
            levels.append(reached)
            is_root = False  # levels are no longer those of the trie
            continue
        children = np.repeat(lowest - ends + counts, counts) + np.arange(ends[-1], dtype=np.int32)
        moves = np.repeat(states << 8, counts) + trie.byte[children]
        after = table.take(moves)
        alive = np.flatnonzero(after >= 0)
        nodes, after = children[alive], after[alive]
        if count:
            begun = np.repeat(begun, counts)[alive] + begins(dfa, np.repeat(states, counts)[alive], after)
        else:
            begun = np.zeros(nodes.size, np.int32)
        states = after
        levels.append((nodes, states, begun))
    return _SparseWalk(trie, *(np.concatenate(parts) for parts in zip(*levels, strict=True)))


def _one_by_one(trie: Trie, dfa: Dfa, level: list[tuple[int, int, int]], *, count: bool) -> tuple[Reached, Reached]:
    """Walk on for as long as levels have few children; all that was reached, and the last level of it."""
    moves, boundary, accepting = dfa.table.ravel().data, dfa.boundary.data, dfa.accepting.data
    reached: list[tuple[int, int, int]] = []
    ranges = [trie.children_of(node) for node, _, _ in level]
    while level and sum(stop - start for start, stop in ranges) <= _THIN:
        following = []
        for (_, state, begun), (start, stop) in zip(level, ranges, strict=True):
            for child in range(start, stop):
                after = moves[state << 8 | trie.text[child]]
                if after >= 0:
                    is_first = count and boundary[state] and not accepting[after]
                    following.append((child, after, begun + 1 if is_first else begun))
        level = following
        ranges = [trie.children_of(node) for node, _, _ in level]
        reached += level
    return _arrays(reached), _arrays(level)


def _arrays(reached: list[tuple[int, int, int]]) -> Reached:
    nodes, states, begun = np.array(reached, np.int32).reshape(-1, 3).T
    return nodes, states, begun


def _dense(trie: Trie, dfa: Dfa, levels: list[Reached], *, count: bool) -> _DenseWalk:
    """The walk goes on below ``levels`` with a state for every node: -1 for the dead, whose row is the last one."""
    size = len(dfa)
    kind = np.int16 if size < np.iinfo(np.int16).max else np.int32
    table = np.full((size + 1) << 8, -1, kind)
    table[: size << 8] = dfa.table.ravel()
    state_of: npt.NDArray[np.signedinteger[Any]] = np.full(trie.size, -1, kind)
    begun = np.zeros(trie.size if count else 0, np.int32)
    for nodes, states, characters in levels:
        state_of[nodes] = states
        if count:
            begun[nodes] = characters
    for start, stop in trie.levels_below(len(levels)):
        moves = state_of.take(trie.parents[start:stop]).astype(np.int32)
        moves <<= 8
        moves += trie.byte[start:stop]
        state_of[start:stop] = table.take(moves)
    if count:
        first = begins(
            dfa, state_of.take(trie.parents), state_of
        )  # nodes that were not reached get a number that nobody reads
        for start, stop in trie.levels_below(len(levels)):
            begun[start:stop] = begun.take(trie.parents[start:stop]) + first[start:stop]
    return _DenseWalk(trie, state_of, begun)
