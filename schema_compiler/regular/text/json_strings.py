r"""JSON strings: languages over code points, turned into languages over bytes.

Patterns, lengths and names are about code points; the matcher works on bytes. Inside quotes a code point has one
canonical spelling: raw UTF-8, except that ``"`` and ``\`` are escaped, control characters have their short escapes
(``\n``), and those without one are ``\u00XX``, hex digits in either case. So where a state leads to another one with
``"`` and with ``é``, it has two ways there, through one state each that has read half a character::

    state ──5C──▶ · ──22──▶ next          state ──C3──▶ · ──A9──▶ next

No spelling is the beginning of another one, and the character classes that leave a state are disjoint, so replacing
characters by their bytes gives a deterministic automaton: each state gets two trees of states between it and its
successors, one for characters beyond ASCII and one for escapes (see ``utf8``). States share trees that lead to the same
successors.
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
from schema_compiler.regular.automata.minimize import Booleans, minimize
from schema_compiler.regular.text.codepoints import ANY, CodePoints
from schema_compiler.regular.text.utf8 import (
    ESCAPED,
    NOWHERE,
    ByteRow,
    ByteTree,
    TableBuilder,
    Transition,
    byte_row,
    escape_tree,
    multibyte_tree,
)

__all__ = ["QUOTE", "TextLanguage", "any_string", "escaped", "exclude", "quoted", "raw", "string_literal"]

QUOTE = 0x22
"""The byte that begins and ends a JSON string."""
_BACKSLASH = 0x5C
_JSON = json.JSONEncoder(ensure_ascii=False)


@dataclass(frozen=True, slots=True, eq=False)
class TextLanguage:
    """A minimal, trimmed DFA over disjoint ``classes`` of code points; the start state is 0.

    ``table``: int32 ``[states, classes]``, the next state or -1. ``accepting``: bool ``[states]``. Code points in none
    of the classes are in no text.
    """

    classes: tuple[CodePoints, ...]
    table: Table
    accepting: Booleans


def string_literal(value: str) -> bytes:
    """The canonical JSON spelling of ``value``, quotes included; ``UnicodeEncodeError`` for a lone surrogate.

    Of the spellings of a control character, the one with lower-case hex digits.
    """
    return _JSON.encode(value).encode()


@cache
def any_string() -> Dfa:
    """Every JSON string in canonical spelling, with its quotes."""
    return quoted(TextLanguage((ANY,), np.zeros((1, 1), np.int32), np.ones(1, np.bool_)))


def exclude(names: Iterable[str]) -> Dfa:
    """Every JSON string whose decoded text is none of ``names``, with its quotes.

    A trie of the names, left for "any text" by the first character that none of them has there. A node of the trie is
    the run of sorted names that begin with the text read so far: (first, end, length of the text). Names with a lone
    surrogate have no spelling, so there is nothing to exclude.
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

    The states of ``language`` are the boundaries. The automaton needs no minimisation: these states differ from each
    other as they do in ``language``, and from all others by being boundaries, and the others are built once each. Only
    unreachable states are dropped, and numbers put in order.
    """
    if not language.accepting.any():
        return empty()
    states = len(language.table)
    builder = _expand(language, escaping=True, closing=True)
    start = builder.add(byte_row([(QUOTE, QUOTE, 0)]))
    order = builder.breadth_first(start)
    numbers = np.array(order)
    return Dfa(builder.table(order), numbers == states, numbers < states)


def raw(language: TextLanguage) -> Dfa:
    """The texts of ``language`` as plain UTF-8: no quotes, no escapes, no boundaries."""
    return _without_quotes(language, escaping=False)


def escaped(language: TextLanguage) -> Dfa:
    """The texts of ``language`` as they stand inside a JSON string, in canonical spelling: no quotes, no boundaries."""
    return _without_quotes(language, escaping=True)


def _without_quotes(language: TextLanguage, *, escaping: bool) -> Dfa:
    builder = _expand(language, escaping=escaping, closing=False)
    table = builder.table(range(len(builder.rows)))
    accepting, boundary = np.zeros((2, len(table)), np.bool_)
    accepting[: len(language.accepting)] = language.accepting
    return canonical(table, accepting, boundary)


def _expand(language: TextLanguage, *, escaping: bool, closing: bool) -> TableBuilder:
    """Replace characters by their bytes: the states of ``language`` keep their numbers, those inside characters follow.

    ``escaping``: characters are spelled as inside quotes. ``closing``: where a text may end, a quote leads to the first
    of the states that follow, which has no row yet.
    """
    states, width = language.table.shape
    builder = TableBuilder(states + closing)
    class_of = _ascii_classes(language)
    columns, column_of = _ascii_columns(class_of, width, escaping=escaping)
    multibyte = _TreeCache(builder, *_multibyte_classes(language.classes))
    escapes = _TreeCache(builder, *_escaped_classes(class_of, width))
    for state, row in enumerate(language.table.tolist()):
        multibyte_template, multibyte_targets = multibyte.root(row)
        row += (-1, -1, -1)  # the three columns that stand for no class
        if escaping and (after_backslash := escapes.root(row))[1]:
            row[width + 1] = builder.add(after_backslash)
        if closing and language.accepting[state]:
            row[width + 2] = states
        ascii_targets = [row[column] for column in columns]
        targets = [target for target in dict.fromkeys(ascii_targets) if target >= 0]
        slots = {target: slot for slot, target in enumerate(targets)}
        slot_of = bytes([slots.get(target, NOWHERE) for target in ascii_targets]).ljust(256)
        template = column_of.translate(slot_of) + multibyte_template[0x80:].translate(_shift_slots(len(targets)))
        builder.rows[state] = template, (*targets, *multibyte_targets)
    return builder


def _ascii_classes(language: TextLanguage) -> list[int]:
    """The class of every ASCII character; for a character in none, the number of classes."""
    class_of = [len(language.classes)] * 0x80
    for number, members in enumerate(language.classes):
        for low, high in members.ranges:
            if low >= 0x80:
                break
            for code in range(low, min(high, 0x7F) + 1):
                class_of[code] = number
    return class_of


def _ascii_columns(class_of: Sequence[int], width: int, *, escaping: bool) -> tuple[list[int], bytes]:
    """The columns of a row that ASCII bytes read, once each, and for every byte (128) which of these it reads.

    A row has a column for each of ``width`` classes and three more: ``width`` leads nowhere, ``width + 1`` is read by
    the backslash, ``width + 2`` by the closing quote.
    """
    columns = list(class_of)
    if escaping:
        for code in ESCAPED:
            columns[code] = width
        columns[_BACKSLASH], columns[QUOTE] = width + 1, width + 2
    distinct = list(dict.fromkeys(columns))
    index = {column: at for at, column in enumerate(distinct)}
    return distinct, bytes([index[column] for column in columns])


@cache
def _shift_slots(by: int) -> bytes:
    """A translation of slots to those ``by`` further on, so that a row can have the slots of two."""
    return bytes([min(slot + by, NOWHERE) for slot in range(NOWHERE)] + [NOWHERE])


class _TreeCache:
    """The trees below the states of a language, for the characters of some of its ``classes``.

    ``tree_of`` makes a tree from the exit of each of the classes: ``tree_of((0, 0, -1, 1))`` for a state from which two
    classes lead to one state, the third to none and the fourth to another one. States that differ only in which states
    these are have equal trees.
    """

    def __init__(
        self, builder: TableBuilder, classes: Sequence[int], tree_of: Callable[[tuple[int, ...]], ByteTree]
    ) -> None:
        self._builder = builder
        self._classes = classes
        self._tree_of = tree_of
        self._trees: dict[tuple[int, ...], ByteTree] = {}
        self._roots: dict[tuple[int, ...], ByteRow] = {}

    def root(self, row: Sequence[int]) -> ByteRow:
        """The root of the tree below a state, whose next states by class are ``row``; the tree's rows are added."""
        targets = tuple([row[number] for number in self._classes])
        root = self._roots.get(targets)
        if root is None:
            distinct = [target for target in dict.fromkeys(targets) if target >= 0]
            exits = {target: exit_ for exit_, target in enumerate(distinct)}
            shape = tuple([exits.get(target, -1) for target in targets])
            tree = self._trees.get(shape)
            if tree is None:
                tree = self._trees[shape] = self._tree_of(shape)
            root = self._roots[targets] = self._builder.attach(tree, distinct)
        return root


