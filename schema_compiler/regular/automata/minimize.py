"""Trim and minimise a transition table over any alphabet.

Partition refinement: states are told apart by the blocks their successors are in, until nothing changes (Moore, 1956),
looking again only at states whose successors moved (Hopcroft, 1971). It starts from two facts that equivalent states
share: the length of the shortest text they accept, and of the longest one where there is one; for most patterns that
leaves little to refine. Symbols that no state of a large table tells apart are handled as one column.

The numbering of the result is canonical (breadth first, symbols in order), so equal languages give equal tables.
Example, over the symbols a and b: "any text that ends in a", with a state too many::

    state 0: a to 1, b to 0      1 (accepts): a to 2, b to 0      2 (accepts): a to 1, b to 0
    minimal  [[1, 0], [1, 0]], and 1 stands for 1 and 2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from schema_compiler.regular.automata.explore import Table

__all__ = ["Booleans", "Integers", "breadth_first", "columns", "minimize", "minimize_rows"]

Booleans: TypeAlias = npt.NDArray[np.bool_]
"""One truth value per state."""
Integers: TypeAlias = npt.NDArray[np.intp]
"""One integer per state, or per symbol."""

_ROWS = 1024
"""So many rows of a table are compared at a time, so that no copy of a large table is made as a whole.

Chosen, not measured: of 256 columns, so many rows make a copy of 2 MiB.
"""

_SMALL = 4096
"""A table of at most so many entries is refined as it is; finding its equal columns first costs more than it saves.

