"""One sequence at a time, exactly as ``generate`` of transformers runs it, for models that do not fit slots.

Linear attention and state-space layers keep a state instead of keys and values. A state forgets how it came about, so
no token can be taken back and there are no drafts; padding would change it, so no two sequences share a pass. Some
kinds bring caches of their own. Each model class says how its arguments are made from the text so far and what one
pass hands to the next (``prepare_inputs_for_generation``, ``_update_model_kwargs_for_generation``); these are asked
here, as ``generate`` asks them.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from transformers import DynamicCache

from sdk.generation.slots import Chunk, Memory

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["SingleSlot"]


class SingleSlot:
    """One sequence in one transformers model, see ``Slots``.

    ``extends``: many models start from an empty state whenever they are given several tokens.
    """

    count = 1
    rewinds = False
    branches = False
    free_tokens = 1

    def __init__(self, module: PreTrainedModel, *, extends: bool) -> None:
        self.extends = extends
        self._module = module
        self._parameters = inspect.signature(module.forward).parameters
        self._empty()

    def _empty(self) -> None:
        self._ids: list[int] = []
        self._state: dict[str, Any] = {"use_cache": True}
        if self._module._supports_default_dynamic_cache():
            self._state["cache"] = DynamicCache(config=self._module.config.get_text_config(decoder=True))

    def forward(self, chunks: Sequence[Chunk]) -> list[torch.Tensor]:
        """See ``Slots``."""
        (chunk,) = chunks
        assert chunk.keep == 1
        assert self.extends or not self._ids or len(chunk.token_ids) == 1
        first = not self._ids
        self._ids += chunk.token_ids
        with torch.inference_mode():
            ids = torch.tensor([self._ids], device=self._module.device)
            arguments = {
                "attention_mask": torch.ones_like(ids),
                "position_ids": torch.arange(len(self._ids), device=ids.device)[None],
                "logits_to_keep": 1,
            }
            inputs = self._module.prepare_inputs_for_generation(
                ids,
                next_sequence_length=None if first else len(chunk.token_ids),
                is_first_iteration=first,
                **{name: value for name, value in arguments.items() if name in self._parameters},
                **self._state,
            )
            output = self._module(**inputs, return_dict=True)
            self._state = self._module._update_model_kwargs_for_generation(output, self._state)
        return [output.logits[0, -1:].to(self._module.device, torch.float32)]

    def rewind(self, slot: int, length: int) -> None:  # noqa: ARG002  # there is one
        """See ``Slots``; ``length`` is 0, or that of the whole sequence, since a state cannot be taken back."""
        assert length in (0, len(self._ids))
        if length == 0:
            self._empty()

    def save(self, slot: int) -> Memory:  # noqa: ARG002
        """See ``Slots``."""
        content = list(self._ids), copy.deepcopy(self._state)
        return Memory(len(self._ids), sum(tensor.nbytes for tensor in _tensors(content[1])), content)

    def load(self, slot: int, memory: Memory) -> None:  # noqa: ARG002
        """See ``Slots``."""
        ids, state = memory.content
        self._ids, self._state = list(ids), copy.deepcopy(state)


def _tensors(value: Any) -> list[torch.Tensor]:
    """All tensors that a state holds, in dictionaries, lists and the attributes of caches and their layers."""
    if torch.is_tensor(value):
        return [value]
    if isinstance(value, dict):
        parts: Sequence[Any] = list(value.values())
    elif isinstance(value, (list, tuple)):
        parts = value
    else:
        parts = list(getattr(value, "__dict__", {}).values())
    return [tensor for part in parts for tensor in _tensors(part)]
