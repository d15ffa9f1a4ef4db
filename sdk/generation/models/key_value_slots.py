"""Keys and values of several sequences in one tensor, for transformers models made of attention layers.

Chunks of different lengths are right-aligned in one batch, so that the last column holds every slot's last token:

    slot 0 (5 tokens before)   .  .  h        positions  0 0 5
    slot 1 (2 tokens before)   c  d  e                   2 3 4
    slot 2 (9 tokens before)   .  j  k                   0 9 10

New keys and values are scattered to their own slot and position; padding (``.``) writes to an extra column that
no token attends to. A token attends to the columns up to its own position, so taking tokens back is setting a length.

Source: the layer is the extension point of transformers' ``Cache``; right-aligned batches are its left padding.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from transformers import Cache, DynamicCache
from transformers.cache_utils import CacheLayerMixin, DynamicLayer, DynamicSlidingWindowLayer

from sdk.generation.masking import send
from sdk.generation.models.attention import GROUPED
from sdk.generation.slots import Chunk, Memory

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["KeyValueSlots"]

_LONGEST_CHUNK = 2048
"""Longer chunks take several passes, since the attention mask has an entry for each new token and each token before it.

2,048 tokens fill a device, and their mask over a context of 32,768 takes 128 MiB in 16 bits; chosen, not measured.
"""

_FIRST_CAPACITY = 256
"""The least number of tokens to allocate for in each slot, so that a short prompt does not grow it step by step.

A power of two, as all capacities are; chosen, not measured.
"""

_FREE_TOKENS_CPU = 32
_FREE_TOKENS_ACCELERATOR = 256
"""``free_tokens`` on a CPU and elsewhere.

A pass over few tokens spends its time on reading weights; computing takes as long at about so many tokens, fewer where
computing is slow. On a CPU, drafts stop paying at about this number (see ``loop``); the other is chosen, not measured.
"""

_LayerMemory: TypeAlias = tuple[torch.Tensor, torch.Tensor]


@dataclass(frozen=True, slots=True)
class _PassIndices:
    """Where a pass over ``R`` slots and ``Q`` new tokens reads and writes in each layer's keys and values.

    ``slots``: the slots that are read. ``rows`` ``[R, 1]`` and ``columns`` ``[R, Q]``: where new tokens are written.
    ``used``: how many columns are read, enough for the longest slot.
    """

    slots: slice | torch.Tensor
    rows: torch.Tensor
    columns: torch.Tensor
    used: int


class _SlotLayer(CacheLayerMixin):  # type: ignore[misc]  # transformers is not followed by mypy
    """One layer's keys and values: ``[count, heads, capacity + 1, size]``, the last column for padding."""

    is_sliding = False

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.capacity = 0
        self.indices: _PassIndices | None = None

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        """Allocate for states like these; zeros, since masked entries still take part in sums, with weight 0."""
        self.keys, self.values = (
            states.new_zeros(self.count, states.shape[1], self.capacity + 1, states.shape[3])
            for states in (key_states, value_states)
        )
        self.is_initialized = True

    def grow(self, capacity: int) -> None:
        """Allocate for ``capacity`` tokens in each slot, and keep what is there."""
        old_capacity, self.capacity = self.capacity, capacity
        if self.is_initialized:
            old = self.keys, self.values
            self.lazy_initialization(*old)
            for new, states in zip((self.keys, self.values), old, strict=True):
                new[:, :, :old_capacity] = states[:, :, :old_capacity]

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Write the new states ``[R, heads, Q, size]``; gives keys and values ``[R, heads, used, size]``."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        indices = self.indices
        assert indices is not None
        rows, columns = indices.rows.to(self.keys.device), indices.columns.to(self.keys.device)
        self.keys[rows, :, columns] = key_states.transpose(1, 2)
        self.values[rows, :, columns] = value_states.transpose(1, 2)
        slots = indices.slots if isinstance(indices.slots, slice) else indices.slots.to(self.keys.device)
        return self.keys[slots, :, : indices.used], self.values[slots, :, : indices.used]

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:  # noqa: ARG002  # transformers names it
        """Columns returned by ``update``, and the position of the first."""
        return (self.indices.used if self.indices else 0), 0

    def get_seq_length(self) -> int:
        """0: lengths differ from slot to slot, so each pass brings its positions and masks."""
        return 0

    def get_max_length(self) -> int:
        """No limit."""
        return -1


