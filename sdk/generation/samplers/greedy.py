"""The most probable allowed token, always: the same text every time, and no random numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdk.generation.samplers.sampler import Positions, Transform

if TYPE_CHECKING:
    import torch

__all__ = ["Greedy"]


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes the most probable token after ``transforms``; of equal ones, that with the lowest id."""

    transforms: tuple[Transform, ...] = ()

    def __call__(self, positions: Positions) -> torch.Tensor:
        """See ``Sampler``."""
        logits = positions.masked
        for transform in self.transforms:
            logits = transform(logits, positions)
        return logits.argmax(-1)
