"""A matcher's packed masks as tensors on the model's device, and what a mask costs the model.

    mask    = [0b...0110]           uint32 words
    allowed = [F, T, T, F, ...]     bool, one entry a token

Bit order is little-endian: token 0 is the least significant bit of the first word. A grammar has few distinct masks
and comes back to them, so each is sent to the device once and stays there as a row of a table; a step sends the
numbers of its rows.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from schema_compiler import TokenMask

if TYPE_CHECKING:
    import torch

__all__ = ["MaskTable", "allowed_tokens", "removed_mass", "send"]

_FIRST_ROWS = 64
"""Rows that a table begins with; it doubles from there.

A document of a few fields meets some dozens of masks, and 64 rows of 128,256 tokens take 8 MB. Chosen, not measured.
"""


def allowed_tokens(mask: TokenMask, size: int) -> npt.NDArray[np.uint8]:
    """Whether each of the first ``size`` tokens is in the mask, 0 or 1: uint8 ``[size]``."""
    return np.unpackbits(mask.astype("<u4", copy=False).view(np.uint8), count=size, bitorder="little")


def removed_mass(logits: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
    """The share of the model's probability, in [0, 1], that lies on tokens the mask removes: float32 ``[R]``.

    ``logits``: float32 ``[R, V]``, raw; ``allowed``: bool ``[R, V]``.
    """
    removed = logits.masked_fill(allowed, float("-inf")).logsumexp(-1) - logits.logsumexp(-1)
    return removed.exp()


class MaskTable:
    """Masks on a device, each sent once. Shared by threads.

    ``size``: tokens in the vocabulary. ``budget``: bytes on the device, one for each token of each mask; when they
    are used up, the table starts anew. The default, 256 MiB, holds 2,000 masks of 128,256 tokens, small beside the
    weights of a model with such a vocabulary; chosen, not measured.
    """

    def __init__(self, size: int, *, budget: int = 1 << 28) -> None:
        self._size = size
        self._capacity = max(1, budget // size)
        self._lock = threading.Lock()
        self._rows: dict[int, tuple[int, TokenMask]] = {}  # by the mask's id, which is its own as long as it is held
        self._table: torch.Tensor | None = None

    def allowed(self, masks: Sequence[TokenMask], device: torch.device) -> torch.Tensor:
        """Bool ``[len(masks), size]`` on ``device``; does not wait for it.

        Masks are told apart by identity: matchers give the same object for the same state.
        """
        with self._lock:
            distinct = {id(mask): mask for mask in masks}
            size = len(distinct.keys() | self._rows.keys())
            if self._table is None or self._table.device != device or size > self._capacity:
                self._rows, self._table = {}, None
            self._add([mask for key, mask in distinct.items() if key not in self._rows], device)
            assert self._table is not None
            rows = send(np.array([self._rows[id(mask)][0] for mask in masks]), device)
            return self._table.index_select(0, rows)

    def _add(self, masks: Sequence[TokenMask], device: torch.device) -> None:
        start, end = len(self._rows), len(self._rows) + len(masks)
        if self._table is None or end > len(self._table):
            self._grow(end, device)
        if masks:
            assert self._table is not None
            bits = np.stack([allowed_tokens(mask, self._size) for mask in masks])
            self._table[start:end] = send(bits, device).bool()
            self._rows.update((id(mask), (start + rank, mask)) for rank, mask in enumerate(masks))

    def _grow(self, rows: int, device: torch.device) -> None:
        import torch

        table = torch.zeros((max(_FIRST_ROWS, 2 * rows), self._size), dtype=torch.bool, device=device)
        if self._table is not None:
            table[: len(self._table)] = self._table
        self._table = table


def send(numbers: Any, device: torch.device) -> torch.Tensor:
    """A copy of an array, or of nested lists, on ``device``; from pinned memory, so that the call does not wait."""
    import torch

    tensor = torch.from_numpy(numbers) if isinstance(numbers, np.ndarray) else torch.tensor(numbers)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)
