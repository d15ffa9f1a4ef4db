"""What a sampler is: a function of raw logits, masks and random numbers, for many positions at once.

The logits come unmasked on purpose. Most samplers mask first; those that correct a mask's bias (grammar-aligned
decoding) need the probability of what it removes. Tokens for the positions of different sequences, and of one
sequence's draft, are chosen in one call, so that a step waits for the device once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import torch

__all__ = ["Positions", "Sampler", "Transform"]


@dataclass(frozen=True, slots=True)
class Positions:
    """``R`` positions where a token is to be chosen, over a vocabulary of ``V`` tokens.

    ``logits``: float32 ``[R, V]``, raw. ``allowed``: bool ``[R, V]``, at least one true in each row. ``uniforms``:
    float64 ``[R]`` in [0, 1), the random number that belongs to each position. All three are on one device.
    ``outputs``: the tokens of output before each position.
    """

    logits: torch.Tensor
    allowed: torch.Tensor
    uniforms: torch.Tensor
    outputs: Sequence[Sequence[int]]

    @property
    def masked(self) -> torch.Tensor:
        """The logits, minus infinity where the mask removes a token: float32 ``[R, V]``."""
        return self.logits.masked_fill(~self.allowed, float("-inf"))


class Sampler(Protocol):
    """A way to choose tokens. It needs no random state of its own: random numbers come with the positions."""

    def __call__(self, positions: Positions) -> torch.Tensor:
        """Ids of allowed tokens, int64 ``[R]``, on the device of the logits; no row depends on another."""
        ...


Transform: TypeAlias = Callable[["torch.Tensor", Positions], "torch.Tensor"]
"""Masked logits ``[R, V]`` to others: minus infinity stays so, and each row keeps a finite entry."""
