"""Small random models of every kind that transformers has, and whether the loop gives what they say themselves.

A kind is a configuration in ``../shared/cases``. Its model has random matrices (normal noise: deviation 1 in
embeddings and heads, 1.3 / sqrt(fan-in) elsewhere, so that every layer has a say) and the embedded model's tokenizer.
The reference reads the whole text anew for every token, without any cache, as transformers loads the model.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, Literal, TypeAlias

import torch
from pydantic import BaseModel
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

from sdk import Extractor
from sdk.errors import ModelError, SdkError
from sdk.generation.models.embedded import embedded_model_folder
from sdk.generation.models.language_model import LanguageModel
from sdk.generation.models.loading import load_model
from sdk.generation.slots import Chunk, Memory
from tests.vocabularies import SHARED

__all__ = ["DOCUMENTS", "SETTINGS", "Kind", "Order", "Outcome", "built", "check", "kinds", "without_cache"]

_CASES = SHARED / "cases" / "architectures.jsonl"
_MAX_TOKENS = 24


class Item(BaseModel):
    name: str
    count: int


class Order(BaseModel):
    """An order: who ordered how many of what."""

    customer: str
    items: list[Item]


DOCUMENTS = (
    "Ada ordered 3 lamps.",
    "Grace Hopper ordered 12 nanoseconds of wire, 4 moths and a log book; deliver by Monday to the Mark II.",
    "Alan wants 2 apples.",
    " ".join(f"Line {number}: Mary ordered {number} books and {2 * number} pens." for number in range(12)),
    "Edsger: 1 chair, 1 table, 7 goto statements (considered harmful).",
    "Barbara ordered 5 abstractions.",
    "Donald ordered 4 volumes and 1 errata list, payable with a cheque of 2.56 dollars.",
    "Radia ordered 8 bridges and a spanning tree.",
    "Leslie ordered 3 generals, 1 of them a traitor.",
)
"""Prompts of about 100 to 400 tokens: beyond all windows, chunks and original lengths of the configurations."""

SETTINGS: dict[str, dict[str, Any]] = {
    "batch 1": {"max_batch": 1, "drafting": "off", "share_prefixes": False},
    "drafts": {"max_batch": 1, "drafting": "document", "share_prefixes": False},
    "prefix": {"max_batch": 1, "drafting": "off", "share_prefixes": True},
    "batch 8": {"max_batch": 8, "drafting": "off", "share_prefixes": False},
    "all": {"max_batch": 8, "drafting": "document", "share_prefixes": True},
}


@dataclass(frozen=True)
class Kind:
    """A line of the cases."""

    name: str
    model_type: str
    config: dict[str, Any]


_SMALL = {
    "vocab_size": 49152,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 1024,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_LATENT = {
    "num_key_value_heads": 4,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 8,
    "v_head_dim": 8,
}
_LONG_ROPE = {
    "original_max_position_embeddings": 256,
    "rope_parameters": {
        "rope_type": "longrope",
        "rope_theta": 10000.0,
        "short_factor": [1.0] * 4,
        "long_factor": [4.0] * 4,
        "original_max_position_embeddings": 256,
        "short_mscale": 1.0,
        "long_mscale": 1.0,
    },
}
_OWN = (
    ("olmo2", "olmo2", {}),
    ("granite", "granite", {}),
    ("qwen3", "qwen3", {"head_dim": 8}),
    ("phimoe_longrope", "phimoe", {"num_local_experts": 4, **_LONG_ROPE}),
    ("minicpm3", "minicpm3", _LATENT),
    (
        "longcat_flash",
        "longcat_flash",
        {**_LATENT, "num_layers": 2, "ffn_hidden_size": 48, "n_routed_experts": 4, "head_dim": 8},
    ),
    ("falcon_mamba", "falcon_mamba", {"state_size": 8}),
    ("rwkv", "rwkv", {"attention_hidden_size": 32, "context_length": 1024}),
    ("xlstm", "xlstm", {"num_heads": 4, "num_blocks": 2, "chunk_size": 16, "qk_dim_factor": 1.0}),
    ("openai-gpt", "openai-gpt", {"n_embd": 32, "n_layer": 4, "n_head": 4, "n_positions": 1024}),
    ("cpmant", "cpmant", {"dim_head": 8, "dim_ff": 48}),
    ("bert_encoder", "bert", {"is_decoder": False}),
    ("roberta_encoder", "roberta", {"is_decoder": False, "max_position_embeddings": 1030}),
)
"""Kinds of our own beside the cases, most of which transformers runs in a way that nothing else does."""


def kinds() -> list[Kind]:
    """All kinds: those of the cases, where these are there, and our own."""
    lines = _CASES.read_text().splitlines() if _CASES.exists() else []
    own = (Kind(name, model_type, {**_SMALL, **config}) for name, model_type, config in _OWN)
    return [*(Kind(**json.loads(line)) for line in lines), *own]


def built(kind: Kind, folder: Path) -> Path:
    """The kind's model and the embedded tokenizer, saved to ``folder``."""
    config = AutoConfig.for_model(kind.model_type, **kind.config)
    torch.manual_seed(0)
    module = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    heads = {id(layer.weight) for layer in (module.get_input_embeddings(), module.get_output_embeddings()) if layer}
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0, 1.0 if id(parameter) in heads else 1.3 / parameter[0].numel() ** 0.5)
    module.save_pretrained(folder)
    AutoTokenizer.from_pretrained(embedded_model_folder()).save_pretrained(folder)
    return folder