class KeyValueSlots:
    """``count`` sequences in one transformers model, see ``Slots``. Their capacity grows by doubling."""

    rewinds = True

    def __init__(self, module: PreTrainedModel, count: int) -> None:
        """``module`` must be one that ``fits``."""
        config = module.config.get_text_config(decoder=True)
        self._module = module
        self._layers = [_SlotLayer(count) for _ in DynamicCache(config=config).layers]
        self._cache = Cache(layers=self._layers)
        self._windows = _windows(config)
        self._lengths = [0] * count
        self._capacity = 0
        self.count = count
        self.free_tokens = _FREE_TOKENS_CPU if module.device.type == "cpu" else _FREE_TOKENS_ACCELERATOR

    @staticmethod
    def fits(module: PreTrainedModel) -> bool:
        """Whether every layer is plain or sliding-window attention that takes masks and positions as arguments."""
        config = module.config.get_text_config(decoder=True)
        layers = DynamicCache(config=config).layers
        return (
            bool(layers)
            and {type(layer) for layer in layers} <= {DynamicLayer, DynamicSlidingWindowLayer}
            and {*(getattr(config, "layer_types", None) or ())} <= {"full_attention", "sliding_attention"}
            and getattr(config, "attention_chunk_size", None) is None
            and module.config._attn_implementation in ("sdpa", GROUPED, "eager")
            and {"position_ids", "logits_to_keep"} <= {*inspect.signature(module.forward).parameters}
        )

    def forward(self, chunks: Sequence[Chunk]) -> list[torch.Tensor]:
        """See ``Slots``."""
        with torch.inference_mode():
            chunks = [self._last_part(chunk) for chunk in chunks]
            self._reserve(max(self._lengths[chunk.slot] + len(chunk.token_ids) for chunk in chunks))
            logits: dict[int, torch.Tensor] = {}
            for group in _groups(chunks, self.free_tokens):
                logits.update(self._pass(group))
            return [logits[chunk.slot] for chunk in chunks]

    def rewind(self, slot: int, length: int) -> None:
        """See ``Slots``."""
        assert 0 <= length <= self._lengths[slot]
        self._lengths[slot] = length

    def save(self, slot: int) -> Memory:
        """See ``Slots``."""
        length = self._lengths[slot]
        content: list[_LayerMemory] = [
            (layer.keys[slot, :, :length].clone(), layer.values[slot, :, :length].clone()) for layer in self._layers
        ]
        return Memory(length, sum(states.nbytes for layer in content for states in layer), content)

    def load(self, slot: int, memory: Memory) -> None:
        """See ``Slots``."""
        self._reserve(memory.length)
        with torch.inference_mode():
            for layer, (keys, values) in zip(self._layers, memory.content, strict=True):
                if not layer.is_initialized:
                    layer.lazy_initialization(keys[None], values[None])
                layer.keys[slot, :, : memory.length] = keys
                layer.values[slot, :, : memory.length] = values
        self._lengths[slot] = memory.length

    def _last_part(self, chunk: Chunk) -> Chunk:
        """The end of a chunk, short enough for one pass; passes over the tokens before it are made here."""
        token_ids = chunk.token_ids
        while len(token_ids) > max(_LONGEST_CHUNK, chunk.keep):
            part, token_ids = token_ids[:_LONGEST_CHUNK], token_ids[_LONGEST_CHUNK:]
            self._reserve(self._lengths[chunk.slot] + len(part))
            self._pass([Chunk(chunk.slot, part)])
        return Chunk(chunk.slot, token_ids, chunk.keep)

    def _reserve(self, length: int) -> None:
        """See to it that each slot can hold ``length`` tokens."""
        if length > self._capacity:
            self._capacity = max(_FIRST_CAPACITY, 1 << (length - 1).bit_length())
            for layer in self._layers:
                layer.grow(self._capacity)

    def _pass(self, chunks: Sequence[Chunk]) -> Iterator[tuple[int, torch.Tensor]]:
        """One forward pass; for each chunk, its slot and its logits ``[keep, V]``."""
        device = self._module.device
        longest = max(len(chunk.token_ids) for chunk in chunks)
        keep = max(chunk.keep for chunk in chunks)
        ids, positions, columns = [], [], []
        for chunk in chunks:
            start, padding = self._lengths[chunk.slot], longest - len(chunk.token_ids)
            own = list(range(start, start + len(chunk.token_ids)))
            ids.append([0] * padding + list(chunk.token_ids))
            positions.append([0] * padding + own)
            columns.append([self._capacity] * padding + own)
            self._lengths[chunk.slot] += len(own)
        used = max(self._lengths[chunk.slot] for chunk in chunks)
        numbers = send([ids, positions, columns], device)
        indices = _indices([chunk.slot for chunk in chunks], numbers[2], used)
        for layer in self._layers:
            layer.indices = indices
        output = self._module(
            input_ids=numbers[0],
            position_ids=numbers[1],
            attention_mask=self._attention(numbers[1], used),
            cache=self._cache,
            use_cache=True,
            logits_to_keep=keep,
        )
        logits = output.logits.to(device, torch.float32)
        return ((chunk.slot, logits[row, keep - chunk.keep :]) for row, chunk in enumerate(chunks))

    def _attention(self, positions: torch.Tensor, used: int) -> torch.Tensor | dict[str, torch.Tensor]:
        """Masks ``[R, 1, Q, used]`` as the model takes them: one, or one for each type of layer.

        ``positions``: ``[R, Q]``, those of the new tokens.
        """
        columns = torch.arange(used, device=positions.device)
        causal = columns <= positions[:, None, :, None]
        masks = {
            kind: causal if window is None else causal & (columns > positions[:, None, :, None] - window)
            for kind, window in self._windows.items()
        }
        if self._module.config._attn_implementation in (GROUPED, "eager"):  # these would convert it in each layer
            lowest = torch.finfo(self._module.dtype).min
            masks = {
                kind: torch.zeros_like(mask, dtype=self._module.dtype).masked_fill_(~mask, lowest)
                for kind, mask in masks.items()
            }
        return masks.get("", masks)


