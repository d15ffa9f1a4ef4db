"""Slots give the model's own logits, whatever shares a pass, on randomly initialised models of many kinds.

The reference is another module with the same weights, as transformers makes it: with its own attention, its own
frequencies, and without a cache.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    DeepseekV3Config,
    Gemma2Config,
    Gemma3TextConfig,
    GptOssConfig,
    LlamaConfig,
    MambaConfig,
    MistralConfig,
    Phi3Config,
    PhiConfig,
    PreTrainedModel,
    Qwen2Config,
    Qwen3Config,
)

from sdk.generation.models.attention import use_packed_attention
from sdk.generation.models.key_value_slots import KeyValueSlots
from sdk.generation.models.long_rope import LongRopeSlots, choose_frequencies_by_call, switch_length
from sdk.generation.models.single_slot import SingleSlot
from sdk.generation.models.uncached_slot import UncachedSlot
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
    "gemma2": Gemma2Config(**SMALL, head_dim=8, sliding_window=6, attn_logit_softcapping=2.0),
    "gpt-oss": GptOssConfig(**SMALL, head_dim=8, sliding_window=6, num_local_experts=4, num_experts_per_tok=2),
    "deepseek-v3": DeepseekV3Config(
        **{**SMALL, "num_key_value_heads": 4},
        n_routed_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=16,
        n_group=1,
        topk_group=1,
        q_lora_rank=16,
        kv_lora_rank=16,
        qk_nope_head_dim=8,
        qk_rope_head_dim=8,
        v_head_dim=12,
    ),
}
SWITCH = 40
LONG_ROPE = Phi3Config(
    **SMALL,
    original_max_position_embeddings=SWITCH,
    rope_parameters={
        "rope_type": "longrope",
        "rope_theta": 10000.0,
        "short_factor": [1.0] * 4,
        "long_factor": [5.0] * 4,
        "original_max_position_embeddings": SWITCH,
    },
)


def made(config: Any) -> PreTrainedModel:
    torch.manual_seed(1)
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


def prepared(config: Any) -> PreTrainedModel:
    """The module of ``made`` with the same weights, as it is loaded for slots."""
    module = made(config)
    use_packed_attention(module)
    choose_frequencies_by_call(module)
    return module


@pytest.fixture(scope="module", params=CONFIGS)
def config(request: pytest.FixtureRequest) -> Any:
    return CONFIGS[request.param]


@pytest.fixture(scope="module")
def module(config: Any) -> PreTrainedModel:
    return prepared(config)


@pytest.fixture(scope="module")
def own(config: Any) -> PreTrainedModel:
    return made(config)


def reference(own: PreTrainedModel, token_ids: list[int]) -> torch.Tensor:
    with torch.inference_mode():
        return own(input_ids=torch.tensor([token_ids]), use_cache=False).logits[0]


def drawn(numbers: random.Random, count: int) -> list[int]:
    return [numbers.randrange(3, 97) for _ in range(count)]


def walk(slots: Slots, own: PreTrainedModel, steps: int, sizes: list[int]) -> None:
    """Random chunks with logits after several of their tokens, in random slots, and tokens taken back."""
    numbers = random.Random(0)
    texts: list[list[int]] = [[] for _ in range(slots.count)]
    for _ in range(steps):
        busy = numbers.sample(range(slots.count), numbers.randint(1, slots.count))
        chunks = []
        for slot in busy:
            new = drawn(numbers, numbers.choice(sizes))
            chunks.append(Chunk(slot, new, numbers.randint(1, min(3, len(new)))))
        for chunk, logits in zip(chunks, slots.forward(chunks), strict=True):
            texts[chunk.slot] += chunk.token_ids
            wanted = [
                reference(own, texts[chunk.slot][:end])[-1]
                for end in range(len(texts[chunk.slot]) - chunk.keep + 1, len(texts[chunk.slot]) + 1)
            ]
            torch.testing.assert_close(logits, torch.stack(wanted), rtol=1e-4, atol=1e-5)
        slot = numbers.randrange(slots.count)
        texts[slot] = texts[slot][: numbers.randint(0, len(texts[slot]))]
        slots.rewind(slot, len(texts[slot]))


def test_chunks_of_any_length_and_rewinds_give_the_models_own_logits(module, own):
    walk(KeyValueSlots(module, 4), own, steps=12, sizes=[1, 1, 2, 5, 19, 40])


@pytest.mark.parametrize("row", [8, 2048])
def test_each_branch_of_a_tree_has_the_models_own_logits(module, own, row, monkeypatch):
    """In slots beside each other, after texts shorter and longer than a window; what is taken back leaves no trace."""
    monkeypatch.setattr("sdk.generation.models.key_value_slots._LONGEST_ROW", row)
    numbers = random.Random(7)
    slots = KeyValueSlots(module, 3)
    texts = [drawn(numbers, count) for count in (3, 25, 40)]
    slots.forward([Chunk(slot, text) for slot, text in enumerate(texts)])
    for _ in range(3):
        chunks, wanted = [], []
        for slot, text in enumerate(texts):
            line, tree = drawn(numbers, numbers.randint(1, 12)), drawn(numbers, numbers.randint(0, 14))
            parents = [numbers.randint(-1, number - 1) for number in range(len(tree))]
            chunks.append(Chunk(slot, [*line, *tree], 1 + len(tree), parents))
            branches = [[*text, *line]]
            for parent, token_id in zip(parents, tree, strict=True):
                branches.append([*branches[1 + parent], token_id])
            wanted.append(torch.stack([reference(own, branch)[-1] for branch in branches]))
        for result, rows in zip(slots.forward(chunks), wanted, strict=True):
            torch.testing.assert_close(result, rows, rtol=1e-4, atol=1e-5)
        for slot, text in enumerate(texts):
            slots.rewind(slot, len(text))


def test_without_a_cache_drafts_and_rewinds_give_the_models_own_logits(module, own):
    walk(UncachedSlot(module), own, steps=8, sizes=[1, 2, 9])


def test_texts_on_both_sides_of_a_switch_of_frequencies_share_slots():
    module, own = prepared(LONG_ROPE), made(LONG_ROPE)
    assert switch_length(module) == SWITCH
    walk(LongRopeSlots(module, 3, SWITCH), own, steps=40, sizes=[1, 1, 3, 12, 35, 60])


def test_parts_of_a_long_text_are_read_with_its_frequencies(monkeypatch):
    monkeypatch.setattr("sdk.generation.models.key_value_slots._LONGEST_ROW", 16)
    module, own = prepared(LONG_ROPE), made(LONG_ROPE)
    short, long = drawn(random.Random(4), 12), drawn(random.Random(5), 70)
    slots = LongRopeSlots(module, 2, SWITCH)
    results = slots.forward([Chunk(0, short, 2), Chunk(1, long, 3)])
    for result, text in zip(results, (short, long), strict=True):
        torch.testing.assert_close(result, reference(own, text)[-len(result) :], rtol=1e-4, atol=1e-5)


def test_memory_of_a_short_text_is_read_anew_when_the_text_becomes_long():
    module, own = prepared(LONG_ROPE), made(LONG_ROPE)
    text = drawn(random.Random(6), 60)
    slots = LongRopeSlots(module, 2, SWITCH)
    slots.forward([Chunk(0, text[:30])])
    slots.load(1, slots.save(0))
    (logits,) = slots.forward([Chunk(1, text[30:])])
    torch.testing.assert_close(logits[0], reference(own, text)[-1], rtol=1e-4, atol=1e-5)
    slots.rewind(1, 35)
    (logits,) = slots.forward([Chunk(1, text[35:37])])
    torch.testing.assert_close(logits[0], reference(own, text[:37])[-1], rtol=1e-4, atol=1e-5)


def test_memory_moves_between_slots_and_grows(module, own):
    numbers = random.Random(1)
    prefix, rest = drawn(numbers, 300), drawn(numbers, 9)
    first, second = KeyValueSlots(module, 1), KeyValueSlots(module, 3)
    first.forward([Chunk(0, prefix[:100])])
    first.forward([Chunk(0, prefix[100:])])
    memory = first.save(0)
    assert memory.length == 300
    keys, values = memory.content[0]
    assert memory.nbytes == 3 * 300 * 4 * (keys[:, 0].numel() + values[:, 0].numel())
    second.forward([Chunk(2, rest)])
    second.load(2, memory)
    (logits,) = second.forward([Chunk(2, rest)])
    torch.testing.assert_close(logits[0], reference(own, prefix + rest)[-1], rtol=1e-4, atol=1e-5)


def test_chunks_longer_than_a_pass_are_split(monkeypatch):
    monkeypatch.setattr("sdk.generation.models.key_value_slots._LONGEST_ROW", 8)
    module, own = prepared(CONFIGS["llama"]), made(CONFIGS["llama"])
    token_ids = drawn(random.Random(2), 30)
    (logits,) = KeyValueSlots(module, 1).forward([Chunk(0, token_ids, 3)])
    torch.testing.assert_close(logits, reference(own, token_ids)[-3:], rtol=1e-4, atol=1e-5)


def test_state_space_models_do_not_fit_and_run_one_at_a_time():
    config = MambaConfig(vocab_size=97, hidden_size=32, num_hidden_layers=2, state_size=4)
    module = made(config)
    assert not KeyValueSlots.fits(module)
    slots: Slots = SingleSlot(module, extends=False)
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
