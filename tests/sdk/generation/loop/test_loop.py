"""The loop under a mask: scripts are followed, budgets are kept to the token, and interruptions leave nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler import CompiledGrammar, Vocabulary, compile_schema
from sdk.errors import BudgetTooSmallError, IllegalTokenError
from sdk.generation.drafting.drafter import Drafter, NoDrafts
from sdk.generation.loop.loop import Step, generate
from sdk.generation.loop.prefixes import Prefixes
from sdk.generation.loop.sequence import TextSequence, closing_tokens
from sdk.generation.masking import MaskTable
from sdk.generation.samplers import Draw, Greedy, Sampler, Temperature
from tests.fakes import EOS, FakeSlots, RandomModel, ScriptedModel, byte_vocabulary

NESTED = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "integer"}, "kind": {"enum": ["alpha", "beta"]}},
                "required": ["id", "kind"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["name", "items"],
    "additionalProperties": False,
}
LONGER = [b'{"', b'": ', b'", "', b'[{"', b'"}', b"}]}", b"name", b"items", b"alpha", "é".encode()]
VOCABULARIES = [byte_vocabulary(), byte_vocabulary(LONGER)]
SHORTEST = '{"name": "", "items": []}'


@pytest.fixture(scope="module", params=VOCABULARIES, ids=["bytes", "longer tokens"])
def nested(request: pytest.FixtureRequest) -> CompiledGrammar:
    return compile_schema(NESTED, request.param)


def sequence_of(
    compiled: CompiledGrammar,
    vocabulary: Vocabulary,
    *,
    budget: int = 1000,
    sampler: Sampler | None = None,
    seed: int = 0,
    drafter: Drafter | None = None,
) -> TextSequence:
    generator = torch.Generator().manual_seed(seed)
    return TextSequence(
        [EOS], compiled.matcher(), vocabulary, sampler or Greedy(), generator, budget, drafter or NoDrafts()
    )


def steps_of(model: ScriptedModel | RandomModel, *sequences: TextSequence, slots: int = 1) -> Iterator[Step]:
    table = MaskTable(len(model.vocabulary), budget=20 * len(model.vocabulary))
    return generate(model.slots(slots), sequences, table=table, prefixes=Prefixes())


def run(compiled: CompiledGrammar, model: ScriptedModel | RandomModel, **options: Any) -> TextSequence:
    sequence = sequence_of(compiled, model.vocabulary, **options)
    pieces = [step.text for step in steps_of(model, sequence)]
    assert b"".join(pieces) == sequence.text
    return sequence


def test_a_legal_script_is_written_as_it_is():
    script = '{"name": "Zoë \\"Q\\"", "items": [{"id": 7, "kind": "beta"}]}'.encode()
    sequence = run(compile_schema(NESTED, VOCABULARIES[0]), ScriptedModel(script))
    assert sequence.text == script
    assert sequence.finish_reason == "complete"
    assert len(sequence.removed) == len(script)
    assert max(sequence.removed) < 0.02


def test_no_forward_pass_is_spent_on_an_end_that_is_forced():
    script = b'{"name": "", "items": []}'
    model = ScriptedModel(script)
    run(compile_schema(NESTED, model.vocabulary), model)
    assert model.made[0].calls == len(script)


def test_the_model_ends_what_could_go_on():
    sequence = run(compile_schema({"type": "integer"}, VOCABULARIES[0]), ScriptedModel(b"12"))
    assert (sequence.text, sequence.finish_reason) == (b"12", "complete")


def test_an_illegal_script_is_bent_to_a_legal_document():
    model = ScriptedModel(b"I am sorry, but as a language model", context_tokens=None)
    sequence = run(compile_schema({"enum": ["Iris", "Ines"]}, model.vocabulary), model)
    assert json.loads(sequence.text) in ("Iris", "Ines")
    assert max(sequence.removed) > 0.9


@pytest.mark.parametrize("budget", range(len(SHORTEST), 80))
def test_a_script_that_opens_ever_more_is_closed_at_every_budget(budget):
    script = b'{"name": "abc", "items": [{"id": 1, "kind": "alpha"}, {"id": 2, "kind": "beta"}]}'
    model = ScriptedModel(script)
    sequence = run(compile_schema(NESTED, model.vocabulary), model, budget=budget)
    jsonschema.validate(json.loads(sequence.text), NESTED)
    assert len(sequence.output) <= budget
    assert sequence.finish_reason == ("complete" if budget >= len(script) else "budget")


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), slack=st.integers(0, 60), temperature=st.sampled_from([None, 0.5, 1.0, 3.0]))
@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=["bytes", "longer tokens"])
def test_any_model_at_any_budget_gives_a_whole_document(vocabulary, seed, slack, temperature):
    compiled = compile_schema(NESTED, vocabulary)
    budget = len(closing_tokens(compiled.matcher(), vocabulary)) + slack
    sampler = Greedy() if temperature is None else Draw((Temperature(temperature),))
    sequence = run(compiled, RandomModel(seed, vocabulary), budget=budget, sampler=sampler, seed=seed)
    jsonschema.validate(json.loads(sequence.text), NESTED)
    assert len(sequence.output) <= budget
    assert all(0.0 <= share <= 1.0 for share in sequence.removed)


def test_a_budget_below_the_shortest_document_says_both_numbers(nested):
    vocabulary = nested.vocabulary
    shortest = len(closing_tokens(nested.matcher(), vocabulary))
    with pytest.raises(BudgetTooSmallError, match=rf"max_tokens is {shortest - 1}, .* {shortest} tokens") as caught:
        sequence_of(nested, vocabulary, budget=shortest - 1)
    assert (caught.value.max_tokens, caught.value.shortest_tokens) == (shortest - 1, shortest)
    assert sequence_of(nested, vocabulary, budget=shortest).finish_reason is None


def test_a_complete_document_without_room_to_go_on_ends_for_the_budget():
    model = ScriptedModel(b"123456")
    sequence = run(compile_schema({"type": "integer"}, model.vocabulary), model, budget=3)
    assert (sequence.text, sequence.finish_reason) == (b"123", "budget")


def test_a_sampler_that_leaves_the_mask_is_an_error():
    wrong = run(
        compile_schema(NESTED, VOCABULARIES[0]),
        ScriptedModel(b"x"),
        sampler=lambda places: torch.full((len(places.outputs),), 65),
    )
    with pytest.raises(IllegalTokenError, match="token 65 at output position 0"):
        raise wrong.error or AssertionError("no error")


def test_interrupting_leaves_a_prefix_and_disturbs_no_other_sequence(nested):
    model = RandomModel(3, nested.vocabulary)
    whole = run(nested, model, budget=60).text
    interrupted = sequence_of(nested, nested.vocabulary, budget=60)
    steps = steps_of(model, interrupted)
    head = next(steps).text + next(steps).text
    steps.close()
    assert interrupted.finish_reason is None
    assert whole.startswith(head)
    assert run(nested, model, budget=60).text == whole


def test_several_eos_tokens_are_all_ends():
    vocabulary = byte_vocabulary()
    two = type(vocabulary)([*vocabulary.tokens, None], [256, 257])
    sequence = run(compile_schema({"const": 1}, two), ScriptedModel(b"1", two))
    assert (sequence.text, sequence.finish_reason) == (b"1", "complete")


class Late(torch.Tensor):
    """Logits of a device that is still at work: whoever looks at them waits, which is written down."""

    events: list[str]

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function.__name__ != "__get__":  # where they are can be asked without waiting
            cls.events.append("wait")
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args, **(kwargs or {}))


class LateSlots(FakeSlots):
    def forward(self, chunks):
        logits = super().forward(chunks)
        Late.events.append("forward")
        return [rows.as_subclass(Late) for rows in logits]


class WatchedSequence(TextSequence):
    def masks(self):
        Late.events.append("masks")
        return super().masks()


def test_masks_are_made_while_the_device_computes():
    Late.events = []
    model = RandomModel(5)
    compiled = compile_schema(NESTED, model.vocabulary)
    sequences = [
        WatchedSequence([EOS], compiled.matcher(), model.vocabulary, Greedy(), torch.Generator(), 60, NoDrafts())
        for _ in range(2)
    ]
    steps = generate(LateSlots(model, 2), sequences, table=MaskTable(len(model.vocabulary)), prefixes=Prefixes())
    assert all(step.trace.masks > 0 for step in steps)
    passes = "".join({"forward": "f", "masks": "m", "wait": "w"}[event] for event in Late.events)
    assert re.fullmatch("(fmmw+)+(fmw+)*", passes)
