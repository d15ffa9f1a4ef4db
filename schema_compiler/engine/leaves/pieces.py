r"""Which pieces of a passage are meant: where they may begin and end, how long they may be, and how they are spelled.

A piece is a start and an end. All that is kept of the pairs is, for each start, the last place where a piece that
begins there may end. That is enough to read only what can be completed: the way of the automaton through the passage is
fixed by the start, so whoever reads on from it meets that end::

    passage  12/03 x 4/5      strings  [0-9]+/[0-9]+      begin 0, 1, 8      last 5, 5, 11

To find the last ends, all starts are read on side by side, and most of them are soon given up. What is left reads the
passage once, from left to right: starts in the same state of the automaton at the same place have the same future, so
they are one from there on (as threads are in the simulation of an automaton, Thompson 1968).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.leaves.passage import Passage
from schema_compiler.engine.tokens.trie import Int32Array
from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.text.json_strings import QUOTE

__all__ = ["Pieces", "pieces_of"]

_SIDE_BY_SIDE = 64
"""So many bytes all starts are read on side by side, before those left are read on from left to right.

An operation on all starts costs some microseconds, a byte of the passage by itself about one. Dates, numbers and codes
are over by then. A power of two; chosen, not measured.
"""

_MOST_STEPS = 1 << 27
"""How many bytes are read in all, where pieces have a greatest length beside an automaton: some seconds.

