"""Tokens or trie nodes by what a length counter can tell apart: the state of the table, and the characters begun.

A counter admits whole groups, so bounds of any size are answered with one look at each group::

    ab -> 7, c -> 7, é" -> 9     states 7 7 9, begun 2 1 1     groups (7, 2): ab   (7, 1): c   (9, 1): é"
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schema_compiler.engine.trie import Int32Array

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Groups"]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """``states`` and ``begun``: the key of each group, int32; ``members``: its values, int32. Keys may repeat."""

    states: Int32Array
    begun: Int32Array
    members: tuple[Int32Array, ...]

    @classmethod
    def of(cls, values: Int32Array, states: Int32Array, begun: Int32Array) -> Groups:
        """The groups of ``values``, each with its state and the characters begun."""
        width = np.int32(begun.max(initial=0) + 1)
        keys = states * width + begun
        narrow = keys.astype(np.uint16) if keys.max(initial=0) < 1 << 16 else keys  # 16 bits are sorted by radix
        order = np.argsort(narrow, kind="stable")
        keys = keys[order]
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        parts = np.split(values[order], starts[1:]) if starts.size else []
        return cls(*np.divmod(keys[starts], width), tuple(parts))

    @property
    def size(self) -> int:
        """How many values there are."""
        return sum(part.size for part in self.members)

    @property
    def nbytes(self) -> int:
        """How much memory the values take."""
        return 4 * self.size

    def and_(self, other: Groups) -> Groups:
        """The groups of both."""
        states, begun = np.append(self.states, other.states), np.append(self.begun, other.begun)
        return Groups(states, begun, self.members + other.members)

    def where(self, wanted: npt.NDArray[np.bool_]) -> Int32Array:
        """The values of the groups wanted."""
        return np.concatenate([_NONE, *(self.members[index] for index in np.flatnonzero(wanted).tolist())])


_NONE = np.empty(0, np.int32)
