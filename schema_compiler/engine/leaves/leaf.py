"""Leaf rules at work: languages that call nothing, scanned in one vectorised pass over the trie.

A leaf is an interface, so that a language need not be a table: a start state, a step by byte, whether a state
accepts, the shortest way out, and the scan. States are integers. ``DfaLeaf`` is a plain table. ``CountedLeaf``
adds a counter of characters: its state is ``count * states + state of the table``, its scans are cut out of one
scan of the table that also notes how many characters each token adds, so bounds cost neither states nor scans.

Scans belong to the vocabulary: all grammars that contain the same leaf share them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.interiors import Inside, Interior, interior_of
from schema_compiler.engine.tokens.length_groups import Groups
from schema_compiler.engine.tokens.scan import (
    Piece,
    Scan,
    flat,
    key_of,
    piece_of,
    place_of,
    row_of,
    size_of,
    unflattened,
    without,
)
from schema_compiler.engine.tokens.slices import Found, Regions
from schema_compiler.engine.tokens.trie import ROOT, Int32Array, Position, Row, Trie, distinct
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.lengths import Lengths, lengths_of

__all__ = ["CountedLeaf", "DfaLeaf", "LeafLanguage", "Leaves", "StoredScan"]


_REPEATED = 2
"""So many passes over the vocabulary make a table worth taking apart."""
_LARGE = 512
"""A table of so many states takes longer to be taken apart than what that could save."""


class LeafLanguage(ABC):
    """A language over bytes whose every state can still reach acceptance; ``start`` is the first one."""

    start: int

    @abstractmethod
    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """Read on from ``text[index]`` up to the end, to acceptance or to -1: the state and the index then."""
        while index < len(text):
            state = self.step(state, text[index])
            index += 1
            if state < 0 or self.accepting(state):
                break
        return state, index

    @abstractmethod
    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""

    @abstractmethod
    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""

    @abstractmethod
    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance."""

    @abstractmethod
    def scan(self, trie: Trie, position: Position, state: int) -> Scan:
        """Which tokens going on from ``position`` the language admits."""


class DfaLeaf(LeafLanguage):
    """A leaf given by a table."""

    def __init__(self, dfa: Dfa, regions: Regions, scans: Mapping[int, Scan]) -> None:
        self.dfa = dfa
        self.regions = regions
        self.start = 0
        self._rows: list[list[int] | None] = [None] * len(dfa.table)
        self._scans = dict(scans)
        self._interior: Interior | None = None
        self._wide_walks = 0
        self._less: dict[tuple[Scan, Position], Scan] = {}
        self._closings: dict[int, bytes] = {}
        self._lengths: Lengths | None = None
        self._accepting: list[bool] = dfa.accepting.tolist()

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        return self._row(state)[byte]

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """See ``LeafLanguage``."""
        rows, accepting = self._rows, self._accepting
        while index < len(text):
            state = (rows[state] or self._row(state))[text[index]]
            index += 1
            if state < 0 or accepting[state]:
                break
        return state, index

    def _row(self, state: int) -> list[int]:
        row = self._rows[state]
        if row is None:
            row = self._rows[state] = self.dfa.table[state].tolist()
        return row

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        return self._accepting[state]

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        return [byte for byte, after in enumerate(self._row(state)) if after >= 0]

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance."""
        text = self._closings.get(state)
        if text is None:
            self._lengths = self._lengths or lengths_of(self.dfa)
            text = self._closings[state] = self._lengths.closing(state, 0, None)
        return text

    def scan(self, trie: Trie, position: Position, state: int) -> Scan:
        """One pass over the part of the trie that the table admits; memoised."""
        key = key_of(position, state)
        scan = self._scans.get(key)
        if scan is None:
            scan = self._scans.setdefault(key, self._scan(trie, position, state))
        return scan

    def scan_without(self, trie: Trie, scan: Scan, ends: Position) -> Scan:
        """One of the leaf's scans, less the texts that end at ``ends``; memoised."""
        key = (scan, ends)
        less = self._less.get(key)
        if less is None:
            tokens = trie.tokens(ends)
            pieces = tuple([without(piece, tokens) for piece in scan.pieces])
            trie.grown += 400 + sum(map(size_of, pieces))
            less = self._less.setdefault(key, Scan(pieces, trie.without(scan.rest, trie.onward(ends)), scan.empty))
        return less

    def scans(self) -> list[tuple[tuple[Position, int], Scan]]:
        """The scans made so far, by position and state."""
        return [(place_of(key), scan) for key, scan in list(self._scans.items())]

    def _scan(self, trie: Trie, position: Position, state: int) -> Scan:
        found = self._found(position, state)
        ends = found.ended(self.dfa.accepting)[0]
        rest = trie.going_on(np.sort(ends) if trie.is_single(position) else distinct(ends))
        pieces = found.pieces()
        trie.grown += 400 + sum(map(size_of, pieces))
        return Scan(pieces, rest, self._accepting[state])

    def _found(self, position: Position, state: int) -> Found | Inside:
        """A table is taken apart when it has cost a second pass over the vocabulary: not all gain by it."""
        if position == ROOT and self._interior is not None and not self._accepting[state]:
            return self.regions.apart(self._interior, self.dfa, state)
        found = self.regions.walk(position, self.dfa, state, count=False)
        if position == ROOT and found.is_wide:
            self._wide_walks += 1
            if self._wide_walks == _REPEATED and len(self.dfa) < _LARGE:
                self._interior = interior_of(self.dfa)
        return found


