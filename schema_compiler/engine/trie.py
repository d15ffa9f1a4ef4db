"""The vocabulary as a byte trie in flat arrays, and positions: interned sets of its nodes.

A token mask asks, for a hundred thousand tokens at once, "may this token come next?". Tokens share prefixes, so
the question is asked per trie node instead. Nodes are numbered level by level, which makes the children of any
node one contiguous range, and the children of a whole set of nodes one vectorised gather.

A *position* says where inside a token we stand: a set of trie nodes. A fresh token starts at ``{root}``. When a
string ends inside tokens such as ``",`` or ``"}``, the nodes after their quotes form one position, and all those
tokens go on together into whatever the grammar allows next:

    tokens  ab  ac  b"   b",  c",      text read: any characters, then a quote
    position after the quote = {node of b", node of c"}; its child by "," = {node of b",  node of c",}

Positions are interned, so equal sets are one object and memo tables can use identity.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Int32Array", "Position", "Row", "Trie"]

Int32Array: TypeAlias = npt.NDArray[np.int32]

Row: TypeAlias = npt.NDArray[np.uint32]
"""A packed token mask: uint32 ``[ceil(V / 32)]``, little-endian bit order."""


class Trie:
    """A byte trie over token texts.

    ``byte``: uint8 ``[nodes]``, the byte that leads to each node; ``text`` is the same as bytes. ``first_child``:
    int32 ``[nodes + 1]``, node ``n`` has the children ``first_child[n] .. first_child[n + 1]``, in byte order.
    ``token_start``: int32 ``[nodes + 1]`` and ``token_ids``: int32, the tokens whose text ends at a node. Node 0 is
    the root. ``words``: the width of a packed token mask. ``node_of_token``: int32 ``[words * 32]``, the node where a
    token ends, ``is_text`` whether it is a text at all. ``grown``: about how many bytes positions, and scans at
    them, have come to since.
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
        self._positions: dict[bytes, Position] = {}
        self._single: dict[int, Position] = {}
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
        self.root = self.at(0)

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
        """The same trie with no positions."""
        return Trie(width, self.byte, self.first_child, self.token_ids, self.token_start)

    def at(self, node: int) -> Position:
        """The position of one node."""
        position = self._single.get(node)
        if position is None:
            self.grown += 400
            position = self._single.setdefault(node, _Node(self, node))
        return position

    def position(self, nodes: Int32Array) -> Position | None:
        """The position of a sorted array of distinct nodes; ``None`` for no nodes."""
        if nodes.size == 0:
            return None
        if nodes.size == 1:
            return self.at(int(nodes[0]))
        key = nodes.tobytes()
        position = self._positions.get(key)
        if position is None:
            self.grown += 1000 + 3 * nodes.nbytes
            position = self._positions.setdefault(key, _Nodes(self, nodes))
        return position

    def onward(self, nodes: Int32Array) -> Position | None:
        """The position of those of ``nodes``, sorted and distinct, at which some token goes on."""
        return self.position(nodes[self.first_child[nodes + 1] > self.first_child[nodes]])

    def without(self, position: Position | None, lost: Position | None) -> Position | None:
        """The position of the nodes of one that are not in the other."""
        if position is None or lost is None:
            return position
        return self.position(np.setdiff1d(position.nodes, lost.nodes, assume_unique=True))

    def union(self, positions: Sequence[Position]) -> Position | None:
        """The position of all nodes of ``positions``."""
        if len(positions) < 2:
            return positions[0] if positions else None
        return self.position(np.unique(np.concatenate([position.nodes for position in positions])))

    def children_of(self, node: int) -> tuple[int, int]:
        """The range of a node's children."""
        return self._child_bounds[node], self._child_bounds[node + 1]

    def tokens_of(self, node: int) -> tuple[int, ...]:
        """The ids of the tokens that end at a node."""
        return tuple(self._tokens[self._token_bounds[node] : self._token_bounds[node + 1]])

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
        found = np.searchsorted(self._keys, wanted)
        hit = self._keys[np.minimum(found, self._keys.size - 1)] == wanted
        return np.where(hit, found + 1, -1).astype(np.int32)

    def tokens_below(self, text: bytes) -> list[int]:
        """The ids of the tokens that begin with ``text``."""
        position: Position | None = self.root
        for byte in text:
            position = position.child(byte) if position is not None else None
        found: list[int] = []
        nodes = np.empty(0, np.int32) if position is None else position.nodes
        while nodes.size:
            found.extend(self.tokens_at(nodes)[0].tolist())
            nodes, _ = self.children(nodes)
        return found

    def parent(self, node: int) -> tuple[int, int]:
        """The parent of a node other than the root, and the byte between them."""
        return int(self.parents[node]), int(self.byte[node])

    def row(self, token_ids: Collection[int] | Int32Array) -> Row:
        """A packed row with the bits of ``token_ids`` set."""
        flags = np.zeros(self.words * 32, np.bool_)
        flags[np.asarray(token_ids, np.int64)] = True
        return np.packbits(flags, bitorder="little").view(np.uint32)

    def row_at(self, nodes: Int32Array) -> Row:
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


