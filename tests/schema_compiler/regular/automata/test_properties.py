"""Questions about texts, against all short texts."""

from __future__ import annotations

import json
import re
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.regular.automata.dfa import Dfa, canonical, empty, literal
from schema_compiler.regular.automata.properties import (
    byte_classes,
    fewest_characters,
    is_endless,
    is_infinite,
    texts_of,
)
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import pattern_string
from schema_compiler.regular.text.json_strings import any_string, string_literal
from tests.schema_compiler.regular.walks import accepted_texts, shortest_completions

STATES, ALPHABET = 4, b"ab"
CLASSES = np.array([ALPHABET.find(byte) % 3 for byte in range(256)], np.intp)  # the last column: all other bytes
rows = st.tuples(st.integers(-1, STATES - 1), st.integers(-1, STATES - 1))
automata = st.builds(
    lambda table, accepting: canonical(
        np.array([[*row, -1] for row in table], np.int32)[:, CLASSES],
        np.array(accepting),
        np.zeros(STATES, np.bool_),
    ),
    st.lists(rows, min_size=STATES, max_size=STATES),
    st.lists(st.booleans(), min_size=STATES, max_size=STATES),
)

EXAMPLES = [("^a*$", True, True), ("^(b|ca*)$", True, False), ("^(ab|c)$", False, False), ("^a{3}", True, True)]


def strings(pattern: str) -> Dfa:
    return pattern_string(Pattern(pattern))


@given(automata)
@settings(max_examples=300, deadline=None)
def test_infinite_languages_have_a_text_longer_than_the_automaton(dfa: Dfa) -> None:
    """The pumping lemma: a text of as many bytes as there are states, or more, but fewer than twice as many."""
    long = [text for text in accepted_texts(dfa, ALPHABET, 2 * len(dfa) - 1) if len(text) >= len(dfa)]
    assert is_infinite(dfa) == bool(long)


@given(automata)
@settings(max_examples=300, deadline=None)
def test_endless_languages_by_the_texts_from_every_state(dfa: Dfa) -> None:
    """From a state that accepts the empty text only, from others texts of any length."""
    completions = [accepted_texts(dfa, ALPHABET, 2 * len(dfa) - 1, state) for state in range(len(dfa))]
    infinite = [any(len(text) >= len(dfa) for text in texts) for texts in completions]
    expected = all(
        texts == {b""} if dfa.accepting[state] else infinite[state] for state, texts in enumerate(completions)
    )
    assert is_endless(dfa) == expected


@pytest.mark.parametrize(("pattern", "infinite", "endless"), EXAMPLES)
def test_strings(pattern: str, infinite: bool, endless: bool) -> None:
    assert (is_infinite(strings(pattern)), is_endless(strings(pattern))) == (infinite, endless)


def test_the_smallest_languages() -> None:
    for dfa in (empty(), literal(b""), literal(b"ab")):
        assert not is_infinite(dfa)
        assert not is_endless(dfa) or dfa.digest == literal(b"").digest
    assert list(texts_of(empty(), 0, None)) == []
    assert list(texts_of(literal(b""), 0, 0)) == [b""]
    assert list(texts_of(literal(b""), 1, None)) == []
    assert fewest_characters(empty()).tolist() == [1]


@pytest.mark.parametrize("pattern", ["^[aé]*$", "^(ab|é)*$", "^a{2}b{0,2}$", '^["b]?$', "^(b|\\na*)$", "^$"])
@pytest.mark.parametrize("window", [(0, 0), (0, 3), (1, 2), (2, 2), (3, 4)])
def test_texts_are_those_that_match(pattern: str, window: tuple[int, int]) -> None:
    """Every one once."""
    texts = list(texts_of(strings(pattern), *window))
    words = ("".join(word) for length in range(window[0], window[1] + 1) for word in product('abé"\n', repeat=length))
    assert len(texts) == len(set(texts))
    assert set(texts) == {string_literal(word) for word in words if re.fullmatch(pattern[1:-1], word)}


@pytest.mark.parametrize("window", [(0, 100_000), (0, None), (5_000, 100_000)])
@pytest.mark.parametrize("pattern", ["", "^[a-z]*x$"])
def test_the_first_texts_are_short(pattern: str, window: tuple[int, int | None]) -> None:
    """Longer ones are not looked at before."""
    dfa = strings(pattern) if pattern else any_string()
    texts = list(islice(texts_of(dfa, *window), 20))
    assert len(set(texts)) == 20
    for text in texts:
        assert dfa.accepts(text)
        assert window[0] <= len(json.loads(text)) <= window[0] + 30


@pytest.mark.parametrize("pattern", [example[0] for example in EXAMPLES])
def test_classes_of_bytes(pattern: str) -> None:
    """Two bytes are in one class exactly when their columns are equal."""
    dfa = strings(pattern)
    classes = byte_classes(dfa).tolist()
    columns = [tuple(column) for column in dfa.table.T.tolist()]
    assert len(set(zip(classes, columns, strict=True))) == len(set(classes)) == len(set(columns))


@pytest.mark.parametrize("pattern", [*(example[0] for example in EXAMPLES), "é{2}$", "^(..)+日$"])
def test_fewest_characters(pattern: str) -> None:
    """Against a search, state by state."""
    dfa = strings(pattern)
    assert fewest_characters(dfa).tolist() == [min(shortest_completions(dfa, state)) for state in range(len(dfa))]
