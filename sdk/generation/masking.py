"""The matcher's packed rows as tensors, and what a mask costs the model.

    row = [0b...0110]               uint32 words
    allowed = [F, T, T, F, ...]     bool, one entry a token

Bit order is little-endian: token 0 is the least significant bit of the first word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import torch

__all__ = ["allowed_tokens", "removed_mass"]


def allowed_tokens(row: npt.NDArray[np.uint32], size: int, device: torch.device) -> torch.Tensor:
    """Bool ``[size]`` on ``device`` of a packed row (uint32 ``[ceil(size / 32)]``, little-endian bit order)."""
    import torch

    bits = np.unpackbits(row.astype("<u4", copy=False).view(np.uint8), count=size, bitorder="little")
    return torch.from_numpy(bits).to(device).bool()


def removed_mass(logits: torch.Tensor, allowed: torch.Tensor) -> float:
    """The share of the model's probability, in [0, 1], that lies on tokens the mask removes.

    ``logits``: float32 ``[V]``, raw; ``allowed``: bool ``[V]``.
    """
    removed = logits.masked_fill(allowed, float("-inf")).logsumexp(0) - logits.logsumexp(0)
    return float(removed.exp())
