"""``generate`` under the processor writes what the grammar admits, and what our own loop writes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from pydantic import BaseModel, Field
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedModel

from schema_compiler import compile_type
from sdk.generation.logits_processor import GrammarLogitsProcessor
from sdk.generation.loop.generator import Generator
from sdk.generation.loop.sequence import TextSequence
from sdk.generation.models.key_value_slots import KeyValueSlots
from sdk.generation.samplers import Greedy
from sdk.generation.slots import Slots
from tests.fakes import EOS, RandomModel, byte_vocabulary


class Person(BaseModel):
    name: str = Field(max_length=12)
    ages: list[int] = Field(max_length=3)


VOCABULARY = byte_vocabulary([b'{"', b'": ', b'", "', b"name", b"ages"])
COMPILED = compile_type(Person, VOCABULARY)
PROMPTS = [[65, 66, 67], [70, 71, 72], [80, 65, 90], [1, 2, 3]]


@pytest.fixture(scope="module")
def module() -> PreTrainedModel:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(VOCABULARY) + 3,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        initializer_range=0.5,
        eos_token_id=EOS,
        pad_token_id=0,
    )
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


def generated(module: PreTrainedModel, prompts: list[list[int]], **options: Any) -> list[list[int]]:
    """Tokens of output up to the end, without it."""
    rows = module.generate(
        torch.tensor(prompts),
        attention_mask=torch.ones(len(prompts), 3, dtype=torch.long),
        max_new_tokens=200,
        logits_processor=[GrammarLogitsProcessor(COMPILED)],
        **options,
    )[:, 3:].tolist()
    return [row[: row.index(EOS)] for row in rows]


@pytest.mark.parametrize("options", [{"do_sample": False}, {"do_sample": True}, {"do_sample": False, "num_beams": 3}])
def test_every_row_is_a_document(module, options):
    for row in generated(module, PROMPTS, **options):
        Person.model_validate_json(b"".join(VOCABULARY.tokens[token_id] or b"" for token_id in row))


def test_a_batch_writes_what_single_calls_and_our_own_loop_write(module):
    class Wide(RandomModel):
        def slots(self, count: int) -> Slots:  # type: ignore[override]
            return KeyValueSlots(module, count)

    vocabulary = type(VOCABULARY)([*VOCABULARY.tokens, None, None, None], [EOS])
    generator = Generator(Wide(0, vocabulary))
    sequences = [
        TextSequence(
            prompt=prompt,
            matcher=compile_type(Person, vocabulary).matcher(),
            vocabulary=vocabulary,
            sampler=Greedy(),
            generator=torch.Generator(),
            budget=200,
            drafter=generator.drafter("name 12"),
        )
        for prompt in PROMPTS
    ]
    for _ in generator.run(sequences, 3):
        pass
    batch = generated(module, PROMPTS, do_sample=False)
    assert batch == [generated(module, [prompt], do_sample=False)[0] for prompt in PROMPTS]
    assert [sequence.output for sequence in sequences] == batch
