"""Slots for models whose rotary positions change when a text becomes long (LongRoPE: Phi-3, Phi-4, Phi-3.5-MoE).

Such a model turns keys and queries by one set of frequencies while a text has at most as many tokens as it was first
trained on, and by another set when it has more. Keys that were kept are then wrong, so the text is read anew:

    4,096 tokens remembered (short)  +  1 token   ->   4,097 tokens read (long)

transformers goes by the highest position of a pass, and writes the frequencies into the module. So here texts on one
side of the switch share passes, a part of a long text is read with a position beyond the switch beside it, and the
module's frequencies are chosen call by call, since threads share it. Source: Ding et al., "LongRoPE" (2024).
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch

from sdk.generation.models.key_value_slots import KeyValueSlots
from sdk.generation.slots import Chunk, Memory

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["LongRopeSlots", "choose_frequencies_by_call", "switch_length"]


def switch_length(module: PreTrainedModel) -> int | None:
    """The most tokens that a text has with short frequencies; ``None`` where frequencies do not change."""
    parameters = getattr(module.config.get_text_config(decoder=True), "rope_parameters", None) or {}
    kinds = parameters.values() if all(isinstance(kind, Mapping) for kind in parameters.values()) else [parameters]
    lengths = [kind["original_max_position_embeddings"] for kind in kinds if kind.get("rope_type") == "longrope"]
    return min(lengths, default=None)


def choose_frequencies_by_call(module: PreTrainedModel) -> None:
    """Have rotary embeddings with two sets of frequencies take the right one, and leave the module as it is."""
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    for part in module.modules():
        if getattr(part, "rope_type", None) == "longrope":
            switch = part.config.rope_parameters["original_max_position_embeddings"]
            find = ROPE_INIT_FUNCTIONS["longrope"]
            short, long = (find(part.config, part.inv_freq.device, seq_len=length)[0] for length in (1, switch + 1))
            part.forward = _Rotary(part, short, long, switch)


class _Rotary:
    """The ``forward`` of a rotary embedding, as a function of its arguments alone."""

    def __init__(self, part: Any, short: torch.Tensor, long: torch.Tensor, switch: int) -> None:
        self._part = weakref.proxy(part)  # which holds this
        self._forward = inspect.unwrap(type(part).forward)
        self._short, self._long, self._switch = short, long, switch

    def __call__(self, x: torch.Tensor, position_ids: torch.Tensor) -> Any:
        beyond = position_ids.max() >= self._switch
        frequencies = torch.where(beyond, self._long.to(x.device), self._short.to(x.device))
        return self._forward(_View(self._part, frequencies), x, position_ids)


class _View:
    """A rotary embedding with other frequencies."""

    def __init__(self, part: Any, inv_freq: torch.Tensor) -> None:
        self._part = part
        self.inv_freq = inv_freq

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)


class LongRopeSlots:
    """``count`` sequences in one transformers model, see ``Slots``; ``switch``: see ``switch_length``."""

    rewinds = True
    extends = True
    branches = False

    def __init__(self, module: PreTrainedModel, count: int, switch: int, free_tokens: int = 32) -> None:
        self._slots = KeyValueSlots(module, count, free_tokens)
        self._switch = switch
        self._ids: list[list[int]] = [[] for _ in range(count)]
        self._long = [False] * count
        self.count = count
        self.free_tokens = free_tokens

    def forward(self, chunks: Sequence[Chunk]) -> list[torch.Tensor]:
        """See ``Slots``; logits on both sides of the switch take a pass each."""
        logits: dict[int, list[torch.Tensor]] = {chunk.slot: [] for chunk in chunks}
        for long in (False, True):
            parts = [part for chunk in chunks if (part := self._part(chunk, long=long))]
            if parts:
                results = self._slots.forward(parts, reach=self._switch if long else 0)
                for part, result in zip(parts, results, strict=True):
                    logits[part.slot].append(result)
        return [torch.cat(logits[chunk.slot]) for chunk in chunks]

    def _part(self, chunk: Chunk, *, long: bool) -> Chunk | None:
        """What is to be read for a chunk's logits on one side of the switch, if it has any there."""
        ids = self._ids[chunk.slot]
        if not long:
            ids += chunk.token_ids
        ends = range(len(ids) - chunk.keep + 1, len(ids) + 1)
        kept = [end for end, beyond in ((end, end > self._switch) for end in ends) if beyond == long]
        if not kept:
            return None
        if self._long[chunk.slot] != long:
            self._slots.rewind(chunk.slot, 0)
            self._long[chunk.slot] = long
        return Chunk(chunk.slot, ids[self._slots.length(chunk.slot) : kept[-1]], len(kept))

    def rewind(self, slot: int, length: int) -> None:
        """See ``Slots``."""
        del self._ids[slot][length:]
        self._slots.rewind(slot, min(length, self._slots.length(slot)))

    def save(self, slot: int) -> Memory:
        """See ``Slots``."""
        memory = self._slots.save(slot)
        return Memory(len(self._ids[slot]), memory.nbytes, (list(self._ids[slot]), self._long[slot], memory))

    def load(self, slot: int, memory: Memory) -> None:
        """See ``Slots``."""
        ids, self._long[slot], inner = memory.content
        self._ids[slot] = list(ids)
        self._slots.load(slot, inner)