A document of 100,000 characters with a start at each of them gets there with pieces of 1,300 characters. A power of
two; chosen, not measured.
"""


class Pieces:
    """The pieces of a passage that are meant; see ``pieces_of``.

    ``begin``: int32, the bytes where some piece begins, ascending. ``last``: int32, for each of them the byte behind
    the longest piece that begins there. ``ends``: bool ``[passage.size + 1]``, the bytes behind which a piece may end.
    A piece has ``minimum`` to ``maximum`` characters (``None``: any number). ``table``: int32 ``[states + 1, 256]``,
    the automaton of pieces as JSON strings, its last state one in which nothing can be read (``None``: any strings).
    """

    def __init__(
        self,
        begin: Int32Array,
        last: Int32Array,
        ends: npt.NDArray[np.bool_],
        minimum: int,
        maximum: int | None,
        table: Int32Array | None,
    ) -> None:
        self.begin = begin
        self.last = last
        self.ends = ends
        self.minimum = minimum
        self.maximum = maximum
        self.table = table


def pieces_of(
    passage: Passage,
    starts: npt.NDArray[np.bool_],
    ends: npt.NDArray[np.bool_],
    *,
    bounds: Int32Array | None = None,
    minimum: int = 1,
    maximum: int | None = None,
    strings: Dfa | None = None,
) -> Pieces:
    """The pieces of at least one character that begin at ``starts`` and end at ``ends``: bool ``[characters + 1]``.

    ``bounds``: int32 ``[characters + 1]``, the character before which a piece that begins at a character must end.
    ``minimum`` and ``maximum``: how many characters a piece has (``None``: any number). ``strings``: an automaton of
    JSON strings, of which a piece must be one. Raises ``CompileBudgetError`` where it takes too long to find them.
    """
    minimum = max(minimum, 1)
    characters = np.flatnonzero(starts)
    begin = passage.offsets[characters]
    ends_at = np.zeros(passage.size + 1, np.bool_)
    ends_at[passage.offsets[np.flatnonzero(ends)]] = True
    most = passage.offsets.size - 1
    bound = np.full(characters.size, most) if bounds is None else bounds[characters]
    if maximum is not None:
        bound = np.minimum(bound, characters + maximum)
    table = None if strings is None else _with_dead_state(strings)
    stop = passage.offsets[bound]
    if table is None:
        last = _last_ends(ends_at, stop)
    else:
        is_bounded = bounds is not None or maximum is not None
        last = _last_accepted(passage, begin, stop, ends_at, table, is_bounded=is_bounded)
    found = last >= passage.offsets[np.minimum(characters + minimum, most)]
    found &= characters + minimum <= most
    return Pieces(begin[found], last[found], ends_at, minimum, maximum, table)


def _with_dead_state(strings: Dfa) -> Int32Array:
    """The table with one more state, in which nothing can be read, instead of -1."""
    dead = len(strings)
    table = np.full((dead + 1, 256), dead, np.int32)
    table[:dead] = np.where(strings.table < 0, dead, strings.table)
    return table


def _last_ends(ends: npt.NDArray[np.bool_], stop: Int32Array) -> Int32Array:
    """The last end up to each ``stop``; -1 where there is none."""
    offsets = np.append(np.flatnonzero(ends), -1).astype(np.int32)
    return offsets[np.searchsorted(offsets[:-1], stop, "right") - 1]


def _last_accepted(
    passage: Passage,
    begin: Int32Array,
    stop: Int32Array,
    ends: npt.NDArray[np.bool_],
    table: Int32Array,
    *,
    is_bounded: bool,
) -> Int32Array:
    """For each start the last end up to ``stop`` where the automaton accepts; -1 where there is none."""
    dead = len(table) - 1
    accepting = table[:, QUOTE] < dead
    last: Int32Array = np.full(begin.size, -1, np.int32)
    live: Int32Array = np.arange(begin.size, dtype=np.int32)
    states: Int32Array = np.full(begin.size, int(table[0, QUOTE]), np.int32)
    length = steps = 0
    while live.size:
        offsets = begin[live] + length
        accepted = accepting[states] & ends[offsets]
        last[live[accepted]] = offsets[accepted]
        going = offsets < stop[live]
        live, states, offsets = live[going], states[going], offsets[going]
        if length == _SIDE_BY_SIDE and not is_bounded:
            break
        steps += live.size
        if steps > _MOST_STEPS:
            raise CompileBudgetError(f"pieces of the document were read over more than {_MOST_STEPS} bytes, the limit")
        states = table[states, passage.bytes[offsets]]
        alive = states < dead
        live, states, length = live[alive], states[alive], length + 1
    for start, end in _last_accepted_from_left(passage, begin[live].tolist(), ends, table):
        last[live[start]] = end
    return last


def _last_accepted_from_left(
    passage: Passage, begin: list[int], ends: npt.NDArray[np.bool_], table: Int32Array
) -> Iterator[tuple[int, int]]:
    """For the starts of ``begin`` by number the last end that is accepted, if any.

    Starts that have become one make a group; ``groups`` has for each the last end met and the group that it became part
    of, which is a later one.
    """
    dead = len(table) - 1
    accepts = (table[:, QUOTE] < dead).tolist()
    opened = int(table[0, QUOTE])
    text, is_end = passage.bytes.tobytes(), ends.tobytes()
    rows: dict[int, list[int]] = {}
    last = [-1] * len(begin)
    parents = [-1] * len(begin)
    current: dict[int, int] = {}
    following = 0
    at = begin[0] if begin else passage.size
    while current or following < len(begin):
        if not current:
            at = begin[following]
        if following < len(begin) and begin[following] == at:
            current[opened] = _joined(current.get(opened), following, last, parents)
            following += 1
        if is_end[at]:
            for state, group in current.items():
                if accepts[state]:
                    last[group] = at
        if at == passage.size:
            break
        byte, after = text[at], dict[int, int]()
        for state, group in current.items():
            row = rows.get(state)
            if row is None:
                row = rows[state] = table[state].tolist()
            target = row[byte]
            if target != dead:
                after[target] = _joined(after.get(target), group, last, parents)
        current = after
        at += 1
    for group in range(len(parents) - 1, -1, -1):
        if parents[group] >= 0 and last[parents[group]] >= 0:
            last[group] = last[parents[group]]
    yield from ((start, last[start]) for start in range(len(begin)) if last[start] >= 0)


def _joined(one: int | None, other: int, last: list[int], parents: list[int]) -> int:
    """The group of two groups; ``other`` where it is alone."""
    if one is None:
        return other
    parents[one] = parents[other] = len(parents)
    parents.append(-1)
    last.append(-1)
    return len(parents) - 1
