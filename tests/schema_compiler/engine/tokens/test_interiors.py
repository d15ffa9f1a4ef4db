"""Walks put together from an interior and its endings, against a walk over the whole vocabulary for each state."""

from __future__ import annotations

import numpy as np
import pytest

from schema_compiler.engine.tokens.interiors import interior_of
from schema_compiler.engine.tokens.slices import Slices
from schema_compiler.engine.tokens.token_sets import union_of
from schema_compiler.engine.tokens.trie import ROOT, Trie
from schema_compiler.engine.tokens.walk import walk
from schema_compiler.regular.automata.dfa import Dfa, literal
from schema_compiler.regular.automata.operations import union
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import pattern_string
from tests.vocabularies import smollm2

SHARED = ["[0-9]{3}", "ab|cd", r"/v1/\d+/x$", "^a|b$", r"(\w\d)+", "^((aa)*|b)$"]
"""Patterns with states that differ only in when the text may end."""

APART = ["^[a-z]{4}$", "^(ab|cd)$", ""]
"""Patterns without such states."""


@pytest.fixture(scope="module")
def trie() -> Trie:
    return smollm2().trie


@pytest.mark.parametrize("pattern", SHARED)
def test_parts_make_the_whole(pattern: str, trie: Trie) -> None:
    dfa = pattern_string(Pattern(pattern))
    slices, interior = Slices(trie), interior_of(dfa)
    assert interior is not None
    assert len(interior.dfa) < np.count_nonzero(~dfa.accepting)
    for state in np.flatnonzero(~dfa.accepting).tolist():
        whole, parts = walk(trie, ROOT, dfa, state, count=False), slices.walk_apart(interior, dfa, state)
        assert np.array_equal(union_of(whole.token_sets(), trie), union_of(parts.token_sets(), trie))
        for one, other in zip(whole.ended(dfa.accepting)[:2], parts.ended(dfa.accepting)[:2], strict=True):
            assert sorted(one.tolist()) == sorted(other.tolist())
    assert len(interior.masks) <= len(interior.dfa)


@pytest.mark.parametrize("pattern", APART)
def test_nothing_to_share(pattern: str) -> None:
    assert interior_of(pattern_string(Pattern(pattern))) is None


@pytest.mark.parametrize("dfa", [union(literal(b"a"), literal(b"ab")), union(literal(b"xa"), literal(b"xb"))])
def test_texts_that_go_on_or_end_differently(dfa: Dfa) -> None:
    assert interior_of(dfa) is None
