"""What a model's memory is to the loop: slots, each of which holds one sequence, that share forward passes.

A pass takes, for each of some slots, any number of new tokens: a whole prompt, one sampled token, or a token with a
draft behind it; what was wrong about the draft is taken back afterwards. How keys and values are kept is the
memory's own business. Source: continuous batching is Yu et al., "Orca" (OSDI 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import torch

__all__ = ["Chunk", "Memory", "Slots"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """New tokens of one slot, at least one; ``keep``: after how many of the last ones logits are wanted."""

    slot: int
    token_ids: Sequence[int]
    keep: int = 1


@dataclass(frozen=True, slots=True)
class Memory:
    """What a slot remembers of its first ``length`` tokens, apart from the slot; ``content`` is the slots' own."""

    length: int
    nbytes: int
    content: Any


class Slots(Protocol):
    """What the loop needs of a model's memory.

    ``count``: how many sequences fit. ``rewinds``: whether tokens can be taken back. ``free_tokens``: about how many
    new tokens cost as much as a pass does without any, which is what drafting and padding are worth.
    """

    @property
    def count(self) -> int: ...
    @property
    def rewinds(self) -> bool: ...
    @property
    def free_tokens(self) -> int: ...

    def forward(self, chunks: Sequence[Chunk]) -> list[torch.Tensor]:
        """Append each chunk to its slot (at most one a slot); for each, raw float32 logits ``[keep, V]``.

        Row ``i`` is about the token after the first ``len(token_ids) - keep + 1 + i`` tokens of the chunk. On a
        device that computes asynchronously, the call returns before the logits are there.
        """
        ...

    def rewind(self, slot: int, length: int) -> None:
        """Forget all but the first ``length`` tokens of a slot."""
        ...

    def save(self, slot: int) -> Memory:
        """A copy of what the slot remembers."""
        ...

    def load(self, slot: int, memory: Memory) -> None:
        """Make a slot remember what another did, and nothing else."""
        ...
