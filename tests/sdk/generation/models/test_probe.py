"""The probe: which memory it finds for a model, what it refuses, and that it asks once."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedModel

from sdk.errors import ModelError
from sdk.generation.models.attention import use_packed_attention
from sdk.generation.models.probe import MemoryKind, memory_of

WORDS = range(3, 97)


@pytest.fixture
def module() -> PreTrainedModel:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=97, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4
    )
    made = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    use_packed_attention(made)
    return made


def found(module: PreTrainedModel, folder: Path) -> MemoryKind:
    return memory_of(module, WORDS, name="some-model", cache_folder=folder)


@contextmanager
def altered(module: PreTrainedModel, change: Any) -> Iterator[list[int]]:
    """``change(logits, number of the pass)`` after each pass; the lengths of all passes."""
    lengths: list[int] = []

    def hook(_: Any, __: Any, output: Any) -> None:
        lengths.append(output.logits.shape[1])
        change(output.logits, len(lengths))

    handle = module.register_forward_hook(hook)
    try:
        yield lengths
    finally:
        handle.remove()


def test_a_finding_is_kept_by_configuration(module, tmp_path):
    assert found(module, tmp_path) == "batches"
    with altered(module, lambda *_: None) as passes:
        assert found(module, tmp_path) == "batches"
        assert not passes
        module.config.rope_parameters["rope_theta"] = 5.0
        assert found(module, tmp_path) == "batches"
        assert passes


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"memory": "none such", "refused": null}'])
def test_a_damaged_finding_is_made_again(module, tmp_path, damage):
    found(module, tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_text()
    file.write_text(damage)
    assert found(module, tmp_path) == "batches"
    assert json.loads(file.read_text()) == json.loads(whole)


def test_a_model_that_remembers_what_it_read_before_is_refused(module, tmp_path):
    def drift(logits: torch.Tensor, number: int) -> None:
        logits += torch.linspace(0, 0.5 * max(0, number - 10), logits.shape[-1])

    with (
        altered(module, drift),
        pytest.raises(ModelError, match=r"some-model.*LlamaForCausalLM.*batches: a text read after another differs"),
    ):
        found(module, tmp_path)
    with pytest.raises(ModelError, match="some-model"):
        found(module, tmp_path)


def test_a_model_that_reads_what_follows_is_refused(module, tmp_path):
    def mix(logits: torch.Tensor, _: int) -> None:
        logits += logits.mean(1, keepdim=True)

    with altered(module, mix), pytest.raises(ModelError, match="depend on the tokens that follow"):
        found(module, tmp_path)


def test_a_model_that_raises_is_refused_with_its_words(module, tmp_path):
    def fail(_: torch.Tensor, __: int) -> None:
        raise RuntimeError("out of order")

    with altered(module, fail), pytest.raises(ModelError, match="RuntimeError: out of order"):
        found(module, tmp_path)


def test_a_model_that_minds_company_runs_one_by_one(module, tmp_path):
    """Logits after any but the first token of a row are changed where positions do not go up one by one."""
    own = module.forward

    def forward(*arguments: Any, **options: Any) -> Any:
        output = own(*arguments, **options)
        positions = options.get("position_ids")
        if positions is not None and (positions.diff() < 0).any():
            output.logits.mul_(-1)
        return output

    forward.__signature__ = inspect.signature(own)  # type: ignore[attr-defined]
    module.forward = forward
    assert found(module, tmp_path) == "one by one"
