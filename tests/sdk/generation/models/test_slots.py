"""Slots agree with transformers' own cache, whatever shares a pass, on randomly initialised models of many kinds."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    Gemma3TextConfig,
    LlamaConfig,
    MambaConfig,
    MistralConfig,
    Phi3Config,
    PhiConfig,
    PreTrainedModel,
    Qwen2Config,
    Qwen3Config,
)

from sdk.generation.models.attention import use_grouped_attention
from sdk.generation.models.key_value_slots import KeyValueSlots
from sdk.generation.models.single_slot import SingleSlot
from sdk.generation.slots import Chunk, Slots

SMALL: dict[str, Any] = {
    "vocab_size": 97,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
CONFIGS = {
    "llama": LlamaConfig(**SMALL),
    "qwen2": Qwen2Config(**SMALL),
    "qwen3": Qwen3Config(**SMALL, head_dim=8),
    "mistral": MistralConfig(**SMALL, sliding_window=7),
    "gemma3": Gemma3TextConfig(
        **SMALL, head_dim=8, sliding_window=5, layer_types=["sliding_attention", "full_attention", "sliding_attention"]
    ),
    "phi": PhiConfig(**SMALL),
    "phi3": Phi3Config(**SMALL),
}


def made(config: Any, attention: str = "sdpa") -> PreTrainedModel:
    torch.manual_seed(1)
    config._attn_implementation = attention
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


@pytest.fixture(scope="module", params=[*CONFIGS, "gemma3 eager", "llama grouped", "gemma3 grouped"])
def module(request: pytest.FixtureRequest) -> PreTrainedModel:
    name, _, attention = request.param.partition(" ")
    made_module = made(CONFIGS[name], "eager" if attention == "eager" else "sdpa")
    if attention == "grouped":
        use_grouped_attention(made_module)
    return made_module


def reference(module: PreTrainedModel, token_ids: list[int]) -> torch.Tensor:
    with torch.inference_mode():
        return module(input_ids=torch.tensor([token_ids]), use_cache=False).logits[0]


def drawn(numbers: random.Random, count: int) -> list[int]:
    return [numbers.randrange(3, 97) for _ in range(count)]


def test_chunks_of_any_length_and_rewinds_give_the_models_own_logits(module):
    numbers = random.Random(0)
    slots = KeyValueSlots(module, 4)
    texts: list[list[int]] = [[], [], [], []]
    for _ in range(12):
        busy = numbers.sample(range(4), numbers.randint(1, 4))
        chunks = [Chunk(slot, new := drawn(numbers, numbers.choice([1, 1, 2, 5, 19])), len(new)) for slot in busy]
        for chunk, logits in zip(chunks, slots.forward(chunks), strict=True):
            texts[chunk.slot] += chunk.token_ids
            wanted = reference(module, texts[chunk.slot])[-chunk.keep :]
            torch.testing.assert_close(logits, wanted, rtol=1e-4, atol=1e-5)
        slot = numbers.randrange(4)
        texts[slot] = texts[slot][: numbers.randint(0, len(texts[slot]))]
        slots.rewind(slot, len(texts[slot]))


def test_memory_moves_between_slots_and_grows(module):
    numbers = random.Random(1)
    prefix, rest = drawn(numbers, 300), drawn(numbers, 9)
    first, second = KeyValueSlots(module, 1), KeyValueSlots(module, 3)
    first.forward([Chunk(0, prefix[:100])])
    first.forward([Chunk(0, prefix[100:])])
    memory = first.save(0)
    assert memory.length == 300
    assert memory.nbytes == 3 * 2 * 300 * module.config.num_key_value_heads * 8 * 4
    second.forward([Chunk(2, rest)])
    second.load(2, memory)
    (logits,) = second.forward([Chunk(2, rest)])
    torch.testing.assert_close(logits[0], reference(module, prefix + rest)[-1], rtol=1e-4, atol=1e-5)


def test_chunks_longer_than_a_pass_are_split(monkeypatch):
    monkeypatch.setattr("sdk.generation.models.key_value_slots._LONGEST_CHUNK", 8)
    module = made(CONFIGS["llama"])
    token_ids = drawn(random.Random(2), 30)
    (logits,) = KeyValueSlots(module, 1).forward([Chunk(0, token_ids, 3)])
    torch.testing.assert_close(logits, reference(module, token_ids)[-3:], rtol=1e-4, atol=1e-5)


def test_state_space_models_do_not_fit_and_run_one_at_a_time():
    config = MambaConfig(vocab_size=97, hidden_size=32, num_hidden_layers=2, state_size=4)
    module = made(config, "eager")
    assert not KeyValueSlots.fits(module)
    slots: Slots = SingleSlot(module)
    token_ids = drawn(random.Random(3), 12)
    slots.forward([Chunk(0, token_ids[:5])])
    memory = slots.save(0)
    for _ in range(2):
        (logits,) = slots.forward([Chunk(0, [token_ids[5]])])
        for token_id in token_ids[6:]:
            (logits,) = slots.forward([Chunk(0, [token_id])])
        torch.testing.assert_close(logits[0], reference(module, token_ids)[-1], rtol=1e-3, atol=1e-4)
        slots.load(0, memory)


def test_plain_and_sliding_attention_fit(module):
    assert KeyValueSlots.fits(module)
