"""Many documents, many samples, steps and coroutines: the same results as one document at a time."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from schema_compiler.errors import ImpossibleSchemaError
from sdk import Extractor
from sdk.errors import BudgetExceededError, EmptyTextError, SdkError, ValidationFailedError
from sdk.extraction import Extraction
from tests.fakes import RandomModel, ScriptedModel, byte_vocabulary


class Person(BaseModel):
    name: str
    age: int = Field(ge=0, le=150)

    @field_validator("name")
    @classmethod
    def known(cls, name: str) -> str:
        if name == "nobody":
            raise ValueError("nobody is not a person")
        return name


SCRIPT = b'{"name": "Zo\xc3\xab", "age": 7}'
TEXTS = ["Zoë is 7.", "", "another document", "a third document, which is longer than the others", "x"]


def stripped(extraction: Extraction[Any] | SdkError) -> Any:
    assert isinstance(extraction, Extraction)
    return extraction.text, extraction.value, extraction.finish_reason, extraction.removed_mass


@pytest.mark.parametrize("max_batch", [1, 2, 16])
def test_a_batch_gives_what_single_runs_give_in_order(max_batch):
    extractor = Extractor(RandomModel(1), max_batch=max_batch)
    options: dict[str, Any] = {"temperature": 1.0, "seed": 3, "max_tokens": 60}
    results = dict(extractor.run_batch(Person, TEXTS, **options))
    assert sorted(results) == list(range(len(TEXTS)))
    for number, text in enumerate(TEXTS):
        if text:
            assert stripped(results[number]) == stripped(extractor.run(Person, text, **options))
        else:
            assert isinstance(results[number], EmptyTextError)


def test_what_goes_wrong_with_one_document_is_its_result():
    extractor = Extractor(ScriptedModel(b'{"name": "nobody", "age": 7}'))
    refused, empty = extractor.extract_batch(Person, ["a", " "], attempts=1)
    assert isinstance(refused, ValidationFailedError)
    assert isinstance(empty, EmptyTextError)
    (closed,) = Extractor(ScriptedModel(b'{"name": "' + b"a" * 99)).extract_batch(Person, ["a"], max_tokens=40)
    assert isinstance(closed, BudgetExceededError)
    (value,) = Extractor(ScriptedModel(b'{"name": "' + b"a" * 99)).extract_batch(
        Person, ["a"], max_tokens=40, on_budget="return"
    )
    assert value == closed.extraction.value


def test_what_is_wrong_with_the_type_or_an_option_is_raised():
    class Endless(BaseModel):
        inner: Endless

    Endless.model_rebuild()
    extractor = Extractor(ScriptedModel(SCRIPT))
    with pytest.raises(ImpossibleSchemaError):
        extractor.extract_batch(Endless, TEXTS)
    with pytest.raises(TypeError, match="no_such_option"):
        extractor.extract_batch(Person, TEXTS, no_such_option=1)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="top_p"):
        extractor.extract_batch(Person, TEXTS, temperature=1.0, top_p=2.0)


def test_progress_is_shown_when_asked_for(capsys):
    extractor = Extractor(ScriptedModel(SCRIPT))
    assert extractor.extract_batch(Person, TEXTS[2:]) == [Person(name="Zoë", age=7)] * 3
    assert capsys.readouterr().err == ""
    extractor.extract_batch(Person, TEXTS[2:], progress=True)
    assert "3/3" in capsys.readouterr().err


def test_samples_of_one_prompt_share_it():
    model = ScriptedModel(SCRIPT)
    samples = Extractor(model).run_samples(Person, "Zoë is 7.", 3, max_batch=2)
    assert [stripped(sample)[1] for sample in samples] == [Person(name="Zoë", age=7)] * 3
    extractor = Extractor(RandomModel(2))
    options: dict[str, Any] = {"temperature": 1.0, "max_tokens": 60}
    samples = extractor.run_samples(Person, "text", 4, seed=5, **options)
    assert [stripped(sample) for sample in samples] == [
        stripped(extractor.run(Person, "text", seed=5 + number, **options)) for number in range(4)
    ]


def test_a_stream_grows_and_ends_with_the_extraction():
    extractor = Extractor(ScriptedModel(SCRIPT), drafting="off")
    partials = list(extractor.stream(Person, "Zoë is 7."))
    texts = [partial.text for partial in partials]
    assert texts[-1].encode() == SCRIPT
    assert all(later.startswith(earlier) for earlier, later in pairwise(texts))
    assert next(partial.value for partial in partials if partial.value) == {"name": "Zoë"}
    assert partials[-1].extraction is not None
    assert partials[-1].extraction.value == Person(name="Zoë", age=7)
    assert all(partial.extraction is None for partial in partials[:-1])


def test_a_stream_ends_where_a_part_is_refused():
    partials = Extractor(ScriptedModel(b'{"name": "nobody", "age": 7}'), drafting="off").stream(Person, "nobody")
    seen: list[str] = []
    with pytest.raises(ValidationFailedError, match="not a person"):
        seen.extend(partial.text for partial in partials)
    assert seen[-1] == '{"name": "nobody"'


class Slow(ScriptedModel):
    def logits(self, fed: list[int]) -> Any:
        time.sleep(0.002)
        return super().logits(fed)


def test_coroutines_leave_the_event_loop_free():
    extractor = Extractor(Slow(SCRIPT))

    async def beats() -> int:
        count = 0
        while not done.is_set():
            await asyncio.sleep(0.001)
            count += 1
        return count

    async def main() -> tuple[Any, list[Any], int]:
        heart = asyncio.create_task(beats())
        value = await extractor.aextract(Person, "Zoë is 7.")
        partials = [partial async for partial in extractor.astream(Person, "Zoë is 7.")]
        done.set()
        return value, partials, await heart

    done = asyncio.Event()
    value, partials, count = asyncio.run(main())
    assert value == partials[-1].extraction.value == Person(name="Zoë", age=7)
    assert count > 5


def test_scans_of_the_vocabulary_are_kept_for_later_processes(tmp_path):
    plain = byte_vocabulary()
    folder = tmp_path / "vocabularies"
    vocabulary = type(plain)(plain.tokens, plain.eos_token_ids, cache_folder=folder)
    extractor = Extractor(ScriptedModel(SCRIPT, vocabulary))
    extractor.run(Person, "Zoë is 7.")
    (file,) = folder.iterdir()
    written = file.stat().st_mtime_ns
    extractor.run(Person, "Zoë is 7.")
    assert file.stat().st_mtime_ns == written
    later = type(plain)(plain.tokens, plain.eos_token_ids, cache_folder=folder)
    assert Extractor(ScriptedModel(SCRIPT, later)).run(Person, "Zoë is 7.").value == Person(name="Zoë", age=7)


def test_a_cache_that_cannot_be_written_does_not_matter(tmp_path):
    plain = byte_vocabulary()
    file = tmp_path / "not a folder"
    file.write_text("")
    vocabulary = type(plain)(plain.tokens, plain.eos_token_ids, cache_folder=file / "vocabularies")
    assert Extractor(ScriptedModel(SCRIPT, vocabulary)).run(Person, "Zoë is 7.").value == Person(name="Zoë", age=7)


def test_a_stream_under_a_json_schema_has_plain_parts():
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age"],
        "additionalProperties": False,
    }
    partials = list(Extractor(ScriptedModel(SCRIPT), drafting="off").stream(schema, "x"))
    assert {"name": "Zoë"} in [partial.value for partial in partials]
    assert partials[-1].extraction is not None
    assert partials[-1].value == partials[-1].extraction.value == {"name": "Zoë", "age": 7}
