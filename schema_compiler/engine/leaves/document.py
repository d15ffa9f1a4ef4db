r"""A leaf that belongs to one document: strings that are verbatim pieces of it.

What has been read so far occurs in the document at certain places, and these say all there is to know about what may
follow. They are the states of the document's suffix automaton (Blumer et al. 1985); here they are arrays, made on
demand, so only the pieces actually begun cost anything::

    document  to be or not      read  "o     begun at 1, 6 and 10; next may come a blank, r or t

The document is held in canonical JSON spelling, so escapes cost nothing extra. Which pieces are meant is said by where
they may begin and end, by how many characters they have, and by an automaton of their spellings. For each start, the
automaton's way through the document is fixed, so there is a last place where a piece that begins there may end; a start
is given up behind it, and every state can be completed.

A scan needs no walk over all occurrences: where they stand, ``Passage`` knows what tokens the text agrees with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from mypy_extensions import mypyc_attr

from schema_compiler.engine.leaves.distinct_pieces import FiniteLeaf
from schema_compiler.engine.leaves.passage import Passage
from schema_compiler.engine.leaves.pieces import Pieces
from schema_compiler.engine.tokens.scan import Scan
from schema_compiler.engine.tokens.token_sets import token_sets_at
from schema_compiler.engine.tokens.trie import NOWHERE, ROOT, Int32Array, NodeSet, Trie, distinct
from schema_compiler.regular.text.json_strings import QUOTE

__all__ = ["DocumentLeaf"]

_OPENING, _CLOSED, _INSIDE = 0, 1, 2
"""The states before the opening quote, behind the closing one, and right behind the opening one."""


@mypyc_attr(acyclic=True)
class _Occurrences:
    """Where a text has been read: the numbers of its starts, its length in bytes, and the automaton's state."""

    __slots__ = ("length", "starts", "strings")

    def __init__(self, starts: Int32Array, length: int, strings: int) -> None:
        self.starts = starts
        self.length = length
        self.strings = strings


