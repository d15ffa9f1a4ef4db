"""Sets of Unicode scalar values, as sorted ranges.

A JSON string holds scalar values: U+0000..U+10FFFF without the surrogates U+D800..U+DFFF. Surrogates are dropped on
the way in, so ``[^a]`` and ``.`` never mean text that UTF-8 cannot spell. Example::

    CodePoints.of((0x61, 0x7A)) - CodePoints.of((0x65, 0x65))     # a consonant or so: ((0x61, 0x64), (0x66, 0x7A))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from mypy_extensions import mypyc_attr

__all__ = ["ANY", "NONE", "CodePoints", "partition"]

Range = tuple[int, int]

_LAST = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class CodePoints:
    """A set of scalar values: inclusive ``ranges``, sorted, disjoint and not adjacent. Build it with ``of``."""

    ranges: tuple[Range, ...]

    @classmethod
    def of(cls, *ranges: Range) -> CodePoints:
        """The set of all members of inclusive ``ranges``, in any order; surrogates are left out."""
        merged: list[Range] = []
        for low, high in sorted(_scalar(ranges)):
            if merged and low <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
            else:
                merged.append((low, high))
        return cls(tuple(merged))

    @classmethod
    def one(cls, code: int) -> CodePoints:
        """The set of this code point alone."""
        return _one(code)

    @classmethod
    def chars(cls, text: Iterable[str]) -> CodePoints:
        """The set of the characters of ``text``."""
        return cls.of(*((ord(char), ord(char)) for char in text))

    @classmethod
    def union(cls, sets: Sequence[CodePoints]) -> CodePoints:
        """The members of any of ``sets``."""
        return sets[0] if len(sets) == 1 else cls.of(*[span for members in sets for span in members.ranges])

    @classmethod
    def where(cls, members: npt.NDArray[np.bool_]) -> CodePoints:
        """The set of the indices at which ``members`` (bool ``[n]``) is true."""
        edges = np.flatnonzero(np.diff(np.concatenate([[False], members, [False]]).astype(np.int8)))
        return cls.of(*zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True))

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __contains__(self, code_point: int) -> bool:
        return any(low <= code_point <= high for low, high in self.ranges)

    def __or__(self, other: CodePoints) -> CodePoints:
        return CodePoints.union((self, other))

    def __invert__(self) -> CodePoints:
        gaps = []
        start = 0
        for low, high in self.ranges:
            gaps.append((start, low - 1))
            start = high + 1
        return CodePoints.of(*gaps, (start, _LAST))

    def __and__(self, other: CodePoints) -> CodePoints:
        return ~(~self | ~other)

    def __sub__(self, other: CodePoints) -> CodePoints:
        return ~(~self | other)

    def __xor__(self, other: CodePoints) -> CodePoints:
        return (self - other) | (other - self)


@lru_cache(maxsize=1024)
def _one(code: int) -> CodePoints:
    return CodePoints.of((code, code))


def _scalar(ranges: Iterable[Range]) -> Iterable[Range]:
    """The ranges without surrogates and without empty ones."""
    for low, high in ranges:
        if low <= high and (high < _SURROGATES[0] or low > _SURROGATES[1]):
            yield low, high
        elif low <= high:
            yield from ((a, b) for a, b in ((low, _SURROGATES[0] - 1), (_SURROGATES[1] + 1, high)) if a <= b)


ANY = CodePoints.of((0, _LAST))
NONE = CodePoints(())


def partition(sets: Iterable[CodePoints], alphabet: CodePoints = ANY) -> tuple[tuple[CodePoints, ...], list[int]]:
    """Split ``alphabet`` into the classes of code points that no set tells apart.

    Returns the disjoint classes, and for each of them which of the sets contain it, as bits.
    """
    turns: dict[int, int] = {}  # where ranges of which sets begin and are over; of the alphabet as of the first set
    for bit, members in enumerate((alphabet, *sets)):
        for low, high in members.ranges:
            turns[low] = turns.get(low, 0) ^ 1 << bit
            turns[high + 1] = turns.get(high + 1, 0) ^ 1 << bit
    pieces: dict[int, list[Range]] = {}
    inside = low = 0
    for cut in sorted(turns):
        if inside & 1:
            pieces.setdefault(inside >> 1, []).append((low, cut - 1))
        inside ^= turns[cut]
        low = cut
    return tuple([CodePoints(tuple(ranges)) for ranges in pieces.values()]), list(pieces)
