"""A random allowed token, by the model's probabilities after some transforms.

One uniform number chooses one token, where the cumulated probabilities pass it (inverse transform sampling):

    probabilities 0.5 0.2 0.3     cumulated 0.5 0.7 1.0     the number 0.6 chooses the second token

The numbers come from a sequence's own generator on the CPU, one for each token of output, so a seed gives the same
text on every device, whatever is drafted, and whatever else is in the batch.
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
        threshold = positions.uniforms.to(total.device, total.dtype)[:, None] * total
        # rounding may reach the total, which nothing exceeds
        threshold = threshold.minimum(total.nextafter(total.new_zeros(())))
        return (cumulated > threshold).int().argmax(-1)
