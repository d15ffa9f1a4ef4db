"""Lists of different values out of a finite set, as one leaf: which values are used is part of the state.

As rules, "what may follow these values" would be a rule for each set of used values, its alternatives explored anew
after every item. Here the spellings of all values form one tree, and a state is a place on it together with the
used values, the bits of an integer::

    "cat", "cow", "dog"    after ["cat", "   the place "   is alive for cow and dog
                           after  "c         only ow" is left below the place "c

A place is alive as long as an unused value lies below it. What a place admits ignoring that is worked out once for
each position, with the values below the end of every token; a scan is what is left of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.leaves.interning import Interner
from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.leaves.table import TableLeaf
from schema_compiler.engine.tokens.scan import Scan, scan_key
from schema_compiler.engine.tokens.token_sets import TokenSet, nbytes_of, token_set_of
from schema_compiler.engine.tokens.trie import NOWHERE, Int32Array, NodeSet, Trie

__all__ = ["SelectionLeaf"]

_NO_VALUE = -1


class _Place:
    """A prefix of spellings: the places after it by byte, the value spelled by it, and the values at it or below."""

    __slots__ = ("below", "following", "value")

    def __init__(self) -> None:
        self.following: dict[int, int] = {}
        self.value = _NO_VALUE
        self.below = 0


class _Reached:
    """What a place admits from a position up to the end of the value.

    ``ids``: int32 ``[tokens]``, those that end within it. ``below``: uint64 ``[tokens, words]``, the values that may
    still come of each. ``ended``: trie nodes where tokens go on after a value, and the value. ``separated``: values
    with what the separator makes of such tokens.
    """

    __slots__ = ("below", "ended", "ids", "separated")

    def __init__(
        self,
        ids: Int32Array,
        below: npt.NDArray[np.uint64],
        ended: list[tuple[int, int]],
        separated: list[tuple[int, Scan]],
    ) -> None:
        self.ids = ids
        self.below = below
        self.ended = ended
        self.separated = separated


class SelectionLeaf(LeafLanguage):
    """Lists of ``minimum`` to ``maximum`` different values, a text of ``separator`` between two; see ``Selection``.

    A state is the number of a place on the tree, or behind those of a state of the separator, and the used values.
    """

    def __init__(self, values: Sequence[Sequence[bytes]], separator: TableLeaf, minimum: int, maximum: int) -> None:
        self._separator = separator
        self._minimum = minimum
        self._maximum = maximum
        self._width = (len(values) + 63) // 64 * 8
        self._every = (1 << len(values)) - 1
        self._places = [_Place()]
        for number, spellings in enumerate(values):
            for spelling in spellings:
                self._add(spelling, number)
        self._gap = len(self._places) + separator.start
        self._states: Interner[tuple[int, int]] = Interner()
        self._scans: dict[tuple[NodeSet, int, int], Scan] = {}
        self._reached: dict[int, _Reached] = {}
        self.start = self._states.of((0, 0))

    def _add(self, spelling: bytes, number: int) -> None:
        place = self._places[0]
        place.below |= 1 << number
        for byte in spelling:
            index = place.following.get(byte)
            if index is None:
                index = place.following[byte] = len(self._places)
                self._places.append(_Place())
            place = self._places[index]
            place.below |= 1 << number
        place.value = number

    # Reading

    def _after(self, place: int, used: int, byte: int) -> tuple[int, int]:
        """The place after ``byte``, -1 if it is illegal, and the values used then."""
        offset = len(self._places)
        if place >= offset:
            after = self._separator.step(place - offset, byte)
            if after >= 0:
                return offset + after, used
            if not self._separator.accepting(place - offset):
                return -1, used
            place = 0
        here = self._places[place]
        index = here.following.get(byte)
        if index is not None:
            return (index if self._places[index].below & ~used else -1), used
        if not self._may_go_on(here, used):
            return -1, used
        after = self._separator.step(self._separator.start, byte)
        return (-1 if after < 0 else offset + after), used | 1 << here.value

    def _ends(self, here: _Place, used: int) -> bool:
        """Whether a value that was not used is complete at ``here``."""
        return here.value != _NO_VALUE and not used >> here.value & 1

    def _may_end(self, here: _Place, used: int) -> bool:
        return self._ends(here, used) and used.bit_count() + 1 >= self._minimum

    def _may_go_on(self, here: _Place, used: int) -> bool:
        return self._ends(here, used) and used.bit_count() + 1 < self._maximum

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        place, used = self._after(*self._states[state], byte)
        return -1 if place < 0 else self._states.of((place, used))

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """Read on from ``text[index]`` up to the end, to acceptance or to -1: the state and the index then."""
        place, used = self._states[state]
        while index < len(text):
            place, used = self._after(place, used, text[index])
            index += 1
            if place < 0:
                return -1, index
            if place < len(self._places) and self._may_end(self._places[place], used):
                break
        return self._states.of((place, used)), index

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        place, used = self._states[state]
        return place < len(self._places) and self._may_end(self._places[place], used)

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        place, used = self._states[state]
        offset = len(self._places)
        if place >= offset:
            possible = set(self._separator.bytes_from(place - offset)) | set(self._places[0].following)
        else:
            possible = set(self._places[place].following) | set(self._separator.bytes_from(self._separator.start))
        return [byte for byte in sorted(possible) if self._after(place, used, byte)[0] >= 0]

    # Closing

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance: the value that is under way, then others as far as needed."""
        if self.accepting(state):
            return b""
        place, used = self._states[state]
        offset = len(self._places)
        begin = b""
        if place >= offset:
            begin, place = self._separator.closing(place - offset), 0
        more = max(self._minimum - used.bit_count() - 1, 0)
        rests = self._endings(place, used)
        whole = self._endings(0, used)
        others = sorted(whole, key=lambda value: len(whole[value]))[: more + 1]
        dearer = {value: len(whole[others[-1]]) - len(whole[value]) for value in others}
        first = min(rests, key=lambda value: len(rests[value]) + dearer.get(value, 0))
        texts = [rests[first], *[whole[value] for value in others if value != first][:more]]
        return begin + self._separator.closing(self._separator.start).join(texts)

    def _endings(self, place: int, used: int) -> dict[int, bytes]:
        """The shortest text from ``place`` to the end of each unused value below it."""
        found: dict[int, bytes] = {}
        waiting = [(place, b"")]
        for index, text in waiting:
            here = self._places[index]
            if self._ends(here, used):
                found.setdefault(here.value, text)
            waiting += [(after, text + bytes((byte,))) for byte, after in here.following.items()]
        return found

    # Scans

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """Which tokens going on from ``node_set`` are legal; memoised."""
        return self._scan(trie, node_set, *self._states[state])

    def _scan(self, trie: Trie, node_set: NodeSet, place: int, used: int) -> Scan:
        key = (node_set, place, used)
        scan = self._scans.get(key)
        if scan is None:
            made = self._between if place >= len(self._places) else self._within
            scan = self._scans.setdefault(key, made(trie, node_set, place, used))
        return scan

    def _between(self, trie: Trie, node_set: NodeSet, place: int, used: int) -> Scan:
        """From inside the separator: its own tokens, then what a value makes of the others."""
        begun = self._separator.scan(trie, node_set, place - len(self._places))
        starts = [node_set if begun.nullable else NOWHERE, begun.exits]
        values = [self._scan(trie, start, 0, used) for start in starts if start != NOWHERE]
        return _united(trie, begun.token_sets, NOWHERE, values, empty=False)

    def _within(self, trie: Trie, node_set: NodeSet, place: int, used: int) -> Scan:
        """From inside a value: what is left of what the place admits, then what may follow a value."""
        here = self._places[place]
        key = scan_key(node_set, place)
        reached = self._reached.get(key)
        if reached is None:
            reached = self._reached.setdefault(key, self._reach(trie, node_set, place))
        unused = np.frombuffer((self._every & ~used).to_bytes(self._width, "little"), "<u8")
        ids = reached.ids[(reached.below & unused).any(axis=1)]
        token_sets: list[TokenSet] = [token_set_of(ids, trie)] if ids.size else []
        trie.grown += 400 + sum(map(nbytes_of, token_sets))
        ended: list[int] = []
        following: list[Scan] = []
        if used.bit_count() + 1 >= self._minimum:
            ended += [node for node, value in reached.ended if not used >> value & 1]
        if used.bit_count() + 1 < self._maximum:
            for value, scan in reached.separated:
                if not used >> value & 1:
                    token_sets += scan.token_sets
                    following += [self._scan(trie, scan.exits, 0, used | 1 << value)] if scan.exits != NOWHERE else []
        if self._may_go_on(here, used):
            following.append(self._scan(trie, node_set, self._gap, used | 1 << here.value))
        rest = _node_set(trie, ended)
        return _united(trie, token_sets, rest, following, empty=self._may_end(here, used))

    def _reach(self, trie: Trie, node_set: NodeSet, place: int) -> _Reached:
        """A walk through tree and trie side by side."""
        ids: list[int] = []
        below: list[bytes] = []
        ended: list[tuple[int, int]] = []
        waiting = [(node, place) for node in trie.nodes(node_set).tolist()]
        while waiting:
            node, index = waiting.pop()
            first, last = trie.children_of(node)
            for byte, after in self._places[index].following.items():
                child = trie.text.find(byte, first, last)
                if child < 0:
                    continue
                there = self._places[after]
                tokens = trie.tokens(child)
                ids += tokens
                below += [there.below.to_bytes(self._width, "little")] * len(tokens)
                if trie.children_of(child)[0] < trie.children_of(child)[1]:
                    waiting.append((child, after))
                    if there.value != _NO_VALUE:
                        ended.append((child, there.value))
        table = np.frombuffer(b"".join(below), "<u8").reshape(len(ids), self._width // 8)
        trie.grown += table.nbytes + 100 * len(ended)
        return _Reached(np.array(ids, np.int32), table, ended, list(self._separated(trie, ended)))

    def _separated(self, trie: Trie, ended: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Scan]]:
        """For each value that ended inside tokens the separator's scan there, where it says anything."""
        nodes: dict[int, list[int]] = {}
        for node, value in ended:
            nodes.setdefault(value, []).append(node)
        for value, places in nodes.items():
            node_set = _node_set(trie, places)
            scan = self._separator.scan(trie, node_set, self._separator.start)
            if scan.token_sets or scan.exits != NOWHERE:
                yield value, scan


def _node_set(trie: Trie, nodes: Iterable[int]) -> NodeSet:
    return trie.node_set(np.array(sorted(set(nodes)), np.int32))


def _united(trie: Trie, token_sets: Iterable[TokenSet], rest: NodeSet, scans: Sequence[Scan], *, empty: bool) -> Scan:
    """One scan that admits ``token_sets`` and ends at ``rest``, and does what ``scans`` do."""
    every = [*token_sets, *(token_set for scan in scans for token_set in scan.token_sets)]
    rests = [one for one in (rest, *(scan.exits for scan in scans)) if one != NOWHERE]
    return Scan(tuple(every), trie.union(rests), empty)
