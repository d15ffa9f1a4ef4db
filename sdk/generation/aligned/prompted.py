"""A model and a prompt as a function from prefixes to log-probabilities.

Attempts end and begin anew, so slots do not belong to draws: each prefix goes to the slot that remembers most of it
already, which takes back its other tokens.

    slots remember   {"shop": "Ace    {"total": 9     the prefix {"shop": "Aca goes to slot 0, rewound to {"shop": "A
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sdk.generation.aligned.answers import Prefix
from sdk.generation.loop.prefixes import Prefixes
from sdk.generation.slots import Chunk, Slots

__all__ = ["Prompted"]


class Prompted:
    """The model of ``slots`` after ``prompt``, a ``LogProbabilities``. ``temperature`` > 0 divides the logits."""

    def __init__(self, slots: Slots, prompt: Sequence[int], temperature: float = 1.0) -> None:
        """Raises ``ValueError`` for a temperature that is not positive and finite."""
        if not 0 < temperature < float("inf"):
            raise ValueError(f"expected temperature to be a positive, finite number, found {temperature}")
        self._slots = slots
        self._prompt = list(prompt)
        self._temperature = temperature
        self._prefixes = Prefixes()
        self._held: list[list[int]] = [[] for _ in range(slots.count)]

    def __call__(self, prefixes: Sequence[Prefix]) -> list[npt.NDArray[np.float64]]:
        """See ``LogProbabilities``; as many prefixes share a pass as there are slots."""
        size = self._slots.count
        groups = [prefixes[start : start + size] for start in range(0, len(prefixes), size)]
        return [answer for group in groups for answer in self._pass(group)]

    def _pass(self, prefixes: Sequence[Prefix]) -> list[npt.NDArray[np.float64]]:
        texts = [[*self._prompt, *prefix] for prefix in prefixes]
        chunks = [self._chunk(slot, text) for slot, text in self._assign_slots(texts)]
        scaled = [logits[-1].cpu().double() / self._temperature for logits in self._slots.forward(chunks)]
        return [logits.log_softmax(-1).numpy() for logits in scaled]

    def _assign_slots(self, texts: Sequence[list[int]]) -> list[tuple[int, list[int]]]:
        """For each text in turn, the free slot that remembers most of it."""
        free = list(range(self._slots.count))
        pairs = []
        for text in texts:
            slot = max(free, key=lambda slot: _common_length(self._held[slot], text))
            free.remove(slot)
            pairs.append((slot, text))
        return pairs

    def _chunk(self, slot: int, text: list[int]) -> Chunk:
        """The tokens that a slot has to read; the last one is always read, since the logits after it are wanted."""
        held, kept = self._held[slot], min(_common_length(self._held[slot], text), len(text) - 1)
        start = len(self._prompt) - 1
        if kept < start or (kept < len(held) and not self._slots.rewinds):
            self._slots.rewind(slot, 0)
            self._prefixes.load(self._slots, slot, self._prompt[:start])
            kept = start
        else:
            self._slots.rewind(slot, kept)
        if not self._slots.extends and len(text) - kept > 1:  # such a slot takes several tokens only at once
            self._slots.rewind(slot, 0)
            kept = 0
        self._held[slot] = text
        return Chunk(slot, text[kept:])


def _common_length(left: Sequence[int], right: Sequence[int]) -> int:
    """How many tokens two texts begin with in common."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(left), len(right)))
