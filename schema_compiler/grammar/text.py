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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from schema_compiler.grammar.codepoints import ANY, CodePoints
from schema_compiler.grammar.dfa import Dfa, canonical, empty
from schema_compiler.grammar.explore import Table, explore
from schema_compiler.grammar.minimize import Flags, breadth_first, columns, minimize

__all__ = ["TextLanguage", "any_string", "escaped", "exclude", "quoted", "raw", "string_literal"]

Piece = tuple[int, int, int]  # an inclusive range of code points, and where it leads

_QUOTE = 0x22
_SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
_PLAIN = [code for code in range(0x20, 0x80) if code not in _SHORT_ESCAPES]
_ESCAPED = [code for code in range(0x80) if code not in _PLAIN]
# first and last code point, continuation bytes, value of the lead byte without its payload
_LENGTHS = ((0x80, 0x7FF, 1, 0xC0), (0x800, 0xFFFF, 2, 0xE0), (0x10000, 0x10FFFF, 3, 0xF0))


@dataclass(frozen=True, slots=True, eq=False)
class TextLanguage:
    """A minimal, trimmed DFA over disjoint ``classes`` of code points; the start state is 0.

    ``table``: int32 ``[states, classes]``, the next state or -1. ``accepting``: bool ``[states]``.
    """

    classes: tuple[CodePoints, ...]
    table: Table
    accepting: Flags


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
    minimal, origin = minimize(table, accepting, accepting.astype(np.int_))
    return quoted(TextLanguage(classes, minimal, accepting[origin]))


def quoted(language: TextLanguage) -> Dfa:
    """The JSON strings whose text is in ``language``, in canonical spelling with both quotes.

    States of the language differ as they do there, and from the others in that they begin characters; of the others,
    equal ones are made once. So only unreachable ones can be left, and the numbers to be put in order.
    """
    if not language.accepting.any():
        return empty()
    rows = _spell(language, _write_escaped)
    start = rows.add([(_QUOTE, 0)])
    end = len(rows)
    rows.own[language.accepting, _QUOTE] = end
    table = np.concatenate([rows.table(), np.full((1, 256), -1, np.int32)])
    representatives, classes = columns(table)
    narrow, order = breadth_first(table[:, representatives], start)
    numbers = np.array(order)
    return Dfa(narrow.take(classes, axis=1), numbers == end, numbers < len(language.table))


def raw(language: TextLanguage) -> Dfa:
    """The texts of ``language`` as plain UTF-8: no quotes, no escapes, no boundaries."""
    return _unquoted(language, _write_plain)


def escaped(language: TextLanguage) -> Dfa:
    """The texts of ``language`` as they stand inside a JSON string, in canonical spelling: no quotes, no boundaries."""
    return _unquoted(language, _write_escaped)


def _unquoted(language: TextLanguage, write_ascii: _Writer) -> Dfa:
    table = _spell(language, write_ascii).table()
    accepting, boundary = np.zeros((2, len(table)), np.bool_)
    accepting[: len(language.accepting)] = language.accepting
    return canonical(table, accepting, boundary)


_Writer = Callable[["_Rows", Table], None]
"""Writes the ASCII bytes of all states, given their targets, int32 ``[states, 128]``."""


class _Rows:
    """The byte table under construction: the language's own states first, then what lies between them, equal rows once.

    A row that is added leads to rows that are there already, so rows that lead to the same texts are equal.
    """

    def __init__(self, states: int) -> None:
        self.own = np.full((states, 256), -1, np.int32)
        self._between: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self.own) + len(self._between)

    def add(self, edges: Iterable[tuple[int, int]]) -> int:
        """The number of the row with these (byte, target) edges."""
        return self._number(_row(edges))

    def _number(self, row: npt.NDArray[np.int32]) -> int:
        return self._between.setdefault(row.tobytes(), len(self))

    def plant(self, targets: Table, tree_of: Callable[[tuple[int, ...]], Table]) -> Table:
        """A tree below each state; returns its root's edges, int32 ``[states, 256]``, and adds the rows below it.

        ``targets``: int32 ``[states, leaves]``, where the leaves lead. States whose leaves differ and agree in the same
        places have trees of one shape, ``tree_of((0, 0, -1, 1))``: two leaves to one place, none, one to another.
        """
        wanted = list(map(tuple, targets.tolist()))
        shapes: dict[tuple[int, ...], dict[tuple[int, ...], list[int]]] = {}
        for leaves in dict.fromkeys(wanted):
            distinct = [target for target in dict.fromkeys(leaves) if target >= 0]
            slots = {target: slot for slot, target in enumerate(distinct)}
            shapes.setdefault(tuple(slots.get(target, -1) for target in leaves), {})[leaves] = distinct
        roots: dict[tuple[int, ...], npt.NDArray[np.int32]] = {}
        for shape, members in shapes.items():
            planted = self._grow(tree_of(shape), np.array(list(members.values()), np.int32))
            roots.update(zip(members, planted, strict=True))
        return np.stack([roots[leaves] for leaves in wanted])

    def _grow(self, tree: Table, places: Table) -> Table:
        """The tree once for every row of ``places``, which says where its slots lead."""
        count, slots = places.shape
        numbers = np.full((count, len(tree) + slots + 1), -1, np.int32)
        numbers[:, len(tree) : -1] = places[:, ::-1]
        for number in range(1, len(tree)):
            numbers[:, number] = [self._number(row) for row in numbers[:, tree[number]]]
        return numbers[:, tree[0]]

    def table(self) -> Table:
        """All rows."""
        between = np.frombuffer(b"".join(self._between), np.int32).reshape(-1, 256)
        return np.concatenate([self.own, between])


