"""From the usual numbers to a sampler: ``sampler_of(temperature=0.7, top_p=0.9)``.

Options are keyword arguments (PEP 692): a TypedDict says what each means, one dictionary what it is when left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypedDict, TypeVar, Unpack, cast

from typing_extensions import Doc

from sdk.generation.samplers.draw import Draw
from sdk.generation.samplers.greedy import Greedy
from sdk.generation.samplers.sampler import Sampler, Transform
from sdk.generation.samplers.transforms import MinP, RepetitionPenalty, Temperature, TopK, TopP

__all__ = ["SAMPLER_DEFAULTS", "SamplerOptions", "complete_options", "sampler_of"]

D = TypeVar("D", bound=Mapping[str, object])


class SamplerOptions(TypedDict, total=False):
    """How tokens are chosen, in numbers; ``None`` leaves a step out."""

    temperature: Annotated[float, Doc("0 takes the most probable token; above, tokens are drawn.")]
    top_k: Annotated[int | None, Doc("Draw only among so many of the most probable tokens.")]
    top_p: Annotated[float | None, Doc("Draw only among the fewest tokens that have this share of the probability.")]
    min_p: Annotated[float | None, Doc("Draw only among tokens with this share of the first one's probability.")]
    repetition_penalty: Annotated[float | None, Doc("Above 1, makes tokens that were already written less probable.")]


SAMPLER_DEFAULTS: SamplerOptions = {
    "temperature": 0.0,
    "top_k": None,
    "top_p": None,
    "min_p": None,
    "repetition_penalty": None,
}
"""Extraction wants what the document says, so the most probable token is taken unless told otherwise."""


def complete_options(options: Mapping[str, object], defaults: D) -> D:
    """``options`` and, for those left out, ``defaults``. Raises ``TypeError`` for a name that has no default."""
    unknown = options.keys() - defaults.keys()
    if unknown:
        raise TypeError(f"expected options out of {', '.join(defaults)}; found {', '.join(sorted(unknown))}")
    return cast(D, {**defaults, **options})


def sampler_of(**options: Unpack[SamplerOptions]) -> Sampler:
    """The sampler for some numbers; at temperature 0 it takes the most probable token, which no cut removes.

    Raises ``ValueError`` for a number out of its range, ``TypeError`` for an unknown option.
    """
    numbers = complete_options(options, SAMPLER_DEFAULTS)
    penalties: list[Transform] = []
    if numbers["repetition_penalty"] is not None:
        penalties.append(RepetitionPenalty(numbers["repetition_penalty"]))
    cuts: list[Transform] = []
    if numbers["top_k"] is not None:
        cuts.append(TopK(numbers["top_k"]))
    if numbers["top_p"] is not None:
        cuts.append(TopP(numbers["top_p"]))
    if numbers["min_p"] is not None:
        cuts.append(MinP(numbers["min_p"]))
    if numbers["temperature"] == 0:
        return Greedy(tuple(penalties))
    return Draw((*penalties, Temperature(numbers["temperature"]), *cuts))