class CountedLeaf(LeafLanguage):
    """A table whose characters are counted: between ``minimum`` and ``maximum`` of them."""

    def __init__(self, table: CountedTable, minimum: int, maximum: int | None) -> None:
        self._table = table
        self._minimum = minimum
        self._maximum = maximum
        self._states = table.states
        self.start = 0

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1 also when no legal length could follow."""
        count, inner = divmod(state, self._states)
        after = self._table.plain.step(inner, byte)
        if after < 0:
            return -1
        count += self._table.begins(inner, after)
        if not self._table.lengths.viable(after, *self._window(count)):
            return -1
        if self._maximum is None:
            count = min(count, self._minimum)
        return count * self._states + after

    def _window(self, count: int) -> tuple[int, int | None]:
        """How many more characters must and may follow after ``count``."""
        return max(self._minimum - count, 0), None if self._maximum is None else self._maximum - count

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        count, inner = divmod(state, self._states)
        return self._table.plain.accepting(inner) and count >= self._minimum

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        inner = state % self._states
        return [byte for byte in self._table.plain.bytes_from(inner) if self.step(state, byte) >= 0]

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance."""
        count, inner = divmod(state, self._states)
        return self._table.lengths.closing(inner, *self._window(count))

    def scan(self, trie: Trie, position: Position, state: int) -> Scan:
        """The part of the table's scan that the counter admits."""
        count, inner = divmod(state, self._states)
        return self._table.scan(trie, position, inner, *self._window(count))


class CountedTable:
    """Scans of one table with characters noted, shared by all bounds on that table."""

    def __init__(self, plain: DfaLeaf) -> None:
        self.plain = plain
        self.states = len(plain.dfa.table)
        self.lengths = lengths_of(plain.dfa)
        self._boundary: list[bool] = plain.dfa.boundary.tolist()
        self._groups: dict[int, _Groups] = {}

    def begins(self, state: int, after: int) -> bool:
        """Whether the step from ``state`` to ``after`` begins a character."""
        return self._boundary[state] and not self.plain.accepting(after)

    def scan(self, trie: Trie, position: Position, state: int, least: int, most: int | None) -> Scan:
        """The tokens after which between ``least`` and ``most`` more characters are still possible."""
        key = key_of(position, state)
        groups = self._groups.get(key)
        if groups is None:
            groups = self._groups.setdefault(key, _Groups(trie, position, self.plain, state))
        return groups.scan(self.lengths, least, most)