def _windows(config: Any) -> dict[str, int | None]:
    """The window of each type of layer, ``None`` for no limit; in models with one type of layer, its name is ``""``."""
    window = getattr(config, "sliding_window", None)
    if not hasattr(config, "layer_types"):
        return {"": window}
    return {kind: window if kind == "sliding_attention" else None for kind in config.layer_types}


def _indices(slots: list[int], columns: torch.Tensor, used: int) -> _PassIndices:
    """The indices of a pass over ``slots``: neighbouring ones are read in place, others gathered."""
    numbers = send(slots, columns.device)
    in_place = slots == list(range(slots[0], slots[0] + len(slots)))
    return _PassIndices(slice(slots[0], slots[-1] + 1) if in_place else numbers, numbers[:, None], columns, used)


def _groups(chunks: Sequence[Chunk], free_tokens: int) -> Iterator[list[Chunk]]:
    """Chunks by the pass that they share: more padding than ``free_tokens`` would cost more than another pass."""
    group: list[Chunk] = []
    padding = 0
    for chunk in sorted(chunks, key=lambda chunk: (-len(chunk.token_ids), chunk.slot)):
        if group:
            padding += len(group[0].token_ids) - len(chunk.token_ids)
        if padding > free_tokens:
            yield sorted(group, key=lambda chunk: chunk.slot)
            group, padding = [], 0
        group.append(chunk)
    yield sorted(group, key=lambda chunk: chunk.slot)
