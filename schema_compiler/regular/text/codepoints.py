"""Sets of Unicode scalar values, as sorted ranges.

A JSON string holds scalar values: U+0000..U+10FFFF without the surrogates U+D800..U+DFFF. Surrogates are dropped when a
set is built, so ``[^a]`` and ``.`` never mean text that UTF-8 cannot spell. Example, the letters a to z without e::

    CodePoints.of((0x61, 0x7A)) - CodePoints.of((0x65, 0x65))     # ranges: ((0x61, 0x64), (0x66, 0x7A))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from mypy_extensions import mypyc_attr

__all__ = ["ANY", "LAST", "NONE", "CodePoints", "partition"]

Range: TypeAlias = tuple[int, int]
"""The first and the last code point."""

LAST = 0x10FFFF
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
        for low, high in sorted(_without_surrogates(ranges)):
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
        """The members of any of ``sets`` (at least one set)."""
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
        return CodePoints.of(*gaps, (start, LAST))

    def __and__(self, other: CodePoints) -> CodePoints:
        return ~(~self | ~other)

    def __sub__(self, other: CodePoints) -> CodePoints:
        return ~(~self | other)

    def __xor__(self, other: CodePoints) -> CodePoints:
        return (self - other) | (other - self)


@lru_cache(maxsize=1024)
def _one(code: int) -> CodePoints:
    return CodePoints.of((code, code))


def _without_surrogates(ranges: Iterable[Range]) -> Iterable[Range]:
    """The ranges without surrogates and without empty ones."""
    for low, high in ranges:
        if low <= high and (high < _SURROGATES[0] or low > _SURROGATES[1]):
            yield low, high
        elif low <= high:
            yield from ((a, b) for a, b in ((low, _SURROGATES[0] - 1), (_SURROGATES[1] + 1, high)) if a <= b)


ANY = CodePoints.of((0, LAST))
"""All scalar values."""
NONE = CodePoints(())
"""The empty set."""


def partition(sets: Iterable[CodePoints], alphabet: CodePoints = ANY) -> tuple[tuple[CodePoints, ...], list[int]]:
    """Split ``alphabet`` into the classes of code points that none of ``sets`` tells apart.

    Returns the disjoint classes, and for each of them the sets that contain it, as bits: ``a-m`` and ``k-z`` give
    ``a-j`` in set 0 (bits 1), ``k-m`` in both (bits 3), ``n-z`` in set 1 (bits 2), and all the rest in none (bits 0).
    """
    changes: dict[int, int] = {}  # by code point, the sets (bit 0: the alphabet) of which a range begins or is over
    for bit, members in enumerate((alphabet, *sets)):
        for low, high in members.ranges:
            changes[low] = changes.get(low, 0) ^ 1 << bit
            changes[high + 1] = changes.get(high + 1, 0) ^ 1 << bit
    classes: dict[int, list[Range]] = {}
    inside = low = 0
    for cut in sorted(changes):
        if inside & 1:
            classes.setdefault(inside >> 1, []).append((low, cut - 1))
        inside ^= changes[cut]
        low = cut
    return tuple([CodePoints(tuple(ranges)) for ranges in classes.values()]), list(classes)
