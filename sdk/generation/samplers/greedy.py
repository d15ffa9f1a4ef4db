"""The most probable allowed token, always."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

__all__ = ["Greedy"]


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes the first of the most probable tokens."""

    def __call__(self, logits: torch.Tensor, allowed: torch.Tensor, generator: torch.Generator) -> int:  # noqa: ARG002
        """See ``Sampler``; ``generator`` is left untouched."""
        return int(logits.masked_fill(~allowed, float("-inf")).argmax())