16 rows of 256 bytes. In random tables of bytes the two ways break even between 4 rows (where few columns differ) and 16
(where a hundred do); tables that come with one column for each class of bytes have no equal columns at all.
"""


def columns(table: npt.NDArray[np.integer]) -> tuple[Integers, Integers]:
    """Classes of symbols that no state tells apart: one representative per class, and the class of every symbol.

    ``table``: int ``[states, symbols]``. Returns intp ``[classes]`` and intp ``[symbols]``; classes are numbered in the
    order of their first symbols, which are the representatives.
    """
    parts = [slice(first, first + _ROWS) for first in range(0, len(table), _ROWS)]
    weights = _weights(len(table))
    keys = sum((weights[part] @ table[part].astype(np.int64) for part in parts), np.zeros(table.shape[1], np.int64))
    _, firsts, numbers = np.unique(keys, return_index=True, return_inverse=True)
    if not all(np.array_equal(table[part, firsts][:, numbers], table[part]) for part in parts):  # a collision of keys
        _, firsts, numbers = np.unique(table, axis=1, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return firsts[order], rank[numbers.ravel()]


def _weights(count: int) -> npt.NDArray[np.int64]:
    """Multipliers, one per row, whose weighted sums tell different columns apart, nearly always."""
    numbers = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return ((numbers ^ (numbers >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)).astype(np.int64)


def minimize(table: Table, accepting: Booleans, labels: npt.NDArray[np.int_]) -> tuple[Table, Integers]:
    """The minimal trimmed table that starts in state 0, and for each of its states a state of ``table`` it stands for.

    ``table``: int32 ``[states, symbols]``, -1 for no next state. States with different ``labels`` (int ``[states]``)
    are never merged; labels must tell ``accepting`` states (bool ``[states]``) from others. Returns the minimal int32
    ``[fewer states, symbols]`` and intp ``[fewer states]``. The empty language keeps its start state, without edges.
    """
    if table.size <= _SMALL:
        minimal, origin = minimize_rows(table.tolist(), accepting.tolist(), labels.tolist())
        return minimal, np.array(origin, np.intp)
    representatives, classes = columns(table)
    minimal, origin = minimize_rows(table[:, representatives].tolist(), accepting.tolist(), labels.tolist())
    return minimal.take(classes, axis=1), np.array(origin, np.intp)


def minimize_rows(
    rows: Sequence[Sequence[int]], accepting: Sequence[bool], labels: Sequence[int]
) -> tuple[Table, list[int]]:
    """As ``minimize``, for a table given as a list of rows."""
    forward = [[state for state in dict.fromkeys(row) if state >= 0] for row in rows]
    backward = _predecessors(forward)
    shortest = _distances(backward, [state for state, accepts in enumerate(accepting) if accepts])
    live = [there >= 0 and back >= 0 for there, back in zip(_distances(forward, [0]), shortest, strict=True)]
    if not live[0]:
        return np.full((1, len(rows[0])), -1, np.int32), [0]
    longest = _heights(forward, backward, live)
    numbers: dict[tuple[int, int, int], int] = {}
    facts = zip(labels, shortest, longest, strict=True)
    blocks = [numbers.setdefault(fact, len(numbers)) if alive else -1 for fact, alive in zip(facts, live, strict=True)]
    return _quotient(rows, _refine(rows, backward, blocks, len(numbers)))


def _predecessors(forward: Sequence[Sequence[int]]) -> list[list[int]]:
    """The states that have an edge to each state, given those to which each has one."""
    backward: list[list[int]] = [[] for _ in forward]
    for source, targets in enumerate(forward):
        for target in targets:
            backward[target].append(source)
    return backward


def _distances(edges: Sequence[Sequence[int]], starts: Sequence[int]) -> list[int]:
    """The fewest edges to each state from any of ``starts``, -1 where there is no way."""
    distance = [-1] * len(edges)
    queue = list(starts)
    for state in queue:
        distance[state] = 0
    for state in queue:
        for target in edges[state]:
            if distance[target] < 0:
                distance[target] = distance[state] + 1
                queue.append(target)
    return distance


def _heights(forward: Sequence[Sequence[int]], backward: Sequence[Sequence[int]], live: Sequence[bool]) -> list[int]:
    """The length of the longest text accepted from each live state, -1 where texts are of any length."""
    waiting = [0] * len(forward)
    for state, targets in enumerate(forward):
        for target in targets:
            waiting[state] += live[target]
    height = [-1] * len(forward)
    queue = [state for state, count in enumerate(waiting) if live[state] and not count]
    for state in queue:
        height[state] += 1
        for source in backward[state]:
            waiting[source] -= 1
            height[source] = max(height[source], height[state])
            if live[source] and not waiting[source]:
                queue.append(source)
    return [-1 if count else longest for count, longest in zip(waiting, height, strict=True)]


def _refine(
    rows: Sequence[Sequence[int]], backward: Sequence[Sequence[int]], blocks: list[int], count: int
) -> list[int]:
    """Split blocks until all states of a block agree on the block of every successor.

    ``blocks``: a number below ``count`` for each state, -1 for states to leave out. Returns the final numbers, and one
    -1 more at the end. A round looks only at states with a successor whose number has just changed. The others of a
    block keep its number; where there are none, the largest part does.
    """
    numbers = [*blocks, -1]
    sizes = [0] * count
    for block in blocks:
        if block >= 0:
            sizes[block] += 1
    dirty = list(range(len(blocks)))
    while dirty:
        parts: dict[int, dict[tuple[int, ...], list[int]]] = {}
        for state in dirty:
            block = numbers[state]
            if block >= 0 and sizes[block] > 1:
                row = tuple([numbers[target] for target in rows[state]])
                parts.setdefault(block, {}).setdefault(row, []).append(state)
        moved: list[int] = []
        for block, groups in parts.items():
            members = sorted(groups.values(), key=len)
            if sum(map(len, members)) == sizes[block]:
                members.pop()
            for part in members:
                for state in part:
                    numbers[state] = len(sizes)
                sizes.append(len(part))
                sizes[block] -= len(part)
                moved.extend(part)
        dirty = list({source for state in moved for source in backward[state]})
    return numbers


def _quotient(rows: Sequence[Sequence[int]], numbers: Sequence[int]) -> tuple[Table, list[int]]:
    """The table of the blocks reachable from the start, breadth first and symbols in order, and one state of each.

    ``numbers``: the block of each state, -1 for a state in none, and one -1 more at the end, for "no next state".
    """
    origin, blocks = [0], [numbers[0]]
    seen = {-1, numbers[0]}
    table = []
    for state in origin:
        row = [numbers[target] for target in rows[state]]
        table.append(row)
        for block in dict.fromkeys(row):
            if block not in seen:
                seen.add(block)
                blocks.append(block)
                origin.append(rows[state][row.index(block)])
    renamed = np.full(max(blocks) + 2, -1, np.int32)
    renamed[blocks] = np.arange(len(blocks))
    return renamed[np.array(table, np.intp).reshape(len(origin), -1)], origin


def breadth_first(table: Table, start: int) -> tuple[Table, list[int]]:
    """The states reachable from ``start``, renumbered breadth first, symbols in order: their table and old numbers."""
    rows = table.tolist()
    number = {start: 0}
    order = [start]
    for state in order:
        for target in dict.fromkeys(rows[state]):
            if target >= 0 and target not in number:
                number[target] = len(order)
                order.append(target)
    renamed = np.full(len(table) + 1, -1, np.int32)
    renamed[order] = np.arange(len(order), dtype=np.int32)
    return renamed[table[order]], order