class Position(ABC):
    """An interned set of trie nodes, with its children by byte, computed on demand."""

    __slots__ = ("_children", "trie")

    def __init__(self, trie: Trie) -> None:
        self.trie = trie
        self._children: dict[int, Position] = {}

    def child(self, byte: int) -> Position | None:
        """The position after reading ``byte``; ``None`` when no token goes on with it."""
        position = self._children.get(byte)
        if position is None:
            position = self._child(byte)
            if position is not None:
                self._children[byte] = position
        return position

    @property
    @abstractmethod
    def nodes(self) -> Int32Array:
        """The nodes: int32, sorted."""

    @property
    @abstractmethod
    def onward(self) -> Position | None:
        """Those of the nodes at which some token goes on; ``None`` when there are none."""

    @property
    @abstractmethod
    def bytes(self) -> Iterable[int]:
        """The bytes with which some token goes on."""

    @property
    @abstractmethod
    def tokens(self) -> tuple[int, ...]:
        """The ids of the tokens that end at this position."""

    @abstractmethod
    def _child(self, byte: int) -> Position | None: ...


class _Node(Position):
    """The position of one node, which nearly all are: plain integers, no arrays."""

    __slots__ = ("_first", "_last", "_node", "_tokens")

    def __init__(self, trie: Trie, node: int) -> None:
        super().__init__(trie)
        self._node = node
        self._first, self._last = trie.children_of(node)
        self._tokens: tuple[int, ...] | None = None

    @property
    def nodes(self) -> Int32Array:
        return np.array([self._node], np.int32)

    @property
    def onward(self) -> Position | None:
        return self if self._first < self._last else None

    @property
    def bytes(self) -> Iterable[int]:
        return self.trie.text[self._first : self._last]

    @property
    def tokens(self) -> tuple[int, ...]:
        if self._tokens is None:
            self._tokens = self.trie.tokens_of(self._node)
        return self._tokens

    def _child(self, byte: int) -> Position | None:
        node = self.trie.text.find(byte, self._first, self._last)
        return None if node < 0 else self.trie.at(node)


class _Nodes(Position):
    """The position of several nodes."""

    __slots__ = ("_groups", "_nodes", "_onward", "_tokens")

    def __init__(self, trie: Trie, nodes: Int32Array) -> None:
        super().__init__(trie)
        self._nodes = nodes
        self._groups: dict[int, Int32Array] | None = None
        self._onward: tuple[Position | None] | None = None
        self._tokens: tuple[int, ...] | None = None

    @property
    def nodes(self) -> Int32Array:
        return self._nodes

    @property
    def onward(self) -> Position | None:
        if self._onward is None:
            self._onward = (self.trie.onward(self._nodes),)
        return self._onward[0]

    @property
    def bytes(self) -> Iterable[int]:
        return self._grouped()

    @property
    def tokens(self) -> tuple[int, ...]:
        if self._tokens is None:
            self._tokens = tuple(self.trie.tokens_at(self._nodes)[0].tolist())
        return self._tokens

    def _child(self, byte: int) -> Position | None:
        nodes = self._grouped().get(byte)
        return None if nodes is None else self.trie.position(nodes)

    def _grouped(self) -> dict[int, Int32Array]:
        """The children's nodes by byte."""
        if self._groups is None:
            children, _ = self.trie.children(self._nodes)
            children = children[np.argsort(self.trie.byte[children], kind="stable")]
            bytes_, starts = np.unique(self.trie.byte[children], return_index=True)
            parts = np.split(children, starts[1:]) if bytes_.size else []
            self._groups = dict(zip(bytes_.tolist(), parts, strict=True))
        return self._groups