class DocumentLeaf(FiniteLeaf):
    """JSON strings whose decoded text is one of ``pieces`` of ``passage``; there is at least one.

    Memory is in proportion to the document and to the pieces begun.
    """

    def __init__(self, passage: Passage, pieces: Pieces) -> None:
        if not pieces.begin.size:
            raise ValueError("expected a passage with a piece, found one without any")
        self.start = _OPENING
        self._passage = passage
        self._pieces = pieces
        self._bytes = passage.bytes
        self._begin = pieces.begin
        self._last = pieces.last
        self._ends = np.flatnonzero(pieces.ends).astype(np.int32)
        self._table = pieces.table
        opened = 0 if self._table is None else int(self._table[0, QUOTE])
        everywhere = np.arange(pieces.begin.size, dtype=np.int32)
        self._states: list[_Occurrences] = [_Occurrences(everywhere, 0, opened)]
        self._steps: dict[tuple[int, int], int] = {}
        self._closings: dict[int, bytes] = {}
        self._scans: dict[tuple[int, NodeSet, int], Scan] = {}
        self._agreements: dict[tuple[int, int], tuple[Int32Array, Int32Array]] = {}

    # Reading

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        if state < _INSIDE:
            return _INSIDE if state == _OPENING and byte == QUOTE else -1
        key = (state, byte)
        after = self._steps.get(key)
        if after is None:
            after = self._steps[key] = self._step(state, byte)
        return after

    def _step(self, state: int, byte: int) -> int:
        if byte == QUOTE and self._may_close(state):
            return _CLOSED
        here = self._states[state - _INSIDE]
        offsets = self._begin[here.starts] + here.length
        going = (self._bytes[offsets] == byte) & (offsets < self._last[here.starts])
        starts = here.starts[going]
        if not starts.size:
            return -1
        strings = 0 if self._table is None else int(self._table[here.strings, byte])
        self._states.append(_Occurrences(starts, here.length + 1, strings))
        return len(self._states) - 1 + _INSIDE

    def _may_close(self, state: int) -> bool:
        here = self._states[state - _INSIDE]
        return bool(self._closes(here.starts, np.full(here.starts.size, here.length, np.int32), here.strings).any())

    def _closes(self, starts: Int32Array, lengths: Int32Array, strings: int | Int32Array = 0) -> npt.NDArray[np.bool_]:
        """Which starts have a piece of the length beside; ``strings``: the automaton's states there."""
        begin = self._begin[starts]
        behind = np.minimum(begin + lengths, self._passage.size)
        characters = self._passage.characters[behind] - self._passage.characters[begin]
        closes: npt.NDArray[np.bool_] = self._pieces.ends[behind] & (behind <= self._last[starts])
        closes &= characters >= self._pieces.minimum
        if self._pieces.maximum is not None:
            closes &= characters <= self._pieces.maximum
        if self._table is not None:
            closes &= self._table[strings, QUOTE] < len(self._table) - 1
        return closes

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        return state == _CLOSED

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        if state < _INSIDE:
            return [QUOTE] if state == _OPENING else []
        here = self._states[state - _INSIDE]
        offsets = self._begin[here.starts] + here.length
        following: list[int] = np.unique(self._bytes[offsets[offsets < self._last[here.starts]]]).tolist()
        return following + [QUOTE] * self._may_close(state)

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance: on to the nearest end of a piece."""
        if state == _CLOSED:
            return b""
        closing = self._closings.get(state)
        if closing is None:
            inside = self._nearest_end(self._states[max(state - _INSIDE, 0)])
            closing = self._closings[state] = (b'"' if state == _OPENING else b"") + inside + b'"'
        return closing

    def _nearest_end(self, here: _Occurrences) -> bytes:
        """All occurrences are read on, side by side, until the first of them ends a piece."""
        starts, length = here.starts, here.length
        strings: Int32Array = np.full(starts.size, here.strings, np.int32)
        if self._table is None:
            length = self._least_length(starts, length)
        while True:
            closes = np.flatnonzero(self._closes(starts, np.full(starts.size, length, np.int32), strings))
            if closes.size:
                begin = int(self._begin[starts[closes[0]]])
                return self._bytes[begin + here.length : begin + length].tobytes()
            going = self._begin[starts] + length < self._last[starts]
            starts, strings = starts[going], strings[going]
            if self._table is not None:
                strings = self._table[strings, self._bytes[self._begin[starts] + length]]
            length += 1

    def _least_length(self, starts: Int32Array, length: int) -> int:
        """The length of the shortest piece that goes on from ``length``, where no automaton has a say."""
        passage, begin = self._passage, self._begin[starts]
        fewest = np.minimum(passage.characters[begin] + self._pieces.minimum, passage.offsets.size - 1)
        at = np.searchsorted(self._ends, np.maximum(begin + length, passage.offsets[fewest]))
        lengths = self._ends[np.minimum(at, self._ends.size - 1)] - begin
        possible = (at < self._ends.size) & (begin + lengths <= self._last[starts])
        return int(lengths[possible].min())

    # Scans

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """The tokens that agree with the passage somewhere; memoised."""
        key = (id(trie), node_set, state)
        scan = self._scans.get(key)
        if scan is None:
            scan = self._scans[key] = self._scan(trie, node_set, state)
        return scan

    def _scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        if state == _CLOSED:
            return Scan((), NOWHERE, True)
        opening: list[Int32Array] = []
        if state == _OPENING:
            node_set, state = trie.child(node_set, QUOTE), _INSIDE
            if node_set == NOWHERE:
                return Scan((), NOWHERE, False)
            opening.append(trie.nodes(node_set))
        read, before_quote = self._agreeing(trie, node_set, state)
        behind_quote = trie.follow(before_quote, np.full(before_quote.size, QUOTE, np.uint8))
        ends = distinct(behind_quote[behind_quote >= 0])
        token_sets = token_sets_at(distinct(np.concatenate([*opening, read, ends])), trie)
        return Scan(token_sets, NOWHERE, False, tuple(trie.nodes_going_on(ends).tolist()))

    def _agreeing(self, trie: Trie, node_set: NodeSet, state: int) -> tuple[Int32Array, Int32Array]:
        """The nodes below a node set that pieces lead to, and those, its own among them, where a piece may end."""
        read, before_quote = self._agreeing_from_root(trie, state)
        if node_set != ROOT:
            read, before_quote = self._agreeing_below(trie, trie.nodes(node_set), state, read, before_quote)
        if self._may_close(state):
            before_quote = np.concatenate([before_quote, trie.nodes(node_set)])
        return read, before_quote

    def _agreeing_from_root(self, trie: Trie, state: int) -> tuple[Int32Array, Int32Array]:
        """From each occurrence's farthest node up to the root, as far as the last piece of its start reaches."""
        key = (id(trie), state)
        known = self._agreements.get(key)
        if known is not None:
            return known
        here = self._states[state - _INSIDE]
        reached, depth = self._passage.reach(trie)
        offsets = self._begin[here.starts] + here.length
        inside = offsets < self._last[here.starts]
        starts, offsets = here.starts[inside], offsets[inside]
        nodes, depths, room = reached[offsets], depth[offsets], self._last[starts] - offsets
        strings = self._strings_ahead(offsets, here.strings, int(depths.max()) if depths.size else 0)
        rows = np.arange(starts.size)
        read: list[Int32Array] = []
        ended: list[Int32Array] = []
        while nodes.size:
            fits = depths <= room
            read.append(nodes[fits])
            closes = self._closes(starts, here.length + depths, 0 if strings is None else strings[depths, rows])
            ended.append(nodes[fits & closes])
            nodes = trie.parents[nodes]
            depths = depths - 1
            below = nodes > ROOT
            if not below.all():
                nodes, depths, room, starts, rows = nodes[below], depths[below], room[below], starts[below], rows[below]
        known = self._agreements[key] = (_set_of(read, trie), _set_of(ended, trie))
        return known

    def _strings_ahead(self, offsets: Int32Array, strings: int, most: int) -> Int32Array | None:
        """The automaton's states after up to ``most`` bytes from each offset: int32 ``[most + 1, offsets]``."""
        if self._table is None:
            return None
        ahead = np.full((most + 1, offsets.size), strings, np.int32)
        for count in range(most):
            following = self._bytes[np.minimum(offsets + count, self._passage.size)]
            ahead[count + 1] = self._table[ahead[count], following]
        return ahead

    def _agreeing_below(
        self, trie: Trie, nodes: Int32Array, state: int, read: Int32Array, ended: Int32Array
    ) -> tuple[Int32Array, Int32Array]:
        """The nodes below ``nodes``, found by walking there and from the root side by side.

        ``read`` and ``ended`` are the nodes from the root. Where no token begins with what a token goes on with there,
        the few occurrences in question are read on one by one.
        """
        read_below: list[Int32Array] = []
        ended_below: list[Int32Array] = []
        twins: Int32Array = np.zeros(nodes.size, np.int32)
        while nodes.size:
            children, owner = trie.children(nodes)
            beside = trie.follow(twins[owner], trie.byte[children])
            alone = beside < 0
            if alone.any():
                self._read_on(trie, children[alone], twins[owner[alone]], state, read_below, ended_below)
            both = ~alone
            both[both] = _are_in(beside[both], read)
            nodes, twins = children[both], beside[both]
            read_below.append(nodes)
            ended_below.append(nodes[_are_in(twins, ended)])
        return _set_of(read_below, trie), _set_of(ended_below, trie)

    def _read_on(
        self,
        trie: Trie,
        children: Int32Array,
        twins: Int32Array,
        state: int,
        read: list[Int32Array],
        ended: list[Int32Array],
    ) -> None:
        """From occurrences whose farthest node from the root is one of ``twins``, on through the child beside it."""
        here = self._states[state - _INSIDE]
        reached, depth = self._passage.reach(trie)
        offsets = self._begin[here.starts] + here.length
        inside = offsets < self._last[here.starts]
        starts, offsets = here.starts[inside], offsets[inside]
        wanted = np.zeros(trie.size, np.bool_)
        wanted[twins] = True
        chosen = wanted[reached[offsets]] & (depth[offsets] < self._last[starts] - offsets)
        starts, offsets = starts[chosen], offsets[chosen]
        twin_keys = twins.astype(np.int64) << 8 | trie.byte[children]
        order = np.argsort(twin_keys, kind="stable")
        depths = depth[offsets]
        keys = reached[offsets].astype(np.int64) << 8 | self._bytes[offsets + depths]
        first = np.searchsorted(twin_keys[order], keys, "left")
        end = np.searchsorted(twin_keys[order], keys, "right")
        counts = end - first
        rows = np.repeat(np.arange(starts.size), counts)
        within = np.arange(rows.size) - np.repeat(np.cumsum(counts) - counts, counts)
        nodes = children[order[first[rows] + within]]
        starts, lengths = starts[rows], here.length + depths[rows] + 1
        while nodes.size:
            read.append(nodes)
            strings = self._strings_after(starts, here, lengths)
            ended.append(nodes[self._closes(starts, lengths, strings)])
            going = self._begin[starts] + lengths < self._last[starts]
            nodes, starts, lengths = nodes[going], starts[going], lengths[going]
            nodes = trie.follow(nodes, self._bytes[self._begin[starts] + lengths])
            alive = nodes >= 0
            nodes, starts, lengths = nodes[alive], starts[alive], lengths[alive] + 1

    def _strings_after(self, starts: Int32Array, here: _Occurrences, lengths: Int32Array) -> Int32Array:
        """The automaton's state of each start after a length of its own."""
        strings: Int32Array = np.full(starts.size, here.strings, np.int32)
        if self._table is None or not starts.size:
            return strings
        for length in range(here.length, int(lengths.max())):
            going = length < lengths
            strings[going] = self._table[strings[going], self._bytes[self._begin[starts[going]] + length]]
        return strings

    # Pieces

    def pieces(self, limit: int) -> list[tuple[int, int]] | None:
        """The first and the last byte of every piece, by where they begin; ``None`` where more than ``limit`` are."""
        found: list[tuple[int, int]] = []
        for span in self._each_piece():
            found.append(span)
            if len(found) > limit:
                return None
        return found

    def _each_piece(self) -> Iterator[tuple[int, int]]:
        for number, begin in enumerate(self._begin.tolist()):
            yield from ((begin, stop) for stop in self._stops(number, self._states[0]))

    def _stops(self, number: int, here: _Occurrences) -> list[int]:
        """The bytes behind the pieces that begin at start ``number`` and go on from ``here``."""
        begin, last = int(self._begin[number]), int(self._last[number])
        offset = begin + here.length
        first, end = np.searchsorted(self._ends, (offset, last + 1))
        stops = self._ends[first:end]
        strings: Int32Array = np.zeros(stops.size, np.int32)
        if self._table is not None:
            strings = _along(self._table, here.strings, self._bytes[offset:last])[stops - offset]
        closes = self._closes(np.full(stops.size, number, np.int32), stops - begin, strings)
        found: list[int] = stops[closes].tolist()
        return found

    def endings(self, state: int, limit: int) -> list[bytes]:
        """See ``FiniteLeaf``."""
        if state == _CLOSED:
            return [b""][:limit]
        here = self._states[max(state - _INSIDE, 0)]
        found = {self.closing(state): None}
        opening = b'"' if state == _OPENING else b""
        for number in here.starts.tolist():
            if len(found) >= limit:
                break
            offset = int(self._begin[number]) + here.length
            for stop in self._stops(number, here)[:limit]:
                found[opening + self._bytes[offset:stop].tobytes() + b'"'] = None
        return list(found)[:limit]

    def occurrences(self, text: bytes) -> list[tuple[int, int]]:
        """Where the piece that is spelled ``text``, without its quotes, stands: its first byte, and the one behind."""
        state = _INSIDE
        for byte in text:
            state = self.step(state, byte)
            if state < _INSIDE:
                return []
        here = self._states[state - _INSIDE]
        lengths = np.full(here.starts.size, here.length, np.int32)
        begin = self._begin[here.starts[self._closes(here.starts, lengths, here.strings)]]
        return [(one, one + here.length) for one in begin.tolist()]


def _along(table: Int32Array, state: int, text: npt.NDArray[np.uint8]) -> Int32Array:
    """The states before and after each byte of ``text``."""
    states = [state]
    for byte in text.tolist():
        state = int(table[state, byte])
        states.append(state)
    return np.array(states, np.int32)


def _set_of(parts: Sequence[Int32Array], trie: Trie) -> Int32Array:
    """The nodes in any of ``parts``: sorted, each once; marked in a row over the trie where they are many."""
    if sum(part.size for part in parts) * _SPARSE < trie.size:
        return distinct(np.concatenate(parts)) if parts else np.zeros(0, np.int32)
    marked = np.zeros(trie.size, np.bool_)
    for part in parts:
        marked[part] = True
    return np.flatnonzero(marked).astype(np.int32)


_SPARSE = 32
"""Nodes fewer than this part of the trie are sorted; of more, each is marked in a row that is as long as the trie."""


def _are_in(nodes: Int32Array, known: Int32Array) -> npt.NDArray[np.bool_]:
    """Which of ``nodes`` are among ``known``, which is sorted."""
    if not known.size:
        return np.zeros(nodes.size, np.bool_)
    found: npt.NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, nodes), known.size - 1)] == nodes
    return found
