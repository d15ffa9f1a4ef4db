"""A grammar and a vocabulary put together as the compiler does, without the stages before."""

from __future__ import annotations

import numpy as np

from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.pushdown.automaton import Automaton
from schema_compiler.engine.pushdown.masks import PushdownEngine
from schema_compiler.engine.tokens.trie import TokenMask
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.grammar.graph import Graph
from schema_compiler.grammar.ir import Grammar
from schema_compiler.grammar.passes.prune import prune

__all__ = ["ids_in", "ids_of", "matcher_of"]


def matcher_of(lowered: Grammar, vocabulary: Vocabulary, *, inline: bool = True, merge: bool = True) -> Matcher:
    """A matcher of a lowered grammar."""
    automaton = Automaton(Graph(prune(lowered), inline=inline, merge=merge), vocabulary.leaves)
    return Matcher(PushdownEngine(automaton, vocabulary))


def ids_in(row: TokenMask, vocabulary: Vocabulary) -> list[int]:
    """The token ids of a packed row in order; its shape and padding are checked on the way."""
    assert row.dtype == np.uint32
    assert row.shape == ((len(vocabulary) + 31) // 32,)
    ids: list[int] = np.flatnonzero(np.unpackbits(row.astype("<u4").view(np.uint8), bitorder="little")).tolist()
    assert not ids or ids[-1] < len(vocabulary)
    return ids


def ids_of(row: TokenMask, vocabulary: Vocabulary) -> set[int]:
    """The token ids of a packed row."""
    return set(ids_in(row, vocabulary))
