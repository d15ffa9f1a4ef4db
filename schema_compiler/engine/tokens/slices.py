r"""Parts of the vocabulary that many tables read alike: the tokens a state reads without leaving it.

``[^,]*,`` and ``[^;]*;`` are different tables, with a pass over the vocabulary for each. But what a state of a string
does is mostly to read characters and to come back to itself; the tokens that only do that, its *region*, depend on the
set of those characters alone. So a region is walked once for all tables, and a table walks on from its border::

    state of [a-z]*-[a-z]*    region: ab, abc     border: "ab-" and '"', where a-z does not go on, and the table does

A region holds the states that a character's bytes lead through, so keys are small tables: which byte leads where, as
long as the state is not left. A state from which most characters lead to such a state has the same region, less the
tokens whose first byte leads elsewhere: ``.+`` before its first character, ``.*ab$`` after an ``a``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.interiors import Endings, Interior, InteriorWalk
from schema_compiler.engine.tokens.length_groups import LengthGroups
from schema_compiler.engine.tokens.token_sets import TokenSet, union_of
from schema_compiler.engine.tokens.trie import ROOT, Int32Array, NodeSet, TokenMask, Trie
from schema_compiler.engine.tokens.walk import Reached, Walk, begins, walk, walk_on
from schema_compiler.regular.automata.dfa import Dfa

__all__ = ["Found", "Slices"]

_WIDE = 16
"""A region is worth it for a state that so many bytes do not leave."""
_NEAR = 20_000
"""With more nodes beyond the border it is faster to walk over the whole vocabulary."""
_DEEP = 64
"""A character leads through no more states than this where it is worth it; they are kept as bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class _Slice:
    """``row``: the tokens inside; ``groups``: the same, when counted, with the region's states.

    ``states``: the region's state at each trie node, the number of its states outside; ``begun``: the characters begun
    there, when counted.
    """

    row: TokenMask
    groups: LengthGroups | None
    states: npt.NDArray[np.signedinteger[Any]]
    begun: npt.NDArray[np.int16] | None


@dataclass(frozen=True, slots=True, eq=False)
class _SliceWalk:
    """A region as a table sees it: ``row``: its tokens; ``states``: its states; ``beyond``: what lies outside."""

    trie: Trie
    slice_: _Slice
    row: TokenMask
    states: Int32Array
    beyond: Walk

    @property
    def is_wide(self) -> bool:
        """Whether this took a pass over much of the vocabulary."""
        return True

    def token_sets(self) -> tuple[TokenSet, ...]:
        """The tokens that end where the walk came: one piece."""
        return (union_of((self.row, *self.beyond.token_sets()), self.trie),)

    def groups(self) -> LengthGroups:
        """The same, as a counter tells them apart."""
        assert self.slice_.groups is not None
        return self.slice_.groups.with_states(self.states).and_(self.beyond.groups())

    def ended(self, accepting: npt.NDArray[np.bool_]) -> Reached:
        """The nodes where the table accepts: none inside."""
        return self.beyond.ended(accepting)


Found: TypeAlias = Walk | _SliceWalk


