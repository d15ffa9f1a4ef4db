"""What a model's memory is to the loop: slots, each of which holds one sequence, that share forward passes.

A pass takes, for each of some slots, any number of new tokens: a whole prompt, one sampled token, or a token with a
draft behind it. Tokens of the draft that the sampler did not choose are taken back afterwards:

    slots.forward([Chunk(0, prompt), Chunk(3, [token, *draft], keep=1 + len(draft))])
    slots.rewind(3, length)

Several texts with a common beginning may be read at once, as a tree whose tokens see only what leads to them:

    a b c    and    a b d e        Chunk(0, [a, b, c, d, e], keep=4, parents=[-1, -1, 1])       behind b: c, and d e

How keys and values are kept is for each kind of slots to say. Source: continuous batching is Yu et al., "Orca" (OSDI
2022).
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
    """New tokens of one slot, at least one; ``keep``: logits are wanted after each of the last ``keep`` tokens.

    ``parents``: the last ``len(parents)`` tokens are a tree, behind the others, of which there is at least one; for
    each, the number of the one in the tree that it follows, which comes before it, or -1 for the last of the others.
    Tokens of a tree must be taken back.
    """

    slot: int
    token_ids: Sequence[int]
    keep: int = 1
    parents: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """A copy of what a slot remembers of its first ``length`` tokens. ``content``: in the form of the slots it is from.

    ``nbytes``: what it takes on the model's device.
    """

    length: int
    nbytes: int
    content: Any


class Slots(Protocol):
    """What the loop needs of a model's memory.

    ``count``: how many sequences fit. ``rewinds``: whether tokens can be taken back. ``extends``: whether a slot that
    remembers tokens takes several more in one pass; where not, a prompt is read whole, and then token by token.
    ``branches``: whether chunks may have trees; only where tokens can be taken back.
    ``free_tokens``: about how many new tokens take as long to compute as the rest of a pass, so that as many may be
    drafted at half price.
    """

    @property
    def count(self) -> int: ...
    @property
    def rewinds(self) -> bool: ...
    @property
    def extends(self) -> bool: ...
    @property
    def branches(self) -> bool: ...
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
        """A copy of what the slot remembers; the slot stays as it is."""
        ...

    def load(self, slot: int, memory: Memory) -> None:
        """Replace what a slot remembers by ``memory``, which slots of the same model have saved."""
        ...
