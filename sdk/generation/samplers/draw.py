"""A random allowed token, by the model's probabilities after some transforms.

One uniform number chooses one token, where the cumulated probabilities pass it. The numbers come from a sequence's
own generator on the CPU, one for each token, so a seed means the same on every device, and whatever is drafted or
shares the batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        cumulated = logits.softmax(-1).cumsum(-1)
        total = cumulated[:, -1:]
        wanted = positions.uniforms.to(total.device, total.dtype)[:, None] * total
        # rounding may reach the total, where no token is left
        wanted = wanted.minimum(total.nextafter(total.new_zeros(())))
        return (cumulated > wanted).int().argmax(-1)
