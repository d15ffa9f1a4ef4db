"""Keys and values of several sequences in one tensor, for transformers models made of attention layers.

The new tokens of all chunks form one row, each with the position in its own sequence:

    slot 0 (5 tokens before)   h            row        h c d e j k
    slot 1 (2 tokens before)   c d e        positions  5 2 3 4 9 10
    slot 2 (9 tokens before)   j k          slots      0 1 1 1 2 2

New keys and values are scattered to their own slot and position, and attention looks at each slot by itself
(``attention``). A token attends to the columns up to its own position, so taking tokens back is setting a length.
Only the tokens of a tree have columns that are not their positions, and see those of their own branch:

    a b + (c, d e)      columns  0 1 2 3 4      positions  0 1 2 2 3      e sees the columns 0 1 3 4

Source: the layer is the extension point of transformers' ``Cache``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import torch
from transformers import Cache, DynamicCache
from transformers.cache_utils import CacheLayerMixin, DummyLayer, DynamicLayer, DynamicSlidingWindowLayer

from sdk.generation.masking import send
from sdk.generation.models.attention import PACKED, Packing
from sdk.generation.slots import Chunk, Memory

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["KeyValueSlots"]

_LONGEST_ROW = 2048
"""The most tokens of a pass, since the attention mask has an entry for each new token and each token before it.

2,048 tokens fill a device, and their mask over a context of 32,768 takes 128 MiB in 16 bits; chosen, not measured.
"""

_FIRST_CAPACITY = 256
"""The least number of tokens to allocate for in each slot, so that a short prompt does not grow it step by step.

A power of two, as all capacities are; chosen, not measured.
"""

_SHORT_CHUNK = 32
"""Chunks of at most so many tokens have their attention computed together, longer ones each by itself.

A draft has fewer tokens, a prompt more; between them little depends on it. Chosen, not measured.
"""

_LayerMemory: TypeAlias = tuple[torch.Tensor, torch.Tensor]


class _SlotLayer(CacheLayerMixin):  # type: ignore[misc]  # transformers is not followed by mypy
    """One layer's keys and values: ``[count, heads, capacity, size]``.

    ``places``: slot and column of each token of the current row, int64 ``[2, T]``.
    """

    is_sliding = False

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.capacity = 0
        self.places: torch.Tensor | None = None

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        """Allocate for states like these; zeros, since masked entries still take part in sums, with weight 0."""
        self.keys, self.values = (
            states.new_zeros(self.count, states.shape[1], self.capacity, states.shape[3])
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
                new[:, :, :old_capacity] = states

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Write the row's states ``[1, heads, T, size]``; gives all keys and all values."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        assert self.places is not None
        slots, columns = self.places.to(self.keys.device)
        self.keys[slots, :, columns] = key_states[0].transpose(0, 1)
        self.values[slots, :, columns] = value_states[0].transpose(0, 1)
        return self.keys, self.values

    def get_seq_length(self) -> int:
        """Lengths differ from slot to slot, so a model that goes by the cache's length does not fit slots."""
        raise NotImplementedError("a length that all slots have")

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """See ``get_seq_length``: passes bring masks with them."""
        raise NotImplementedError("a length that all slots have")

    def get_max_length(self) -> int:
        """No limit."""
        return -1


