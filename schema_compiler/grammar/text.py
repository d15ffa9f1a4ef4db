r"""JSON strings: languages of code points, spelled as bytes.

Patterns, lengths and names are about code points; the matcher works on bytes. Inside quotes a code point has one
canonical spelling: raw UTF-8, except that ``"`` and ``\`` are escaped, control characters have their short escapes
(``\n``), and those without one are ``\u00XX``, hex digits in either case. So a state that reads ``"`` and ``é`` is::

    state ──5C──▶ · ──22──▶ next          state ──C3──▶ · ──A9──▶ next

UTF-8 is a prefix code, and the character classes that leave a state are disjoint, so this expansion is deterministic
at once: each state gets a small tree of states between it and its successors. States that send the same ranges to
the same places share those trees; ranges are cut along lead and continuation bytes (as in Rust's ``regex-syntax``).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from schema_compiler.grammar.codepoints import ANY, CodePoints
from schema_compiler.grammar.dfa import Dfa, canonical
from schema_compiler.grammar.explore import Table, explore

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["TextLanguage", "any_string", "escaped", "exclude", "quoted", "raw", "string_literal"]

Piece = tuple[int, int, int]  # an inclusive range of code points, and where it leads

_QUOTE = 0x22
_SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
# first and last code point, continuation bytes, value of the lead byte without its payload
_LENGTHS = ((0x80, 0x7FF, 1, 0xC0), (0x800, 0xFFFF, 2, 0xE0), (0x10000, 0x10FFFF, 3, 0xF0))


@dataclass(frozen=True, slots=True, eq=False)
class TextLanguage:
    """A DFA over disjoint ``classes`` of code points; the start state is 0.

    ``table``: int32 ``[states, classes]``, the next state or -1. ``accepting``: bool ``[states]``.
    """

    classes: tuple[CodePoints, ...]
    table: Table
    accepting: npt.NDArray[np.bool_]


def string_literal(value: str) -> bytes:
    """The canonical JSON spelling of ``value``, quotes included; ``UnicodeEncodeError`` for a lone surrogate."""
    return json.dumps(value, ensure_ascii=False).encode()


@cache
def any_string() -> Dfa:
    """Every JSON string in canonical spelling, with its quotes."""
    return quoted(TextLanguage((ANY,), np.zeros((1, 1), np.int32), np.ones(1, np.bool_)))


def exclude(names: Iterable[str]) -> Dfa:
    """Every JSON string whose decoded text is none of ``names``: a trie that falls off into "anything".

    A trie node is the run of sorted names that share the text read so far: (first, end, length of the text).
    """
    words = sorted({name for name in names if not any(0xD800 <= ord(char) <= 0xDFFF for char in name)})
    letters = sorted({char for word in words for char in word})
    classes = (*(CodePoints.chars(char) for char in letters), ~CodePoints.chars(letters))
    column = {char: number for number, char in enumerate(letters)}
    outside = (0, 0, 0)

    def follow(node: tuple[int, int, int]) -> Iterable[tuple[Sequence[int], tuple[int, int, int]]]:
        yield range(len(classes)), outside
        first, end, depth = node
        while first < end and len(words[first]) == depth:
            first += 1
        while first < end:
            char = words[first][depth]
            stop = bisect_right(words, char, first, end, key=lambda word: word[depth])
            yield (column[char],), (first, stop, depth + 1)
            first = stop

    table, nodes = explore((0, len(words), 0), follow, width=len(classes), limit=2 + sum(len(word) for word in words))
    accepting = np.array([first == end or len(words[first]) != depth for first, end, depth in nodes], np.bool_)
    return quoted(TextLanguage(classes, table, accepting))


def quoted(language: TextLanguage) -> Dfa:
    """The JSON strings whose text is in ``language``, in canonical spelling with both quotes."""
    inner = _spell(language, _write_escaped)
    states = len(language.table)
    table = np.full((len(inner) + 2, 256), -1, np.int32)
    table[1:-1] = np.where(inner < 0, -1, inner + 1)
    table[0, _QUOTE] = 1
    table[1 + np.flatnonzero(language.accepting), _QUOTE] = len(table) - 1
    accepting, boundary = np.zeros((2, len(table)), np.bool_)
    accepting[-1] = True
    boundary[1 : states + 1] = True
    return canonical(table, accepting, boundary)


def raw(language: TextLanguage) -> Dfa:
    """The texts of ``language`` as plain UTF-8: no quotes, no escapes, no boundaries."""
    return _unquoted(language, _write_plain)


def escaped(language: TextLanguage) -> Dfa:
    """The texts of ``language`` as they stand inside a JSON string, in canonical spelling: no quotes, no boundaries."""
    return _unquoted(language, _write_escaped)


def _unquoted(language: TextLanguage, write_ascii: _Writer) -> Dfa:
    table = _spell(language, write_ascii)
    accepting, boundary = np.zeros((2, len(table)), np.bool_)
    accepting[: len(language.accepting)] = language.accepting
    return canonical(table, accepting, boundary)


_Writer = Callable[["_Rows", Table], None]
"""Writes the ASCII bytes of all states, given their targets, int32 ``[states, 128]``."""


class _Rows:
    """The byte table under construction: the language's own states first, then what lies between them."""

    def __init__(self, states: int) -> None:
        self.own = np.full((states, 256), -1, np.int32)
        self._between: list[npt.NDArray[np.int32]] = []
        self._known: dict[tuple[tuple[int, int], ...], int] = {}

    def __len__(self) -> int:
        return len(self.own) + len(self._between)

    def add(self, edges: Iterable[tuple[int, int]]) -> int:
        """The number of the row with these (byte, target) edges; equal rows are one."""
        key = tuple(edges)
        number = self._known.setdefault(key, len(self))
        if number == len(self):
            row = np.full(256, -1, np.int32)
            for byte, target in key:
                row[byte] = target
            self._between.append(row)
        return number

    def plant(self, tree: Table, targets: Sequence[int]) -> npt.NDArray[np.int32]:
        """The root of ``tree`` with its slots led to ``targets``; the rows below it are added."""
        first = len(self) - 1
        places = np.concatenate([np.arange(first, first + len(tree)), targets[::-1], [-1]]).astype(np.int32)
        planted: Table = places[tree]
        self._between.extend(planted[1:])
        root: npt.NDArray[np.int32] = planted[0]
        return root

    def table(self) -> Table:
        """All rows."""
        return np.concatenate([self.own, *(row[np.newaxis] for row in self._between)])


