"""Lengths of strings against a search through the table, one state and one count at a time."""

from __future__ import annotations

import re

import numpy as np
import pytest

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.lengths import Lengths
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import pattern_string
from schema_compiler.regular.text.json_strings import any_string
from tests.schema_compiler.regular.walks import shortest_completions

PATTERNS = (
    "",
    "^a$",
    "^(ab)*$",
    "^(aaa|bbbbb)*$",
    "^a{2,5}$",
    "é|^$",
    "^[a-c]{3}(d{4})*$",
    '^["\\\\]{2}$',
    "^(..)*日$",
)
WINDOWS = [(least, most) for least in range(9) for most in (*range(least, 10), 40, None)]


def table_of(pattern: str) -> Dfa:
    """The JSON strings that match."""
    return pattern_string(Pattern(pattern)) if pattern else any_string()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_against_a_search(pattern: str) -> None:
    """Whether a window of lengths can be met, and with how few bytes."""
    dfa = table_of(pattern)
    lengths = Lengths(dfa)
    for state in range(len(dfa)):
        completions = shortest_completions(dfa, state)
        for least, most in WINDOWS:
            costs = [cost for count, cost in completions.items() if least <= count and (most is None or count <= most)]
            assert lengths.viable(state, least, most) == bool(costs), (state, least, most)
            if costs:
                assert len(lengths.closing(state, least, most)) == min(costs)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_closings_are_texts_of_the_language(pattern: str) -> None:
    """From the start, with their characters counted by Python."""
    dfa = table_of(pattern)
    lengths = Lengths(dfa)
    for least, most in WINDOWS:
        if lengths.viable(0, least, most):
            text = lengths.closing(0, least, most)
            assert dfa.accepts(text)
            characters = len(re.sub(r"\\(u....|.)", "x", text.decode()[1:-1]))
            assert least <= characters <= (characters if most is None else most)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_many_states_at_once(pattern: str) -> None:
    """As one by one, each after some characters of the window."""
    dfa = table_of(pattern)
    lengths = Lengths(dfa)
    states = np.repeat(np.arange(len(dfa), dtype=np.int32), 5)
    begun = np.tile(np.arange(5, dtype=np.int32), len(dfa))
    for least, most in WINDOWS:
        expected = [
            lengths.viable(state, max(least - count, 0), None if most is None else most - count)
            for state, count in zip(states.tolist(), begun.tolist(), strict=True)
        ]
        assert lengths.viable_each(states, begun, least, most).tolist() == expected, (least, most)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_reduced_windows_are_not_told_apart(pattern: str) -> None:
    """After any number of characters that was allowed for; and large bounds have few windows."""
    dfa = table_of(pattern)
    lengths = Lengths(dfa)
    reduced = set()
    for least, most in [*WINDOWS, *((least, least + more) for least in range(50, 90) for more in (0, 3, 1000))]:
        window = lengths.reduced(least, most, 4)
        reduced.add(window)
        for state in range(len(dfa)):
            for begun in range(5):
                before, after = (
                    lengths.viable(state, max(low - begun, 0), None if high is None else high - begun)
                    for low, high in ((least, most), window)
                )
                assert before == after, (state, least, most, begun)
    assert max(least for least, _ in reduced) < 4 + 2 * lengths.settled + 9


def test_large_bounds_are_answered_from_the_period() -> None:
    """A million characters take no more of a table than three."""
    lengths = Lengths(table_of("^(aaa|bbbbb)*$"))
    assert lengths.settled < 40
    assert lengths.viable(0, 1_000_000, 1_000_000)
    assert not Lengths(table_of("^(ab)*$")).viable(0, 1_000_001, 1_000_001)


def test_too_many_lengths_to_tell_apart() -> None:
    """Periods that multiply are refused with the number."""
    with pytest.raises(CompileBudgetError, match="lengths apart"):
        Lengths(table_of("^((a{29})*|(b{31})*|(c{37})*)$"))
