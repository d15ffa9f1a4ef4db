"""A random allowed token, by the model's probabilities raised to the power 1 / temperature.

Random numbers are drawn on the CPU whatever the model's device, so that a seed means the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

__all__ = ["Temperature"]


@dataclass(frozen=True, slots=True)
class Temperature:
    """``temperature`` > 0: below 1 sharpens the distribution, above 1 flattens it."""

    temperature: float = 1.0

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for a temperature that is not positive."""
        if not 0 < self.temperature < float("inf"):
            raise ValueError(f"expected a positive, finite temperature, found {self.temperature}")

    def __call__(self, logits: torch.Tensor, allowed: torch.Tensor, generator: torch.Generator) -> int:
        """See ``Sampler``."""
        import torch

        masked = logits.masked_fill(~allowed, float("-inf"))
        probabilities = (masked / self.temperature).softmax(0)
        return int(torch.multinomial(probabilities.cpu(), 1, generator=generator))
