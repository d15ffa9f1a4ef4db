"""Draws from a model under a grammar, as answers to "how sure is it?".

Each draw brings a document *w* and what the model thinks of it, P(w). Two things follow for a value *v*:

* an estimate of its probability among legal documents: its share of the draws, where each counts by how much rarer it
  was drawn than the model would write it (importance weights P(w) / Q(w), self-normalised; all alike for exact draws);
* bounds that are certain. The distinct documents seen that mean *v* have the probability ``A(v)``, all seen ``A``, and
  all legal ones lie between ``A`` and the estimate ``c`` of the start, so

      A(v) / c  <=  P(v | legal)  <=  (A(v) + c - A) / c

A model that is sure gives narrow bounds after a few draws. Where one draw weighs as much as all others together, the
estimate rests on it, and the standard error knows nothing of what was not seen; ``effective_draws`` tells (Kish 1965).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from sdk.generation.aligned.futures import ExpectedFutureGrammaticality
from sdk.generation.aligned.walk import Method, Sample

__all__ = ["Estimate", "Samples", "effective_draws", "estimated"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Estimate(Generic[T]):
    """A value, and how probable the model finds it among all legal ones.

    ``probability`` with its ``standard_error``; ``at_least`` and ``at_most`` are certain. ``count``: how many draws
    gave it. ``text`` and ``log_model``: its most probable document seen, and that one's natural log-probability.
    """

    value: T
    text: str
    probability: float
    standard_error: float
    at_least: float
    at_most: float
    count: int
    log_model: float


@dataclass(frozen=True, slots=True)
class Samples(Generic[T]):
    """Distinct values, the most probable first, and the draws behind them.

    ``effective_draws``: how many draws all alike would be worth as much as these; near 1, trust the bounds alone.
    ``legal_mass``: the share of the model's probability on legal documents lies between the two. ``forward_passes``:
    calls of the model, ``prefixes`` in all. ``futures``: what was learned, for the next call about the same.
    """

    values: tuple[Estimate[T], ...]
    draws: tuple[Sample, ...]
    effective_draws: float
    legal_mass: tuple[float, float]
    forward_passes: int
    prefixes: int
    seconds: float
    futures: ExpectedFutureGrammaticality

    @property
    def best(self) -> Estimate[T]:
        """The value of the document that the model finds most probable."""
        return max(self.values, key=lambda value: value.log_model)


def estimated(
    draws: Sequence[Sample], values: Sequence[tuple[T, str]], method: Method, upper: float
) -> tuple[tuple[Estimate[T], ...], tuple[float, float]]:
    """The distinct ``values`` (one for each draw, with its text), the most probable first, and the legal mass.

    ``upper``: a bound of the legal mass from above, which is the estimate of the start.
    """
    weights = _weights(draws, method)
    seen = {draw.tokens: math.exp(draw.log_model) for draw in draws}
    legal = math.fsum(seen.values())
    upper = max(upper, legal)
    estimates = []
    for group in _groups([value for value, _ in values]):
        member = np.isin(np.arange(len(draws)), group)
        share = float(weights[member].sum())
        mass = math.fsum(seen[tokens] for tokens in {draws[index].tokens for index in group})
        top = max(group, key=lambda index: draws[index].log_model)
        estimates.append(
            Estimate(
                value=values[top][0],
                text=values[top][1],
                probability=share,
                standard_error=float(np.sqrt((weights**2 * (member - share) ** 2).sum())),
                at_least=mass / upper,
                at_most=min((mass + upper - legal) / upper, 1.0),
                count=len(group),
                log_model=draws[top].log_model,
            )
        )
    estimates.sort(key=lambda estimate: -estimate.probability)
    return tuple(estimates), (legal, upper)


def effective_draws(draws: Sequence[Sample], method: Method) -> float:
    """How many equally weighted draws these are worth, from 1 to their number."""
    return float(1.0 / (_weights(draws, method) ** 2).sum())


def _weights(draws: Sequence[Sample], method: Method) -> npt.NDArray[np.float64]:
    """How much each draw counts, ``[draws]``, summing to 1."""
    logs = np.array([0.0 if method == "exact" else draw.log_model - draw.log_proposal for draw in draws])
    weights = np.exp(logs - logs.max())
    normalised: npt.NDArray[np.float64] = weights / weights.sum()
    return normalised


def _groups(values: Sequence[Any]) -> list[list[int]]:
    """Places of equal values of the same type (``True`` and ``1`` are two values)."""
    groups: list[list[int]] = []
    for place, value in enumerate(values):
        alike = (group for group in groups if _same(values[group[0]], value))
        group = next(alike, None)
        if group is None:
            groups.append([place])
        else:
            group.append(place)
    return groups


def _same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and bool(left == right)
