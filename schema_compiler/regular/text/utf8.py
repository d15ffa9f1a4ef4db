r"""From code points to bytes: how an automaton over characters becomes one over bytes.

**Rows.** The table of an automaton over bytes has few kinds of rows: the states of ``^(\S+ ){9}$`` differ in where they
lead, not in which bytes lead to the same state. So a row is written as a *template*, which gives every byte a slot, and
the *targets* of the slots, in the order in which bytes first use them::

    [a-m] to state 7, [n-z] to state 5     template  a-m 0, n-z 1, others none     targets  (7, 5)

Rows in this form are short to compare, and become 256 numbers each only at the very end.

**Trees.** A character of several bytes takes the automaton through states that have read a part of it. They form a tree
below the state where the character begins. To build it, ranges of code points are cut so that each part is a product of
ranges of bytes (as ``utf8::Utf8Sequences`` of Rust's ``regex-syntax`` does)::

    U+00E0..U+07FF to state 7     C3 [A0-BF] and [C4-DF] [80-BF]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from schema_compiler.regular.automata.explore import Table
from schema_compiler.regular.automata.minimize import columns

__all__ = [
    "ESCAPED",
    "NOWHERE",
    "ByteRow",
    "ByteTree",
    "TableBuilder",
    "Transition",
    "byte_row",
    "escape_tree",
    "multibyte_tree",
]

Transition: TypeAlias = tuple[int, int, int]
"""An inclusive range of code points or bytes, and where it leads."""
ByteRow: TypeAlias = tuple[bytes, tuple[int, ...]]
"""A state: its template (the slot of each of the 256 bytes, or ``NOWHERE``), and the targets of the slots."""
ByteTree: TypeAlias = list[ByteRow]
"""The states inside characters, the root last. A target is the number of a row before it, or ``~exit``.

Exits are where characters end; which states these are is up to the user of the tree (``TableBuilder.attach``).
"""

NOWHERE = 0xFF
"""The slot of a byte that no text has here. No row has so many slots: 179 bytes can begin a character of UTF-8."""
ESCAPED = (*range(0x20), 0x22, 0x5C)
"""The characters that JSON writes inside quotes only with a backslash (RFC 8259, section 7)."""
_SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
"""Those of them with an escape of one letter. The others are ``\\u00XX``."""
_FEW = 64
"""At most so many rows are filled in byte by byte; of more, bytes that no row tells apart are filled in once.