def _escaped_classes(class_of: Sequence[int], width: int) -> tuple[list[int], Callable[[tuple[int, ...]], ByteTree]]:
    """The classes of characters that are escaped, and the tree for an exit of each."""
    read = [class_of[code] for code in ESCAPED]
    classes = [number for number in dict.fromkeys(read) if number < width]
    index = {number: at for at, number in enumerate(classes)}

    def tree_of(exits: tuple[int, ...]) -> ByteTree:
        return escape_tree(tuple([exits[index[number]] if number in index else -1 for number in read]))

    return classes, tree_of


def _multibyte_classes(classes: Sequence[CodePoints]) -> tuple[list[int], Callable[[tuple[int, ...]], ByteTree]]:
    """The classes with characters beyond ASCII, and the tree for an exit of each."""
    spans = sorted(
        (low, high, number) for number, members in enumerate(classes) for low, high in members.ranges if high >= 0x80
    )
    numbers = sorted({number for _, _, number in spans})
    index = {number: at for at, number in enumerate(numbers)}

    def tree_of(exits: tuple[int, ...]) -> ByteTree:
        leading = [(max(low, 0x80), high, exits[index[number]]) for low, high, number in spans]
        return multibyte_tree(tuple(_merge_adjacent([span for span in leading if span[2] >= 0])))

    return numbers, tree_of


def _merge_adjacent(transitions: Iterable[Transition]) -> list[Transition]:
    """Sorted transitions, neighbouring ranges that lead to the same place made one."""
    merged: list[Transition] = []
    for low, high, target in transitions:
        if merged and merged[-1][1] + 1 == low and merged[-1][2] == target:
            merged[-1] = (merged[-1][0], high, target)
        else:
            merged.append((low, high, target))
    return merged