def _row(edges: Iterable[tuple[int, int]]) -> npt.NDArray[np.int32]:
    row = np.full(256, -1, np.int32)
    for byte, target in edges:
        row[byte] = target
    return row


def _spell(language: TextLanguage, write_ascii: _Writer) -> _Rows:
    """Replace code points by bytes: the states of ``language`` keep their numbers, the ones between come after."""
    rows = _Rows(len(language.table))
    _write_multibyte(rows, language)
    numbers = np.full(0x80, len(language.classes), np.intp)
    for number, members in enumerate(language.classes):
        for low, high in members.ranges:
            numbers[low : min(high, 0x7F) + 1] = number
    write_ascii(rows, np.pad(language.table, ((0, 0), (0, 1)), constant_values=-1)[:, numbers])
    return rows


def _write_multibyte(rows: _Rows, language: TextLanguage) -> None:
    """The lead bytes of every state. A state needs to know only which classes lead to the same place."""
    spans = sorted((low, high, at) for at, members in enumerate(language.classes) for low, high in members.ranges)
    beyond = [(max(low, 0x80), high, at) for low, high, at in spans if high >= 0x80]
    numbers = sorted({at for _, _, at in beyond})
    place = {at: index for index, at in enumerate(numbers)}

    def tree(shape: tuple[int, ...]) -> Table:
        placed = ((low, high, shape[place[at]]) for low, high, at in beyond if shape[place[at]] >= 0)
        return _multibyte(tuple(_merged(placed)))

    rows.own[:, 0x80:] = rows.plant(language.table[:, numbers], tree)[:, 0x80:]


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
    rows.own[:, _PLAIN] = targets[:, _PLAIN]
    rows.own[:, ord("\\")] = rows.plant(targets[:, _ESCAPED], _escapes)[:, ord("\\")]


@lru_cache(maxsize=64)
def _escapes(shape: tuple[int, ...]) -> Table:
    """The rows below one state for the characters of ``_ESCAPED``, numbered as those of ``_multibyte``."""
    rows = [_row(())]
    slots = {code: -2 - slot for code, slot in zip(_ESCAPED, shape, strict=True) if slot >= 0}

    def add(edges: Iterable[tuple[int, int]]) -> int:
        rows.append(_row(edges))
        return len(rows) - 1

    after = [(ord(_SHORT_ESCAPES[code]), slot) for code, slot in slots.items() if code in _SHORT_ESCAPES]
    long = {code: slot for code, slot in slots.items() if code not in _SHORT_ESCAPES}
    if long:
        highs = [(ord(str(high)), add(_hexadecimal(long, high))) for high in dict.fromkeys(code >> 4 for code in long)]
        after.append((ord("u"), add([(ord("0"), add([(ord("0"), add(highs))]))])))
    if after:
        rows[0][ord("\\")] = add(after)
    return np.stack(rows)


def _hexadecimal(slots: Mapping[int, int], high: int) -> Iterator[tuple[int, int]]:
    """The last digits, in either case, of the control characters whose first digit is ``high``."""
    for code, slot in slots.items():
        if code >> 4 == high:
            yield from ((ord(digit), slot) for digit in dict.fromkeys((f"{code & 15:x}", f"{code & 15:X}")))
