"""The leaf languages of one vocabulary. All grammars that contain the same leaf share it, and its scans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from schema_compiler.engine.leaves.counted import CountedLeaf, CountedTable
from schema_compiler.engine.leaves.table import TableLeaf
from schema_compiler.engine.tokens.scan import Scan, scan_key
from schema_compiler.engine.tokens.slices import Slices
from schema_compiler.engine.tokens.token_sets import flatten, unflatten, union_of
from schema_compiler.engine.tokens.trie import Int32Array, TokenMask, Trie
from schema_compiler.regular.automata.dfa import Dfa

__all__ = ["Leaves", "StoredScan"]


@dataclass(frozen=True, slots=True, eq=False)
class StoredScan:
    """One scan of one table: its key, and the parts of ``Scan`` as arrays; node sets as their nodes."""

    digest: bytes
    nodes: Int32Array
    state: int
    token_set: Int32Array | TokenMask
    exits: Int32Array
    nullable: bool


class Leaves:
    """The leaf languages of one vocabulary, by digest."""

    def __init__(self, trie: Trie, stored: Iterable[StoredScan] = ()) -> None:
        self.trie = trie
        self._slices = Slices(trie)
        self._plain: dict[bytes, TableLeaf] = {}
        self._tables: dict[bytes, CountedTable] = {}
        self._stored: dict[bytes, list[StoredScan]] = {}
        for scan in stored:
            self._stored.setdefault(scan.digest, []).append(scan)

    def plain(self, digest: bytes, dfa: Dfa) -> TableLeaf:
        """The leaf of a table."""
        leaf = self._plain.get(digest)
        if leaf is None:
            scans = dict(self._restored(scan) for scan in self._stored.get(digest, ()))
            self.trie.grown += 3 * dfa.table.nbytes
            leaf = self._plain.setdefault(digest, TableLeaf(dfa, self._slices, scans))
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
            for (node_set, state), scan in leaf.scans():
                exits = self.trie.nodes(scan.exits)
                token_sets = scan.token_sets if len(scan.token_sets) < 2 else (union_of(scan.token_sets, self.trie),)
                token_set = flatten(token_sets[0]) if token_sets else _NO_NODES
                yield StoredScan(digest, self.trie.nodes(node_set), state, token_set, exits, scan.nullable)
        for digest, stored in self._stored.items():
            if digest not in self._plain:
                yield from stored

    def _restored(self, stored: StoredScan) -> tuple[int, Scan]:
        node_set = self.trie.node_set(stored.nodes)
        token_sets = unflatten(stored.token_set, self.trie)
        return scan_key(node_set, stored.state), Scan(token_sets, self.trie.node_set(stored.exits), stored.nullable)


_NO_NODES = np.empty(0, np.int32)
