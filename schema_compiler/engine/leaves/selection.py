"""Lists of different values out of a finite set, as one leaf: which values are used is part of the state.

As rules, "what may follow these values" would be a rule for each set of used values, its alternatives explored anew
after every item. Here the spellings of all values form one tree, and a state is a prefix on it together with the used
values, the bits of an integer::

    "cat", "cow", "dog"    after ["cat", "     the prefix "     may become cow and dog
                           after ["cat", "c    the prefix "c    may become cow only

A prefix goes on as long as an unused value lies below it. What tokens make of a prefix whatever is used is worked out
once for each set of trie nodes, with the values below the end of every token; a scan is what is left of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.leaves.interning import Interner
from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.leaves.spelling_tree import NO_VALUE, Prefix, SpellingTree
from schema_compiler.engine.leaves.table import TableLeaf
from schema_compiler.engine.tokens.scan import Scan, scan_key, scan_nbytes
from schema_compiler.engine.tokens.token_sets import TokenSet, token_set_of
from schema_compiler.engine.tokens.trie import NOWHERE, Int32Array, NodeSet, Trie

__all__ = ["SelectionLeaf"]


class _ValueScan:
    """What tokens make of a prefix up to the end of the value, whatever is used.

    ``ids``: int32 ``[tokens]``, those that end within the value. ``below``: uint64 ``[tokens, words]``, the values that
    may still come of each. ``ended``: trie nodes where tokens go on behind a value, with the value. ``separated``:
    values, with the separator's scan from the nodes behind them.
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

    A state is the number of a prefix, or behind those the number of a state of the separator, and the used values.
    """

    def __init__(self, values: Sequence[Sequence[bytes]], separator: TableLeaf, minimum: int, maximum: int) -> None:
        self._separator = separator
        self._minimum = minimum
        self._maximum = maximum
        self._width = (len(values) + 63) // 64 * 8
        self._every = (1 << len(values)) - 1
        self._tree = SpellingTree(values)
        self._prefixes = self._tree.prefixes
        self._gap = len(self._prefixes) + separator.start
        self._states: Interner[tuple[int, int]] = Interner()
        self._scans: dict[tuple[NodeSet, int, int], Scan] = {}
        self._value_scans: dict[int, _ValueScan] = {}
        self.start = self._states.of((0, 0))

    # Reading

    def _after(self, prefix: int, used: int, byte: int) -> tuple[int, int]:
        """The prefix (or state of the separator) after ``byte``, -1 if it is illegal, and the values used then."""
        offset = len(self._prefixes)
        if prefix >= offset:
            after = self._separator.step(prefix - offset, byte)
            if after >= 0:
                return offset + after, used
            if not self._separator.accepting(prefix - offset):
                return -1, used
            prefix = 0
        here = self._prefixes[prefix]
        index = here.following.get(byte)
        if index is not None:
            return (index if self._prefixes[index].below & ~used else -1), used
        if not self._may_go_on(here, used):
            return -1, used
        after = self._separator.step(self._separator.start, byte)
        return (-1 if after < 0 else offset + after), used | 1 << here.value

    def _is_unused_value(self, here: Prefix, used: int) -> bool:
        """Whether a value that was not used is complete at ``here``."""
        return here.value != NO_VALUE and not used >> here.value & 1

    def _may_end(self, here: Prefix, used: int) -> bool:
        return self._is_unused_value(here, used) and used.bit_count() + 1 >= self._minimum

    def _may_go_on(self, here: Prefix, used: int) -> bool:
        return self._is_unused_value(here, used) and used.bit_count() + 1 < self._maximum

    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""
        prefix, used = self._after(*self._states[state], byte)
        return -1 if prefix < 0 else self._states.of((prefix, used))

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """Read on from ``text[index]`` up to the end, to acceptance or to -1: the state and the index then."""
        prefix, used = self._states[state]
        while index < len(text):
            prefix, used = self._after(prefix, used, text[index])
            index += 1
            if prefix < 0:
                return -1, index
            if prefix < len(self._prefixes) and self._may_end(self._prefixes[prefix], used):
                break
        return self._states.of((prefix, used)), index

    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""
        prefix, used = self._states[state]
        return prefix < len(self._prefixes) and self._may_end(self._prefixes[prefix], used)

    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""
        prefix, used = self._states[state]
        offset = len(self._prefixes)
        if prefix >= offset:
            possible = set(self._separator.bytes_from(prefix - offset)) | set(self._prefixes[0].following)
        else:
            possible = set(self._prefixes[prefix].following) | set(self._separator.bytes_from(self._separator.start))
        return [byte for byte in sorted(possible) if self._after(prefix, used, byte)[0] >= 0]

    # Closing

    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance: the value that is under way, then others as far as needed."""
        if self.accepting(state):
            return b""
        prefix, used = self._states[state]
        offset = len(self._prefixes)
        begin = b""
        if prefix >= offset:
            begin, prefix = self._separator.closing(prefix - offset), 0
        more = max(self._minimum - used.bit_count() - 1, 0)
        endings = self._tree.shortest_endings(prefix, used)
        whole = self._tree.shortest_endings(0, used)
        others = sorted(whole, key=lambda value: len(whole[value]))[: more + 1]
        dearer = {value: len(whole[others[-1]]) - len(whole[value]) for value in others}
        first = min(endings, key=lambda value: len(endings[value]) + dearer.get(value, 0))
        texts = [endings[first], *[whole[value] for value in others if value != first][:more]]
        return begin + self._separator.closing(self._separator.start).join(texts)

    # Scans

    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """Which tokens going on from ``node_set`` are legal; memoised."""
        return self._scan(trie, node_set, *self._states[state])

    def _scan(self, trie: Trie, node_set: NodeSet, prefix: int, used: int) -> Scan:
        key = (node_set, prefix, used)
        scan = self._scans.get(key)
        if scan is None:
            scan_from = self._between if prefix >= len(self._prefixes) else self._within
            scan = self._scans.setdefault(key, scan_from(trie, node_set, prefix, used))
        return scan

    def _between(self, trie: Trie, node_set: NodeSet, prefix: int, used: int) -> Scan:
        """From inside the separator: its own tokens, and what a value makes of those that go on."""
        begun = self._separator.scan(trie, node_set, prefix - len(self._prefixes))
        starts = [node_set if begun.nullable else NOWHERE, begun.exits]
        values = [self._scan(trie, start, 0, used) for start in starts if start != NOWHERE]
        return _unite(trie, begun.token_sets, NOWHERE, values, nullable=False)

    def _within(self, trie: Trie, node_set: NodeSet, prefix: int, used: int) -> Scan:
        """From inside a value: what is left of its tokens when values are used, and what may follow a value."""
        here = self._prefixes[prefix]
        key = scan_key(node_set, prefix)
        tokens = self._value_scans.get(key)
        if tokens is None:
            tokens = self._value_scans.setdefault(key, self._scan_value(trie, node_set, prefix))
        unused = np.frombuffer((self._every & ~used).to_bytes(self._width, "little"), "<u8")
        ids = tokens.ids[(tokens.below & unused).any(axis=1)]
        token_sets: list[TokenSet] = [token_set_of(ids, trie)] if ids.size else []
        trie.grown += scan_nbytes(token_sets)
        ended: list[int] = []
        following: list[Scan] = []
        if used.bit_count() + 1 >= self._minimum:
            ended += [node for node, value in tokens.ended if not used >> value & 1]
        if used.bit_count() + 1 < self._maximum:
            for value, scan in tokens.separated:
                if not used >> value & 1:
                    token_sets += scan.token_sets
                    following += [self._scan(trie, scan.exits, 0, used | 1 << value)] if scan.exits != NOWHERE else []
        if self._may_go_on(here, used):
            following.append(self._scan(trie, node_set, self._gap, used | 1 << here.value))
        return _unite(trie, token_sets, _node_set(trie, ended), following, nullable=self._may_end(here, used))

    def _scan_value(self, trie: Trie, node_set: NodeSet, prefix: int) -> _ValueScan:
        """A walk through the tree of spellings and the trie side by side."""
        ids: list[int] = []
        below: list[bytes] = []
        ended: list[tuple[int, int]] = []
        waiting = [(node, prefix) for node in trie.nodes(node_set).tolist()]
        while waiting:
            node, index = waiting.pop()
            first, last = trie.children_of(node)
            for byte, after in self._prefixes[index].following.items():
                child = trie.text.find(byte, first, last)
                if child < 0:
                    continue
                there = self._prefixes[after]
                tokens = trie.tokens(child)
                ids += tokens
                below += [there.below.to_bytes(self._width, "little")] * len(tokens)
                if trie.children_of(child)[0] < trie.children_of(child)[1]:
                    waiting.append((child, after))
                    if there.value != NO_VALUE:
                        ended.append((child, there.value))
        table = np.frombuffer(b"".join(below), "<u8").reshape(len(ids), self._width // 8)
        trie.grown += table.nbytes + 100 * len(ended)
        return _ValueScan(np.array(ids, np.int32), table, ended, list(self._separator_scans(trie, ended)))

    def _separator_scans(self, trie: Trie, ended: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Scan]]:
        """For each value that ended inside tokens the separator's scan there, where it says anything."""
        nodes: dict[int, list[int]] = {}
        for node, value in ended:
            nodes.setdefault(value, []).append(node)
        for value, nodes_ in nodes.items():
            node_set = _node_set(trie, nodes_)
            scan = self._separator.scan(trie, node_set, self._separator.start)
            if scan.token_sets or scan.exits != NOWHERE:
                yield value, scan


def _node_set(trie: Trie, nodes: Iterable[int]) -> NodeSet:
    return trie.node_set(np.array(sorted(set(nodes)), np.int32))


def _unite(
    trie: Trie, token_sets: Iterable[TokenSet], exits: NodeSet, scans: Sequence[Scan], *, nullable: bool
) -> Scan:
    """One scan that admits ``token_sets`` and ends at ``exits``, and does what ``scans`` do."""
    every = [*token_sets, *(token_set for scan in scans for token_set in scan.token_sets)]
    ends = [one for one in (exits, *(scan.exits for scan in scans)) if one != NOWHERE]
    return Scan(tuple(every), trie.union(ends), nullable)
