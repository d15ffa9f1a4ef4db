"""The mask store: for each configuration of the lexer, what tokens make of it.

A walk over the vocabulary's trie from one configuration says, for all tokens at once, where they end (grouped by the
terminals still possible there) and where inside them a lexeme may end (as one node set per terminal and configuration
behind it). It knows nothing of the parser, so it is made once for a lexer and a vocabulary and serves every text:
SynCode's DFA mask store (arXiv 2403.01632, section 4.4), filled when first needed. Example, vocabulary ``a``, ``ab``,
``a+``, ``a+b`` from the start of a NAME::

    inside   {NAME}: a, ab
    endings  NAME, continuing at the node of a      (no token goes on behind ab)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.scan import scan_key
from schema_compiler.engine.tokens.token_sets import TokenSet, token_set_of, token_sets_at
from schema_compiler.engine.tokens.trie import Int32Array, NodeSet, Trie
from schema_compiler.engine.tokens.walk import walk
from schema_compiler.lexed.lexer import Lexer
from schema_compiler.regular.automata.dfa import Dfa

__all__ = ["Ending", "LexemeScan", "MaskStore"]


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """A lexeme may end at the trie nodes of ``node_set``, inside tokens.

    It is the first of ``terminals`` that the parser takes; the lexer goes on from ``configuration``.
    """

    terminals: tuple[int, ...]
    configuration: int
    node_set: NodeSet


@dataclass(frozen=True, slots=True, eq=False)
class LexemeScan:
    """What tokens do within one lexeme.

    ``inside``: the tokens that end before the lexeme does, by the bit set of terminals that may come of it.
    ``endings``: where the lexeme ends before the token does.
    """

    inside: tuple[tuple[int, TokenSet], ...]
    endings: tuple[Ending, ...]


class MaskStore:
    """Scans by node set and configuration, made when first asked for."""

    def __init__(self, lexer: Lexer, trie: Trie) -> None:
        self._lexer = lexer
        self._trie = trie
        self._scans: dict[int, LexemeScan] = {}
        self._below: dict[NodeSet, tuple[TokenSet, ...]] = {}
        self._reaches = list(dict.fromkeys(lexer.reach))
        number = {reach: index for index, reach in enumerate(self._reaches)}
        self._reach_of = np.array([number[reach] for reach in lexer.reach], np.int32)
        self._ending_of = lexer.label.astype(np.int64) * len(lexer) + lexer.after
        self._dfa = Dfa(lexer.table, lexer.label >= 0, np.zeros(len(lexer), np.bool_))

    def scan(self, node_set: NodeSet, configuration: int) -> LexemeScan:
        """What tokens do, from ``node_set`` on, within the lexeme."""
        key = scan_key(node_set, configuration)
        scan = self._scans.get(key)
        return scan if scan is not None else self._scans.setdefault(key, self._scan(node_set, configuration))

    def below(self, node_set: NodeSet) -> tuple[TokenSet, ...]:
        """All tokens that go on beyond ``node_set``, whatever they read."""
        token_sets = self._below.get(node_set)
        if token_sets is None:
            levels = [self._trie.children(self._trie.nodes(node_set))[0]]
            while levels[-1].size:
                levels.append(self._trie.children(levels[-1])[0])
            token_sets = self._below.setdefault(node_set, token_sets_at(np.sort(np.concatenate(levels)), self._trie))
        return token_sets

    def _scan(self, node_set: NodeSet, configuration: int) -> LexemeScan:
        walked = walk(self._trie, node_set, self._dfa, configuration, count=False)
        tokens, reached, _ = walked.tokens()
        inside = (
            (self._reaches[reach], token_set_of(ids, self._trie))
            for reach, ids in _group(self._reach_of[reached], tokens)
        )
        nodes, ends, _ = walked.ended(self._dfa.accepting)
        return LexemeScan(tuple(inside), tuple(self._endings(nodes, ends)))

    def _endings(self, nodes: Int32Array, reached: Int32Array) -> list[Ending]:
        """The endings at ``nodes`` in the configurations ``reached``, int32, an entry each for every place.

        Leaves of the trie are left out: no token goes on there.
        """
        inner = self._trie.first_child[nodes + 1] > self._trie.first_child[nodes]
        endings = []
        for key, group in _group(self._ending_of[reached[inner]], nodes[inner]):
            kind, configuration = divmod(key, len(self._lexer))
            node_set = self._trie.node_set(np.sort(group))
            endings.append(Ending(self._lexer.kinds[kind], configuration, node_set))
        return endings


def _group(keys: npt.NDArray[np.integer[Any]], values: Int32Array) -> list[tuple[int, Int32Array]]:
    """The values of each key."""
    if not keys.size:
        return []
    order = np.argsort(keys, kind="stable")
    distinct, starts = np.unique(keys[order], return_index=True)
    return list(zip(distinct.tolist(), np.split(values[order], starts[1:]), strict=True))
