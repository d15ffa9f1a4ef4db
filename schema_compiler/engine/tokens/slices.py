r"""Slices of the vocabulary that many tables read alike: the tokens that a state reads without leaving it.

``[^,]*,`` and ``[^;]*;`` are different tables, with a pass over the vocabulary for each. But what a state of a string
does is mostly to read characters and to come back to itself, and the tokens that do only that, its *slice*, depend on
the set of these characters alone. So a slice is walked once for all tables, and each table walks on from the slice's
border. llguidance slices the vocabulary ahead by a few fixed patterns; here slices are those of the tables met::

    first state of [a-z]*-[a-z]*    slice: ab, abc     beyond the border: ab- and ab-c

The bytes of a character of UTF-8 lead through states between characters, which belong to the slice. It is known by its
*core*: a small table of these states that says which byte leads where as long as the slice is not left. A state from
which most characters lead to such a state, its *home*, has the slice of its home less the tokens whose first byte leads
elsewhere: ``.+`` before its first character, ``.*ab$`` after an ``a``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.interiors import Interior, InteriorWalk, TextEnds
from schema_compiler.engine.tokens.length_groups import LengthGroups
from schema_compiler.engine.tokens.token_sets import TokenSet, union_of
from schema_compiler.engine.tokens.trie import ROOT, Int32Array, NodeSet, TokenMask, Trie
from schema_compiler.engine.tokens.walk import CountedWalk, Reached, TrieWalk, begins, walk, walk_on
from schema_compiler.regular.automata.dfa import Dfa

__all__ = ["Slices"]

_WIDE = 16
"""A state must stay where it is for at least so many bytes, or its slice holds too few tokens to be worth keeping.

Chosen, not measured: digits alone (10) are below it, letters (26) above.
"""
_NEAR = 20_000
"""With more trie nodes beyond the border than this it is faster to walk over the whole vocabulary.

Chosen, not measured: of the 274,000 nodes of a vocabulary of 129,000 tokens, about as many as a sparse walk, where a
node costs several times more, visits in the time of a dense one.
"""
_DEEP = 64
"""A core has at most so many states, so that their numbers fit into bytes; that of any JSON string has 14."""


@dataclass(frozen=True, slots=True, eq=False)
class _Slice:
    """A slice, shared by tables.

    ``mask``: its tokens. ``groups``: the same by state of the core and characters begun; ``None`` when not counted.
    ``states``: int8 ``[nodes]``, the state of the core at each trie node; the number of states where the node lies
    outside. ``begun``: int16 ``[nodes]``, the characters begun there; ``None`` when not counted.
    """

    mask: TokenMask
    groups: LengthGroups | None
    states: npt.NDArray[np.signedinteger[Any]]
    begun: npt.NDArray[np.int16] | None


@dataclass(frozen=True, slots=True, eq=False)
class _SliceWalk:
    """A walk from the root put together from a slice and what lies beyond its border.

    ``inside``: the tokens of the slice that the table admits. ``states``: the table's state for each of the core's.
    """

    trie: Trie
    slice_: _Slice
    inside: TokenMask
    states: Int32Array
    beyond: TrieWalk

    @property
    def is_wide(self) -> bool:
        """See ``Walk``."""
        return True

    def token_sets(self) -> tuple[TokenSet, ...]:
        """See ``Walk``: one set."""
        return (union_of((self.inside, *self.beyond.token_sets()), self.trie),)

    def groups(self) -> LengthGroups:
        """See ``CountedWalk``."""
        assert self.slice_.groups is not None
        return self.slice_.groups.with_states(self.states).and_(self.beyond.groups())

    def ended(self, accepting: npt.NDArray[np.bool_]) -> Reached:
        """See ``Walk``: none inside the slice."""
        return self.beyond.ended(accepting)


class Slices:
    """The slices of one vocabulary."""

    def __init__(self, trie: Trie) -> None:
        self._trie = trie
        self._sizes, self._first_byte = _below(trie)
        self._by_byte = np.argsort(trie.byte, kind="stable").astype(np.int32)
        self._starts = np.append(0, np.bincount(trie.byte, minlength=256).cumsum())
        self._known: dict[tuple[bytes, bool], _Slice] = {}
        self._interiors: dict[bytes, TokenMask] = {}
        self._text_ends: dict[int, TextEnds] = {}

    def __len__(self) -> int:
        """The number of slices walked so far."""
        return len(self._known)

    def walk(self, node_set: NodeSet, dfa: Dfa, state: int, *, count: bool) -> CountedWalk:
        """As ``walk``; from the root, the slice of ``state`` is taken from what other tables have walked already."""
        if node_set == ROOT and dfa.boundary[state] and not dfa.accepting[state]:
            home = self._home(dfa, state)
            from_slice = None if home is None else self._walk_from_slice(dfa, state, home, count=count)
            if from_slice is not None:
                return from_slice
        return walk(self._trie, node_set, dfa, state, count=count)

    def walk_apart(self, interior: Interior, dfa: Dfa, state: int) -> InteriorWalk:
        """As ``walk`` from the root, with the tokens inside shared by all states of the same interior."""
        ends = self._text_ends.get(interior.last)
        if ends is None:
            ends = self._text_ends.setdefault(interior.last, TextEnds(self._trie, interior.last))
        number = interior.numbers[state]
        inside = interior.masks.get(number)
        if inside is None:
            inside = interior.masks[number] = self._tokens_inside(interior.part(number))
        return InteriorWalk(self._trie, inside, *ends.reached(dfa, state))

    def _tokens_inside(self, dfa: Dfa) -> TokenMask:
        """The tokens that the table of an interior reads; shared by equal tables."""
        key = dfa.table.tobytes()
        mask = self._interiors.get(key)
        if mask is None:
            mask = union_of(self.walk(ROOT, dfa, 0, count=False).token_sets(), self._trie)
            mask = self._interiors.setdefault(key, mask)
            self._trie.grown += mask.nbytes + len(key)
        return mask

    def _home(self, dfa: Dfa, state: int) -> int | None:
        """The state to which most bytes of ``state`` lead, and which they do not leave; ``None`` if none is a gain."""
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

    def _walk_from_slice(self, dfa: Dfa, state: int, home: int, *, count: bool) -> _SliceWalk | None:
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
        inside = slice_.mask & ~self._beginning_with(lost) if lost.any() else slice_.mask
        return _SliceWalk(trie, slice_, inside, states, walk_on(trie, dfa, (nodes, after, begun), count=count))

    def _beginning_with(self, bytes_: npt.NDArray[np.bool_]) -> TokenMask:
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
            slice_ = self._known.setdefault(key, self._walk_core(core, count=count))
            self._trie.grown += slice_.mask.nbytes + self._trie.size * (5 if count else 1)
        return slice_

    def _walk_core(self, core: Int32Array, *, count: bool) -> _Slice:
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
