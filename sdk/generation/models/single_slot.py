"""One sequence at a time in transformers' own cache, for models whose layers do not fit slots.

Linear attention and state-space layers keep a state instead of keys and values. A state forgets how it came about, so
no token can be taken back and there are no drafts; padding would change it, so no two sequences share a pass.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from transformers import DynamicCache

from sdk.generation.slots import Chunk, Memory

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["SingleSlot"]


class SingleSlot:
    """One sequence in one transformers model, see ``Slots``."""

    count = 1
    rewinds = False
    free_tokens = 1

    def __init__(self, module: PreTrainedModel) -> None:
        parameters = inspect.signature(module.forward).parameters
        self._module = module
        self._options = {"logits_to_keep": 1} if "logits_to_keep" in parameters else {}
        self._empty()

    def _empty(self) -> None:
        self._cache, self._length = DynamicCache(config=self._module.config), 0

    def forward(self, chunks: Sequence[Chunk]) -> list[torch.Tensor]:
        """See ``Slots``."""
        (chunk,) = chunks
        assert chunk.keep == 1
        with torch.inference_mode():
            ids = torch.tensor([list(chunk.token_ids)], device=self._module.device)
            output = self._module(input_ids=ids, cache=self._cache, use_cache=True, **self._options)
        self._length += len(chunk.token_ids)
        return [output.logits[0, -1:].to(self._module.device, torch.float32)]

    def rewind(self, slot: int, length: int) -> None:  # noqa: ARG002  # there is one
        """See ``Slots``; ``length`` is 0, or that of the whole sequence, since a state cannot be taken back."""
        assert length in (0, self._length)
        if length == 0:
            self._empty()

    def save(self, slot: int) -> Memory:  # noqa: ARG002
        """See ``Slots``."""
        cache = copy.deepcopy(self._cache)
        tensors = [value for layer in cache.layers for value in vars(layer).values() if torch.is_tensor(value)]
        return Memory(self._length, sum(tensor.nbytes for tensor in tensors), cache)

    def load(self, slot: int, memory: Memory) -> None:  # noqa: ARG002
        """See ``Slots``."""
        self._cache, self._length = copy.deepcopy(memory.content), memory.length
