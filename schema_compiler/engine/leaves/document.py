r"""A leaf that belongs to one document: strings that are verbatim pieces of it.

What has been read so far occurs in the document at certain places; the set of offsets just behind those occurrences
says all there is to know about what may follow. These sets are the states of the document's suffix automaton
(Blumer et al. 1985); here they are arrays, made on demand, so only the pieces actually begun cost anything, and a
scan walks all occurrences through the vocabulary's trie at once.

    document  to be or not      read  "o     offsets behind an o: 2, 8, 12; next may come a blank, r or t

The document is held in canonical JSON spelling, so escapes cost nothing extra. A piece begins and ends at characters;
``starts`` and ``ends`` narrow that down, to words or lines say.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.tokens.scan import Scan
from schema_compiler.engine.tokens.token_sets import token_sets_at
from schema_compiler.engine.tokens.trie import NOWHERE, Int32Array, NodeSet, Trie
from schema_compiler.regular.text.json_strings import QUOTE, string_literal

__all__ = ["DocumentLeaf"]

_OPENING, _CLOSED, _FIRST = 0, 1, 2
"""The states before the opening quote and behind the closing one; the first of those between them."""


class DocumentLeaf(LeafLanguage):
    """JSON strings whose decoded text is a piece of ``text``, at least one character long.

    ``starts`` and ``ends``: bool ``[characters + 1]``, where a piece may begin and end, by default anywhere. Raises
    ``ValueError`` when no piece is possible. Memory is in proportion to the document and to the pieces begun.
    """

    def __init__(
        self,
        text: str,
        starts: npt.NDArray[np.bool_] | None = None,
        ends: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        spelled = [string_literal(character)[1:-1] for character in text]
        offsets = np.cumsum([0, *map(len, spelled)])
        self._bytes = np.frombuffer(b"".join(spelled) + b"\xff", np.uint8)
        self._ends = np.zeros(self._bytes.size, np.bool_)
        self._ends[offsets[1:] if ends is None else offsets[np.flatnonzero(ends)]] = True
        last = int(np.flatnonzero(self._ends)[-1]) if self._ends.any() else 0
        begin = offsets[:-1] if starts is None else offsets[np.flatnonzero(starts)]
        self._begin = begin[begin < last].astype(np.int32)
        self._last = last
        if not self._begin.size:
            raise ValueError("no piece of the document is possible: no start comes before an end")
        self.start = _OPENING
        self._sets: list[Int32Array] = []
        self._numbers: dict[bytes, int] = {}
        self._scans: dict[tuple[Trie, NodeSet, int], Scan] = {}
        self._steps: dict[tuple[int, int], int] = {}
        self._inside = self._state_of(self._begin)

    def _state_of(self, offsets: Int32Array) -> int:
        key = offsets.tobytes()
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._sets) + _FIRST
            self._sets.append(offsets)
        return number

    def _offsets(self, state: int) -> Int32Array:
        return self._sets[state - _FIRST]

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        if state < _FIRST:
            return self._inside if state == _OPENING and byte == QUOTE else -1
        if byte == QUOTE and self._may_close(state):
            return _CLOSED
        key = (state, byte)
        after = self._steps.get(key)
        if after is None:
            after = self._steps[key] = self._step(state, byte)
        return after

    def _step(self, state: int, byte: int) -> int:
        offsets = self._offsets(state)
        following = offsets[self._bytes[offsets] == byte] + 1
        following = following[following <= self._last]
        return self._state_of(following) if following.size else -1

    def _may_close(self, state: int) -> bool:
        return state != self._inside and bool(self._ends[self._offsets(state)].any())

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        return state == _CLOSED

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        if state < _FIRST:
            return [QUOTE] if state == _OPENING else []
        offsets = self._offsets(state)
        following: list[int] = np.unique(self._bytes[offsets[offsets < self._last]]).tolist()
        return following + [QUOTE] * self._may_close(state)

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance: on to the nearest end of a piece."""
        if state == _CLOSED:
            return b""
        opening = b'"' if state == _OPENING else b""
        offsets = self._begin if state == _OPENING else self._offsets(state)
        least = 0 if opening == b"" and self._may_close(state) else 1
        ends = np.flatnonzero(self._ends)
        stops = ends[np.searchsorted(ends, offsets + least)]
        nearest = int(np.argmin(stops - offsets))
        return opening + self._bytes[offsets[nearest] : stops[nearest]].tobytes() + b'"'

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """All occurrences walked through the trie at once; memoised."""
        key = (trie, node_set, state)
        scan = self._scans.get(key)
        if scan is None:
            scan = self._scans.setdefault(key, self._scan(trie, node_set, state))
        return scan

    def _scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        if state == _CLOSED:
            return Scan((), NOWHERE, True)
        visited: list[Int32Array] = []
        if state == _OPENING:
            opened = trie.child(node_set, QUOTE)
            if opened == NOWHERE:
                return Scan((), NOWHERE, False)
            visited.append(trie.nodes(opened))
            node_set, state = opened, self._inside
        offsets = self._offsets(state)
        starts = trie.nodes(node_set)
        nodes, offsets = np.repeat(starts, offsets.size), np.tile(offsets, starts.size)
        begun = np.full(nodes.size, state != self._inside)
        closed: list[Int32Array] = []
        while nodes.size:
            at_end = nodes[self._ends[offsets] & begun]
            closed.append(trie.follow(at_end, np.full(at_end.size, QUOTE, np.uint8)))
            going = offsets < self._last
            nodes, offsets = nodes[going], offsets[going]
            nodes = trie.follow(nodes, self._bytes[offsets])
            alive = nodes >= 0
            nodes, offsets = nodes[alive], offsets[alive] + 1
            begun = np.ones(nodes.size, np.bool_)
            visited.append(nodes)
        ends = np.unique(np.concatenate([nodes[nodes >= 0] for nodes in closed]))
        token_sets = token_sets_at(np.unique(np.concatenate([*visited, ends])), trie)
        return Scan(token_sets, trie.going_on(ends), False)
