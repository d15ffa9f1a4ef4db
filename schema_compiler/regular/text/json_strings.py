r"""JSON strings: languages of code points, spelled as bytes.

Patterns, lengths and names are about code points; the matcher works on bytes. Inside quotes a code point has one
canonical spelling: raw UTF-8, except that ``"`` and ``\`` are escaped, control characters have their short escapes
(``\n``), and those without one are ``\u00XX``, hex digits in either case. So a state that reads ``"`` and ``é`` is::

    state ──5C──▶ · ──22──▶ next          state ──C3──▶ · ──A9──▶ next

UTF-8 is a prefix code, and the character classes that leave a state are disjoint, so this expansion is deterministic
at once: each state gets a small tree of states between it and its successors (see ``spelling``). States that send the
same ranges to the same places share those trees.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from schema_compiler.regular.automata.dfa import Dfa, canonical, empty
from schema_compiler.regular.automata.explore import Table, explore
from schema_compiler.regular.automata.minimize import Flags, minimize
from schema_compiler.regular.text.codepoints import ANY, CodePoints
from schema_compiler.regular.text.utf8 import ESCAPED, NOWHERE, Piece, Row, Rows, Tree, escapes, multibyte, row_of

__all__ = ["TextLanguage", "any_string", "escaped", "exclude", "quoted", "raw", "string_literal"]

_QUOTE, _ESCAPE = 0x22, 0x5C


@dataclass(frozen=True, slots=True, eq=False)
class TextLanguage:
    """A minimal, trimmed DFA over disjoint ``classes`` of code points; the start state is 0.

    ``table``: int32 ``[states, classes]``, the next state or -1. ``accepting``: bool ``[states]``.
    """

    classes: tuple[CodePoints, ...]
    table: Table
    accepting: Flags


_JSON = json.JSONEncoder(ensure_ascii=False)


def string_literal(value: str) -> bytes:
    """The canonical JSON spelling of ``value``, quotes included; ``UnicodeEncodeError`` for a lone surrogate."""
    return _JSON.encode(value).encode()


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
    states = len(language.table)
    rows = _spelled(language, escaping=True, closing=True)
    start = rows.add(row_of([(_QUOTE, _QUOTE, 0)]))
    order = rows.breadth_first(start)
    numbers = np.array(order)
    return Dfa(rows.table(order), numbers == states, numbers < states)


def raw(language: TextLanguage) -> Dfa:
    """The texts of ``language`` as plain UTF-8: no quotes, no escapes, no boundaries."""
    return _unquoted(language, escaping=False)


def escaped(language: TextLanguage) -> Dfa:
    """The texts of ``language`` as they stand inside a JSON string, in canonical spelling: no quotes, no boundaries."""
    return _unquoted(language, escaping=True)


def _unquoted(language: TextLanguage, *, escaping: bool) -> Dfa:
    rows = _spelled(language, escaping=escaping, closing=False)
    table = rows.table(range(len(rows.rows)))
    accepting, boundary = np.zeros((2, len(table)), np.bool_)
    accepting[: len(language.accepting)] = language.accepting
    return canonical(table, accepting, boundary)


def _spelled(language: TextLanguage, *, escaping: bool, closing: bool) -> Rows:
    """Replace code points by bytes: the states of ``language`` keep their numbers, the rows between come after.

    ``closing``: where a text may end, a quote leads to the first of those after.
    """
    states, width = language.table.shape
    rows = Rows(states + closing)
    class_of = _ascii_classes(language)
    columns, column_of = _columns(class_of, width, escaping=escaping)
    beyond, control = _Trees(rows, *_beyond(language.classes)), _Trees(rows, *_control(class_of, width))
    for state, row in enumerate(language.table.tolist()):
        high, further = beyond.below(row)
        row += (-1, -1, -1)
        if escaping and (after := control.below(row))[1]:
            row[width + 1] = rows.add(after)
        if closing and language.accepting[state]:
            row[width + 2] = states
        leaves = [row[column] for column in columns]
        targets = [target for target in dict.fromkeys(leaves) if target >= 0]
        slots = {target: slot for slot, target in enumerate(targets)}
        places = bytes([slots.get(target, NOWHERE) for target in leaves]).ljust(256)
        template = column_of.translate(places) + high[0x80:].translate(_raised(len(targets)))
        rows.rows[state] = template, (*targets, *further)
    return rows


def _ascii_classes(language: TextLanguage) -> list[int]:
    """The class of every ASCII character, one more than there are where it is in none."""
    class_of = [len(language.classes)] * 0x80
    for number, members in enumerate(language.classes):
        for low, high in members.ranges:
            if low >= 0x80:
                break
            for code in range(low, min(high, 0x7F) + 1):
                class_of[code] = number
    return class_of


def _columns(class_of: Sequence[int], width: int, *, escaping: bool) -> tuple[list[int], bytes]:
    """What each ASCII byte reads, once each (``width``: nothing, then an escape, then the closing quote); and which."""
    reads = list(class_of)
    if escaping:
        for code in ESCAPED:
            reads[code] = width
        reads[_ESCAPE], reads[_QUOTE] = width + 1, width + 2
    distinct = list(dict.fromkeys(reads))
    column = {number: at for at, number in enumerate(distinct)}
    return distinct, bytes([column[number] for number in reads])


@cache
def _raised(by: int) -> bytes:
    """Translates slots to those ``by`` further on."""
    return bytes([NOWHERE if slot + by > NOWHERE else slot + by for slot in range(NOWHERE)] + [NOWHERE])


class _Trees:
    """Trees below states; a state needs to know only which of some ``classes`` lead to the same place.

    ``tree_of((0, 0, -1, 1))``: two of the classes lead to one place, one nowhere, one to another.
    """

    def __init__(self, rows: Rows, classes: Sequence[int], tree_of: Callable[[tuple[int, ...]], Tree]) -> None:
        self._rows = rows
        self._classes = classes
        self._tree_of = tree_of
        self._trees: dict[tuple[int, ...], Tree] = {}
        self._roots: dict[tuple[int, ...], Row] = {}

    def below(self, row: Sequence[int]) -> Row:
        """The root of the tree below a state with this row of targets, one for each class."""
        leaves = tuple([row[number] for number in self._classes])
        root = self._roots.get(leaves)
        if root is None:
            places = [target for target in dict.fromkeys(leaves) if target >= 0]
            slots = {target: slot for slot, target in enumerate(places)}
            shape = tuple([slots.get(target, -1) for target in leaves])
            tree = self._trees.get(shape)
            if tree is None:
                tree = self._trees[shape] = self._tree_of(shape)
            root = self._roots[leaves] = self._rows.plant(tree, places)
        return root


def _control(class_of: Sequence[int], width: int) -> tuple[list[int], Callable[[tuple[int, ...]], Tree]]:
    """The classes of characters that are escaped, and their trees."""
    reads = [class_of[code] for code in ESCAPED]
    classes = [number for number in dict.fromkeys(reads) if number < width]
    place = {number: at for at, number in enumerate(classes)}

    def tree_of(shape: tuple[int, ...]) -> Tree:
        return escapes(tuple([shape[place[number]] if number in place else -1 for number in reads]))

    return classes, tree_of


def _beyond(classes: Sequence[CodePoints]) -> tuple[list[int], Callable[[tuple[int, ...]], Tree]]:
    """The classes with characters beyond ASCII, and their trees."""
    spans = sorted(
        (low, high, at) for at, members in enumerate(classes) for low, high in members.ranges if high >= 0x80
    )
    numbers = sorted({at for _, _, at in spans})
    place = {at: index for index, at in enumerate(numbers)}

    def tree_of(shape: tuple[int, ...]) -> Tree:
        placed = [(max(low, 0x80), high, shape[place[at]]) for low, high, at in spans if shape[place[at]] >= 0]
        return multibyte(tuple(_merged(placed)))

    return numbers, tree_of


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for low, high, target in pieces:
        if merged and merged[-1][1] + 1 == low and merged[-1][2] == target:
            merged[-1] = (merged[-1][0], high, target)
        else:
            merged.append((low, high, target))
    return merged
