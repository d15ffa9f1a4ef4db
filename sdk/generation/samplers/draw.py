"""A random allowed token, by the model's probabilities after some transforms.

The random number of a position decides a race among the tokens (see ``race``). The numbers come from a sequence's own
generator on the CPU, one for each token of output, so a seed gives the same text on every device, whatever is drafted,
and whatever else is in the batch. Logits that differ in their last bits from one pass to another change a token with a
probability about as small as the differences; ``python -m tests.benchmarks.seeds`` counts the texts that differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdk.generation.samplers.race import race
from sdk.generation.samplers.sampler import Positions, Transform

if TYPE_CHECKING:
    import torch

__all__ = ["Draw"]


@dataclass(frozen=True, slots=True)
class Draw:
    """``Draw((Temperature(0.7), TopP(0.9)))`` sharpens, then cuts the tail off, then draws."""

    transforms: tuple[Transform, ...] = ()

    def __call__(self, positions: Positions) -> torch.Tensor:
        """See ``Sampler``."""
        logits = positions.masked
        for transform in self.transforms:
            logits = transform(logits, positions)
        return race(logits.softmax(-1), positions.uniforms)
