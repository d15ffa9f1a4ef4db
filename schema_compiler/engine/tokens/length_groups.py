"""Tokens or trie nodes by what a length counter can tell apart: the state of the table, and the characters begun.

A counter admits whole groups, so bounds of any size are answered with one look at each group::

    ab -> 7, c -> 7, é" -> 9     states 7 7 9, begun 2 1 1     groups (7, 2): ab   (7, 1): c   (9, 1): é"
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.trie import Int32Array

__all__ = ["LengthGroups"]


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Values with the number of the group of each: int32; uint16 or int32, counted from ``first``."""

    first: int
    values: Int32Array
    numbers: npt.NDArray[np.uint16] | Int32Array


@dataclass(frozen=True, slots=True, eq=False)
class LengthGroups:
    """``states``, ``begun``: the key of each group, int32 ``[groups]``; ``blocks``: their values. Keys may repeat."""

    states: Int32Array
    begun: Int32Array
    blocks: tuple[_Block, ...]

    @classmethod
    def of(cls, values: Int32Array, states: Int32Array, begun: Int32Array) -> LengthGroups:
        """The groups of ``values``, each with its state and the characters begun."""
        width = np.int32(begun.max(initial=0) + 1)
        keys = states * width + begun
        distinct = np.flatnonzero(np.bincount(keys)).astype(np.int32)
        kind = np.uint16 if distinct.size < 1 << 16 else np.int32
        number = np.zeros(distinct.max(initial=0) + 1, kind)
        number[distinct] = np.arange(distinct.size, dtype=kind)
        return cls(*np.divmod(distinct, width), (_Block(0, values, number.take(keys)),))

    def and_(self, other: LengthGroups) -> LengthGroups:
        """The groups of both."""
        shifted = (_Block(self.states.size + block.first, block.values, block.numbers) for block in other.blocks)
        states, begun = np.append(self.states, other.states), np.append(self.begun, other.begun)
        return LengthGroups(states, begun, (*self.blocks, *shifted))

    def with_states(self, names: Int32Array) -> LengthGroups:
        """The groups when state ``s`` is called ``names[s]``."""
        return LengthGroups(names[self.states], self.begun, self.blocks)

    @property
    def size(self) -> int:
        """How many values there are."""
        return sum(block.values.size for block in self.blocks)

    @property
    def nbytes(self) -> int:
        """How much memory the values take."""
        return sum(block.values.nbytes + block.numbers.nbytes for block in self.blocks)

    def where(self, wanted: npt.NDArray[np.bool_]) -> Int32Array:
        """The values of the groups wanted."""
        indices = (np.flatnonzero(wanted[block.first :].take(block.numbers)) for block in self.blocks)
        parts = [block.values.take(index) for block, index in zip(self.blocks, indices, strict=True)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)
