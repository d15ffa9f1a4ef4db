"""Where values might come from: what is found, how, and what is not."""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdk.alignment import align, aligned
from sdk.errors import InputError, MissingExtraError
from sdk.results import Result


@pytest.mark.parametrize(
    ("value", "document", "places"),
    [
        ("Ann", "Ann, Anne and Ann", ["Ann", "Ann"]),
        ("art", "party art", ["art"]),
        ("art", "party", []),
        ("a\nb", "x a\r\n b", ["a\r\n b"]),
        ("张三", "我叫张三住在北京", ["张三"]),
        ("ace books ltd", "Sold by ACE Books, Ltd.", ["ACE Books, Ltd"]),
        ("fine arts", "the ﬁne\u00a0Arts", ["ﬁne\u00a0Arts"]),
        ("Café", "Cafe\u0301 Luna", ["Cafe\u0301"]),
        ("2024-03-01", "on 1 March 2024, 2024-03-01, 01/03/24 or 2 March 2024", ["2024-03-01"]),
        ("2024-03-01", "on 1 March 2024, 01/03/24 or 2 March 2024", ["1 March 2024", "01/03/24"]),
        ("2024-03-01T22:30:00", "(1 March 2024 10:30 pm)", ["1 March 2024 10:30 pm"]),
        ("2024-99-01", "2024", []),
        (1234.5, "Total 1.234,50, 1,234.5 and 1234.51", ["1.234,50", "1,234.5"]),
        (Decimal("10.00"), "RM10", ["10"]),
        ("10.00", "Total 10,00", ["10,00"]),
        (950, "in 1950 for 950, not 9500 nor 950/951 nor 1.951", ["950"]),
        (5, "5kg", ["5"]),
        ("00123", "No. 123", []),
        (5, "A5, 5", ["5"]),
        (12, "12/03/2024 12:30 3.12", []),
        (-5, "(5.00), -5, 5, 10-5", ["(5.00)", "-5"]),
        (12345, "12 345 but not 12 3456", ["12 345"]),
        ("Ace Boks Limited", "Sold to ACE Books Limited, of 12", ["ACE Books Limited"]),
        ("Invoice INV-00123", "Invoice INV-00124", []),
        ("Jane Roe", "Ann Miller", []),
        ("Anna", "Anne", []),
        (True, "true", []),
        (None, "null None", []),
        ("", "x", []),
        ("...", "x ... y", []),
    ],
)
def test_places(value: Any, document: str, places: list[str]) -> None:
    spans = align(value, document)
    assert [span.text for span in spans] == places
    assert all(document[span.start : span.end] == span.text for span in spans)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), st.text("ab 1.\n", max_size=30))
@settings(deadline=None)
def test_spans_are_of_the_document_and_rise(value: str, document: str) -> None:
    spans = align(value, document)
    assert all(document[span.start : span.end] == span.text != "" for span in spans)
    assert spans == sorted(spans, key=lambda span: span.start)


@given(st.lists(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=8), st.data())
@settings(deadline=None)
def test_whole_words_are_found_where_a_naive_search_finds_them(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    wanted = words[start:end]
    expected = [i for i in range(len(words)) if words[i : i + len(wanted)] == wanted]
    found = [" ".join(words)[: span.start].count(" ") for span in align(" ".join(wanted), " ".join(words))]
    assert found == expected


def test_at_most_so_many_places() -> None:
    assert len(align("a", "a " * 100)) == 16


def test_similarity_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    assert align("Ann", "Ann")
    with pytest.raises(MissingExtraError, match=r"extraction-sdk\[report\]"):
        align("Ann Miller", "Anne Miller")


def test_only_values_without_evidence_are_aligned() -> None:
    (span,) = align("Ace", "Ace 9")
    result = Result("", {"shop": "Ace", "total": 9, "who": "Jane"}, document="Ace 9", evidence={("shop",): (span,)})
    assert {path: [span.text for span in spans] for path, spans in aligned(result).items()} == {("total",): ["9"]}
    with pytest.raises(InputError, match=r"'a\.txt' has none"):
        aligned(Result("a.txt", {"total": 9}))
