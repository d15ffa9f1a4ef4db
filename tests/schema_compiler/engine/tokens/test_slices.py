"""Scans that share slices, against a pass over the vocabulary for each table; lengths, against every longer window."""

from __future__ import annotations

import numpy as np
import pytest

from schema_compiler.engine.tokens.length_groups import LengthGroups
from schema_compiler.engine.tokens.slices import Slices
from schema_compiler.engine.tokens.token_sets import union_of
from schema_compiler.engine.tokens.trie import ROOT, TokenMask, Trie
from schema_compiler.engine.tokens.walk import Walk, walk
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.lengths import lengths_of
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import pattern_string
from tests.vocabularies import smollm2

PATTERNS = [
    "^[a-z]+$", "^[^a]*$", "^[^,]*,[^;]*$", r"^\S+\s\S+$", "^.*é.*$", r"^[a-z]{1,3}x[\w-]*$", "^(?!ab)",
    r"^[^\n]*\n[a-z]*$", r'^[a-z"\\]*$', "(ab|cd)$", "", "^.+$", "^(?!ab|xyz)", "^[^e]b", r"^\p{L}*$",
]  # fmt: skip


@pytest.fixture(scope="module")
def trie() -> Trie:
    return smollm2().trie


@pytest.fixture(scope="module")
def slices(trie: Trie) -> Slices:
    """Shared by all cases: each finds what the ones before it have left."""
    return Slices(trie)


def own_states(dfa: Dfa) -> list[int]:
    """Some of the states in which a character may begin."""
    states: list[int] = np.flatnonzero(dfa.boundary).tolist()
    return states[:6]


def tokens(found: Walk, trie: Trie) -> TokenMask:
    return union_of(found.token_sets(), trie)


def counted(groups: LengthGroups) -> list[tuple[int, int, int]]:
    """Every value with its key."""
    found = []
    for number, key in enumerate(zip(groups.states.tolist(), groups.begun.tolist(), strict=True)):
        found.extend((value, *key) for value in groups.where(np.arange(groups.states.size) == number).tolist())
    return sorted(found)


def ends(found: Walk, dfa: Dfa) -> list[tuple[int, ...]]:
    return sorted(zip(*(part.tolist() for part in found.ended(dfa.accepting)), strict=True))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_regions_change_nothing(pattern: str, trie: Trie, slices: Slices) -> None:
    dfa = pattern_string(Pattern(pattern))
    for state in own_states(dfa):
        for count in (False, True):
            found = slices.walk(ROOT, dfa, state, count=count)
            alone: Walk = walk(trie, ROOT, dfa, state, count=count)
            assert np.array_equal(tokens(found, trie), tokens(alone, trie))
            assert ends(found, dfa) == ends(alone, dfa)
        assert counted(found.groups()) == counted(alone.groups())


@pytest.mark.parametrize("pattern", [r"^\d{3}-\d{4}$", "^[^a]*-{20}$", "^(true|false|null)$", "^ {2,80}x", "^é+$"])
def test_walks_reach_what_the_table_admits(pattern: str, trie: Trie) -> None:
    """Thin, sparse and dense walks, token by token."""
    dfa = pattern_string(Pattern(pattern))
    rows = [*dfa.table.tolist(), [-1] * 256]
    texts = [(number, text) for number, text in enumerate(smollm2().tokens) if text]
    for state in own_states(dfa):
        expected = []
        for number, text in texts:
            after = state
            for byte in text:
                after = rows[after][byte]
            if after >= 0:
                expected.append((number, after))
        ids, states, _ = walk(trie, ROOT, dfa, state, count=False).tokens()
        assert sorted(zip(ids.tolist(), states.tolist(), strict=True)) == expected


def test_tables_that_stay_alike_share_a_region(trie: Trie) -> None:
    slices = Slices(trie)
    for pattern in ("^[^a]*$", "^[^a]*a[^a]*$", "^[^a]*ab$"):
        dfa = pattern_string(Pattern(pattern))
        for state in own_states(dfa):
            slices.walk(ROOT, dfa, state, count=False)
    assert len(slices) == 1


@pytest.mark.parametrize("pattern", ["^(ab)*$", "^a(bcd)*$", "^[a-z]*$", "^(a{3}|b{5})*$", "^abc$"])
def test_reduced_windows_admit_the_same(pattern: str) -> None:
    dfa = pattern_string(Pattern(pattern))
    lengths = lengths_of(dfa)
    states = np.repeat(np.arange(len(dfa), dtype=np.int32), 6)
    begun = np.tile(np.arange(6, dtype=np.int32), len(dfa))
    for least in range(40):
        for most in (None, *range(least, least + 40, 3)):
            wanted = lengths.viable_each(states, begun, least, most)
            reduced = lengths.viable_each(states, begun, *lengths.reduced(least, most, 5))
            assert np.array_equal(wanted, reduced)
    assert len({lengths.reduced(least, None, 5) for least in range(1000)}) < 40
