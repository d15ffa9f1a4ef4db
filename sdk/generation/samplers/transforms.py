"""Transforms of masked logits: temperature, cuts of the tail, and a penalty on repetition.

Each takes logits ``[R, V]`` in which forbidden tokens are minus infinity, so cuts count and compare allowed tokens
only. Sources: top-p is Holtzman et al., "The Curious Case of Neural Text Degeneration" (2020); min-p is Nguyen et
al., "Turning Up the Heat" (2024); the penalty is Keskar et al., "CTRL" (2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        ordered, order = logits.sort(descending=True)
        probabilities = ordered.softmax(-1)
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
        probabilities = logits.softmax(-1)
        least = self.p * probabilities.amax(-1, keepdim=True)
        return logits.masked_fill(probabilities < least, float("-inf"))


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
        logits = logits.clone()
        for row, output in zip(logits, positions.outputs, strict=True):
            self._penalize(row, output)
        return logits

    def _penalize(self, row: torch.Tensor, output: Sequence[int]) -> None:
        import torch

        seen = torch.tensor(sorted(set(output)), dtype=torch.long, device=row.device)
        scores = row[seen]
        row[seen] = torch.where(scores > 0, scores / self.penalty, scores * self.penalty)


def _check(name: str, value: float, good: bool, expected: str) -> None:
    if not good:
        raise ValueError(f"expected {name} to be {expected}, found {value}")
