"""Extraction end to end: values, counts, errors; with the embedded model where its output is what matters."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, field_validator

import sdk
from schema_compiler.errors import ImpossibleSchemaError
from sdk import Extractor, PromptTemplate
from sdk.errors import (
    BudgetExceededError,
    BudgetTooSmallError,
    ContextLengthError,
    EmptyTextError,
    ExampleError,
    ModelNotFoundError,
    PromptError,
    ValidationFailedError,
)
from tests.fakes import RandomModel, ScriptedModel


class Person(BaseModel):
    name: str = Field(description="full name")
    age: int = Field(ge=0, le=150)


@dataclass
class Point:
    x: float
    y: float


class Even(BaseModel):
    number: int

    @field_validator("number")
    @classmethod
    def even(cls, number: int) -> int:
        if number % 2:
            raise ValueError("not even")
        return number


def scripted(answer: str, **options: Any) -> Extractor:
    return Extractor(ScriptedModel(answer.encode(), **options))


@pytest.mark.parametrize(
    ("wanted", "answer", "value"),
    [
        (Person, '{"name": "Ann", "age": 7}', Person(name="Ann", age=7)),
        (list[Person], '[{"name": "Ann", "age": 7}]', [Person(name="Ann", age=7)]),
        (Point, '{"x": 1.5, "y": -2}', Point(1.5, -2.0)),
        (int, "42", 42),
        (Literal["a", "b"], '"b"', "b"),
        (date | None, '"2024-03-03"', date(2024, 3, 3)),
        (dict[str, int], '{"k": 1}', {"k": 1}),
        ({"type": "array", "items": {"type": "integer"}}, "[1, 2]", [1, 2]),
    ],
    ids=str,
)
def test_any_type_and_any_schema(wanted, answer, value):
    extraction = scripted(answer).run(wanted, "a document")
    assert extraction.value == value
    assert (extraction.text, extraction.finish_reason) == (answer, "complete")
    assert extraction.output_tokens == len(answer)
    assert 1 <= extraction.forward_passes <= extraction.output_tokens + 2
    assert extraction.prompt_tokens > 0
    assert extraction.seconds > 0
    assert 0 <= extraction.removed_mass < 0.1


def test_what_the_grammar_leaves_open_is_checked_by_jsonschema():
    with pytest.raises(ValidationFailedError, match="non-unique") as caught:
        scripted("[1, 1]").run(
            {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, "a document", attempts=1
        )
    assert caught.value.text == "[1, 1]"
    assert caught.value.errors[0]["type"] == "uniqueItems"


def test_empty_texts_are_refused_before_anything_runs():
    for text in ("", " \n\t"):
        with pytest.raises(EmptyTextError):
            scripted("1").run(int, text)


def test_a_prompt_longer_than_the_context_says_both_numbers():
    with pytest.raises(ContextLengthError, match=r"\d+ tokens .* context holds 300") as caught:
        scripted('{"name": "", "age": 0}', context_tokens=300).run(Person, "word " * 100)
    assert caught.value.prompt_tokens > 300 == caught.value.context_tokens


def test_the_context_bounds_the_budget():
    extractor = scripted('{"name": "' + "a" * 1000, context_tokens=600)
    extraction = extractor.run(Person, "word")
    assert extraction.finish_reason == "budget"
    assert extraction.prompt_tokens + extraction.output_tokens == 600
    assert isinstance(extraction.value, Person)


def test_a_type_with_no_legal_json_is_the_compilers_error():
    class Endless(BaseModel):
        inner: Endless

    Endless.model_rebuild()
    with pytest.raises(ImpossibleSchemaError):
        scripted("1").run(Endless, "a document")


def test_a_budget_below_the_shortest_document():
    with pytest.raises(BudgetTooSmallError, match="max_tokens is 5"):
        scripted("1").run(Person, "a document", max_tokens=5)


def test_a_budget_that_closes_the_document_is_an_error_that_carries_it():
    extractor = scripted('{"name": "' + "a" * 100)
    with pytest.raises(BudgetExceededError, match="40 tokens") as caught:
        extractor.extract(Person, "a document", max_tokens=40)
    closed = caught.value.extraction
    assert closed.value == extractor.extract(Person, "a document", max_tokens=40, on_budget="return")
    assert closed.finish_reason == "budget"
    assert closed.value.name.startswith("aaa")


def test_a_validator_that_refuses_carries_text_and_reasons():
    with pytest.raises(ValidationFailedError, match="not even") as caught:
        scripted('{"number": 3}').run(Even, "three", attempts=1)
    assert caught.value.text == '{"number": 3}'
    assert caught.value.errors[0]["loc"] == ("number",)


def test_examples_are_checked_and_spelled_as_the_grammar_does():
    model = ScriptedModel(b'{"name": "Ann", "age": 7}')
    messages: list[Any] = []
    model.chat = lambda given: messages.extend(given) or [1]  # type: ignore[method-assign]
    Extractor(model).run(Person, "Ann, 7", examples=[("Zoë, 8", {"age": 8, "name": "Zoë"})])
    assert [message["role"] for message in messages[:4]] == ["system", "user", "assistant", "user"]
    assert messages[2]["content"] == '{"name": "Zoë", "age": 8}'
    assert messages[3]["content"].endswith("Ann, 7")


@pytest.mark.parametrize(
    ("examples", "said"),
    [
        (
            [("fine", {"name": "A", "age": 1}), ("old", {"name": "B", "age": 151})],
            r"examples\[1\].*less than or equal to 150",
        ),
        ([("no value",)], r"examples\[0\].*pair"),
        ([("text", None)], r"examples\[0\]"),
    ],
)
def test_an_example_that_is_not_an_instance_is_named(examples, said):
    with pytest.raises(ExampleError, match=rf"(?s){said}"):
        scripted("1").run(Person, "a document", examples=examples)


def test_instructions_and_templates_reach_the_model():
    model = ScriptedModel(b'{"name": "Ann", "age": 7}')
    seen: list[str] = []
    model.chat = lambda given: seen.extend(m["content"] for m in given) or [1]  # type: ignore[method-assign]
    template = PromptTemplate(document="LETTER {{ text }}")
    Extractor(model, template=template).run(Person, "Ann, 7", instructions="Names in full.")
    assert "Names in full." in seen[0]
    assert "- name (text): full name" in seen[0]
    assert seen[1] == "LETTER Ann, 7"


@pytest.mark.parametrize("template", [PromptTemplate(system="{% if %}"), PromptTemplate(document="{{ no_such }}")])
def test_a_broken_template_is_an_error(template):
    with pytest.raises(PromptError, match="template"):
        Extractor(ScriptedModel(b"1"), template=template).run(int, "one")


def test_text_is_reported_as_it_is_made_and_an_exception_cancels():
    extractor = scripted('{"name": "Zoë", "age": 7}')
    pieces: list[str] = []
    extractor.run(Person, "Zoë, 7", on_text=pieces.append)
    assert "".join(pieces) == '{"name": "Zoë", "age": 7}'

    def cancel(piece: str) -> None:
        if "Z" in piece:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        extractor.run(Person, "Zoë, 7", on_text=cancel)
    assert extractor.run(Person, "Zoë, 7").value == Person(name="Zoë", age=7)


def test_a_seed_makes_sampling_repeatable():
    extractor = Extractor(RandomModel(0))
    runs = [
        extractor.run(Person, "a document", temperature=1.0, seed=seed, max_tokens=60).text for seed in (1, 1, 2, None)
    ]
    assert runs[0] == runs[1]
    assert len(set(runs)) >= 2


def test_threads_share_an_extractor():
    extractor = Extractor(RandomModel(0))

    def work(seed: int) -> str:
        return extractor.run(Person, "a document", temperature=1.0, seed=seed, max_tokens=60).text

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(12))) == [work(seed) for seed in range(12)]


def test_an_unknown_model_says_what_was_expected(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelNotFoundError, match="'/no/such/model'"):
        Extractor("/no/such/model")


def test_the_embedded_model_fills_in_a_person(extractor):
    person = extractor.run(Person, "My name is Maria Lopez. I am 34 years old and live in Lisbon.", max_tokens=60)
    assert person.value == Person(name="Maria Lopez", age=34)
    assert person.finish_reason == "complete"


def test_the_embedded_model_is_repeatable_and_its_budget_holds(extractor):
    text = "My name is Maria Lopez. I am 34 years old and live in Lisbon."
    runs = [extractor.run(Person, text, temperature=0.8, seed=5, max_tokens=30) for _ in range(2)]
    assert runs[0].text == runs[1].text
    for budget in (12, 14):
        closed = extractor.run(list[Person], text * 3, max_tokens=budget)
        assert closed.output_tokens <= budget
        json.loads(closed.text)


def test_the_public_names_are_pinned():
    assert sdk.__all__ == [
        "Extraction",
        "Extractor",
        "Grammar",
        "GrammarLogitsProcessor",
        "PromptTemplate",
        "Regex",
        "SdkError",
        "Tool",
        "ToolCall",
        "Verbatim",
        "call_tool",
        "choice",
        "extract",
        "tool",
    ]
    assert callable(sdk.extract)


def test_importing_the_sdk_loads_no_model_library():
    heavy = "{'torch', 'transformers', 'tokenizers', 'jsonschema', 'jinja2', 'lark', 'importlib.metadata'}"
    code = f"import sys, sdk; print(*sorted({heavy} & {{*sys.modules}}))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert output.stdout.split() == []


def test_importing_the_sdk_loads_no_library_but_pydantic_and_numpy():
    code = (
        "import sys, annotated_types, pydantic, numpy; before = {name.partition('.')[0] for name in sys.modules}\n"
        "import sdk; print(*{name.partition('.')[0] for name in sys.modules} - before - {*sys.stdlib_module_names})"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = {name for name in output.stdout.split() if not name.startswith("_")}
    assert found == {"sdk", "schema_compiler", "mypy_extensions"}, "the last is one small module of decorators"
