"""Where the values of finished documents came from."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from itertools import combinations
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from schema_compiler import Span, UngroundedError, Verbatim, compile_type
from tests.schema_compiler.grounding.documents import random_document
from tests.schema_compiler.grounding.naive import is_piece, read_as
from tests.vocabularies import byte_vocabulary

Word = Annotated[str, Verbatim()]


class Line(BaseModel):
    name: Word
    price: Annotated[Decimal, Verbatim()]


class Named(BaseModel):
    kind: str
    name: Word


CASES: dict[str, tuple[Any, str, str, dict[tuple[Any, ...], list[tuple[int, int]]]]] = {
    "the root": (Word, "one two", '"two"', {(): [(4, 7)]}),
    "all places, in order": (Word, "a b a a b", '"a"', {(): [(0, 1), (4, 5), (6, 7)]}),
    "a broken line": (Word, "one \r\n two", '"one two"', {(): [(0, 10)]}),
    "escapes": (Annotated[str, Verbatim(within="line")], 'x\na"\\\x01', r'"a\"\\\u0001"', {(): [(2, 6)]}),
    "optional": (Word | None, "one", "null", {}),
    "a list": (list[Word], "one two", '["two", "one"]', {(0,): [(4, 7)], (1,): [(0, 3)]}),
    "a mapping": (dict[str, Word], "one two", '{"x": "two"}', {("x",): [(4, 7)]}),
    "other fields have none": (Named, "one", '{"kind": "one", "name": "one"}', {("name",): [(0, 3)]}),
    "a union by its members": (
        Named | Line,
        "a 1",
        '{"name": "a", "price": 1}',
        {("name",): [(0, 1)], ("price",): [(2, 3)]},
    ),
    "any spelling of a number": (Annotated[Decimal, Verbatim()], "RM 15.90", "15.9", {(): [(0, 8), (3, 8)]}),
    "no piece": (Word, "one two", '"three"', {}),
    "nearest to what is certain": (
        list[Line],
        "tea 5.00\ncake 5.00",
        '[{"name": "tea", "price": 5.00}, {"name": "cake", "price": 5.00}]',
        {
            (0, "name"): [(0, 3)],
            (0, "price"): [(4, 8), (14, 18)],
            (1, "name"): [(9, 13)],
            (1, "price"): [(14, 18), (4, 8)],
        },
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_evidence(name: str) -> None:
    type_, document, text, expected = CASES[name]
    found = compile_type(type_, byte_vocabulary()).bind(document).evidence(text)
    assert {path: [(span.start, span.end) for span in spans] for path, spans in found.items()} == expected
    assert all(span.text == document[span.start : span.end] for spans in found.values() for span in spans)


def test_every_span_reads_as_its_value() -> None:
    source = random.Random(3)
    compiled = {
        within: compile_type(Annotated[str, Verbatim(within=within)], byte_vocabulary())
        for within in ("word", "line", "anywhere")
    }
    for _ in range(60):
        document = random_document(source, 10)
        for within, one in compiled.items():
            if not read_as(document).strip():
                continue
            try:
                grounded = one.bind(document)
            except UngroundedError:
                pairs = combinations(range(len(read_as(document)) + 1), 2)
                assert not any(is_piece(document, begin, end, within) for begin, end in pairs)
                continue
            (name, leaf) = next(iter(grounded.leaves.items()))
            for text in leaf.texts(5_000) or ():
                value = json.loads(text)
                spans = grounded.spans(name, text)
                assert spans
                assert all(read_as(document[span.start : span.end]) == value for span in spans)
                assert grounded.evidence(text) == {(): spans}


def test_what_is_no_json_is_an_error() -> None:
    grounded = compile_type(Word, byte_vocabulary()).bind("one")
    with pytest.raises(ValueError, match="Expecting value"):
        grounded.evidence("one")
    with pytest.raises(KeyError):
        grounded.spans("another", '"one"')
    assert grounded.spans(next(iter(grounded.leaves)), b'"one"') == [Span(0, 3, "one")]
