"""Free text comes before the document, ends in time, and can be taken back like everything else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from schema_compiler import compile_schema
from sdk import Extractor
from sdk.generation.masking import allowed_tokens
from sdk.generation.reasoning import MARKER, Reasoning
from tests.fakes import EOS, ScriptedModel, byte_vocabulary

SCRIPT = b'{"name": "Zo\xc3\xab", "age": 7}'
VOCABULARIES = [byte_vocabulary(), byte_vocabulary([b"er: and", b"is 7", b'{"', b"An"])]


class Person(BaseModel):
    name: str
    age: int = Field(ge=0, le=150)


class Thinking(ScriptedModel):
    """Writes its script, and a person after the marker."""

    def logits(self, fed: list[int]) -> Any:
        written = b"".join(self.vocabulary.tokens[token_id] or b"" for token_id in fed)
        _, marker, answer = written.partition(MARKER.encode())
        script, done = (SCRIPT, len(answer)) if marker else (self.script, len(written))
        logits = torch.zeros(len(self.vocabulary))
        logits[script[done] if done < len(script) else EOS] = 10.0
        return logits


@pytest.mark.parametrize(
    ("thought", "budget"),
    [("A person. She is 7." + MARKER, 60), ("hm", 10), ("I could go on for ever " * 9, 30), (MARKER, 99)],
)
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_reasoning_comes_before_the_document_and_is_bounded(thought, budget, vocabulary):
    extraction = Extractor(Thinking(thought.encode(), vocabulary)).run(Person, "Zoë is 7.", reasoning=budget)
    assert extraction.value == Person(name="Zoë", age=7)
    assert extraction.reasoning is not None
    assert extraction.reasoning.endswith(MARKER)
    assert len(extraction.reasoning) <= budget + len(MARKER)
    assert extraction.finish_reason == "complete"


def test_reasoning_is_asked_for_in_the_prompt():
    model = ScriptedModel(SCRIPT)
    seen: list[str] = []
    model.chat = lambda given: seen.extend(m["content"] for m in given) or [1]  # type: ignore[method-assign]
    Extractor(model).run(Person, "Zoë is 7.", reasoning=5, instructions="Names in full.")
    assert "Names in full. First think" in seen[0]


def test_a_context_that_ends_in_free_text_closes_marker_and_document():
    model = Thinking(b"I could go on for ever " * 9)
    prompt_tokens = Extractor(model).run(Person, "Zoë is 7.", reasoning=99).prompt_tokens
    model.context_tokens = prompt_tokens + 60
    extraction = Extractor(model).run(Person, "Zoë is 7.", reasoning=99)
    assert extraction.finish_reason == "budget"
    assert extraction.output_tokens <= 60
    assert extraction.value == Person.model_validate_json(extraction.text)
    assert extraction.reasoning is not None
    assert extraction.reasoning.startswith("I could go")
    assert extraction.reasoning.endswith(MARKER)


def situation(cursor: Reasoning) -> tuple[Any, ...]:
    return (
        cursor.state_id,
        cursor.length,
        cursor.mask().tolist(),
        cursor.is_complete(),
        cursor.forced(),
        cursor.closing(),
    )


@given(data=st.data())
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_what_is_taken_back_leaves_no_trace_and_forks_go_their_own_way(vocabulary, data):
    cursor = Reasoning(compile_schema({"type": "integer"}, vocabulary).matcher(), vocabulary, budget=4, marker="A:")
    for _ in range(data.draw(st.integers(0, 8))):
        before, fork = situation(cursor), cursor.fork()
        allowed = np.flatnonzero(allowed_tokens(cursor.mask(), len(vocabulary)))
        likely = [token_id for token_id in vocabulary.tokenize(b"A:12") if token_id in allowed]
        token_id = data.draw(st.sampled_from(likely or allowed.tolist()) | st.sampled_from(allowed.tolist()))
        if token_id == EOS:
            break
        assert cursor.accept(token_id)
        cursor.rollback(1)
        assert situation(cursor) == before
        assert cursor.accept(token_id)
        assert situation(fork) == before
    rest = vocabulary.tokenize(cursor.closing())
    assert all(map(cursor.accept, rest))
    assert cursor.is_complete()
