"""A text cut where marks begin and end, so that marks may overlap in any way.

    text  Ace Books, London         marks  0: "Ace Books"   1: "Books, London"

    segments  "Ace " 0    "Books" 0 1    ", London" 1

HTML's elements can only be nested, and links not even that. So each segment is one element, which says what it is part
of, the shortest mark first: that is the one a reader points at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Mark", "Segment", "segments"]


@dataclass(frozen=True, slots=True)
class Mark:
    """The characters from ``start`` to before ``end``, as place number ``place`` of field number ``field``."""

    start: int
    end: int
    field: int
    place: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a text. ``marks``: those it is part of, the shortest first. ``begins``: those that begin with it."""

    text: str
    marks: tuple[Mark, ...] = ()
    begins: tuple[Mark, ...] = ()


def segments(text: str, marks: Iterable[Mark]) -> Iterator[Segment]:
    """The segments of ``text``, in order; together they are the text. Marks without characters are left out."""
    waiting = sorted((mark for mark in marks if mark.start < mark.end), key=lambda mark: mark.start, reverse=True)
    cuts = sorted({0, len(text), *(mark.start for mark in waiting), *(mark.end for mark in waiting)})
    current: list[Mark] = []
    for start, end in pairwise(cuts):
        current = [mark for mark in current if mark.end > start]
        begins = []
        while waiting and waiting[-1].start == start:
            begins.append(waiting.pop())
        current = sorted([*current, *begins], key=lambda mark: (mark.end - mark.start, mark.field, mark.place))
        yield Segment(text[start:end], tuple(current), tuple(begins))
