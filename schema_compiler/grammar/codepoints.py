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

__all__ = ["ANY", "NONE", "CodePoints", "partition"]

Range = tuple[int, int]

_LAST = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)


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


def partition(
    sets: Sequence[CodePoints], alphabet: CodePoints = ANY
) -> tuple[tuple[CodePoints, ...], npt.NDArray[np.bool_]]:
    """Split ``alphabet`` into the classes of code points that no set tells apart.

    Returns the disjoint classes and bool ``[sets, classes]``: whether a set contains a class.
    """
    spans = [_spans(members) for members in (*sets, alphabet)]
    cuts = np.unique(np.concatenate(spans))
    steps = np.zeros((len(spans), len(cuts)), np.int8)
    for row, edges in zip(steps, spans, strict=True):
        places = np.searchsorted(cuts, edges)
        row[places[::2]], row[places[1::2]] = 1, -1
    inside = steps.cumsum(axis=1, dtype=np.int8).astype(np.bool_)
    kept = np.flatnonzero(inside[-1])
    keys = np.ascontiguousarray(inside[:-1, kept].T)
    ends = cuts[kept + 1] - 1 if kept.size else kept
    pieces: dict[bytes, list[Range]] = {}
    for key, low, high in zip(keys, cuts[kept].tolist(), ends.tolist(), strict=True):
        pieces.setdefault(key.tobytes(), []).append((low, high))
    membership = np.array([np.frombuffer(key, np.bool_) for key in pieces], np.bool_).reshape(len(pieces), len(sets))
    return tuple(CodePoints(tuple(ranges)) for ranges in pieces.values()), membership.T


@lru_cache(maxsize=1024)
def _spans(members: CodePoints) -> npt.NDArray[np.int64]:
    """Where ranges begin and where they are over, in turns: int64 ``[2 * ranges]``."""
    return np.add(np.array(members.ranges, np.int64).reshape(-1, 2), (0, 1)).ravel()
