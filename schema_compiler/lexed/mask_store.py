"""The mask store: for each configuration of the lexer, what tokens make of it.

A walk over the vocabulary's trie from one configuration says, for all tokens at once, where they end (grouped by the
terminals still possible there) and where inside them a lexeme may end (as one trie position per terminal and
configuration behind it). It knows nothing of the parser, so it is made once for a lexer and a vocabulary and serves
every text: SynCode's DFA mask store (arXiv 2403.01632, section 4.4), filled when first needed. Example, vocabulary
``a``, ``ab``, ``a+``, ``a+b`` from the start of a NAME::

    inside   {NAME}: a, ab
    ends     NAME, continuing at the nodes of a and ab
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.scan import Piece, key_of, piece_of, pieces_at
from schema_compiler.engine.tokens.trie import Int32Array, Position, Trie
from schema_compiler.engine.tokens.walk import walk
from schema_compiler.lexed.lexer import Lexer
from schema_compiler.regular.automata.dfa import Dfa

__all__ = ["Ending", "LexemeScan", "MaskStore"]


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """A lexeme may end at ``position``, as the first of ``terminals`` that fits; behind it is ``configuration``."""

    terminals: tuple[int, ...]
    configuration: int
    position: Position


@dataclass(frozen=True, slots=True, eq=False)
class LexemeScan:
    """What tokens do within one lexeme. ``inside``: (bit set of terminals it can still become, tokens that end so)."""

    inside: tuple[tuple[int, Piece], ...]
    endings: tuple[Ending, ...]


class MaskStore:
    """Scans by trie position and configuration, made when first asked for."""

    def __init__(self, lexer: Lexer, trie: Trie) -> None:
        self._lexer = lexer
        self._trie = trie
        self._scans: dict[int, LexemeScan] = {}
        self._below: dict[Position, tuple[Piece, ...]] = {}
        self._reaches = list(dict.fromkeys(lexer.reach))
        number = {reach: index for index, reach in enumerate(self._reaches)}
        self._reach_of = np.array([number[reach] for reach in lexer.reach], np.int32)
        self._ending_of = lexer.label.astype(np.int64) * len(lexer) + lexer.after
        self._dfa = Dfa(lexer.table, lexer.label >= 0, np.zeros(len(lexer), np.bool_))

    @property
    def size(self) -> int:
        """How many scans are kept."""
        return len(self._scans) + len(self._below)

    def scan(self, position: Position, configuration: int) -> LexemeScan:
        """Everything tokens from ``position`` on can do within the lexeme."""
        key = key_of(position, configuration)
        scan = self._scans.get(key)
        return scan if scan is not None else self._scans.setdefault(key, self._scan(position, configuration))

    def below(self, position: Position) -> tuple[Piece, ...]:
        """All tokens that go on beyond ``position``, whatever they read."""
        pieces = self._below.get(position)
        if pieces is None:
            levels = [self._trie.children(self._trie.nodes(position))[0]]
            while levels[-1].size:
                levels.append(self._trie.children(levels[-1])[0])
            pieces = self._below.setdefault(position, pieces_at(np.sort(np.concatenate(levels)), self._trie))
        return pieces

    def _scan(self, position: Position, configuration: int) -> LexemeScan:
        found = walk(self._trie, position, self._dfa, configuration, count=False)
        tokens, reached, _ = found.tokens()
        inside = (
            (self._reaches[reach], piece_of(ids, self._trie))
            for reach, ids in _grouped(self._reach_of[reached], tokens)
        )
        nodes, ends, _ = found.ended(self._dfa.accepting)
        return LexemeScan(tuple(inside), tuple(self._endings(nodes, ends)))

    def _endings(self, nodes: Int32Array, reached: Int32Array) -> list[Ending]:
        """Leaves of the trie are left out: nothing goes on there."""
        inner = self._trie.first_child[nodes + 1] > self._trie.first_child[nodes]
        found = []
        for key, part in _grouped(self._ending_of[reached[inner]], nodes[inner]):
            kind, configuration = divmod(key, len(self._lexer))
            position = self._trie.position(np.sort(part))
            found.append(Ending(self._lexer.kinds[kind], configuration, position))
        return found


def _grouped(keys: npt.NDArray[np.integer[Any]], values: Int32Array) -> list[tuple[int, Int32Array]]:
    """The values of each key."""
    if not keys.size:
        return []
    order = np.argsort(keys, kind="stable")
    distinct, starts = np.unique(keys[order], return_index=True)
    return list(zip(distinct.tolist(), np.split(values[order], starts[1:]), strict=True))
