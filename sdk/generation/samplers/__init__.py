"""Samplers: how tokens are chosen from logits and masks."""

from __future__ import annotations

from sdk.generation.samplers.draw import Draw
from sdk.generation.samplers.greedy import Greedy
from sdk.generation.samplers.options import sampler_of
from sdk.generation.samplers.sampler import Positions, Sampler, Transform
from sdk.generation.samplers.transforms import MinP, RepetitionPenalty, Temperature, TopK, TopP

__all__ = [
    "Draw",
    "Greedy",
    "MinP",
    "Positions",
    "RepetitionPenalty",
    "Sampler",
    "Temperature",
    "TopK",
    "TopP",
    "Transform",
    "sampler_of",
]
