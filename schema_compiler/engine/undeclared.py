"""Any string but a few: the keys that an open object may add to the declared ones.

Almost every object of a public schema is open, each with its own set of declared names. As tables these languages
would be scanned one by one; but they differ from "any string" only in that a declared name must not be completed.
So a state is either one of the plain string's own, or a place on the tree of declared names; there the scan is the
plain string's shared scan, less the places in tokens where a declared name would end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from schema_compiler.engine.leaf import DfaLeaf, LeafLanguage
from schema_compiler.engine.scan import Scan, key_of
from schema_compiler.engine.trie import NOWHERE, Position, Trie

__all__ = ["UndeclaredLeaf"]


@dataclass(slots=True)
class _Place:
    """A prefix of declared names: where it leads in the plain string, and the places after it by byte.

    ``complete``: a whole name with its closing quote, which is where the language has a hole.
    """

    inner: int
    complete: bool = False
    following: dict[int, int] = field(default_factory=dict)


class UndeclaredLeaf(LeafLanguage):
    """The strings of ``base`` (mostly any string) except ``names``: strings of it, each given by all its spellings."""

    def __init__(self, base: DfaLeaf, names: Iterable[bytes]) -> None:
        self._base = base
        self._offset = len(base.dfa)
        self._places = [_Place(base.start)]
        self._scans: dict[int, Scan] = {}
        self.start = self._offset
        for name in names:
            self._add(name)

    def _add(self, name: bytes) -> None:
        place = self._places[0]
        for byte in name:
            index = place.following.get(byte)
            if index is None:
                index = place.following[byte] = len(self._places)
                self._places.append(_Place(self._base.step(place.inner, byte)))
            place = self._places[index]
        place.complete = True

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        if state < self._offset:
            return self._base.step(state, byte)
        place = self._places[state - self._offset]
        index = place.following.get(byte)
        if index is None:
            return self._base.step(place.inner, byte)
        return -1 if self._places[index].complete else self._offset + index

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """Read on from ``text[index]`` up to the end, to acceptance or to -1: the state and the index then."""
        places = self._places
        while state >= self._offset and index < len(text):
            place = places[state - self._offset]
            following = place.following.get(text[index])
            if following is None:
                state = self._base.step(place.inner, text[index])
                index += 1
                if state < 0 or self._base.accepting(state):
                    return state, index
            elif places[following].complete:
                return -1, index
            else:
                state = self._offset + following
                index += 1
        return (state, index) if state >= self._offset else self._base.run(state, text, index)

    def accepting(self, state: int) -> bool:
        """Whether the text may end here: never on the tree of names, whose ends are the holes."""
        return state < self._offset and self._base.accepting(state)

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        inner = state if state < self._offset else self._places[state - self._offset].inner
        return [byte for byte in self._base.bytes_from(inner) if self.step(state, byte) >= 0]

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance: the plain string's, or else one found on the tree of names."""
        if state < self._offset:
            return self._base.closing(state)
        plain = self._base.closing(self._places[state - self._offset].inner)
        if self._admits(state, plain):
            return plain
        waiting: list[tuple[int, bytes]] = [(state, b"")]
        best: bytes | None = None
        for here, text in waiting:
            if best is not None and len(text) >= len(best):
                return best
            for byte in self.bytes_from(here):
                after = self.step(here, byte)
                if after >= self._offset:
                    waiting.append((after, text + bytes((byte,))))
                else:
                    candidate = text + bytes((byte,)) + self._base.closing(after)
                    best = candidate if best is None or len(candidate) < len(best) else best
        assert best is not None
        return best

    def scan(self, trie: Trie, position: Position, state: int) -> Scan:
        """The plain string's scan, less the tokens and remainders in which a declared name ends."""
        if state < self._offset:
            return self._base.scan(trie, position, state)
        key = key_of(position, state)
        scan = self._scans.get(key)
        if scan is None:
            scan = self._scans.setdefault(key, self._scan(trie, position, state))
        return scan

    def _scan(self, trie: Trie, position: Position, state: int) -> Scan:
        place = self._places[state - self._offset]
        whole = self._base.scan(trie, position, place.inner)
        holes = [node for node in self._ends(trie, position, place) if not self._otherwise(trie, position, state, node)]
        if not holes:
            return whole
        missing = trie.position(np.array(sorted(holes), np.int32))
        return self._base.scan_without(trie, whole, missing)

    def _ends(self, trie: Trie, position: Position, place: _Place) -> Iterator[int]:
        """The trie nodes where a declared name is complete."""
        waiting = [(position, place)]
        while waiting:
            here, current = waiting.pop()
            for byte, index in current.following.items():
                child = trie.child(here, byte)
                if child == NOWHERE:
                    continue
                if self._places[index].complete:
                    yield from trie.nodes(child).tolist()
                else:
                    waiting.append((child, self._places[index]))

    def _otherwise(self, trie: Trie, position: Position, state: int, node: int) -> bool:
        """Whether another node of the position reaches ``node`` by a string that is not declared."""
        if trie.is_single(position):
            return False
        starts = set(trie.nodes(position).tolist())
        text = b""
        while node:
            node, byte = trie.parent(node)
            text = bytes((byte,)) + text
            if node in starts and self._admits(state, text):
                return True
        return False

    def _admits(self, state: int, text: bytes) -> bool:
        for byte in text:
            state = self.step(state, byte) if state >= 0 else -1
        return state >= 0 and self.accepting(state)