def _spell(language: TextLanguage, write_ascii: _Writer) -> Table:
    """Replace code points by bytes: the states of ``language`` keep their numbers, the ones between come after."""
    rows = _Rows(len(language.table))
    _write_multibyte(rows, language)
    numbers = np.full(0x80, len(language.classes), np.intp)
    for number, members in enumerate(language.classes):
        for low, high in members.ranges:
            numbers[low : min(high, 0x7F) + 1] = number
    write_ascii(rows, np.pad(language.table, ((0, 0), (0, 1)), constant_values=-1)[:, numbers])
    return rows.table()


def _write_multibyte(rows: _Rows, language: TextLanguage) -> None:
    """The lead bytes of every state. A state needs to know only which classes lead to the same place."""
    spans = sorted((low, high, at) for at, members in enumerate(language.classes) for low, high in members.ranges)
    beyond = [(max(low, 0x80), high, at) for low, high, at in spans if high >= 0x80]
    numbers = sorted({at for _, _, at in beyond})
    place = {at: index for index, at in enumerate(numbers)}
    trees: dict[tuple[int, ...], Table] = {}
    roots: dict[tuple[int, ...], npt.NDArray[np.int32]] = {}
    for row, targets in zip(rows.own, map(tuple, language.table[:, numbers].tolist()), strict=True):
        if targets not in roots:
            distinct = [target for target in dict.fromkeys(targets) if target >= 0]
            slots = {target: slot for slot, target in enumerate(distinct)}
            shape = tuple(slots.get(target, -1) for target in targets)
            if shape not in trees:
                placed = ((low, high, shape[place[at]]) for low, high, at in beyond if shape[place[at]] >= 0)
                trees[shape] = _multibyte(tuple(_merged(placed)))
            roots[targets] = rows.plant(trees[shape], distinct)
        row[0x80:] = roots[targets][0x80:]


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for low, high, target in pieces:
        if merged and merged[-1][1] + 1 == low and merged[-1][2] == target:
            merged[-1] = (merged[-1][0], high, target)
        else:
            merged.append((low, high, target))
    return merged


