"""From the usual numbers to a sampler."""

from __future__ import annotations

from sdk.generation.samplers.draw import Draw
from sdk.generation.samplers.greedy import Greedy
from sdk.generation.samplers.sampler import Sampler, Transform
from sdk.generation.samplers.transforms import MinP, RepetitionPenalty, Temperature, TopK, TopP

__all__ = ["sampler_of"]


def sampler_of(
    temperature: float = 0.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    repetition_penalty: float | None = None,
) -> Sampler:
    """Temperature 0 takes the most probable token, and cuts of the tail change nothing; ``None`` leaves a step out.

    Raises ``ValueError`` for a number out of its range.
    """
    penalty: tuple[Transform, ...] = () if repetition_penalty is None else (RepetitionPenalty(repetition_penalty),)
    cuts: list[Transform] = []
    if top_k is not None:
        cuts.append(TopK(top_k))
    if top_p is not None:
        cuts.append(TopP(top_p))
    if min_p is not None:
        cuts.append(MinP(min_p))
    if temperature == 0:
        return Greedy(penalty)
    return Draw((*penalty, Temperature(temperature), *cuts))
