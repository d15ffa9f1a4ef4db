"""Where pieces begin and end: behaviour as data, and every pair of places against telling them one by one."""

from __future__ import annotations

import random
from typing import get_args

import numpy as np
import pytest

from schema_compiler.grounding.boundaries import boundaries, meet_boundaries
from schema_compiler.grounding.reading_text import ReadingText
from schema_compiler.schema.ir import Within
from tests.schema_compiler.grounding.documents import random_document
from tests.schema_compiler.grounding.naive import is_piece

WORDS = {
    "15.90-\u200d01 x": ["15.90-\u200d01", "x"],  # what extends a hyphen does not part it from what it joins
    "TOTAL (RM): 1,234.50, yes": ["TOTAL", "(RM", "(RM)", "(RM):", "RM", "RM)", "RM):", "1,234.50", "1,234.50,", "yes"],
    "a.b@c.d": ["a.b@c.d"],
    "don't stop-gap O’Neil AT&T": ["don't", "stop-gap", "O’Neil", "AT&T"],
    "DATE:01/03/2024": ["DATE", "DATE:01/03/2024", "01/03/2024"],
    "either/or 3/4": ["either", "either/or", "or", "3/4"],
    "at 12:30 a:b": ["at", "12:30", "a", "a:b", "b"],
    "(5.00) -5 $5 5€": ["(5.00", "(5.00)", "5.00", "5.00)", "-5", "5", "$5", "5", "5", "5€"],
    "x_1 e\u0301a": ["x_1", "e\u0301a"],
    "中文": ["中", "中文", "文"],
    "👩‍👩‍👧🇲🇾": ["👩‍👩‍👧", "👩‍👩‍👧🇲🇾", "🇲🇾"],
    "*** —": [],
    "  ": [],
    "": [],
}
"""Documents, and their pieces without a blank inside."""

LINES = {
    " Ace \r\n\n Tea  5.00 \x0c": ["Ace", "Tea  5.00"],
    "one": ["one"],
    "\n \t\n": [],
}
SENTENCES = {
    "Yes. No! He said “No.” and left. 12 came": ["Yes.", "No!", "He said “No.” and left.", "12 came"],
    "A heading\n\nAnd\ntext": ["A heading", "And text"],
    "はい。いいえ。": ["はい。", "いいえ。"],
    "3.5 is e.g. a number": ["3.5 is e.g. a number"],
    "ok… (Well.) Fine": ["ok…", "(Well.)", "Fine"],
}


def pieces(document: str, within: Within) -> list[str]:
    text = ReadingText(document)
    found = boundaries(text, within)
    starts, ends = np.flatnonzero(found.starts).tolist(), np.flatnonzero(found.ends).tolist()
    bounds = [len(text)] * (len(text) + 1) if found.bounds is None else found.bounds.tolist()
    return [text.text[begin:end] for begin in starts for end in ends if begin < end <= bounds[begin]]


@pytest.mark.parametrize(("document", "words"), WORDS.items())
def test_words(document: str, words: list[str]) -> None:
    assert [piece for piece in pieces(document, "word") if " " not in piece] == words


@pytest.mark.parametrize(("document", "lines"), LINES.items())
def test_lines(document: str, lines: list[str]) -> None:
    assert pieces(document, "line") == lines
    joined = [" ".join(lines[a:b]) for a in range(len(lines)) for b in range(a + 1, len(lines) + 1)]
    assert pieces(document, "lines") == joined


@pytest.mark.parametrize(("document", "sentences"), SENTENCES.items())
def test_sentences(document: str, sentences: list[str]) -> None:
    found = pieces(document, "sentence")
    assert [one for one in found if not any(one != other and other in one for other in found)] == sentences


@pytest.mark.parametrize("within", get_args(Within))
def test_every_pair_of_places(within: Within) -> None:
    source = random.Random(5)
    for _ in range(150):
        document = random_document(source, source.randint(0, 12))
        text = ReadingText(document)
        found = boundaries(text, within)
        for begin in range(len(text)):
            for end in range(begin + 1, len(text) + 1):
                bound = found.bounds is None or end <= found.bounds[begin]
                piece = bool(found.starts[begin] and found.ends[end] and bound)
                assert piece == is_piece(document, begin, end, within), (document, begin, end)


def test_two_boundaries_meet() -> None:
    text = ReadingText("one two.\nthree")
    both = meet_boundaries(boundaries(text, "word"), boundaries(text, "line"))
    assert np.flatnonzero(both.starts).tolist() == [0, 9]
    assert np.flatnonzero(both.ends).tolist() == [8, 14]
    assert both.bounds is not None
    assert both.bounds[[0, 9]].tolist() == [8, 14]