def _clip(pieces: Iterable[Piece], low: int, high: int) -> tuple[Piece, ...]:
    """The part of ``pieces`` within [low, high], code points unchanged."""
    return tuple((max(a, low), min(b, high), target) for a, b, target in pieces if a <= high and b >= low)


@lru_cache(maxsize=64)
def _multibyte(pieces: tuple[Piece, ...]) -> Table:
    """The rows below one state for ``pieces`` beyond ASCII: row numbers ≥ 0, none -1, slot ``s`` as ``-2 - s``."""
    rows = [np.full(256, -1, np.int32)]
    known: dict[tuple[int, tuple[Piece, ...]], int] = {}

    def place(count: int, inner: tuple[Piece, ...]) -> int:
        """Where to go with ``count`` continuation bytes still to read."""
        if count == 0:
            return -2 - inner[0][2]
        if (count, inner) not in known:
            row = np.full(256, -1, np.int32)
            fill(row, 0x80, count - 1, inner)
            known[count, inner] = len(rows)
            rows.append(row)
        return known[count, inner]

    def fill(row: npt.NDArray[np.int32], base: int, count: int, inner: Iterable[Piece]) -> None:
        for first, last, part in _blocks(inner, 1 << 6 * count):
            row[base + first : base + last + 1] = place(count, part)

    for first, last, count, lead in _LENGTHS:
        fill(rows[0], lead, count, _clip(pieces, first, last))
    return np.stack(rows)


def _blocks(pieces: Iterable[Piece], size: int) -> Iterable[tuple[int, int, tuple[Piece, ...]]]:
    """Cut ``pieces`` at multiples of ``size``: (first block, last block, what each of them holds, from 0)."""
    mixed: dict[int, list[Piece]] = {}
    for low, high, slot in pieces:
        whole = range(-(-low // size), (high + 1) // size)
        if whole:
            yield whole[0], whole[-1], ((0, size - 1, slot),)
        for block in {low // size, high // size}:
            if block not in whole:
                start = block * size
                mixed.setdefault(block, []).append((max(low - start, 0), min(high - start, size - 1), slot))
    yield from ((block, block, tuple(inner)) for block, inner in mixed.items())


def _write_plain(rows: _Rows, targets: Table) -> None:
    """ASCII in plain text: a byte is its code point. ``targets``: int32 ``[states, 128]``."""
    rows.own[:, :0x80] = targets


def _write_escaped(rows: _Rows, targets: Table) -> None:
    """ASCII inside quotes. ``targets``: int32 ``[states, 128]``."""
    plain = [code for code in range(0x20, 0x80) if code not in _SHORT_ESCAPES]
    rows.own[:, plain] = targets[:, plain]
    escaped = [code for code in range(0x80) if code not in plain]
    known: dict[tuple[int, ...], int] = {}
    for row, wanted in zip(rows.own, map(tuple, targets[:, escaped].tolist()), strict=True):
        if wanted not in known:
            below = {code: target for code, target in zip(escaped, wanted, strict=True) if target >= 0}
            known[wanted] = _escapes(rows, below) if below else -1
        row[ord("\\")] = known[wanted]


def _escapes(rows: _Rows, targets: dict[int, int]) -> int:
    """The row after a backslash."""
    short = [(ord(_SHORT_ESCAPES[code]), target) for code, target in targets.items() if code in _SHORT_ESCAPES]
    long = {code: target for code, target in targets.items() if code not in _SHORT_ESCAPES}
    if long:
        short.append((ord("u"), _hexadecimal(rows, long)))
    return rows.add(short)


def _hexadecimal(rows: _Rows, targets: dict[int, int]) -> int:
    r"""The row after ``\u``: ``00`` and the two hex digits of a control character, in either case."""
    highs = [
        (
            ord(str(high)),
            rows.add(
                (ord(digit), target)
                for code, target in targets.items()
                if code >> 4 == high
                for digit in dict.fromkeys((f"{code & 15:x}", f"{code & 15:X}"))
            ),
        )
        for high in dict.fromkeys(code >> 4 for code in targets)
    ]
    return rows.add([(ord("0"), rows.add([(ord("0"), rows.add(highs))]))])
