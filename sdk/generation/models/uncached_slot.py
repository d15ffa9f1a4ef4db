"""One sequence without any cache: each pass reads the whole text.

The last resort, for models whose memory transformers keeps in a way that changes what they say. A pass costs as much as
the prompt did, whatever it has to find out, so that drafts cost little.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from sdk.generation.slots import Chunk, Memory

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["UncachedSlot"]


class UncachedSlot:
    """One sequence in one transformers model, see ``Slots``. What it remembers is the text."""

    count = 1
    rewinds = True
    extends = True
    branches = False

    def __init__(self, module: PreTrainedModel, free_tokens: int = 32) -> None:
        self.free_tokens = free_tokens
        self._module = module
        self._keeps = "logits_to_keep" in inspect.signature(module.forward).parameters
        self._ids: list[int] = []

    def forward(self, chunks: Sequence[Chunk]) -> list[torch.Tensor]:
        """See ``Slots``."""
        (chunk,) = chunks
        self._ids += chunk.token_ids
        options = {"logits_to_keep": chunk.keep} if self._keeps else {}
        with torch.inference_mode():
            ids = torch.tensor([self._ids], device=self._module.device)
            logits = self._module(input_ids=ids, use_cache=False, return_dict=True, **options).logits
        return [logits[0, -chunk.keep :].to(self._module.device, torch.float32)]

    def rewind(self, slot: int, length: int) -> None:  # noqa: ARG002  # there is one
        """See ``Slots``."""
        assert 0 <= length <= len(self._ids)
        del self._ids[length:]

    def save(self, slot: int) -> Memory:  # noqa: ARG002
        """See ``Slots``."""
        return Memory(len(self._ids), 0, list(self._ids))

    def load(self, slot: int, memory: Memory) -> None:  # noqa: ARG002
        """See ``Slots``."""
        self._ids = list(memory.content)
