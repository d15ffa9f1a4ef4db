"""How documents are read, against reading them character by character; where characters stand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_compiler import DocumentError
from schema_compiler.grounding.reading_text import ReadingText
from tests.schema_compiler.grounding.documents import random_document
from tests.schema_compiler.grounding.naive import BREAK, read_as

CHARACTERS = st.text(st.sampled_from([*BREAK, *" \t\u00a0\x1caé😀\u0301"]), max_size=12)

READ = {
    "": "",
    "Ace Books": "Ace Books",
    "Ace \r\n Books": "Ace Books",
    "a\n\n\tb": "a b",
    "\na\n": " a ",
    "a  b": "a  b",
    "a\u2029b\x0cc\x85d": "a b c d",
    "a\x1cb": "a\x1cb",
    "\r\n": " ",
}


@pytest.mark.parametrize(("document", "text"), READ.items())
def test_a_broken_line_goes_on_behind_a_blank(document: str, text: str) -> None:
    assert ReadingText(document).text == text == read_as(document)


def check(document: str) -> None:
    reading = ReadingText(document)
    assert reading.text == read_as(document)
    assert len(reading) == len(reading.text)
    for at, character in enumerate(reading.text):
        begin, end = reading.place(at, at + 1)
        standing = document[begin:end]
        assert read_as(standing) == character
        assert len(standing) == 1 or standing.isspace()
    if reading.text:
        assert reading.place(0, len(reading)) == (0, len(document))
        assert [*reading.begin[1:].tolist(), len(document)] == reading.end.tolist()


@given(CHARACTERS)
def test_every_character_knows_its_place(document: str) -> None:
    check(document)


def test_places_in_documents_of_all_scripts() -> None:
    source = random.Random(0)
    for _ in range(200):
        check(random_document(source, 12))


@pytest.mark.parametrize(("document", "offset"), [("\ud800", 0), ("aé\udfffb", 2), ("😀\ud83d", 1)])
def test_a_lone_surrogate_is_named(document: str, offset: int) -> None:
    with pytest.raises(DocumentError, match=rf"U\+{ord(document[offset]):04X} at character {offset}") as caught:
        ReadingText(document)
    assert caught.value.offset == offset