class Slices:
    """The regions of one vocabulary."""

    def __init__(self, trie: Trie) -> None:
        self._trie = trie
        self._sizes, self._first_byte = _below(trie)
        self._by_byte = np.argsort(trie.byte, kind="stable").astype(np.int32)
        self._starts = np.append(0, np.bincount(trie.byte, minlength=256).cumsum())
        self._known: dict[tuple[bytes, bool], _Slice] = {}
        self._insides: dict[bytes, TokenMask] = {}
        self._endings: dict[int, Endings] = {}

    def __len__(self) -> int:
        """The number of regions walked so far."""
        return len(self._known)

    def walk(self, node_set: NodeSet, dfa: Dfa, state: int, *, count: bool) -> Found:
        """As ``walk``, but from the root whatever other tables have walked already is taken from there."""
        if node_set == ROOT and dfa.boundary[state] and not dfa.accepting[state]:
            home = self._home(dfa, state)
            found = None if home is None else self._around(dfa, state, home, count=count)
            if found is not None:
                return found
        return walk(self._trie, node_set, dfa, state, count=count)

    def apart(self, interior: Interior, dfa: Dfa, state: int) -> InteriorWalk:
        """As ``walk`` from the root; the tokens inside are those that states of the same interior have met."""
        endings = self._endings.get(interior.last)
        if endings is None:
            endings = self._endings.setdefault(interior.last, Endings(self._trie, interior.last))
        number = interior.numbers[state]
        row = interior.rows.get(number)
        if row is None:
            row = interior.rows[number] = self._inside(interior.part(number))
        return InteriorWalk(self._trie, row, *endings.reached(dfa, state))

    def _inside(self, dfa: Dfa) -> TokenMask:
        """The tokens that a table reads without an end."""
        key = dfa.table.tobytes()
        row = self._insides.get(key)
        if row is None:
            row = union_of(self.walk(ROOT, dfa, 0, count=False).token_sets(), self._trie)
            row = self._insides.setdefault(key, row)
            self._trie.grown += row.nbytes + len(key)
        return row

    def _home(self, dfa: Dfa, state: int) -> int | None:
        """Where most of what ``state`` admits leads to, and then stays."""
        row = dfa.table[state]
        counts = np.bincount(row[row >= 0])
        if not counts.size:
            return None
        home = int(counts.argmax())
        stays = np.count_nonzero(dfa.table[home] == home)
        if min(counts.max(), stays) < _WIDE or dfa.accepting[home] or not dfa.boundary[home]:
            return None
        elsewhere = (row != dfa.table[home]) | ((row != home) & (dfa.boundary | dfa.accepting)[row])
        nodes = np.arange(*self._trie.children_of(0))
        outside = nodes[(elsewhere & (row >= 0))[self._trie.byte[nodes]]]
        return home if self._sizes[outside].sum() <= _NEAR else None

    def _around(self, dfa: Dfa, state: int, home: int, *, count: bool) -> _SliceWalk | None:
        trie, states = self._trie, _core(dfa, home)
        size = states.size
        number = np.full(len(dfa) + 1, -1, np.int32)
        number[states] = np.arange(size)
        core = number[dfa.table[states]]
        lost = (dfa.table[state] != dfa.table[home]) & (core[0] >= 0)
        if count and lost.any():
            return None
        slice_ = self._slice(core, count=count)
        sources = np.append(states, [state, state])  # a row for what is not reached, and one for the root
        outward = np.where(
            np.concatenate([core < 0, np.zeros((1, 256), np.bool_), core[:1] < 0]), dfa.table[sources], -1
        )
        outward[-1] = np.where(lost, dfa.table[state], outward[-1])
        nodes = self._reached_by(np.flatnonzero((outward >= 0).any(axis=0)))
        parents = trie.parents[nodes]
        before = np.where(lost[self._first_byte[nodes]], size, slice_.states[parents])
        before[parents == 0] = size + 1
        moves = before.astype(np.int32) << 8 | trie.byte[nodes]
        after = outward.take(moves)
        kept = np.flatnonzero(after >= 0)
        nodes, moves, after = nodes[kept], moves[kept], after[kept]
        if self._sizes[nodes].sum() > _NEAR:
            return None
        begun = np.zeros(nodes.size, np.int32)
        if slice_.begun is not None:
            begun = slice_.begun[parents[kept]].astype(np.int32) + begins(dfa, sources[moves >> 8], after)
        row = slice_.row & ~self._begun_with(lost) if lost.any() else slice_.row
        return _SliceWalk(trie, slice_, row, states, walk_on(trie, dfa, (nodes, after, begun), count=count))

    def _begun_with(self, bytes_: npt.NDArray[np.bool_]) -> TokenMask:
        """The tokens that begin with one of ``bytes_``."""
        flags = bytes_.take(self._first_byte).take(self._trie.node_of_token) & self._trie.is_text
        return np.packbits(flags, bitorder="little").view(np.uint32)

    def _reached_by(self, bytes_: npt.NDArray[np.intp]) -> Int32Array:
        """The nodes that one of ``bytes_`` leads to."""
        parts = [self._by_byte[self._starts[byte] : self._starts[byte + 1]] for byte in bytes_.tolist()]
        nodes = np.concatenate([np.empty(0, np.int32), *parts])
        return nodes[nodes > 0]

    def _slice(self, core: Int32Array, *, count: bool) -> _Slice:
        key = (core.tobytes(), count)
        slice_ = self._known.get(key)
        if slice_ is None:
            slice_ = self._known.setdefault(key, self._made(core, count=count))
            self._trie.grown += slice_.row.nbytes + self._trie.size * (5 if count else 1)
        return slice_

    def _made(self, core: Int32Array, *, count: bool) -> _Slice:
        first = np.arange(len(core)) == 0
        inside = walk(self._trie, ROOT, Dfa(core, np.zeros_like(first), first), 0, count=count)
        states, begun = inside.everywhere(len(core))
        return _Slice(
            union_of(inside.token_sets(), self._trie),
            inside.groups() if count else None,
            states.astype(np.int8),
            begun.astype(np.int16) if count else None,
        )


def _below(trie: Trie) -> tuple[Int32Array, npt.NDArray[np.uint8]]:
    """How many nodes there are at and below each node, and the first byte on the way to it."""
    levels = list(trie.levels_below(0))
    first = trie.byte.copy()
    for start, stop in levels[1:]:
        first[start:stop] = first[trie.parents[start:stop]]
    sizes = np.ones(trie.size, np.int32)
    for start, stop in reversed(levels):
        low = trie.parents[start]
        below = np.bincount(trie.parents[start:stop] - low, sizes[start:stop])
        sizes[low : low + below.size] += below.astype(np.int32)
    return sizes, first


def _core(dfa: Dfa, state: int) -> npt.NDArray[np.signedinteger[Any]]:
    """The state, and those that the bytes of one character lead through, in the order of their bytes."""
    inner = np.append(~dfa.boundary & ~dfa.accepting, False)
    states = [state]
    seen = {state}
    for each in states:
        row = dfa.table[each]
        for target in dict.fromkeys(row[inner[row]].tolist()):
            if target not in seen:
                seen.add(target)
                states.append(target)
        if len(states) > _DEEP:
            return np.array([state])
    return np.array(states)
