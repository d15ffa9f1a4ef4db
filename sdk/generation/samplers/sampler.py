"""What a sampler is: a function of the raw logits, the mask and one sequence's random numbers.

The logits come unmasked on purpose. Most samplers mask first; those that correct a mask's bias (grammar-aligned
decoding) need the probability of what it removes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import torch

__all__ = ["Sampler"]


class Sampler(Protocol):
    """Policy without state: what differs between sequences is in ``generator``, which lives on the CPU."""

    def __call__(self, logits: torch.Tensor, allowed: torch.Tensor, generator: torch.Generator) -> int:
        """The id of an allowed token. ``logits``: float32 ``[V]``; ``allowed``: bool ``[V]``, at least one true."""
        ...
