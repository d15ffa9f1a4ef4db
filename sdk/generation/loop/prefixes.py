"""The beginning of the prompt that many documents have in common, computed once.

Instructions, the outline of the answer and examples come first in a prompt, the document last. The model's memory of
the common tokens is kept, and copied into each slot that starts with them:

    system …, example 1, example 2, | document A …      the part before the bar is computed for the first document,
    system …, example 1, example 2, | document B …      and copied for the second

Source: SGLang's RadixAttention (Zheng et al. 2024) shares prefixes in a tree; here a prompt has one, known beforehand.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from sdk.generation.slots import Chunk, Memory, Slots

__all__ = ["Prefixes"]


class Prefixes:
    """Memories of common prefixes of one model, by their tokens. Shared by threads.

    ``budget``: bytes kept on the model's device; the least recently used memories are dropped when they are used up.
    The default, 512 MiB, holds a prompt of 4,096 tokens of a model that takes 128 KiB a token (Llama 3.1 8B, 16 bits);
    chosen, not measured.
    """

    def __init__(self, budget: int = 1 << 29) -> None:
        self._budget = budget
        self._lock = threading.Lock()
        self._memories: OrderedDict[tuple[int, ...], Memory] = OrderedDict()

    def load(self, slots: Slots, slot: int, token_ids: Sequence[int]) -> bool:
        """Make an empty slot remember ``token_ids``. Gives whether that took a forward pass."""
        if not token_ids:
            return False
        key = tuple(token_ids)
        with self._lock:
            memory = self._memories.get(key)
            if memory is not None:
                self._memories.move_to_end(key)
        if memory is not None:
            slots.load(slot, memory)
            return False
        slots.forward([Chunk(slot, key)])
        self._keep(key, slots.save(slot))
        return True

    def _keep(self, key: tuple[int, ...], memory: Memory) -> None:
        with self._lock:
            self._memories[key] = memory
            while sum(each.nbytes for each in self._memories.values()) > self._budget:
                self._memories.popitem(last=False)