class _Uncached:
    """One sequence without a cache, as ``Slots``: each pass reads the whole text."""

    count = 1
    rewinds = False
    extends = True
    free_tokens = 1

    def __init__(self, module: PreTrainedModel) -> None:
        self._module = module
        self._options = {"logits_to_keep": 1} if "logits_to_keep" in signature(module.forward).parameters else {}
        self._ids: list[int] = []

    def forward(self, chunks: Sequence[Chunk]) -> list[torch.Tensor]:
        (chunk,) = chunks
        self._ids += chunk.token_ids
        ids = torch.tensor([self._ids])
        with torch.inference_mode():
            return [self._module(input_ids=ids, use_cache=False, **self._options).logits[0, -1:].float()]

    def rewind(self, slot: int, length: int) -> None:  # noqa: ARG002
        del self._ids[length:]

    def save(self, slot: int) -> Memory:
        raise NotImplementedError("prefixes are not shared here")

    def load(self, slot: int, memory: Memory) -> None:
        raise NotImplementedError("prefixes are not shared here")


@dataclass(frozen=True, slots=True)
class _UncachedModel(LanguageModel):
    def slots(self, count: int) -> _Uncached:  # noqa: ARG002
        return _Uncached(self.module)


def without_cache(model: LanguageModel, folder: Path, documents: Sequence[str] = DOCUMENTS) -> list[str | None]:
    """What the model says of each document: the most probable legal token at each place, from a model as saved."""
    module = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    reference = _UncachedModel(model.name, module, model.tokenizer, model.vocabulary, model.context_tokens)
    return _texts(Extractor(reference, max_batch=1, drafting="off", share_prefixes=False), documents)


def _texts(extractor: Extractor, documents: Sequence[str]) -> list[str | None]:
    results: list[str | None] = [None] * len(documents)
    for number, result in extractor.run_batch(Order, documents, max_tokens=_MAX_TOKENS):
        results[number] = f"{type(result).__name__}: {result}" if isinstance(result, SdkError) else result.text
    return results


Verdict: TypeAlias = Literal["equal", "different", "refused", "error"]


@dataclass(frozen=True)
class Outcome:
    """``memory``: how the model runs, or why it is refused. ``verdicts``: by setting."""

    kind: Kind
    memory: str
    verdicts: dict[str, Verdict]
    detail: str = ""


def check(
    kind: Kind, folder: Path, settings: Sequence[str] = tuple(SETTINGS), documents: Sequence[str] = DOCUMENTS
) -> Outcome:
    """Load the kind's model as users do and compare what it says in the settings with its own word."""
    try:
        built(kind, folder)
    except ValueError as error:  # transformers has no causal model of this type
        return Outcome(kind, "refused", dict.fromkeys(settings, "refused"), str(error).splitlines()[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = load_model(str(folder), device="cpu")
        except ModelError as error:
            return Outcome(kind, "refused", dict.fromkeys(settings, "refused"), str(error))
        expected = without_cache(model, folder, documents)
        verdicts: dict[str, Verdict] = {}
        detail = ""
        for name in settings:
            try:
                texts = _texts(Extractor(model, **SETTINGS[name]), documents)
            except Exception as error:  # what crashes is what this is about
                verdicts[name], detail = "error", f"{type(error).__name__}: {error}"
            else:
                same = sum(text == other for text, other in zip(texts, expected, strict=True))
                verdicts[name] = "equal" if same == len(expected) else "different"
        return Outcome(kind, model.memory, verdicts, detail)