class _Groups:
    """A walk's tokens grouped by (table state, characters begun): what the counter can tell apart."""

    def __init__(self, trie: Trie, position: Position, plain: DfaLeaf, state: int) -> None:
        found = plain.regions.walk(position, plain.dfa, state, count=True)
        self._trie = trie
        self._accepting = plain.accepting(state)
        self._tokens = found.groups()
        self._every = found.pieces()
        self._is_single = trie.is_single(position)
        self._ends = Groups.of(*found.ended(plain.dfa.accepting))
        self._longest = int(max(self._tokens.begun.max(initial=0), self._ends.begun.max(initial=0)))
        self._trie.grown += self._tokens.nbytes + self._ends.nbytes
        self._scans: dict[tuple[bytes, bytes, bool], Scan] = {}
        self._windows: dict[tuple[int, int | None], Scan] = {}

    def scan(self, lengths: Lengths, least: int, most: int | None) -> Scan:
        """The union of the groups after which the remaining length window can be met."""
        window = lengths.reduced(least, most, self._longest)
        scan = self._windows.get(window)
        if scan is None:
            scan = self._windows.setdefault(window, self._scan(lengths, *window))
        return scan

    def _scan(self, lengths: Lengths, least: int, most: int | None) -> Scan:
        tokens = lengths.viable_each(self._tokens.states, self._tokens.begun, least, most)
        ends = lengths.viable_each(self._ends.states, self._ends.begun, least, most)
        empty = self._accepting and least == 0
        key = (tokens.tobytes(), ends.tobytes(), empty)
        scan = self._scans.get(key)
        if scan is None:
            pieces, nodes = self._pieces(tokens), distinct(self._ends.where(ends))
            self._trie.grown += 400 + sum(map(size_of, pieces))
            scan = self._scans.setdefault(key, Scan(pieces, self._trie.going_on(nodes), empty))
        return scan

    def _pieces(self, wanted: npt.NDArray[np.bool_]) -> tuple[Piece, ...]:
        """The tokens of the groups wanted; where these are most, and no token is in two groups, all less the others."""
        if wanted.all():
            return self._every
        lost = self._tokens.where(~wanted)
        if self._is_single and self._trie.words < self._tokens.size > 2 * lost.size:
            return (row_of(self._every, self._trie) & ~self._trie.row(lost),)
        ids = self._tokens.where(wanted)
        return (piece_of(ids, self._trie),) if ids.size else ()


@dataclass(frozen=True, slots=True, eq=False)
class StoredScan:
    """One scan of one table in flat form: its key, and the parts of ``Scan`` (see ``flat``; ``rest`` as trie nodes)."""

    digest: bytes
    nodes: Int32Array
    state: int
    piece: Int32Array | Row
    rest: Int32Array
    empty: bool


class Leaves:
    """The leaf languages of one vocabulary, by digest."""

    def __init__(self, trie: Trie, stored: Iterable[StoredScan] = ()) -> None:
        self.trie = trie
        self._regions = Regions(trie)
        self._plain: dict[bytes, DfaLeaf] = {}
        self._tables: dict[bytes, CountedTable] = {}
        self._stored: dict[bytes, list[StoredScan]] = {}
        for scan in stored:
            self._stored.setdefault(scan.digest, []).append(scan)

    def plain(self, digest: bytes, dfa: Dfa) -> DfaLeaf:
        """The leaf of a table."""
        leaf = self._plain.get(digest)
        if leaf is None:
            scans = dict(self._restored(scan) for scan in self._stored.get(digest, ()))
            self.trie.grown += 3 * dfa.table.nbytes
            leaf = self._plain.setdefault(digest, DfaLeaf(dfa, self._regions, scans))
        return leaf

    def counted(self, digest: bytes, dfa: Dfa, minimum: int, maximum: int | None) -> CountedLeaf:
        """The leaf of a table with its characters counted."""
        table = self._tables.get(digest)
        if table is None:
            table = self._tables.setdefault(digest, CountedTable(self.plain(digest, dfa)))
        return CountedLeaf(table, minimum, maximum)

    def scans(self) -> Iterator[StoredScan]:
        """Every scan of a table known so far: made here, or loaded and not asked for yet."""
        for digest, leaf in list(self._plain.items()):
            for (position, state), scan in leaf.scans():
                rest = self.trie.nodes(scan.rest)
                pieces = scan.pieces if len(scan.pieces) < 2 else (row_of(scan.pieces, self.trie),)
                piece = flat(pieces[0]) if pieces else _NO_NODES
                yield StoredScan(digest, self.trie.nodes(position), state, piece, rest, scan.empty)
        for digest, stored in self._stored.items():
            if digest not in self._plain:
                yield from stored

    def _restored(self, stored: StoredScan) -> tuple[int, Scan]:
        position = self.trie.position(stored.nodes)
        pieces = unflattened(stored.piece, self.trie)
        return key_of(position, stored.state), Scan(pieces, self.trie.position(stored.rest), stored.empty)


_NO_NODES = np.empty(0, np.int32)
