"""Tools: signatures become call types, models choose, functions run with typed arguments."""

from __future__ import annotations

import asyncio
from datetime import date
from functools import partial
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from sdk import Extractor, Tool, call_tool, tool
from sdk.errors import ToolError
from tests.fakes import ScriptedModel


class Place(BaseModel):
    city: str


@tool
def book(place: Place, day: date, nights: Annotated[int, Field(ge=1)] = 1, schema: str = "plain") -> str:
    """Book a room.

    More about booking.
    """
    return f"{place.city} {day:%d.%m.} {nights} {schema}"


@tool
async def wait(minutes: int) -> int:
    """Wait."""
    return minutes


def ask(answer: str, tools: list[Tool[..., Any]]) -> Any:
    return call_tool("a request", tools, extractor=Extractor(ScriptedModel(answer.encode())))


def test_a_tool_is_still_the_function():
    assert book(Place(city="Rome"), date(2024, 5, 1)) == "Rome 01.05. 1 plain"
    assert (book.name, book.description) == ("book", "Book a room.")


def test_the_type_of_a_call():
    schema = TypeAdapter(book.call_type).json_schema()
    assert schema["properties"]["tool"]["const"] == "book"
    arguments = schema["$defs"]["book_arguments"]
    assert list(arguments["properties"]) == ["place", "day", "nights", "schema"]
    assert arguments["required"] == ["place", "day"]
    with pytest.raises(ValidationError, match="extra"):
        TypeAdapter(book.call_type).validate_python({"tool": "book", "arguments": {"place": {"city": "x"}, "z": 1}})


def test_a_call_has_typed_arguments_and_runs():
    answer = '{"tool": "book", "arguments": {"place": {"city": "Rome"}, "day": "2024-05-01", "nights": 3}}'
    call = ask(answer, [wait, book])
    assert call.tool is book
    assert call.arguments == {"place": Place(city="Rome"), "day": date(2024, 5, 1), "nights": 3}
    assert call.run() == "Rome 01.05. 3 plain"


def test_a_coroutine_function_gives_a_coroutine():
    call = ask('{"tool": "wait", "arguments": {"minutes": 5}}', [wait])
    assert asyncio.run(call.run()) == 5


def test_a_bound_method_is_a_tool():
    class Counter:
        def __init__(self) -> None:
            self.total = 0

        def add(self, amount: int) -> int:
            self.total += amount
            return self.total

    counter = Counter()
    assert ask('{"tool": "add", "arguments": {"amount": 2}}', [tool(counter.add)]).run() == 2
    assert counter.total == 2


def test_the_same_tools_are_compiled_once():
    extractor = Extractor(ScriptedModel(b'{"tool": "wait", "arguments": {"minutes": 5}}'))
    for _ in range(3):
        call_tool("wait", [wait, book], extractor=extractor)
    assert extractor._target_of_type.cache_info().misses == 1


def unannotated(x): ...
def variadic(*rest: int): ...
def keywords(**rest: int): ...
def positional(x: int, /): ...
def unknown(x: NoSuchType): ...  # noqa: F821


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (unannotated, "annotation on every parameter, found none on 'x' of unannotated"),
        (variadic, r"\*rest"),
        (keywords, r"\*\*rest"),
        (positional, "passed by name"),
        (unknown, "NoSuchType"),
        (lambda: None, "named function"),
        (partial(unannotated, 1), "named function"),
    ],
)
def test_functions_that_cannot_be_tools(function, said):
    with pytest.raises(ToolError, match=said):
        tool(function)


def test_tools_that_do_not_go_together():
    with pytest.raises(ToolError, match="at least one"):
        call_tool("a request", [])
    with pytest.raises(ToolError, match=r"\['book'\]"):
        call_tool("a request", [book, book])


@tool
def switch_light(room: Literal["kitchen", "bedroom"], on: bool) -> str:
    """Switch the light of a room on or off."""
    return f"{room}: {on}"


def test_the_embedded_model_chooses_and_fills_in(extractor):
    call = call_tool("Please turn on the light in the kitchen.", [switch_light], extractor=extractor, max_tokens=40)
    assert call.arguments["room"] == "kitchen"
    assert isinstance(call.arguments["on"], bool)


def test_a_function_without_the_decorator_is_named():
    with pytest.raises(ToolError, match="marked with @tool"):
        call_tool("Add 1 and 2", [len])
