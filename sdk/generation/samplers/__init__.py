"""Samplers: how one token is chosen from logits and a mask."""

from __future__ import annotations

from sdk.generation.samplers.greedy import Greedy
from sdk.generation.samplers.sampler import Sampler
from sdk.generation.samplers.temperature import Temperature

__all__ = ["Greedy", "Sampler", "Temperature"]
