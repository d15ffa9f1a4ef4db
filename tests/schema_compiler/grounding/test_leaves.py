"""What a document has for a field, and where, against trying every pair of places."""

from __future__ import annotations

import json
import random
from typing import Any, get_args

import pytest

from schema_compiler import CompileBudgetError
from schema_compiler.grounding import leaves as module
from schema_compiler.grounding.document import Document
from schema_compiler.grounding.leaves import grounded_leaf
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.ir import Enumeration, Number, Piece, Reading, ReadingKind, Schema, Sentence, String, Within
from tests.schema_compiler.grounding.documents import random_document
from tests.schema_compiler.grounding.naive import value_of, values

BASES: list[tuple[Schema, ReadingKind]] = [
    (String(), "text"),
    (String(2, 6), "text"),
    (String(patterns=(Pattern(r"^\d.*", "python"),)), "text"),
    (String(1, 9, (Pattern("[a-z]", "python"),)), "text"),
    (String(formats=("python-email",)), "text"),
    (String(formats=("date",)), "date"),
    (String(formats=("python-datetime",)), "datetime"),
    (Number(), "number"),
    (Number(integer=True), "number"),
    (Enumeration(("cash", "Credit Card")), "choice"),
]


def check(document: str, piece: Piece) -> None:
    """The values are those that are found by brute force, and so are the places of each."""
    read, expected = Document(document), values(document, piece)
    leaf = grounded_leaf(piece, read)
    texts = leaf.texts(100_000)
    assert texts is not None
    assert (leaf.language is None) == (not texts)
    name = value_of if isinstance(piece.base, Number) else bytes
    assert {name(text) for text in texts} == expected.keys(), (document, piece)
    assert len(set(texts)) == len(texts) == len(expected)
    for text in texts:
        places = {read.span(*place) for place in expected[name(text)]}
        spans = leaf.spans(json.loads(text))
        assert set(spans) == places, (document, piece, text)
        assert spans == sorted(places, key=lambda span: (span.start, span.end))
        assert all(document[span.start : span.end] == span.text for span in spans)


@pytest.mark.parametrize("within", get_args(Within))
@pytest.mark.parametrize(("base", "kind"), BASES, ids=str)
def test_values_and_places_by_brute_force(base: Schema, kind: ReadingKind, within: Within) -> None:
    source = random.Random(f"{base} {within}")
    for _ in range(12):
        reading = Reading(kind, within, source.choice([1, 1, 2, 5]))
        check(random_document(source, source.randint(0, 12)), Piece(base, (reading,)))


@pytest.mark.parametrize(
    "readings",
    [
        (Reading(within="word"), Reading(within="line", min_chars=3)),
        (Reading(within="anywhere"), Reading(within="sentence")),
        (Reading("date"), Reading("date", day_first=True)),
        (Reading("date"), Reading("text")),
        (Reading("date", "line"), Reading("text", "word", 3)),
    ],
    ids=str,
)
def test_one_piece_is_read_in_all_ways(readings: tuple[Reading, ...]) -> None:
    base = String(formats=("date",)) if any(one.kind == "date" for one in readings) else String()
    source = random.Random(4)
    for _ in range(25):
        check(random_document(source, 12), Piece(base, readings))
    check("2024-03-01\n01/02/2024 2024-03-01\n03/03/2024", Piece(base, readings))


SUM = 'start: NUMBER ("+" NUMBER)*\nNUMBER: /[0-9]+/'

VALUES: dict[str, tuple[Piece, str, Any]] = {
    "a broken line": (Piece(String(), (Reading(within="line"),)), "Ace\nBooks", ['"Ace"', '"Books"']),
    "a grammar": (Piece(Sentence(SUM, "start"), (Reading(),)), "is 1+2 + 3", ['"1"', '"1+2"', '"2"', '"3"']),
    "a number of few digits": (Piece(Number(max_digits=2), (Reading("number"),)), "5 50 500 1.55", ["5", "50"]),
    "decimals are kept": (Piece(Number(), (Reading("number"),)), "15.90 and 15.9", ["15.90"]),
    "whole numbers": (Piece(Number(integer=True), (Reading("number"),)), "RM 2.00, 2.5", ["2"]),
    "listed numbers": (Piece(Enumeration((1, 2.5)), (Reading("choice"),)), "1.00 and 2,50 and 3", ["1", "2.5"]),
    "quotes and controls": (Piece(String(), (Reading(within="line"),)), 'a"b\\\x01', ['"a\\"b\\\\\\u0001"']),
    "no piece": (Piece(String(min_length=9), (Reading(),)), "short", []),
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    piece, document, texts = VALUES[name]
    found = grounded_leaf(piece, Document(document)).texts(100)
    assert found == [text.encode() for text in texts]


def test_many_texts_are_not_listed() -> None:
    leaf = grounded_leaf(Piece(String(), (Reading(),)), Document("one two three"))
    assert leaf.texts(5) is None
    assert leaf.texts(6) == [b'"one"', b'"one two"', b'"one two three"', b'"two"', b'"two three"', b'"three"']


@pytest.mark.parametrize("value", [None, True, "", "tw", "one  two", 3, ["one"]])
def test_what_is_no_piece_has_no_place(value: Any) -> None:
    assert grounded_leaf(Piece(String(), (Reading(),)), Document("one two")).spans(value) == []


def test_budgets_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_GRAMMAR_STEPS", 10)
    monkeypatch.setattr(module, "_MOST_PIECES", 3)
    with pytest.raises(CompileBudgetError, match="the grammar was tried on more than 10 characters"):
        grounded_leaf(Piece(Sentence(SUM, "start"), (Reading(within="anywhere"),)), Document("1234567"))
    with pytest.raises(CompileBudgetError, match="more than 3 pieces of the document may be a number"):
        grounded_leaf(Piece(Number(), (Reading("number"),)), Document("1 2 3 4"))
