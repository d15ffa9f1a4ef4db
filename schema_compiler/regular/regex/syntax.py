r"""Regular expressions as terms, free of notation.

Six cases say everything that the dialects can spell. An ``Edge`` is a condition on the place between two characters:
the one before must be in ``before`` (or absent, ``at_start``), the one after in ``after`` (or absent, ``at_end``). All
anchors and word boundaries are edges or choices of edges::

    ^     Edge(NONE, True, ANY, True)
    \b    Edge(word, False, ~word, True) | Edge(~word, True, word, False)

The smart constructors ``sequence`` and ``choice`` flatten what is nested. (``program`` has an ``Edge`` and a ``Look``,
too: the instructions that these terms are compiled to.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from mypy_extensions import mypyc_attr

from schema_compiler.regular.text.codepoints import ANY, NONE, CodePoints

__all__ = [
    "EMPTY",
    "END",
    "START",
    "Chars",
    "Choice",
    "Edge",
    "Look",
    "Regex",
    "Repeat",
    "Sequence",
    "choice",
    "sequence",
    "width",
    "word_edges",
]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of a set; the empty set matches nothing."""

    members: CodePoints


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other; no parts match the empty text."""

    parts: tuple[Regex, ...]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Choice:
    """Any of the options; no options match nothing."""

    options: tuple[Regex, ...]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Repeat:
    """``body`` from ``minimum`` to ``maximum`` times (None: any number)."""

    body: Regex
    minimum: int
    maximum: int | None


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Edge:
    """The empty text, between characters that are in these sets, or at the ends of the text where that is allowed."""

    before: CodePoints
    at_start: bool
    after: CodePoints
    at_end: bool


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Look:
    """The empty text, where ``body`` matches (``negative``: does not match) what follows."""

    body: Regex
    negative: bool


Regex: TypeAlias = Chars | Sequence | Choice | Repeat | Edge | Look
"""A regular expression."""

EMPTY = Sequence(())
"""Matches the empty text."""
START = Edge(NONE, True, ANY, True)
"""Matches at the start of a text."""
END = Edge(ANY, True, NONE, True)
"""Matches at the end of a text."""


def sequence(parts: Iterable[Regex]) -> Regex:
    """The parts one after the other, nested sequences flattened; a single part as it is."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Sequence) else (part,))]
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def choice(options: Iterable[Regex]) -> Regex:
    """Any of the options, nested choices flattened, and all sets of characters fused into one, which comes first."""
    flat = [inner for option in options for inner in (option.options if isinstance(option, Choice) else (option,))]
    sets = [option.members for option in flat if isinstance(option, Chars)]
    others: list[Regex] = [option for option in flat if not isinstance(option, Chars)]
    if sets:
        others.insert(0, Chars(CodePoints.union(sets)))
    return others[0] if len(others) == 1 else Choice(tuple(others))


def width(term: Regex) -> int | None:
    """The length in code points of every text that ``term`` matches, None where lengths differ."""
    match term:
        case Chars():
            return 1
        case Edge() | Look():
            return 0
        case Sequence(parts):
            lengths = [width(part) for part in parts]
            return None if None in lengths else sum(length or 0 for length in lengths)
        case Choice(options):
            distinct = {width(option) for option in options}
            return distinct.pop() if len(distinct) == 1 else None
        case Repeat(body, minimum, maximum):
            length = width(body)
            return None if length is None or minimum != maximum else length * minimum
        case _:
            assert_never(term)


def word_edges(word: CodePoints, *, boundary: bool) -> Regex:
    r"""``\b`` (or, without ``boundary``, ``\B``) for this set of word characters."""
    other = ~word
    if boundary:
        return choice((Edge(word, False, other, True), Edge(other, True, word, False)))
    return choice((Edge(word, False, word, False), Edge(other, True, other, True)))
