"""The matcher's packed rows as tensors on the model's device, and what a mask costs the model.

    row = [0b...0110]               uint32 words
    allowed = [F, T, T, F, ...]     bool, one entry a token

Bit order is little-endian: token 0 is the least significant bit of the first word. A grammar has few distinct rows
and comes back to them, so each is sent to the device once and stays there in a table; a step sends row numbers.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import torch

__all__ = ["MaskTable", "TokenMask", "allowed_tokens", "removed_mass"]

TokenMask: TypeAlias = npt.NDArray[np.uint32]
"""A packed mask, uint32 ``[ceil(V / 32)]``; matchers give the same object for the same mask."""

_FIRST_ROWS = 64


def allowed_tokens(row: TokenMask, size: int) -> npt.NDArray[np.uint8]:
    """One entry a token, 0 or 1: uint8 ``[size]``."""
    return np.unpackbits(row.astype("<u4", copy=False).view(np.uint8), count=size, bitorder="little")


def removed_mass(logits: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
    """The share of the model's probability, in [0, 1], that lies on tokens the mask removes: float32 ``[R]``.

    ``logits``: float32 ``[R, V]``, raw; ``allowed``: bool ``[R, V]``.
    """
    removed = logits.masked_fill(allowed, float("-inf")).logsumexp(-1) - logits.logsumexp(-1)
    return removed.exp()


class MaskTable:
    """Rows on a device, each sent once. Shared by threads.

    ``size``: tokens in the vocabulary. ``budget``: bytes on the device (a byte a token and row); when they are used
    up, the table starts anew.
    """

    def __init__(self, size: int, *, budget: int = 1 << 28) -> None:
        self._size = size
        self._most = max(1, budget // size)
        self._lock = threading.Lock()
        self._numbers: dict[int, tuple[int, TokenMask]] = {}  # by identity; holding the row keeps its identity its own
        self._table: torch.Tensor | None = None

    def allowed(self, rows: Sequence[TokenMask], device: torch.device) -> torch.Tensor:
        """Bool ``[len(rows), size]`` on ``device``; does not wait for it."""
        with self._lock:
            if self._table is None or self._table.device != device or self._new(rows) + len(self._numbers) > self._most:
                self._numbers, self._table = {}, None
            self._add([row for row in {id(row): row for row in rows}.values() if id(row) not in self._numbers], device)
            assert self._table is not None
            numbers = _sent(np.array([self._numbers[id(row)][0] for row in rows]), device)
            return self._table.index_select(0, numbers)

    def _new(self, rows: Sequence[TokenMask]) -> int:
        return len({id(row) for row in rows} - self._numbers.keys())

    def _add(self, rows: Sequence[TokenMask], device: torch.device) -> None:
        start, end = len(self._numbers), len(self._numbers) + len(rows)
        if self._table is None or end > len(self._table):
            self._grow(end, device)
        if rows:
            assert self._table is not None
            bits = np.stack([allowed_tokens(row, self._size) for row in rows])
            self._table[start:end] = _sent(bits, device).bool()
            self._numbers.update((id(row), (start + rank, row)) for rank, row in enumerate(rows))

    def _grow(self, rows: int, device: torch.device) -> None:
        import torch

        table = torch.zeros((max(_FIRST_ROWS, 2 * rows), self._size), dtype=torch.bool, device=device)
        if self._table is not None:
            table[: len(self._table)] = self._table
        self._table = table


def _sent(numbers: npt.NDArray[np.generic], device: torch.device) -> torch.Tensor:
    import torch

    tensor = torch.from_numpy(numbers)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)
