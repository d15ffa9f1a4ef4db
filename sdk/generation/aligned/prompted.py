"""A model and a prompt as a function from prefixes to log-probabilities.

Draws jump between prefixes, so a slot is not one draw's: each question goes to the slot that remembers most of the
prefix already, which takes back the rest.

    slots remember   {"shop": "Ace    {"total": 9        asked   {"shop": "Aca     slot 0, back to  {"shop": "A
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
    """See ``LogProbabilities``. ``temperature`` > 0 divides the logits."""

    def __init__(self, slots: Slots, prompt: Sequence[int], temperature: float = 1.0) -> None:
        """Raises ``ValueError`` for a temperature that is not positive."""
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
        chunks = [self._chunk(slot, text) for slot, text in self._assigned([[*self._prompt, *p] for p in prefixes])]
        scaled = [logits[-1].cpu().double() / self._temperature for logits in self._slots.forward(chunks)]
        return [logits.log_softmax(-1).numpy() for logits in scaled]

    def _assigned(self, texts: Sequence[list[int]]) -> list[tuple[int, list[int]]]:
        """A slot for each text, the one that remembers most of it."""
        free = list(range(self._slots.count))
        pairs = []
        for text in texts:
            slot = max(free, key=lambda slot: _common(self._held[slot], text))
            free.remove(slot)
            pairs.append((slot, text))
        return pairs

    def _chunk(self, slot: int, text: list[int]) -> Chunk:
        """What a slot has to read; the last token is always read, since its logits are wanted."""
        held, kept = self._held[slot], min(_common(self._held[slot], text), len(text) - 1)
        start = len(self._prompt) - 1
        if kept < start or (kept < len(held) and not self._slots.rewinds):
            self._slots.rewind(slot, 0)
            self._prefixes.load(self._slots, slot, self._prompt[:start])
            kept = start
        else:
            self._slots.rewind(slot, kept)
        self._held[slot] = text
        return Chunk(slot, text[kept:])


def _common(left: Sequence[int], right: Sequence[int]) -> int:
    """How many tokens two texts begin with in common."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, (mine, its) in pairs if mine != its), min(len(left), len(right)))
