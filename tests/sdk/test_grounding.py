"""Values that stand in the document, end to end: what is written, where it stands, and what is not there."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated

import pytest
from pydantic import BaseModel

from sdk import Extractor, Verbatim
from sdk.errors import InputError, NotInDocumentError
from tests.fakes import RandomModel

RECEIPT = "Ace Books\r\n12 Long Road\nLondon\n\nDate: 03/04/2024\nTea  4.50\nTotal  RM 15.90"


class Receipt(BaseModel):
    """A receipt."""

    shop: Annotated[str, Verbatim(within="line")]
    day: Annotated[date, Verbatim(day_first=True)]
    address: Annotated[str, Verbatim(within="lines")]
    total: Annotated[Decimal, Verbatim()]
    note: Annotated[str, Verbatim(within="sentence")] | None = None


def test_values_and_their_places(extractor: Extractor):
    result = extractor.run(Receipt, RECEIPT)
    assert isinstance(result.value, Receipt)
    assert result.value.day == date(2024, 4, 3)
    assert {("shop",), ("day",), ("address",), ("total",)} <= result.evidence.keys()
    for spans in result.evidence.values():
        assert all(RECEIPT[span.start : span.end] == span.text for span in spans)
    (shop, *_) = result.evidence["shop",]
    assert shop.text == result.value.shop
    assert result.value.shop in RECEIPT.replace("\r\n", "\n").splitlines()


@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_model_wants_stands_in_the_document(seed: int):
    extractor = Extractor(RandomModel(seed=seed))
    results = dict(extractor.run_batch(Receipt, [RECEIPT, "x 1/2/2024 7", RECEIPT], max_tokens=400, temperature=1.0))
    for number, text in enumerate([RECEIPT, "x 1/2/2024 7", RECEIPT]):
        result = results[number]
        assert not isinstance(result, Exception)
        for path, spans in result.evidence.items():
            assert spans, path
            assert all(text[span.start : span.end] == span.text for span in spans)
        assert len(result.evidence) == 4 + (result.value.note is not None)


def test_a_document_without_a_value_is_its_own_error(extractor: Extractor):
    results = dict(extractor.run_batch(Receipt, ["no date here, 4.50", RECEIPT], max_tokens=200))
    error = results[0]
    assert isinstance(error, NotInDocumentError)
    assert isinstance(error, InputError)
    assert [path for path, _ in error.fields] == ["day"]
    assert not isinstance(results[1], Exception)


class Person(BaseModel):
    name: str
    city: str | None


def test_all_free_texts_can_be_grounded(extractor: Extractor):
    text = "My name is Maria Lopez. I live in Lisbon."
    result = extractor.run(Person, text, grounded=True)
    assert result.value.name in text
    assert result.evidence["name",][0].text == result.value.name
    assert not extractor.run(Person, text).evidence
    schema = extractor.run(Person.model_json_schema(), text, grounded=True)
    assert schema.value["name"] in text


def test_answers_drawn_without_bias_are_grounded_too(extractor: Extractor):
    samples = extractor.sample(Person, "Ada lives in Rome.", n=3, grounded=True, max_tokens=40, seed=1)
    assert all(value.value.name in "Ada lives in Rome." for value in samples.values)
