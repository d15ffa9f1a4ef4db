"""Values that validators refuse: chosen anew from there on, without the prompt being read again."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from sdk import Extractor, Verbatim
from sdk.errors import ValidationFailedError
from sdk.refusals import refused_value
from tests.fakes import RandomModel

DOCUMENT = "Ace Books\nTotal 12.50\nTea 4.50\nCake 8.00"


def picky(*refused: tuple[str, Any]) -> Any:
    """A type whose fields refuse some values, by name."""

    class Receipt(BaseModel):
        shop: Annotated[str, Verbatim(within="line")]
        count: Annotated[int, Field(ge=0, le=3)]
        kind: Annotated[str, Field(pattern="^[ab]{1,3}$")]
        last: bool

        @field_validator("shop", "count", "kind", "last")
        @classmethod
        def check(cls, value: Any, info: Any) -> Any:
            if (info.field_name, value) in refused:
                raise ValueError(f"{value} is not to be")
            return value

    return Receipt


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", [{}, {"choose": "greedy"}, {"temperature": 1.0, "seed": 3}, {"reasoning": 5}])
@pytest.mark.parametrize("field", ["shop", "count", "kind", "last"])
def test_only_what_is_refused_and_what_follows_it_changes(seed: int, field: str, options: Any):
    extractor = Extractor(RandomModel(seed=seed))
    first = extractor.run(picky(), DOCUMENT, **options)
    refused = (field, getattr(first.value, field))
    second = extractor.run(picky(refused), DOCUMENT, **options)
    assert getattr(second.value, field) != refused[1]
    names = list(type(first.value).model_fields)
    for name in names[: names.index(field)]:
        assert getattr(second.value, name) == getattr(first.value, name)
        assert second.confidence[name,] == pytest.approx(first.confidence[name,])
    assert json.loads(second.text) == second.value.model_dump()
    assert second.output_tokens == len(second.text.encode()) or options.get("reasoning")


@pytest.mark.parametrize("drafting", ["document", "off"])
def test_batches_and_drafts_change_nothing(drafting: Any):
    wanted = picky(("count", 0), ("count", 1), ("shop", "Ace Books"), ("last", True))
    documents = [DOCUMENT, "Ace Books\nx", "1\n2\n3"]
    alone = [Extractor(RandomModel(seed=7)).run(wanted, text) for text in documents]
    found = dict(Extractor(RandomModel(seed=7), drafting=drafting).run_batch(wanted, documents, max_batch=2))
    assert [found[number].text for number in range(3)] == [item.text for item in alone]


def test_all_attempts_are_in_the_error():
    extractor = Extractor(RandomModel(seed=1))
    everything = picky(*(("last", value) for value in (True, False)))
    with pytest.raises(ValidationFailedError) as raised:
        extractor.run(everything, DOCUMENT, attempts=5)
    error = raised.value
    assert len(error.attempts) == 1  # there are two values
    assert {json.loads(one.text)["last"] for one in (error, *error.attempts)} == {True, False}
    numbers = picky(*(("count", value) for value in range(4)))
    for attempts in (1, 2, 3):
        with pytest.raises(ValidationFailedError) as raised:
            extractor.run(numbers, DOCUMENT, attempts=attempts)
        tried = [json.loads(one.text)["count"] for one in (*raised.value.attempts, raised.value)]
        assert len(tried) == len(set(tried)) == attempts
    with pytest.raises(ValueError, match="attempts"):
        extractor.run(numbers, DOCUMENT, attempts=0)


def test_a_model_is_not_asked_for_more_than_the_rest():
    model = RandomModel(seed=2)
    first = Extractor(model).run(picky(), DOCUMENT)
    second = Extractor(model).run(picky(("last", first.value.last)), DOCUMENT)
    assert second.forward_passes - first.forward_passes <= len('"last": false}')


def test_a_validator_of_the_model_reopens_what_it_read_last():
    class Sum(BaseModel):
        one: Annotated[int, Field(ge=0, le=9)]
        two: Annotated[int, Field(ge=0, le=9)]

        @model_validator(mode="after")
        def check(self) -> Sum:
            if self.two % 3:
                raise ValueError("two is to be a multiple of three")
            return self

    value = Extractor(RandomModel(seed=5)).extract(Sum, "x", attempts=9)
    assert value.two % 3 == 0


def test_the_embedded_model(extractor: Extractor):
    first = extractor.run(picky(), DOCUMENT)
    second = extractor.run(picky(("shop", first.value.shop), ("count", first.value.count)), DOCUMENT)
    assert second.value.shop != first.value.shop
    assert second.value.shop in DOCUMENT
    assert second.value.count != first.value.count
    assert second.evidence["shop",][0].text == second.value.shop


class Item(BaseModel):
    price: int


class Order(BaseModel):
    items: list[Item] = []
    by: Item | str


@pytest.mark.parametrize(
    ("loc", "text"),
    [
        (("items", 1, "price"), b"2"),
        (("items", 0), b"1"),
        (("items",), b"2"),
        ((), b'"x, 7"'),
        (("by", "str"), b'"x, 7"'),
        (("by", "Item", "price"), b'"x, 7"'),
    ],
)
def test_where_an_error_is(loc: tuple[str | int, ...], text: bytes):
    document = b'{"items": [{"price": 1}, {"price": 2}], "by": "x, 7"}'
    found = refused_value(document, [{"loc": loc}])
    assert found is not None
    assert document[found[1] : found[2]] == text


def test_where_pydantics_errors_are():
    document = b'{"items": [{"price": 1}, {"price": "a"}], "by": {"price": []}}'
    with pytest.raises(ValidationError) as raised:
        Order.model_validate_json(document)
    path, start, end = refused_value(document, raised.value.errors()) or ((), 0, 0)
    assert (path, document[start:end]) == (("items", 1, "price"), b'"a"')
    assert refused_value(b"[]", [{"loc": ()}]) is None
