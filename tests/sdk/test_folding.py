"""Folded text, and where its characters came from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdk.folding import FoldedText, fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ACE  Books,\nLtd.", "ace books ltd"),
        ("ﬁne ＡＢＣ Straße", "fine abc strasse"),
        ("caf\u00e9", "caf\u00e9"),
        ("cafe\u0301", "caf\u00e9"),
        ("C++ -$5", "c++ $5"),
        ("1,234.50", "1 234 50"),
        ("北京A店", "北 京 a 店"),
        ("हिन्दी", "हिन्दी"),
        ("?!", "?!"),
        ("  ", ""),
    ],
)
def test_what_does_not_count(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_words_come_from_their_origins(text: str) -> None:
    """Any run of folded words, folded again from where it stands in the text, is itself."""
    folded = FoldedText(text)
    start = 0
    for word in folded.text.split():
        start = folded.text.index(word, start)
        begin, end = folded.origin(start, start + len(word))
        assert word in FoldedText(text[begin:end]).text
        start += len(word)
    assert "  " not in folded.text
    assert folded.text == folded.text.strip()
