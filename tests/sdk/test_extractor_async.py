"""Coroutines that are cancelled stop after the pass under way, and leave nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import gc
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from sdk import Extractor
from tests.fakes import FakeSlots, ScriptedModel

SCRIPT = b'{"name": "Zoe", "age": 7}'


class Person(BaseModel):
    name: str
    age: int


@dataclass
class Gated(ScriptedModel):
    """Each pass waits until it is let through, so that a test can do something while it is under way."""

    script: bytes = SCRIPT
    passes: int = 0
    under_way: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    let_through: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    memories: list[weakref.ref[FakeSlots]] = field(default_factory=list)

    def slots(self, count: int) -> FakeSlots:
        made = FakeSlots(self, count)
        self.memories.append(weakref.ref(made))
        return made

    def logits(self, fed: list[int]) -> Any:
        self.passes += 1
        self.under_way.release()
        assert self.let_through.acquire(timeout=60)
        return super().logits(fed)

    def open(self) -> None:
        self.let_through.release(10_000)


@pytest.fixture
def model() -> Gated:
    return Gated()


@pytest.fixture
def extractor(model: Gated) -> Extractor:
    return Extractor(model, drafting="off", share_prefixes=False)


async def last(partials: AsyncIterator[Any]) -> Any:
    return [partial async for partial in partials][-1].extraction.value


CALLS: dict[str, Callable[[Extractor], Coroutine[Any, Any, Any]]] = {
    "aextract": lambda extractor: extractor.aextract(Person, "Zoe is 7."),
    "astream": lambda extractor: last(extractor.astream(Person, "Zoe is 7.")),
}


def wait_for_threads(before: set[threading.Thread]) -> None:
    """Until no thread is there that was not there before."""
    deadline = time.monotonic() + 60
    while set(threading.enumerate()) - before:
        assert time.monotonic() < deadline, "a thread is left running"
        time.sleep(0.001)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("passes", [1, 4])
def test_a_call_cancelled_during_a_pass_makes_no_other(model, extractor, call, passes):
    before = set(threading.enumerate())

    async def main() -> None:
        task = asyncio.create_task(call(extractor))
        for number in range(passes):
            await asyncio.to_thread(model.under_way.acquire)
            if number < passes - 1:
                model.let_through.release()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert model.passes == passes, "the pass is still under way when the caller goes on"
        model.open()

    asyncio.run(main())
    wait_for_threads(before)
    assert model.passes == passes
    gc.collect()
    assert [memory() for memory in model.memories] == [None]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_that_is_cancelled_disturbs_no_other(model, extractor, call):
    async def main() -> list[Any]:
        tasks = [asyncio.create_task(call(extractor)) for _ in range(3)]
        for _ in tasks:
            await asyncio.to_thread(model.under_way.acquire)
        tasks[1].cancel()
        model.open()
        return await asyncio.gather(*tasks, return_exceptions=True)

    first, cancelled, third = asyncio.run(main())
    assert first == third == Person(name="Zoe", age=7)
    assert isinstance(cancelled, asyncio.CancelledError)
    assert model.passes < 3 * len(SCRIPT)


def test_a_stream_that_is_left_makes_no_other_pass(model, extractor):
    before = set(threading.enumerate())
    model.open()

    async def main() -> None:
        async with contextlib.aclosing(extractor.astream(Person, "Zoe is 7.")) as partials:
            async for partial in partials:
                if partial.text.endswith("Zoe"):
                    break

    asyncio.run(main())
    wait_for_threads(before)
    assert model.passes == len('{"name": "Zoe')
    gc.collect()
    assert [memory() for memory in model.memories] == [None]


def test_a_call_that_is_cancelled_before_it_begins_makes_no_pass(model, extractor):
    async def main() -> None:
        asyncio.get_running_loop().set_default_executor(pool)
        blocking = asyncio.create_task(asyncio.to_thread(gate.wait, 60))
        await asyncio.sleep(0)
        task = asyncio.create_task(extractor.aextract(Person, "Zoe is 7."))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        gate.set()
        await blocking

    from concurrent.futures import ThreadPoolExecutor

    gate, pool = threading.Event(), ThreadPoolExecutor(1)
    asyncio.run(main())
    assert model.passes == 0


def test_text_is_still_reported_and_an_exception_still_cancels(model, extractor):
    model.open()
    pieces: list[str] = []
    value = asyncio.run(extractor.aextract(Person, "Zoe is 7.", on_text=pieces.append))
    assert value == Person(name="Zoe", age=7)
    assert "".join(pieces).encode() == SCRIPT

    def refuse(piece: str) -> None:
        raise LookupError(piece)

    with pytest.raises(LookupError):
        asyncio.run(extractor.aextract(Person, "Zoe is 7.", on_text=refuse))


LANGUAGE = contextvars.ContextVar("LANGUAGE", default="none")


class Spoken(BaseModel):
    name: str
    age: int

    @field_validator("name")
    @classmethod
    def seen(cls, name: str) -> str:
        return f"{name} ({LANGUAGE.get()})"


def test_validators_see_the_callers_context(model, extractor):
    model.open()

    async def main() -> tuple[Spoken, Spoken]:
        LANGUAGE.set("English")
        return (
            await extractor.aextract(Spoken, "Zoe is 7."),
            await last(extractor.astream(Spoken, "Zoe is 7.")),
        )

    assert {value.name for value in asyncio.run(main())} == {"Zoe (English)"}