As measured on ten patterns, the former takes half the time for ten rows, the latter a third for a thousand; between
100 and 200 rows there is little difference.
"""
_LENGTHS = ((0x80, 0x7FF, 1, 0xC0), (0x800, 0xFFFF, 2, 0xE0), (0x10000, 0x10FFFF, 3, 0xF0))
"""The lengths of UTF-8: first and last code point, continuation bytes, the lead byte without its payload (RFC 3629)."""


def byte_row(transitions: Iterable[Transition]) -> ByteRow:
    """The row with these disjoint ranges of bytes."""
    template = bytearray((NOWHERE,)) * 256
    slots: dict[int, int] = {}
    for first, last, target in sorted(transitions):
        template[first : last + 1] = bytes((slots.setdefault(target, len(slots)),)) * (last - first + 1)
    return bytes(template), tuple(slots)


class TableBuilder:
    """The rows of a table under construction: first ``own`` rows that the user fills in, then those that are added.

    Equal added rows get one number. Since an added row leads only to rows that have a number already, added rows from
    which the same texts can be read are equal, and need no minimisation.
    """

    def __init__(self, own: int) -> None:
        self.rows: list[ByteRow] = [byte_row(())] * own
        self._numbers: dict[ByteRow, int] = {}

    def add(self, row: ByteRow) -> int:
        """The number of a row, a new one unless an equal row has been added before."""
        number = self._numbers.setdefault(row, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
        return number

    def attach(self, tree: ByteTree, exits: Sequence[int]) -> ByteRow:
        """Add the rows of ``tree`` below its root, ``exits`` being the numbers of its exits; return the root."""
        below, (root_template, root_targets) = tree[:-1], tree[-1]
        numbers = [0] * len(below) + [*reversed(exits)]  # so that ~exit, counted from the end, finds its number
        for number, (template, targets) in enumerate(below):
            numbers[number] = self.add((template, tuple([numbers[target] for target in targets])))
        return root_template, tuple([numbers[target] for target in root_targets])

    def breadth_first(self, start: int) -> list[int]:
        """The numbers of the rows reachable from ``start``, breadth first and bytes in order."""
        order = [start]
        seen = set(order)
        for number in order:
            for target in self.rows[number][1]:
                if target not in seen:
                    seen.add(target)
                    order.append(target)
        return order

    def table(self, order: Sequence[int]) -> Table:
        """The rows with these numbers, which lead to no others, as int32 ``[rows, 256]``, renumbered in this order."""
        rows = [self.rows[number] for number in order]
        templates = {template: kind for kind, template in enumerate(dict.fromkeys([row[0] for row in rows]))}
        kinds = [templates[row[0]] for row in rows]
        renamed = np.empty(len(self.rows), np.int32)
        renamed[order] = np.arange(len(order))
        targets = [target for row in rows for target in row[1]]
        ends = np.cumsum([len(row[1]) for row in rows])
        starts = np.concatenate([[0], ends[:-1]])[:, None]  # where in `targets` those of each row begin
        leading_to = np.append(renamed[targets], np.int32(-1))

        def fill(slots: npt.NDArray[np.uint8]) -> Table:
            slots_of_rows = slots[kinds]
            return leading_to[np.where(slots_of_rows == NOWHERE, -1, starts + slots_of_rows)]

        slots = np.frombuffer(b"".join(templates), np.uint8).reshape(-1, 256)
        if len(order) <= _FEW:
            return fill(slots)
        representatives, classes = columns(slots)
        return fill(slots[:, representatives]).take(classes, axis=1)


@lru_cache(maxsize=64)
def multibyte_tree(transitions: tuple[Transition, ...]) -> ByteTree:
    """The tree of characters beyond ASCII: ``transitions`` are sorted ranges of code points that lead to exits."""
    tree: ByteTree = []
    numbers: dict[tuple[int, tuple[Transition, ...]], int] = {}

    def target_of(count: int, inner: tuple[Transition, ...]) -> int:
        """The row that has ``count`` continuation bytes still to read, or the exit where there are none."""
        if count == 0:
            return ~inner[0][2]
        number = numbers.get((count, inner))
        if number is None:
            tree.append(byte_row(list(by_next_byte(0x80, count - 1, inner))))
            number = numbers[count, inner] = len(tree) - 1
        return number

    def by_next_byte(base: int, count: int, inner: Iterable[Transition]) -> Iterator[Transition]:
        """Code points by a byte that is ``base`` plus its payload, ``count`` bytes after it."""
        for first, last, part in _blocks(inner, 1 << 6 * count):
            yield base + first, base + last, target_of(count, part)

    root: list[Transition] = []
    for first, last, count, lead in _LENGTHS:
        root += by_next_byte(lead, count, _clip(transitions, first, last))
    tree.append(byte_row(root))
    return tree


def _clip(transitions: Iterable[Transition], low: int, high: int) -> list[Transition]:
    """The part of ``transitions`` from ``low`` to ``high``."""
    return [(max(a, low), min(b, high), target) for a, b, target in transitions if a <= high and b >= low]


def _blocks(transitions: Iterable[Transition], size: int) -> Iterator[tuple[int, int, tuple[Transition, ...]]]:
    """Cut ``transitions`` at multiples of ``size``: first block, last block, what each of these blocks holds.

    What a block holds is counted from its beginning: with a size of 64, the range 130 to 140 is 2 to 12 of block 2.
    """
    mixed: dict[int, list[Transition]] = {}
    for low, high, target in transitions:
        whole = range(-(-low // size), (high + 1) // size)
        if whole:
            yield whole[0], whole[-1], ((0, size - 1, target),)
        for block in {low // size, high // size}:
            if block not in whole:
                start = block * size
                mixed.setdefault(block, []).append((max(low - start, 0), min(high - start, size - 1), target))
    yield from ((block, block, tuple(inner)) for block, inner in mixed.items())


@lru_cache(maxsize=64)
def escape_tree(exits: tuple[int, ...]) -> ByteTree:
    r"""The tree of what follows a ``\`` inside quotes: the exit of each character of ``ESCAPED``, -1 for none."""
    tree: ByteTree = []
    targets = {code: ~exit_ for code, exit_ in zip(ESCAPED, exits, strict=True) if exit_ >= 0}

    def add(transitions: Iterable[tuple[str, int]]) -> int:
        tree.append(byte_row([(ord(char), ord(char), target) for char, target in transitions]))
        return len(tree) - 1

    root = [(_SHORT_ESCAPES[code], target) for code, target in targets.items() if code in _SHORT_ESCAPES]
    long = {code: target for code, target in targets.items() if code not in _SHORT_ESCAPES}
    if long:
        thirds = [(str(third), add(_last_digits(long, third))) for third in dict.fromkeys(code >> 4 for code in long)]
        root.append(("u", add([("0", add([("0", add(thirds))]))])))
    add(root)
    return tree


def _last_digits(targets: Mapping[int, int], third: int) -> Iterator[tuple[str, int]]:
    r"""The last digits, in either case, of the characters whose ``\u00XX`` has this ``third`` digit."""
    for code, target in targets.items():
        if code >> 4 == third:
            yield from ((digit, target) for digit in dict.fromkeys((f"{code & 15:x}", f"{code & 15:X}")))
