"""The part of the prompt that many documents have in common, computed once.

Instructions, the outline of the answer and examples come first in a prompt, the document last. The model's memory of
the common tokens is kept, and copied into each slot that starts with them. The least recently used are dropped when
a budget of bytes is used up.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from sdk.generation.slots import Chunk, Memory, Slots

__all__ = ["Prefixes"]


class Prefixes:
    """Memories of common prefixes of one model, by their tokens. Shared by threads.

    ``budget``: bytes kept on the model's device.
    """

    def __init__(self, budget: int = 1 << 29) -> None:
        self._budget = budget
        self._lock = threading.Lock()
        self._memories: OrderedDict[tuple[int, ...], Memory] = OrderedDict()

    def load(self, slots: Slots, slot: int, token_ids: Sequence[int]) -> bool:
        """Make an empty slot remember ``token_ids``; whether that took a forward pass."""
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
            while sum(kept.nbytes for kept in self._memories.values()) > self._budget:
                self._memories.popitem(last=False)
