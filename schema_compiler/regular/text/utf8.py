r"""From code points to bytes: the rows of a byte table, and what lies between two characters.

A byte table has few kinds of rows: the states of ``^(\S+ ){9}$`` differ in where they lead, not in which bytes lead to
the same place. So a row is a ``template``, which gives every byte a slot, and the ``targets`` of the slots, in the
order in which bytes first lead there::

    [a-m] to state 7, [n-z] to state 5     template  a-m 0, n-z 1, all else none     targets  (7, 5)

Rows so written are compared and numbered by their targets alone; they become 256 numbers at the very end.

Between two characters stand the rows that have read a part of one: a *tree*. Ranges of code points are cut along lead
and continuation bytes (as in Rust's ``regex-syntax``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from schema_compiler.regular.automata.explore import Table
from schema_compiler.regular.automata.minimize import columns

__all__ = ["ESCAPED", "NOWHERE", "SHORT_ESCAPES", "Piece", "Row", "Rows", "Tree", "escapes", "multibyte", "row_of"]

Row: TypeAlias = tuple[bytes, tuple[int, ...]]
"""256 slots (``NOWHERE`` where no text goes on), and where they lead."""
Tree: TypeAlias = list[Row]
"""Rows, the root last, that lead to rows before them by number, and to places outside as ``~slot``."""
Piece: TypeAlias = tuple[int, int, int]
"""An inclusive range of code points or bytes, and where it leads."""

NOWHERE = 0xFF
SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
ESCAPED = (*range(0x20), 0x22, 0x5C)
"""The characters that have no other spelling inside quotes."""
_FEW = 64
"""So many rows are filled byte by byte; of more, bytes that no row tells apart are filled once."""
# first and last code point, continuation bytes, value of the lead byte without its payload
_LENGTHS = ((0x80, 0x7FF, 1, 0xC0), (0x800, 0xFFFF, 2, 0xE0), (0x10000, 0x10FFFF, 3, 0xF0))


def row_of(edges: Iterable[Piece]) -> Row:
    """The row with these ranges of bytes."""
    template = bytearray((NOWHERE,)) * 256
    slots: dict[int, int] = {}
    for first, last, target in sorted(edges):
        template[first : last + 1] = bytes((slots.setdefault(target, len(slots)),)) * (last - first + 1)
    return bytes(template), tuple(slots)


class Rows:
    """Rows under construction, equal ones made once, after ``own`` rows that are filled in from outside.

    A row that is added leads to rows that are there already, so rows that lead to the same texts are equal.
    """

    def __init__(self, own: int) -> None:
        self.rows: list[Row] = [row_of(())] * own
        self._numbers: dict[Row, int] = {}

    def add(self, row: Row) -> int:
        """The number of a row."""
        number = self._numbers.setdefault(row, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
        return number

    def plant(self, tree: Tree, places: Sequence[int]) -> Row:
        """The root of a tree whose slots lead to ``places``; the rows below it are added."""
        below, (template, items) = tree[:-1], tree[-1]
        numbers = [0] * len(below) + [*reversed(places)]
        for number, (inner, leading) in enumerate(below):
            numbers[number] = self.add((inner, tuple([numbers[item] for item in leading])))
        return template, tuple([numbers[item] for item in items])

    def breadth_first(self, start: int) -> list[int]:
        """The numbers of the rows that are reachable from ``start``, breadth first and bytes in order."""
        order = [start]
        seen = set(order)
        for number in order:
            for target in self.rows[number][1]:
                if target not in seen:
                    seen.add(target)
                    order.append(target)
        return order

    def table(self, order: Sequence[int]) -> Table:
        """These rows as int32 ``[rows, 256]``, numbered as they come; they lead to no others."""
        rows = [self.rows[number] for number in order]
        templates = {template: kind for kind, template in enumerate(dict.fromkeys([row[0] for row in rows]))}
        kinds = [templates[row[0]] for row in rows]
        renamed = np.empty(len(self.rows), np.int32)
        renamed[order] = np.arange(len(order))
        targets = [target for row in rows for target in row[1]]
        ends = np.cumsum([len(row[1]) for row in rows])
        places = np.concatenate([[0], ends[:-1]])[:, None]
        leading_to = np.append(renamed[targets], np.int32(-1))

        def filled(slots: npt.NDArray[np.uint8]) -> Table:
            wide = slots[kinds]
            return leading_to[np.where(wide == NOWHERE, -1, places + wide)]

        slots = np.frombuffer(b"".join(templates), np.uint8).reshape(-1, 256)
        if len(order) <= _FEW:
            return filled(slots)
        representatives, classes = columns(slots)
        return filled(slots[:, representatives]).take(classes, axis=1)


@lru_cache(maxsize=64)
def multibyte(pieces: tuple[Piece, ...]) -> Tree:
    """The tree of ``pieces`` beyond ASCII, which lead to slots."""
    tree: Tree = []
    known: dict[tuple[int, tuple[Piece, ...]], int] = {}

    def place(count: int, inner: tuple[Piece, ...]) -> int:
        """Where to go with ``count`` continuation bytes still to read."""
        if count == 0:
            return ~inner[0][2]
        number = known.get((count, inner))
        if number is None:
            tree.append(row_of(list(edges(0x80, count - 1, inner))))
            number = known[count, inner] = len(tree) - 1
        return number

    def edges(base: int, count: int, inner: Iterable[Piece]) -> Iterator[Piece]:
        for first, last, part in _blocks(inner, 1 << 6 * count):
            yield base + first, base + last, place(count, part)

    root: list[Piece] = []
    for first, last, count, lead in _LENGTHS:
        root += edges(lead, count, _clip(pieces, first, last))
    tree.append(row_of(root))
    return tree


def _clip(pieces: Iterable[Piece], low: int, high: int) -> list[Piece]:
    """The part of ``pieces`` within [low, high], code points unchanged."""
    return [(max(a, low), min(b, high), target) for a, b, target in pieces if a <= high and b >= low]


def _blocks(pieces: Iterable[Piece], size: int) -> Iterator[tuple[int, int, tuple[Piece, ...]]]:
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


@lru_cache(maxsize=64)
def escapes(shape: tuple[int, ...]) -> Tree:
    r"""The tree of the characters of ``ESCAPED``, which lead to these slots (-1: nowhere), after their ``\``."""
    tree: Tree = []
    slots = {code: ~slot for code, slot in zip(ESCAPED, shape, strict=True) if slot >= 0}

    def add(edges: Iterable[tuple[str, int]]) -> int:
        tree.append(row_of([(ord(char), ord(char), target) for char, target in edges]))
        return len(tree) - 1

    after = [(SHORT_ESCAPES[code], slot) for code, slot in slots.items() if code in SHORT_ESCAPES]
    long = {code: slot for code, slot in slots.items() if code not in SHORT_ESCAPES}
    if long:
        highs = [(str(high), add(_last_digits(long, high))) for high in dict.fromkeys(code >> 4 for code in long)]
        after.append(("u", add([("0", add([("0", add(highs))]))])))
    add(after)
    return tree


def _last_digits(slots: Mapping[int, int], high: int) -> Iterator[tuple[str, int]]:
    """The last digits, in either case, of the control characters whose first digit is ``high``."""
    for code, slot in slots.items():
        if code >> 4 == high:
            yield from ((digit, slot) for digit in dict.fromkeys((f"{code & 15:x}", f"{code & 15:X}")))
