"""Samplers: how tokens are chosen from logits and masks."""

from __future__ import annotations

from sdk.generation.samplers.draw import Draw
from sdk.generation.samplers.greedy import Greedy
from sdk.generation.samplers.options import SAMPLER_DEFAULTS, SamplerOptions, complete_options, sampler_of
from sdk.generation.samplers.race import race, race_row
from sdk.generation.samplers.sampler import Positions, Sampler, Transform
from sdk.generation.samplers.transforms import MinP, RepetitionPenalty, Temperature, TopK, TopP

__all__ = [
    "SAMPLER_DEFAULTS",
    "Draw",
    "Greedy",
    "MinP",
    "Positions",
    "RepetitionPenalty",
    "Sampler",
    "SamplerOptions",
    "Temperature",
    "TopK",
    "TopP",
    "Transform",
    "complete_options",
    "race",
    "race_row",
    "sampler_of",
]
