"""Parts of a value are there as soon as they close, each checked once, and add up to the whole."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, NotRequired

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    TypeAdapter,
    ValidationInfo,
    field_validator,
    model_validator,
)
from typing_extensions import TypedDict

from sdk.errors import ValidationFailedError
from sdk.partial import PLAIN, PartialValue, parts_of


class Item(BaseModel):
    name: str
    tags: set[str] = set()


class Order(BaseModel):
    number: int = Field(alias="no")
    day: date
    items: list[Item]
    note: str = "none"
    parent: Order | None = None


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow")
    day: date
    pair: tuple[int, str]


class Checked(BaseModel):
    low: int
    high: int

    @field_validator("low", "high")
    @classmethod
    def counted(cls, value: int) -> int:
        CALLS.append(value)
        if value < 0:
            raise ValueError("negative")
        return value

    @model_validator(mode="after")
    def ordered(self) -> Checked:
        CALLS.append(0)
        if self.low > self.high:
            raise ValueError("out of order")
        return self


CALLS: list[int] = []


class Chained(BaseModel):
    low: int = Field(alias="from")
    step: int = 2
    high: int
    inner: Checked | None = None
    rest: list[int] = []

    @field_validator("high", "rest", mode="wrap")
    @classmethod
    def above(cls, value: Any, handler: Any, info: ValidationInfo) -> Any:
        SEEN.append((info.field_name, dict(info.data), info.mode, info.context, (info.config or {}).get("title")))
        return handler(value)

    @field_validator("high")
    @classmethod
    def stepped(cls, value: int, info: ValidationInfo) -> int:
        if (value - info.data["low"]) % info.data["step"]:
            raise ValueError("out of step")
        return value + info.data["step"]


SEEN: list[Any] = []


class Configured(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)
    name: str


class Typed(TypedDict):
    name: str
    others: NotRequired[list[int]]


class Before(BaseModel):
    name: str

    @model_validator(mode="before")
    @classmethod
    def seen(cls, data: Any) -> Any:
        return data


class Made(BaseModel):
    name: str = Field(default_factory=str)


class Unsure(BaseModel):
    model_config = ConfigDict(validate_default=True)
    name: str = "x"


ORDER = (
    '{"no": 7, "day": "2024-03-03", "items": [{"name": "a,b}]\\"", "tags": ["x", "x"]}, {"name": ""}], "parent": null}'
)
CASES: list[tuple[Any, str]] = [
    (Order, ORDER),
    (list[Order], f"[{ORDER}, {ORDER}]"),
    (list[int], "[]"),
    (list[list[str]], '[["]", "["], []]'),
    (Strict, '{"day": "2024-03-03", "pair": [1, "é"], "more": {"x": [1]}}'),
    (Checked, '{"low": 1, "high": 2}'),
    (Chained, '{"from": 1, "high": 3, "inner": {"low": 1, "high": 2}, "rest": [1]}'),
    (Chained, '{"from": 1, "step": 5, "high": 6}'),
    (Configured, '{"name": " a "}'),
    (Typed, '{"name": "a", "others": [1]}'),
    (Typed, '{"name": "a"}'),
]


@pytest.mark.parametrize(("wanted", "text"), CASES, ids=str)
@given(cuts=st.lists(st.integers(0, 300)))
def test_the_parts_add_up_to_what_pydantic_makes_of_the_whole(wanted, text, cuts):
    adapter = TypeAdapter(wanted)
    partial = PartialValue(parts_of(adapter))
    ends = sorted({min(cut, len(text)) for cut in cuts} | {len(text)})
    for start, end in zip([0, *ends], ends, strict=False):
        partial.feed(text[start:end])
    assert partial.whole(text) == adapter.validate_json(text)


def test_parts_appear_when_they_close():
    partial = PartialValue(parts_of(TypeAdapter(Order)))
    seen = []
    for character in ORDER:
        partial.feed(character)
        assert isinstance(partial.value, dict)
        if not seen or list(partial.value) != seen[-1]:
            seen.append(list(partial.value))
    assert seen == [[], ["number"], ["number", "day"], ["number", "day", "items"], ["number", "day", "items", "parent"]]
    assert partial.value["day"] == date(2024, 3, 3)
    assert partial.value["items"][0] == Item(name='a,b}]"', tags={"x"})


def test_each_validator_runs_once():
    CALLS.clear()
    partial = PartialValue(parts_of(TypeAdapter(Checked)))
    partial.feed('{"low": 1, "high": 2}')
    assert CALLS == [1, 2]
    partial.whole('{"low": 1, "high": 2}')
    assert CALLS == [1, 2, 0]


def test_a_refused_part_is_an_error_at_once_and_a_refused_whole_at_the_end():
    with pytest.raises(ValidationFailedError, match="negative") as caught:
        PartialValue(parts_of(TypeAdapter(Checked))).feed('{"low": -1, "hi')
    assert caught.value.text == '{"low": -1, "hi'
    partial = PartialValue(parts_of(TypeAdapter(Checked)))
    partial.feed('{"low": 2, "high": 1}')
    with pytest.raises(ValidationFailedError, match="out of order"):
        partial.whole('{"low": 2, "high": 1}')


def test_validators_read_the_fields_before_as_they_do_in_the_whole():
    text = '{"from": 1, "high": 3, "rest": [1]}'
    SEEN.clear()
    TypeAdapter(Chained).validate_json(text)
    usual = SEEN.copy()
    SEEN.clear()
    partial = PartialValue(parts_of(TypeAdapter(Chained)))
    partial.feed(text)
    partial.whole(text)
    assert usual == SEEN
    assert [name for name, *_ in usual] == ["high", "rest"]
    with pytest.raises(ValidationFailedError, match="out of step"):
        PartialValue(parts_of(TypeAdapter(Chained))).feed('{"from": 1, "high": 4,')


def test_plain_data_has_parts_of_its_own():
    partial = PartialValue(PLAIN)
    assert partial.value is None
    partial.feed('{"a": [1, {"b": "c,]"}], "d": nul')
    assert partial.value == {"a": [1, {"b": "c,]"}]}
    items = PartialValue(PLAIN)
    items.feed('[1, {"x": 2}, "unfinis')
    assert items.value == [1, {"x": 2}]


@pytest.mark.parametrize(
    "wanted", [int, Literal["a"], dict[str, int], Before, Made, Unsure, RootModel[int], Order | int]
)
def test_types_without_parts(wanted):
    assert parts_of(TypeAdapter(wanted)) is None
    partial = PartialValue(None)
    partial.feed("1")
    assert partial.value is None
