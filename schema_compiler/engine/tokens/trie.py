"""The vocabulary as a byte trie in flat arrays, and interned sets of its nodes.

A token mask asks, for a hundred thousand tokens at once, "may this token come next?". Tokens share prefixes, so
the question is asked per trie node instead. Nodes are numbered level by level, which makes the children of any
node one contiguous range, and the children of a whole set of nodes one vectorised gather.

A *node set* says where inside a token we stand. A fresh token starts at ``{root}``. When a string ends inside tokens
such as ``",`` or ``"}``, the nodes after their quotes form one set, and all those tokens go on together into whatever
the grammar allows next::

    tokens  ab  ac  b"   b",  c",      text read: any characters, then a quote
    node set after the quote = {node of b", node of c"}; its child by "," = {node of b",  node of c",}

Node sets are interned, so that equal sets are one key of a memo table, and they are integers, which no garbage
collector looks at: the set of one node, as nearly all are, is that node; other sets are numbered behind the nodes.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["NOWHERE", "ROOT", "Int32Array", "NodeSet", "TokenMask", "Trie", "distinct", "runs"]

Int32Array: TypeAlias = npt.NDArray[np.int32]

TokenMask: TypeAlias = npt.NDArray[np.uint32]
"""A packed token mask: uint32 ``[ceil(V / 32)]``, little-endian bit order."""

NodeSet: TypeAlias = int
"""The number of a set of trie nodes."""

ROOT: NodeSet = 0
"""Where every token starts."""

NOWHERE: NodeSet = -1
"""The set of no nodes."""


class Trie:
    """A byte trie over token texts.

    ``byte``: uint8 ``[nodes]``, the byte that leads to each node; ``text`` is the same as bytes. ``first_child``:
    int32 ``[nodes + 1]``, node ``n`` has the children ``first_child[n] .. first_child[n + 1]``, in byte order.
    ``token_start``: int32 ``[nodes + 1]`` and ``token_ids``: int32, the tokens whose text ends at a node. Node 0 is
    the root. ``words``: the width of a packed token mask. ``node_of_token``: int32 ``[words * 32]``, the node where a
    token ends, ``is_text`` whether it is a text at all. ``no_tokens``: the empty mask. ``grown``: about how many bytes
    node sets, and scans from them, have come to since.
    """

    def __init__(
        self,
        width: int,
        byte: npt.NDArray[np.uint8],
        first_child: Int32Array,
        token_ids: Int32Array,
        token_start: Int32Array,
    ) -> None:
        self.words = (width + 31) // 32
        self.size = byte.size
        self.byte = byte
        self.text = byte.tobytes()
        self.first_child = first_child
        self.token_ids = token_ids
        self.token_start = token_start
        self.grown = 0
        self.no_tokens: TokenMask = np.zeros(self.words, np.uint32)
        self.no_tokens.flags.writeable = False
        self._lock = threading.Lock()
        self._sets: list[_Set] = []
        self._numbers: dict[bytes, NodeSet] = {}
        self._steps: dict[int, tuple[NodeSet, tuple[int, ...]]] = {}
        self._spelled: dict[int, dict[bytes, int]] = {}
        self._keys: npt.NDArray[np.int64] | None = None
        self.parents: Int32Array = np.concatenate(
            [np.zeros(1, np.int32), np.repeat(np.arange(self.size, dtype=np.int32), np.diff(first_child))]
        )
        self.node_of_token = np.zeros(self.words * 32, np.int32)
        self.node_of_token[token_ids] = np.repeat(np.arange(self.size, dtype=np.int32), np.diff(token_start))
        self.is_text = self.node_of_token > 0
        self._levels = [0, 1]
        while self._levels[-1] < self.size:
            self._levels.append(int(first_child[self._levels[-1]]))
        self._child_bounds = first_child.data
        self._token_bounds = token_start.data
        self._tokens = token_ids.data

    @classmethod
    def of(cls, tokens: Sequence[bytes | None]) -> Trie:
        """The trie of token texts by id."""
        texts = [(text, token_id) for token_id, text in enumerate(tokens) if text]
        ids = np.array([token_id for _, token_id in texts], np.int32)
        lengths = np.array([len(text) for text, _ in texts], np.int64)
        data = np.frombuffer(b"".join(text for text, _ in texts), np.uint8)
        offsets = np.concatenate(([0], np.cumsum(lengths)))[:-1] if len(texts) else lengths

        node = np.zeros(len(texts), np.int64)
        end = np.zeros(len(texts), np.int64)
        alive = np.arange(len(texts))
        parents, levels = [np.array([-1])], [np.zeros(1, np.uint8)]
        count, depth = 1, 0
        while alive.size:
            keys = node[alive] << 8 | data[offsets[alive] + depth]
            unique, inverse = np.unique(keys, return_inverse=True)
            node[alive] = count + inverse
            parents.append(unique >> 8)
            levels.append((unique & 255).astype(np.uint8))
            count, depth = count + unique.size, depth + 1
            done = lengths[alive] == depth
            end[alive[done]] = node[alive[done]]
            alive = alive[~done]

        parent = np.concatenate(parents)[1:]
        order = np.argsort(end, kind="stable")
        return cls(
            len(tokens),
            np.concatenate(levels),
            (np.searchsorted(parent, np.arange(count + 1)) + 1).astype(np.int32),
            ids[order],
            np.searchsorted(end[order], np.arange(count + 1)).astype(np.int32),
        )

    def renewed(self, width: int) -> Trie:
        """The same trie, all that has grown on it forgotten."""
        return Trie(width, self.byte, self.first_child, self.token_ids, self.token_start)

    # Node sets

    def node_set(self, nodes: Int32Array) -> NodeSet:
        """The set of ``nodes``, which are sorted and distinct."""
        if nodes.size < 2:
            return int(nodes[0]) if nodes.size else NOWHERE
        key = nodes.tobytes()
        node_set = self._numbers.get(key)
        if node_set is None:
            with self._lock:
                node_set = self._numbers.get(key)
                if node_set is None:
                    node_set = self.size + len(self._sets)
                    self.grown += 1000 + 3 * nodes.nbytes
                    self._sets.append(_Set(nodes))
                    self._numbers[key] = node_set
        return node_set

    def nodes(self, node_set: NodeSet) -> Int32Array:
        """The nodes of a set: int32, sorted."""
        if node_set < self.size:
            return np.array([node_set] if node_set >= 0 else [], np.int32)
        return self._sets[node_set - self.size].nodes

    def is_single(self, node_set: NodeSet) -> bool:
        """Whether a set has just one node."""
        return 0 <= node_set < self.size

    def child(self, node_set: NodeSet, byte: int) -> NodeSet:
        """The children by ``byte`` of the nodes of a set; ``NOWHERE`` when no token goes on with it."""
        if node_set < self.size:
            return self.text.find(byte, self._child_bounds[node_set], self._child_bounds[node_set + 1])
        return self.node_set(self._grouped(node_set).get(byte, _NO_NODES))

    def advance(self, node_set: NodeSet, byte: int, ids: list[int]) -> NodeSet:
        """Where tokens go on after reading ``byte``; those that end there are added to ``ids``. Memoised."""
        key = node_set << 8 | byte
        step = self._steps.get(key)
        if step is None:
            child = self.child(node_set, byte)
            step = (NOWHERE, ()) if child == NOWHERE else (self.onward(child), self.tokens(child))
            self.grown += 300
            self._steps[key] = step
        onward, tokens = step
        ids += tokens
        return onward

    def descend(self, node_set: NodeSet, text: bytes) -> NodeSet:
        """The node set after reading ``text``."""
        for byte in text:
            if node_set == NOWHERE:
                break
            node_set = self.child(node_set, byte)
        return node_set

    def onward(self, node_set: NodeSet) -> NodeSet:
        """Those nodes of a set at which some token goes on."""
        if node_set < self.size:
            goes_on = node_set >= 0 and self._child_bounds[node_set] < self._child_bounds[node_set + 1]
            return node_set if goes_on else NOWHERE
        known = self._sets[node_set - self.size]
        if known.onward is None:
            known.onward = self.going_on(known.nodes)
        return known.onward

    def going_on(self, nodes: Int32Array) -> NodeSet:
        """The set of those of ``nodes``, sorted and distinct, at which some token goes on."""
        return self.node_set(self.nodes_going_on(nodes))

    def nodes_going_on(self, nodes: Int32Array) -> Int32Array:
        """Those of ``nodes`` at which some token goes on."""
        return nodes[self.first_child[nodes + 1] > self.first_child[nodes]]

    def bytes_from(self, node_set: NodeSet) -> Iterable[int]:
        """The bytes with which some token goes on from a node set."""
        if node_set < self.size:
            return self.text[self._child_bounds[node_set] : self._child_bounds[node_set + 1]]
        return self._grouped(node_set)

    def tokens(self, node_set: NodeSet) -> tuple[int, ...]:
        """The ids of the tokens that end at a node of the set."""
        if node_set < self.size:
            start, stop = self._token_bounds[node_set], self._token_bounds[node_set + 1]
            return tuple([self._tokens[index] for index in range(start, stop)])
        known = self._sets[node_set - self.size]
        if known.tokens is None:
            known.tokens = tuple(self.tokens_at(known.nodes)[0].tolist())
        return known.tokens

    def without(self, node_set: NodeSet, lost: NodeSet) -> NodeSet:
        """The nodes of one set that are not in the other."""
        if node_set == NOWHERE or lost == NOWHERE:
            return node_set
        return self.node_set(np.setdiff1d(self.nodes(node_set), self.nodes(lost), assume_unique=True))

    def union(self, node_sets: Collection[NodeSet]) -> NodeSet:
        """The nodes of all ``node_sets``."""
        if len(node_sets) < 2:
            return next(iter(node_sets), NOWHERE)
        return self.node_set(distinct(np.concatenate([self.nodes(node_set) for node_set in node_sets])))

    def _grouped(self, node_set: NodeSet) -> dict[int, Int32Array]:
        """The children of the nodes of a set, by byte."""
        known = self._sets[node_set - self.size]
        if known.children is None:
            children, _ = self.children(known.nodes)
            children = children[np.argsort(self.byte[children], kind="stable")]
            bytes_ = self.byte[children]
            starts = runs(bytes_)
            parts = np.split(children, starts[1:]) if starts.size else []
            known.children = dict(zip(bytes_[starts].tolist(), parts, strict=True))
        return known.children

    # Nodes

    def children_of(self, node: int) -> tuple[int, int]:
        """The range of a node's children."""
        return self._child_bounds[node], self._child_bounds[node + 1]

    def children(self, nodes: Int32Array) -> tuple[Int32Array, Int32Array]:
        """All children of ``nodes``, and for each the index into ``nodes`` of its parent."""
        start = self.first_child[nodes]
        counts = self.first_child[nodes + 1] - start
        owner = np.repeat(np.arange(nodes.size, dtype=np.int32), counts)
        shift = start - np.concatenate(([0], np.cumsum(counts)[:-1]))
        return (np.arange(owner.size) + shift[owner]).astype(np.int32), owner

    def level_size(self, depth: int) -> int:
        """How many nodes are ``depth`` bytes below the root."""
        return self._levels[depth + 1] - self._levels[depth]

    def levels_below(self, depth: int) -> Iterator[tuple[int, int]]:
        """The range of nodes of each level below ``depth``."""
        return pairwise(self._levels[depth + 1 :])

    def follow(self, nodes: Int32Array, bytes_: npt.NDArray[np.uint8]) -> Int32Array:
        """For each node its child by the byte beside it, or -1. A node's key, its parent and byte, grows with it."""
        if self._keys is None:
            self._keys = self.parents[1:].astype(np.int64) << 8 | self.byte[1:]
        wanted = nodes.astype(np.int64) << 8 | bytes_
        index = np.searchsorted(self._keys, wanted)
        hit = self._keys[np.minimum(index, self._keys.size - 1)] == wanted
        return np.where(hit, index + 1, -1).astype(np.int32)

    def tokens_below(self, text: bytes) -> list[int]:
        """The ids of the tokens that begin with ``text``."""
        node_set = self.descend(ROOT, text)
        return [] if node_set == NOWHERE else self._tokens_from(self.nodes(node_set))

    def reached_by(self, byte: int) -> Int32Array:
        """The nodes that ``byte`` leads to: int32, sorted."""
        return (np.flatnonzero(self.byte[1:] == byte) + 1).astype(np.int32)

    def tokens_holding(self, byte: int) -> list[int]:
        """The ids of the tokens with ``byte`` in them, ascending."""
        return sorted(set(self._tokens_from(self.reached_by(byte))))

    def _tokens_from(self, nodes: Int32Array) -> list[int]:
        """The ids of the tokens that end at ``nodes`` or below."""
        ids: list[int] = []
        while nodes.size:
            ids.extend(self.tokens_at(nodes)[0].tolist())
            nodes, _ = self.children(nodes)
        return ids

    def ending_with(self, last: int) -> dict[bytes, int]:
        """The nodes that the byte ``last`` leads to, by the text from the root to there."""
        spelled = self._spelled.get(last)
        if spelled is None:
            nodes = self.reached_by(last).tolist()
            spelled = self._spelled.setdefault(last, {self.spell(node): node for node in nodes})
        return spelled

    def spell(self, node: int) -> bytes:
        """The text from the root to a node."""
        reversed_text = bytearray()
        while node:
            node, byte = self.parent(node)
            reversed_text.append(byte)
        return bytes(reversed_text[::-1])

    def parent(self, node: int) -> tuple[int, int]:
        """The parent of a node other than the root, and the byte between them."""
        return int(self.parents[node]), int(self.byte[node])

    def row(self, token_ids: Collection[int] | Int32Array) -> TokenMask:
        """A packed row with the bits of ``token_ids`` set."""
        flags = np.zeros(self.words * 32, np.bool_)
        flags[np.asarray(token_ids, np.int64)] = True
        return np.packbits(flags, bitorder="little").view(np.uint32)

    def row_at(self, nodes: Int32Array) -> TokenMask:
        """A packed row of all tokens that end at one of ``nodes``."""
        marked = np.zeros(self.size, np.bool_)
        marked[nodes] = True
        return np.packbits(marked.take(self.node_of_token) & self.is_text, bitorder="little").view(np.uint32)

    def tokens_at(self, nodes: Int32Array) -> tuple[Int32Array, Int32Array]:
        """The ids of all tokens that end at one of ``nodes``, and for each the index of its node in ``nodes``."""
        start = self.token_start[nodes]
        counts = self.token_start[nodes + 1] - start
        owner = np.repeat(np.arange(nodes.size, dtype=np.int32), counts)
        shift = start - np.concatenate(([0], np.cumsum(counts)[:-1]))
        return self.token_ids[np.arange(owner.size) + shift[owner]], owner


def runs(values: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Where in ``values``, equal ones side by side, the next one begins."""
    changes = np.ones(values.size, np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return np.flatnonzero(changes)


def distinct(values: Int32Array) -> Int32Array:
    """The values, ascending, each once: what ``np.unique`` does, for small arrays in a third of the time."""
    ordered = np.sort(values)
    return ordered[runs(ordered)]


class _Set:
    """Several nodes, int32, sorted; the rest is filled in when first asked for."""

    __slots__ = ("children", "nodes", "onward", "tokens")

    def __init__(self, nodes: Int32Array) -> None:
        self.nodes = nodes
        self.children: dict[int, Int32Array] | None = None
        self.onward: NodeSet | None = None
        self.tokens: tuple[int, ...] | None = None


_NO_NODES = np.empty(0, np.int32)
