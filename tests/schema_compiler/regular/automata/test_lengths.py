"""Lengths of strings against a search through the table, one state and one count at a time."""

from __future__ import annotations

import re

import pytest

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.lengths import Lengths
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import pattern_string
from schema_compiler.regular.text.json_strings import any_string

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


def shortest(dfa: Dfa, state: int, longest: int = 14) -> dict[int, int]:
    """By number of further characters, the fewest bytes to an end: breadth first over (state, count)."""
    found: dict[int, int] = {}
    level, seen, steps = {(state, 0)}, {(state, 0)}, 0
    while level:
        for place, count in level:
            if dfa.accepting[place]:
                found.setdefault(count, steps)
        following = set()
        for place, count in level:
            for target in set(dfa.table[place].tolist()) - {-1}:
                begun = count + int(dfa.boundary[place] and not dfa.accepting[target])
                if begun <= longest:
                    following.add((target, begun))
        level, steps = following - seen, steps + 1
        seen |= following
    return found


@pytest.mark.parametrize("pattern", PATTERNS)
def test_against_a_search(pattern: str) -> None:
    """Whether a window of lengths can be met, and with how few bytes."""
    dfa = table_of(pattern)
    lengths = Lengths(dfa)
    for state in range(len(dfa)):
        found = shortest(dfa, state)
        for least, most in WINDOWS:
            costs = [cost for count, cost in found.items() if least <= count and (most is None or count <= most)]
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
