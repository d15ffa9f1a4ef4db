"""Free text comes before the document, ends in time, and can be taken back like everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from schema_compiler import Vocabulary, compile_schema
from sdk import Extractor
from sdk.errors import BudgetTooSmallError, ContextLengthError
from sdk.generation.masking import allowed_tokens
from sdk.generation.models.model import Thought
from sdk.generation.reasoning import MARKER, Closing, Reasoning
from tests.fakes import EOS, ScriptedModel, byte_vocabulary

SCRIPT = b'{"name": "Zo\xc3\xab", "age": 7}'
VOCABULARIES = [byte_vocabulary(), byte_vocabulary([b"er: and", b"is 7", b'{"', b"An", b">\n", b"\n\n"])]

END, NEXT = 257, 258
CONTROLS = Vocabulary([*(bytes([byte]) for byte in range(256)), None, None, None], [EOS])
"""Bytes, and two control tokens, which stand for no text."""


class Person(BaseModel):
    name: str
    age: int = Field(ge=0, le=150)


@dataclass
class Thinking(ScriptedModel):
    """Writes its script, and a person after the marker."""

    marker: bytes = MARKER.encode()

    def logits(self, fed: list[int]) -> Any:
        written = self.spell(fed)
        _, marker, answer = written.partition(self.marker)
        script, done = (SCRIPT, len(answer)) if marker else (self.script, len(written))
        logits = torch.zeros(len(self.vocabulary))
        logits[script[done] if done < len(script) else EOS] = 10.0
        return logits

    def spell(self, fed: list[int]) -> bytes:
        return b"".join(self.vocabulary.tokens[token_id] or b"" for token_id in fed)


@dataclass
class ThinkingInItsBlock(Thinking):
    """Thinks in a block that ``closes``, by texts and control tokens."""

    closes: Sequence[int | str] = ()

    def think(self, messages: Sequence[Mapping[str, object]]) -> Thought | None:
        return Thought(self.chat(messages), Closing.of(self.closes, self.vocabulary))

    def spell(self, fed: list[int]) -> bytes:
        """The control tokens of the closing as they are in the marker."""
        return b"".join(b"[%d]" % each if each > EOS else bytes([each]) for each in fed if each != EOS)


@pytest.mark.parametrize(
    ("thought", "budget", "text"),
    [
        ("A person. She is 7." + MARKER, 60, "A person. She is 7."),
        ("I could go on for ever " * 9, 30, "I could go on for ever I could"),
        ("so: so\nAnswers\nAnswer?" + MARKER, 60, "so: so\nAnswers\nAnswer?"),
        (MARKER, 99, ""),
    ],
)
def test_reasoning_comes_before_the_document_and_is_bounded(thought, budget, text):
    extraction = Extractor(Thinking(thought.encode())).run(Person, "Zoë is 7.", reasoning=budget)
    assert extraction.value == Person(name="Zoë", age=7)
    assert extraction.reasoning == text
    assert extraction.finish_reason == "complete"


def test_tokens_are_counted_whatever_their_length():
    extraction = Extractor(Thinking(b"hm", VOCABULARIES[1])).run(Person, "Zoë is 7.", reasoning=10)
    assert extraction.value == Person(name="Zoë", age=7)
    assert extraction.reasoning is not None
    assert extraction.reasoning.startswith("hm")


@pytest.mark.parametrize(
    ("closes", "marker", "thought", "text"),
    [
        (["\n</t>\n\n"], b"</t>\n\n", "She is 7.</t>", "She is 7."),
        (["\n</t>\n\n"], b"</t>\n\n", "She is 7. </t> ", "She is 7. "),
        (["\n</t>\n\n"], b"</t>\n\n", "on and on " * 9, ("on and on " * 9)[:30]),
        ([END, NEXT, "final", NEXT], b"[257][258]final[258]", "on and on " * 9, ("on and on " * 9)[:30]),
        (["\n", END, "\n\n"], b"[257]\n\n", "on and on " * 9, ("on and on " * 9)[:30]),
    ],
)
def test_a_model_thinks_in_its_own_block(closes, marker, thought, text):
    model = ThinkingInItsBlock(thought.encode(), CONTROLS, marker=marker, closes=closes)
    seen: list[str] = []
    original = model.chat
    model.chat = lambda given: seen.extend(m["content"] for m in given) or original(given)  # type: ignore[method-assign]
    extraction = Extractor(model).run(Person, "Zoë is 7.", reasoning=30)
    assert extraction.value == Person(name="Zoë", age=7)
    assert extraction.reasoning == text
    assert not any("Answer:" in content for content in seen)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["\n", END, "\n\n"], Closing((10, END, 10, 10), END, (10, 10))),
        ([END, NEXT, "ab", NEXT], Closing((END, NEXT, 97, 98, NEXT), END, (NEXT, 97, 98, NEXT))),
        (["\n]\n\n"], Closing((10, 93, 10, 10), b"]", (10, 10))),
        (["]"], Closing((93,), b"]", ())),
    ],
)
def test_closings_end_with_their_first_control_token_or_their_text(parts, expected):
    assert Closing.of(parts, CONTROLS) == expected


def test_what_follows_the_end_is_forced_unless_its_token_has_text_behind_it():
    vocabulary = VOCABULARIES[1]
    for written, missing in [(b"b>", b"\n\n"), (b"b>\n", b"")]:
        cursor = Reasoning(
            compile_schema({"type": "integer"}, vocabulary).matcher(),
            vocabulary,
            9,
            Closing.of(["\n>\n\n"], vocabulary),
        )
        assert all(map(cursor.accept, vocabulary.tokenize(written)))
        assert cursor.forced() == missing
        assert (cursor.length is None) == bool(missing)
        assert cursor.text == b"b"


def test_reasoning_is_asked_for_in_the_prompt():
    model = ScriptedModel(SCRIPT)
    seen: list[str] = []
    model.chat = lambda given: seen.extend(m["content"] for m in given) or [1]  # type: ignore[method-assign]
    Extractor(model).run(Person, "Zoë is 7.", reasoning=5, instructions="Names in full.")
    assert "Names in full. First think" in seen[0]


def test_a_context_that_ends_in_free_text_closes_it_and_the_document():
    model = Thinking(b"I could go on for ever " * 9)
    prompt_tokens = Extractor(model).run(Person, "Zoë is 7.", reasoning=99).prompt_tokens
    model.context_tokens = prompt_tokens + 60
    extraction = Extractor(model).run(Person, "Zoë is 7.", reasoning=99)
    assert extraction.finish_reason == "budget"
    assert extraction.output_tokens <= 60
    assert extraction.value == Person.model_validate_json(extraction.text)
    assert extraction.reasoning is not None
    assert extraction.reasoning.startswith("I could go")
    model.context_tokens = prompt_tokens + len(MARKER)
    with pytest.raises(ContextLengthError):
        Extractor(model).run(Person, "Zoë is 7.", reasoning=99)


def test_a_budget_without_room_for_the_document_is_refused():
    with pytest.raises(BudgetTooSmallError):
        Extractor(Thinking(b"hm")).run(Person, "Zoë is 7.", reasoning=3, max_tokens=3)


def situation(cursor: Reasoning) -> tuple[Any, ...]:
    return (
        cursor.state_id,
        cursor.length,
        cursor.text,
        cursor.mask().tolist(),
        cursor.is_complete(),
        cursor.forced(),
        cursor.closing(),
    )


@given(data=st.data())
@pytest.mark.parametrize(
    ("vocabulary", "parts"),
    [
        *((vocabulary, ["\nA:"]) for vocabulary in VOCABULARIES),
        (CONTROLS, ["\n", END, "\n"]),
        (CONTROLS, [END, NEXT, "A"]),
    ],
)
def test_what_is_taken_back_leaves_no_trace_and_forks_go_their_own_way(vocabulary, parts, data):
    document = compile_schema({"type": "integer"}, vocabulary).matcher()
    closing = Closing.of(parts, vocabulary)
    cursor = Reasoning(document, vocabulary, budget=4, closing=closing)
    accepted = 0

    def write(token_id: int) -> None:
        nonlocal accepted
        before, fork = situation(cursor), cursor.fork()
        assert cursor.accept(token_id)
        cursor.rollback(1)
        assert situation(cursor) == before
        assert cursor.accept(token_id)
        assert situation(fork) == before
        accepted += 1

    for _ in range(data.draw(st.integers(0, 12))):
        allowed = np.flatnonzero(allowed_tokens(cursor.mask(), len(vocabulary)))
        likely = [token_id for token_id in [*vocabulary.tokenize(b"A:12"), END] if token_id in allowed]
        token_id = data.draw(st.sampled_from(likely or allowed.tolist()) | st.sampled_from(allowed.tolist()))
        if token_id == EOS:
            break
        write(token_id)
    while cursor.length is None:
        write(int(np.flatnonzero(allowed_tokens(cursor.mask(), len(vocabulary)))[0]))
    assert cursor.length <= 4 + len(closing.token_ids)
    rest = vocabulary.tokenize(cursor.closing())
    assert all(map(cursor.accept, rest))
    assert cursor.is_complete()
    cursor.rollback(accepted + len(rest))
    assert situation(cursor) == situation(Reasoning(document, vocabulary, budget=4, closing=closing))
