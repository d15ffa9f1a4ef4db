"""Trim and minimise a transition table over any alphabet.

Partition refinement: states are told apart by the blocks their successors are in, until nothing changes (Moore, 1956),
looking again only at states whose successors moved (Hopcroft, 1971). It starts from two facts that equivalent states
share: the length of the shortest text they accept, and of the longest one where there is one; for most patterns that
leaves little to refine. Symbols that no state tells apart are handled as one column throughout.

The numbering of the result is canonical (breadth first, symbols in order), so equal languages give equal tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from schema_compiler.grammar.explore import Table

__all__ = ["Flags", "breadth_first", "columns", "minimize"]

Flags: TypeAlias = npt.NDArray[np.bool_]
Integers: TypeAlias = npt.NDArray[np.intp]


_ROWS = 1024
"""Tables are compared so many rows at a time, since copies of a large one are what takes the most memory."""


def columns(table: Table) -> tuple[Integers, Integers]:
    """Equivalence classes of symbols: one representative per class, and the class of every symbol."""
    parts = [slice(first, first + _ROWS) for first in range(0, len(table), _ROWS)]
    weights = _weights(len(table))
    keys = sum((weights[part] @ table[part].astype(np.int64) for part in parts), np.zeros(table.shape[1], np.int64))
    _, firsts, numbers = np.unique(keys, return_index=True, return_inverse=True)
    if not all(np.array_equal(table[part, firsts][:, numbers], table[part]) for part in parts):  # unequal, equal keys
        _, firsts, numbers = np.unique(table, axis=1, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return firsts[order], rank[numbers.ravel()]


def _weights(count: int) -> npt.NDArray[np.int64]:
    """Numbers that make sums over different columns different, nearly always."""
    numbers = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return ((numbers ^ (numbers >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)).astype(np.int64)


def minimize(table: Table, accepting: Flags, labels: npt.NDArray[np.int_]) -> tuple[Table, Integers]:
    """The minimal trimmed table that starts in state 0, and for each of its states a state of ``table`` it stands for.

    ``labels`` (int ``[states]``) are kept apart, whatever they mean; they must tell ``accepting`` states from others.
    The empty language keeps its start state, with no edges.
    """
    representatives, classes = columns(table)
    narrow = table[:, representatives]
    forward = _successors(narrow)
    backward = _reversed(forward)
    shortest = _distances(backward, np.flatnonzero(accepting).tolist())
    live = (shortest >= 0) & (_distances(forward, [0]) >= 0)
    if not live[0]:
        return np.full((1, table.shape[1]), -1, np.int32), np.zeros(1, np.intp)
    narrow = np.where((narrow >= 0) & live[narrow] & live[:, None], narrow, np.int32(-1))
    longest = _heights(forward, backward, live)
    many = len(table) + 2
    facts = ((labels * many + shortest + 1) * many + longest + 1) * live
    blocks = _refine(narrow, backward, np.unique(facts, return_inverse=True)[1])
    quotient, origin = _quotient(narrow, blocks)
    return quotient.take(classes, axis=1), origin


def _successors(narrow: Table) -> list[list[int]]:
    """The distinct next states of every state."""
    return [[state for state in dict.fromkeys(row) if state >= 0] for row in narrow.tolist()]


def _reversed(forward: Sequence[Sequence[int]]) -> list[list[int]]:
    backward: list[list[int]] = [[] for _ in forward]
    for source, targets in enumerate(forward):
        for target in targets:
            backward[target].append(source)
    return backward


def _distances(edges: Sequence[Sequence[int]], starts: Sequence[int]) -> npt.NDArray[np.int_]:
    """Fewest edges from any of ``starts``, -1 where there is no way."""
    distance = np.full(len(edges), -1, np.int_).tolist()
    queue = list(starts)
    for state in queue:
        distance[state] = 0
    for state in queue:
        for target in edges[state]:
            if distance[target] < 0:
                distance[target] = distance[state] + 1
                queue.append(target)
    return np.array(distance, np.int_)


def _heights(forward: Sequence[Sequence[int]], backward: Sequence[Sequence[int]], live: Flags) -> npt.NDArray[np.int_]:
    """Length of the longest text accepted from each live state, -1 where there is no longest."""
    alive = live.tolist()
    waiting = [sum(alive[target] for target in targets) for targets in forward]
    height = [-1] * len(forward)
    queue = [state for state, count in enumerate(waiting) if alive[state] and not count]
    for state in queue:
        height[state] = 1 + max((height[target] for target in forward[state] if alive[target]), default=-1)
        for source in backward[state]:
            waiting[source] -= 1
            if alive[source] and not waiting[source]:
                queue.append(source)
    return np.array(height, np.int_)


def _refine(narrow: Table, backward: Sequence[Sequence[int]], blocks: Integers) -> Integers:
    """Split blocks until all states of a block agree on the block of every successor.

    States whose successors kept their blocks still agree with each other and keep theirs; only the others are grouped
    anew, and only their predecessors come next.
    """
    numbers = np.append(blocks, -1)
    sizes = np.bincount(blocks).tolist()
    dirty = list(range(len(blocks)))
    while dirty:
        parts: dict[int, dict[bytes, list[int]]] = {}
        for state, block, row in zip(dirty, numbers[dirty].tolist(), numbers[narrow[dirty]], strict=True):
            if sizes[block] > 1:
                parts.setdefault(block, {}).setdefault(row.tobytes(), []).append(state)
        moved: list[int] = []
        for block, groups in parts.items():
            members = sorted(groups.values(), key=len)
            if sum(map(len, members)) == sizes[block]:
                members.pop()
            for part in members:
                numbers[part] = len(sizes)
                sizes.append(len(part))
                sizes[block] -= len(part)
                moved.extend(part)
        dirty = list({source for state in moved for source in backward[state]})
    return numbers[:-1]


def _quotient(narrow: Table, blocks: Integers) -> tuple[Table, Integers]:
    """One state per block reachable from the start, and a state of each."""
    member = np.empty(int(blocks.max()) + 1, np.intp)
    member[blocks] = np.arange(len(blocks))
    targets = np.append(blocks, -1).astype(np.int32)[narrow[member]]
    quotient, order = breadth_first(targets, int(blocks[0]))
    return quotient, member[order]


def breadth_first(table: Table, start: int) -> tuple[Table, list[int]]:
    """The states reachable from ``start``, breadth first and symbols in order: their table, and their old numbers."""
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
