"""Transforms of masked logits: temperature, cuts of the tail, and a penalty on repetition.

Each takes logits ``[R, V]`` in which forbidden tokens are minus infinity, so cuts count and compare allowed tokens
only. A cut is a comparison, so a token exactly at the cut may be kept in one pass and removed in another whose logits
differ in their last bits; that changes a draw only where this token wins it (see ``race``).

Sources: top-p is Holtzman et al., "The Curious Case of Neural Text Degeneration" (2020); min-p is Nguyen et al.,
"Turning Up the Heat" (2024); the penalty is Keskar et al., "CTRL" (2019).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sdk.generation.masking import send
from sdk.generation.samplers.sampler import Positions

if TYPE_CHECKING:
    import torch

__all__ = ["MinP", "RepetitionPenalty", "Temperature", "TopK", "TopP"]


@dataclass(frozen=True, slots=True)
class Temperature:
    """Divides logits by ``temperature`` > 0: below 1 sharpens the distribution, above 1 flattens it."""

    temperature: float = 1.0

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for a temperature that is not positive."""
        _check("temperature", self.temperature, 0 < self.temperature < float("inf"), "a positive, finite number")

    def __call__(self, logits: torch.Tensor, positions: Positions) -> torch.Tensor:  # noqa: ARG002
        """See ``Transform``."""
        return logits / self.temperature


@dataclass(frozen=True, slots=True)
class TopK:
    """Keeps the ``k`` most probable tokens, and all that are as probable as the last of these."""

    k: int

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for a count below 1."""
        _check("top_k", self.k, self.k >= 1, "at least 1")

    def __call__(self, logits: torch.Tensor, positions: Positions) -> torch.Tensor:  # noqa: ARG002
        """See ``Transform``."""
        least = logits.topk(min(self.k, logits.shape[-1])).values[:, -1:]
        return logits.masked_fill(logits < least, float("-inf"))


@dataclass(frozen=True, slots=True)
class TopP:
    """Keeps the fewest most probable tokens whose probabilities add up to ``p``."""

    p: float

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for a share outside (0, 1]."""
        _check("top_p", self.p, 0 < self.p <= 1, "a share in (0, 1]")

    def __call__(self, logits: torch.Tensor, positions: Positions) -> torch.Tensor:  # noqa: ARG002
        """See ``Transform``."""
        ordered, order = logits.sort(descending=True, stable=True)
        probabilities = ordered.double().softmax(-1)
        cut = probabilities.cumsum(-1) - probabilities >= self.p
        return logits.masked_fill(cut.scatter(-1, order, cut), float("-inf"))


@dataclass(frozen=True, slots=True)
class MinP:
    """Keeps the tokens at least ``p`` times as probable as the most probable one."""

    p: float

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for a share outside [0, 1]."""
        _check("min_p", self.p, 0 <= self.p <= 1, "a share in [0, 1]")

    def __call__(self, logits: torch.Tensor, positions: Positions) -> torch.Tensor:  # noqa: ARG002
        """See ``Transform``."""
        least = logits.amax(-1, keepdim=True) + (math.log(self.p) if self.p else float("-inf"))
        return logits.masked_fill(logits < least, float("-inf"))


@dataclass(frozen=True, slots=True)
class RepetitionPenalty:
    """Divides the logits of tokens already in the output by ``penalty`` (multiplies negative ones); 1 changes nothing.

    Structure repeats by nature (quotes, field names), so values much above 1.1 spoil documents.
    """

    penalty: float

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for a penalty that is not positive."""
        _check("repetition_penalty", self.penalty, 0 < self.penalty < float("inf"), "a positive, finite number")

    def __call__(self, logits: torch.Tensor, positions: Positions) -> torch.Tensor:
        """See ``Transform``."""
        import torch

        seen = [(row, token_id) for row, output in enumerate(positions.outputs) for token_id in set(output)]
        rows, token_ids = send(np.array(seen, dtype=np.int64).reshape(-1, 2).T, logits.device)
        scores = logits[rows, token_ids]
        penalized = torch.where(scores > 0, scores / self.penalty, scores * self.penalty)
        return logits.index_put((rows, token_ids), penalized)


def _check(name: str, value: float, good: bool, expected: str) -> None:
    if not good:
        raise ValueError(f"expected {name} to be {expected}, found {value}")
