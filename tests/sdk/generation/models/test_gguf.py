"""GGUF files: written here as llama.cpp's converter writes them, read back as the model and the tokenizer they hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gguf import GGUFWriter
from tokenizers import pre_tokenizers
from transformers import AutoTokenizer

from sdk import Extractor
from sdk.errors import ModelError, ModelNotFoundError, TokenizerError
from sdk.generation.models.embedded import embedded_model_file
from sdk.generation.models.gguf import converted_gguf
from sdk.generation.models.loading import load_model

NORMAL, CONTROL = 1, 3
BYTES = [*pre_tokenizers.ByteLevel.alphabet()]
MERGES = ["1 2", "t h", "th e", "Ġ the", "e Ì", "eÌ ģ"]
TOKENS = ["<|end|>", *sorted(BYTES), "12", "th", "the", "Ġthe", "eÌ", "eÌģ", "cats"]
"""Byte-level BPE; no merges lead to ``cats``, so that only a rule of whole words finds it."""

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a Llama of one layer with random weights, and has a cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def write(
        pre: str | None = "llama-bpe",
        *,
        tokens: Sequence[str] = TOKENS,
        architecture: str = "llama",
        without: Sequence[str] = (),
    ) -> Path:
        path = tmp_path / "model.gguf"
        writer = GGUFWriter(path, architecture)
        writer.add_block_count(1)
        writer.add_context_length(512)
        writer.add_embedding_length(32)
        writer.add_feed_forward_length(48)
        writer.add_head_count(2)
        writer.add_head_count_kv(1)
        writer.add_layer_norm_rms_eps(1e-5)
        writer.add_rope_dimension_count(16)
        writer.add_vocab_size(len(TOKENS))
        if tokens:
            writer.add_tokenizer_model("gpt2")
            if pre is not None:
                writer.add_tokenizer_pre(pre)
            writer.add_token_list(list(tokens))
            writer.add_token_types([CONTROL, *[NORMAL] * (len(tokens) - 1)])
            writer.add_token_merges(MERGES)
            writer.add_eos_token_id(0)
        shapes: dict[str, tuple[int, ...]] = {
            "token_embd": (len(TOKENS), 32),
            "output_norm": (32,),
            "blk.0.attn_norm": (32,),
            "blk.0.ffn_norm": (32,),
            "blk.0.attn_q": (32, 32),
            "blk.0.attn_k": (16, 32),
            "blk.0.attn_v": (16, 32),
            "blk.0.attn_output": (32, 32),
            "blk.0.ffn_gate": (48, 32),
            "blk.0.ffn_up": (48, 32),
            "blk.0.ffn_down": (32, 48),
        }
        random = np.random.default_rng(0)
        for name, shape in shapes.items():
            if name not in without:
                writer.add_tensor(f"{name}.weight", random.standard_normal(shape).astype(np.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return path

    return write


def texts_of(tokenizer: Any, text: str) -> list[str]:
    return [tokenizer.decode([token]) for token in tokenizer.encode(text, add_special_tokens=False)]


def test_a_gguf_file_is_a_model(write):
    extractor = Extractor(str(write()), device="cpu")
    weights = extractor.model.module.get_input_embeddings().weight
    expected = np.random.default_rng(0).standard_normal((len(TOKENS), 32)).astype(np.float32)
    assert np.array_equal(weights.detach().numpy(), expected)
    assert extractor.extract(bool, "Yes.") in (True, False)


def test_a_file_is_converted_once_and_known_by_its_content(write, tmp_path):
    path = write()
    folder = converted_gguf(path)
    converted = (folder / "model.safetensors").stat().st_mtime_ns
    moved = path.rename(tmp_path / "other.gguf")
    assert converted_gguf(moved) == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == converted
    moved.write_bytes(moved.read_bytes() + b"\0")
    assert converted_gguf(moved) != folder


@pytest.mark.parametrize(
    ("pre", "expected"),
    [
        ("gpt-2", ["12", "c", "a", "t", "s", " the"]),
        ("smollm", ["1", "2", "c", "a", "t", "s", " the"]),
        ("llama-bpe", ["12", "cats", " the"]),
        ("qwen2", ["1", "2", "c", "a", "t", "s", " the"]),
    ],
)
def test_text_is_cut_by_the_rule_that_the_file_names(write, pre, expected):
    assert texts_of(AutoTokenizer.from_pretrained(converted_gguf(write(pre))), "12cats the") == expected


def test_texts_are_composed_where_the_vocabulary_is(write):
    decomposed = "e\N{COMBINING ACUTE ACCENT}"
    assert AutoTokenizer.from_pretrained(converted_gguf(write("qwen2"))).tokenize(decomposed) == ["Ã", "©"]
    assert AutoTokenizer.from_pretrained(converted_gguf(write("llama-bpe"))).tokenize(decomposed) != ["Ã", "©"]


@pytest.mark.parametrize("pre", ["deepseek-llm", "unheard-of", None])
def test_rules_that_are_not_known_are_refused(write, pre):
    with pytest.raises(TokenizerError, match=f"found {pre!r}"):
        load_model(str(write(pre)))


def test_a_file_without_a_tokenizer_is_refused(write):
    with pytest.raises(TokenizerError, match="expected a GGUF file with a tokenizer"):
        load_model(str(write(tokens=())))


def test_an_unknown_architecture_is_refused(write):
    with pytest.raises(ModelError, match="architecture 'unheard'"):
        load_model(str(write(architecture="unheard")))


def test_missing_weights_are_not_made_up(write):
    with pytest.raises(ModelError, match=r"lacks the weights model.layers.0.mlp.up_proj.weight"):
        load_model(str(write(without=["blk.0.ffn_up"])))


@pytest.mark.parametrize("size", [0, 3, 100, 5000])
def test_a_cut_file_is_refused(write, size):
    path = write()
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ModelError, match=r"model\.gguf"):
        load_model(str(path))
    assert [entry.suffix for entry in (path.parent / "cache/extraction-sdk/models").iterdir()] == [".lock"]


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(ModelNotFoundError, match=r"nowhere\.gguf"):
        load_model("nowhere.gguf")


def test_the_embedded_model_is_one_of_them(extractor):
    folder = converted_gguf(embedded_model_file())
    assert json.loads((folder / "config.json").read_text())["model_type"] == "llama"
    assert torch.equal(
        load_model(str(embedded_model_file()), device="cpu").module.get_input_embeddings().weight,
        extractor.model.module.get_input_embeddings().weight,
    )