class KeyValueSlots:
    """``count`` sequences in one transformers model, see ``Slots``. Their capacity grows by doubling."""

    rewinds = True
    extends = True
    branches = True

    def __init__(self, module: PreTrainedModel, count: int, free_tokens: int = 32) -> None:
        """``module`` must be one that ``fits``; ``free_tokens``: what ``pass_cost`` finds, or about that of a CPU."""
        config = module.config.get_text_config(decoder=True)
        self._module = module
        dynamic = DynamicCache(config=config).layers
        layers = [layer if isinstance(layer, DummyLayer) else _SlotLayer(count) for layer in dynamic]
        self._layers = [layer for layer in layers if isinstance(layer, _SlotLayer)]
        self._cache = Cache(layers=layers)
        self._windows = _windows(config)
        self._lengths = [0] * count
        self._capacity = 0
        self.count = count
        self.free_tokens = free_tokens

    @staticmethod
    def fits(module: PreTrainedModel) -> bool:
        """Whether a model's configuration says that each layer is full or sliding-window attention over slots.

        The configuration does not say all; whether the model's answers are right is found out by ``probe``.
        """
        config = module.config.get_text_config(decoder=True)
        layers = DynamicCache(config=config).layers
        return (
            bool(layers)
            and {type(layer) for layer in layers} <= {DynamicLayer, DynamicSlidingWindowLayer, DummyLayer}
            and {*(getattr(config, "layer_types", None) or ())} <= {"full_attention", "sliding_attention"}
            and getattr(config, "attention_chunk_size", None) is None
            and module.config._attn_implementation == PACKED
            and {"position_ids", "logits_to_keep"} <= {*inspect.signature(module.forward).parameters}
        )

    def length(self, slot: int) -> int:
        """How many tokens a slot remembers."""
        return self._lengths[slot]

    def forward(self, chunks: Sequence[Chunk], *, reach: int = 0) -> list[torch.Tensor]:
        """See ``Slots``; ``reach``: a position that each pass has or exceeds, where all chunks end beyond it."""
        logits: dict[int, torch.Tensor] = {}
        with torch.inference_mode():
            self._reserve(max(self._lengths[chunk.slot] + len(chunk.token_ids) for chunk in chunks))
            for row in _rows(chunks):
                logits.update(self._pass(row, reach))
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

    def _reserve(self, length: int) -> None:
        """See to it that each slot can hold ``length`` tokens."""
        if length > self._capacity:
            self._capacity = max(_FIRST_CAPACITY, 1 << (length - 1).bit_length())
            for layer in self._layers:
                layer.grow(self._capacity)

    def _pass(self, chunks: Sequence[Chunk], reach: int) -> Iterator[tuple[int, torch.Tensor]]:
        """One forward pass over chunks in the order of their slots; for each, its slot and its logits ``[keep, V]``."""
        device = self._module.device
        ids: list[int] = []
        slots: list[int] = []
        columns: list[int] = []
        positions: list[int] = []
        kept: list[int] = []
        parts: list[tuple[int, int, int]] = []
        trees: list[_Tree] = []
        for chunk in chunks:
            start, count = self._lengths[chunk.slot], len(chunk.token_ids)
            ids += chunk.token_ids
            slots += [chunk.slot] * count
            columns += range(start, start + count)
            tree = _Tree(len(ids) - len(chunk.parents), start + count - len(chunk.parents), chunk.parents)
            trees += [tree] * bool(chunk.parents)
            positions += [*range(start, tree.column), *tree.positions]
            kept += range(len(ids) - chunk.keep, len(ids))
            parts.append((chunk.slot, count, start + count))
            self._lengths[chunk.slot] += count
        if max(positions) < reach:  # the last chunk goes on beyond: a token that its own one at that place replaces
            ids.append(ids[-1])
            slots.append(slots[-1])
            columns.append(reach)
            positions.append(reach)
            parts[-1] = chunk.slot, count + 1, start + count
        numbers = send([ids, slots, columns, positions], device)
        for layer in self._layers:
            layer.places = numbers[1:3]
        output = self._module(
            input_ids=numbers[:1],
            position_ids=numbers[3:],
            attention_mask=self._attention(numbers[3], max(length for *_, length in parts), trees),
            cache=self._cache,
            use_cache=True,
            logits_to_keep=send(kept, device),
            packing=Packing.of(parts, _SHORT_CHUNK, device),
        )
        logits = output.logits[0].to(device, torch.float32).split([chunk.keep for chunk in chunks])
        return zip((chunk.slot for chunk in chunks), logits, strict=True)

    def _attention(
        self, positions: torch.Tensor, used: int, trees: Sequence[_Tree]
    ) -> torch.Tensor | dict[str, torch.Tensor]:
        """Masks ``[1, 1, T, used]`` as the model takes them: one, or one for each type of layer.

        ``positions``: ``[T]``, those of the new tokens. A mask is added to scores: 0, or the lowest number.
        """
        columns, own = torch.arange(used, device=positions.device), positions[:, None]
        lowest = torch.finfo(self._module.dtype).min
        masks = {}
        for kind, window in self._windows.items():
            hidden = columns > own if window is None else (columns > own) | (columns <= own - window)
            for tree in trees:
                rows, places = (slice(first, first + len(tree.positions)) for first in (tree.row, tree.column))
                hidden[rows, places] = send(tree.hidden(window), positions.device)
            zeros = torch.zeros_like(hidden, dtype=self._module.dtype)
            masks[kind] = zeros.masked_fill_(hidden, lowest)[None, None]
        return masks.get("", masks)


class _Tree:
    """The tree of a chunk: its first ``row``, its first ``column``, and the position of each token."""

    def __init__(self, row: int, column: int, parents: Sequence[int]) -> None:
        self.row = row
        self.column = column
        self.positions: list[int] = []
        self._seen = np.eye(len(parents), dtype=np.bool_)
        for number, parent in enumerate(parents):
            self.positions.append(column if parent < 0 else self.positions[parent] + 1)
            if parent >= 0:
                self._seen[number] |= self._seen[parent]

    def hidden(self, window: int | None) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Which tokens of the tree each of them does not see: bool ``[size, size]``."""
        if window is None:
            return ~self._seen
        positions = np.array(self.positions)
        return ~self._seen | (positions[None] <= positions[:, None] - window)


def _windows(config: Any) -> dict[str, int | None]:
    """The window of each type of layer, ``None`` for no limit; in models with one type of layer, its name is ``""``."""
    window = getattr(config, "sliding_window", None)
    if not hasattr(config, "layer_types"):
        return {"": window}
    return {kind: window if kind == "sliding_attention" else None for kind in config.layer_types}


def _rows(chunks: Sequence[Chunk]) -> Iterator[list[Chunk]]:
    """Chunks by the pass that they share, in the order of their slots; one that is too long takes several passes."""
    row: list[Chunk] = []
    for chunk in sorted(chunks, key=lambda chunk: chunk.slot):
        token_ids = chunk.token_ids
        while len(token_ids) > max(_LONGEST_ROW, chunk.keep):
            cut = min(_LONGEST_ROW, len(token_ids) - chunk.keep)
            yield [Chunk(chunk.slot, token_ids[:cut])]
            token_ids = token_ids[cut:]
        if row and sum(len(part.token_ids) for part in row) + len(token_ids) > _LONGEST_ROW:
            yield row
            row = []
        row.append(Chunk(chunk.slot, token_ids, chunk.keep, chunk.parents))
    yield row
