"""Minimising, against a comparison of states by all that can be read from them."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.regular.automata.minimize import _weights, breadth_first, columns, minimize, minimize_rows

STATES, SYMBOLS = 5, 2
WORDS = [word for length in range(STATES) for word in product(range(SYMBOLS), repeat=length)]
rows = st.lists(st.integers(-1, STATES - 1), min_size=SYMBOLS, max_size=SYMBOLS)
tables = st.lists(rows, min_size=STATES, max_size=STATES)
flags = st.lists(st.booleans(), min_size=STATES, max_size=STATES)


def reached(table: list[list[int]], state: int, word: tuple[int, ...]) -> int:
    """The state after ``word``, -1 where it cannot be read."""
    for symbol in word:
        state = table[state][symbol] if state >= 0 else -1
    return state


def behaviours(table: list[list[int]], accepting: list[bool], labels: list[int]) -> list[tuple[int, ...]]:
    """For each state, the labels that words lead to, -1 where no text goes on. Short words tell all states apart."""
    live = {
        state
        for state in range(len(table))
        if any(end >= 0 and accepting[end] for end in (reached(table, state, word) for word in WORDS))
    }
    ends = [[reached(table, state, word) for word in WORDS] for state in range(len(table))]
    return [tuple(labels[end] if end in live else -1 for end in row) for row in ends]


@given(tables, flags, flags)
@settings(max_examples=300, deadline=None)
def test_states_that_behave_alike_are_merged(table: list[list[int]], accepting: list[bool], marked: list[bool]) -> None:
    labels = [accepts + 2 * mark for accepts, mark in zip(accepting, marked, strict=True)]
    minimal, origin = minimize(np.array(table, np.int32), np.array(accepting), np.array(labels))
    expected = behaviours(table, accepting, labels)
    merged_labels = [labels[state] for state in origin.tolist()]
    merged = behaviours(minimal.tolist(), [bool(label & 1) for label in merged_labels], merged_labels)
    assert merged[0] == expected[0]
    assert len(set(merged)) == len(merged)
    if len(minimal) > 1:
        assert [expected[state] for state in origin.tolist()] == merged
    assert [[int(cell) for cell in row] for row in minimal] == minimize_rows(table, accepting, labels)[0].tolist()


@given(tables, flags, st.permutations(range(1, STATES)))
@settings(max_examples=100, deadline=None)
def test_the_numbering_is_canonical(table: list[list[int]], accepting: list[bool], order: list[int]) -> None:
    """Whatever the numbers were before; and large tables, whose columns are compared first, come out as small ones."""
    old = [0, *order]
    new = {state: number for number, state in enumerate(old)} | {-1: -1}
    renamed = [[new[target] for target in table[state]] for state in old]
    flags_renamed = [accepting[state] for state in old]
    minimal, _ = minimize(np.array(table, np.int32), np.array(accepting), np.array(accepting, np.int_))
    other, _ = minimize(np.array(renamed, np.int32), np.array(flags_renamed), np.array(flags_renamed, np.int_))
    assert np.array_equal(minimal, other)
    wide = np.repeat(np.array(table, np.int32), 1000, axis=1)
    large, _ = minimize(wide, np.array(accepting), np.array(accepting, np.int_))
    assert np.array_equal(large, np.repeat(minimal, 1000, axis=1))


@given(st.lists(st.lists(st.integers(-1, 1), min_size=6, max_size=6), min_size=1, max_size=4))
def test_classes_of_columns(table: list[list[int]]) -> None:
    representatives, classes = columns(np.array(table, np.int32))
    contents = list(zip(*table, strict=True))
    distinct = list(dict.fromkeys(contents))
    assert [contents[symbol] for symbol in representatives.tolist()] == distinct
    assert representatives.tolist() == [contents.index(content) for content in distinct]
    assert [distinct[number] for number in classes.tolist()] == contents


def test_columns_with_equal_keys_are_told_apart() -> None:
    """The two columns are chosen so that their weighted sums are equal."""
    first, second = _weights(2).tolist()
    representatives, classes = columns(np.array([[second, 0], [-first, 0]], np.int64))
    assert (representatives.tolist(), classes.tolist()) == ([0, 1], [0, 1])


def test_reachable_states_in_order() -> None:
    table = np.array([[3, -1], [0, 1], [2, 2], [0, 1]], np.int32)
    renumbered, order = breadth_first(table, 3)
    assert order == [3, 0, 1]
    assert renumbered.tolist() == [[1, 2], [0, -1], [1, 2]]
