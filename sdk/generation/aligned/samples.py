"""Draws from a model under a grammar, as answers to "how sure is it?".

Each draw brings a document *w* and its probability under the model, P(w). Two things follow for a value *v*:

* an estimate of its probability among legal documents: its share of the draws, where each has the importance weight
  P(w) / Q(w), Q(w) being the probability with which it was drawn; weights are normalised to sum to 1, and all equal for
  exact draws;
* bounds that are certain. The distinct documents seen whose value is *v* have the probability ``A(v)``, all documents
  seen ``A``, and all legal ones a probability between ``A`` and the estimate ``c`` of the empty prefix, so

      A(v) / c  <=  P(v | legal)  <=  (A(v) + c - A) / c

A model that is sure gives narrow bounds after a few draws. Where one draw weighs as much as all others together, the
estimate rests on it, and its standard error says nothing about documents that were not seen; ``effective_draws``
tells (Kish 1965).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from sdk.generation.aligned.attempt import DocumentDraw, Method
from sdk.generation.aligned.futures import ExpectedFutureGrammaticality

__all__ = ["Estimate", "Samples", "effective_draws", "estimated"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Estimate(Generic[T]):
    """A value, and how probable it is among all legal ones under the model.

    ``probability`` is an estimate, with its ``standard_error``; the bounds ``at_least`` and ``at_most`` are certain.
    ``count``: how many draws gave the value. ``text`` and ``log_model``: the most probable document seen that has it,
    and the natural logarithm of this document's probability.
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

    ``effective_draws``: how many draws of equal weight would be worth as much as these; near 1, trust the bounds alone.
    ``legal_mass``: two bounds of the share of the model's probability on legal documents. ``forward_passes``: calls of
    the model, about ``prefixes`` prefixes in all. ``futures``: the estimates, for the next call with the same prompt.
    """

    values: tuple[Estimate[T], ...]
    draws: tuple[DocumentDraw, ...]
    effective_draws: float
    legal_mass: tuple[float, float]
    forward_passes: int
    prefixes: int
    seconds: float
    futures: ExpectedFutureGrammaticality

    @property
    def best(self) -> Estimate[T]:
        """The value of the most probable document seen."""
        return max(self.values, key=lambda value: value.log_model)


def estimated(
    draws: Sequence[DocumentDraw], values: Sequence[tuple[T, str]], method: Method, upper: float
) -> tuple[tuple[Estimate[T], ...], tuple[float, float]]:
    """The distinct ``values`` (one for each draw, with its text), the most probable first, and the legal mass.

    ``upper``: a bound of the legal mass from above, such as the estimate of the empty prefix.
    """
    weights = _weights(draws, method)
    seen = {draw.tokens: math.exp(draw.log_model) for draw in draws}
    legal = math.fsum(seen.values())
    upper = max(upper, legal)
    estimates = []
    for group in _groups([value for value, _ in values]):
        is_member = np.isin(np.arange(len(draws)), group)
        share = float(weights[is_member].sum())
        mass = math.fsum(seen[tokens] for tokens in {draws[index].tokens for index in group})
        best = max(group, key=lambda index: draws[index].log_model)
        estimates.append(
            Estimate(
                value=values[best][0],
                text=values[best][1],
                probability=share,
                standard_error=float(np.sqrt((weights**2 * (is_member - share) ** 2).sum())),
                at_least=mass / upper,
                at_most=min((mass + upper - legal) / upper, 1.0),
                count=len(group),
                log_model=draws[best].log_model,
            )
        )
    estimates.sort(key=lambda estimate: -estimate.probability)
    return tuple(estimates), (legal, upper)


def effective_draws(draws: Sequence[DocumentDraw], method: Method) -> float:
    """How many draws of equal weight these are worth, from 1 to their number (Kish's effective sample size)."""
    return float(1.0 / (_weights(draws, method) ** 2).sum())


def _weights(draws: Sequence[DocumentDraw], method: Method) -> npt.NDArray[np.float64]:
    """The importance weights of the draws, ``[draws]``, summing to 1."""
    logs = np.array([0.0 if method == "exact" else draw.log_model - draw.log_proposal for draw in draws])
    weights = np.exp(logs - logs.max())
    normalised: npt.NDArray[np.float64] = weights / weights.sum()
    return normalised


def _groups(values: Sequence[Any]) -> list[list[int]]:
    """The indices of equal values of the same type (``True`` and ``1`` are two values)."""
    groups: list[list[int]] = []
    for index, value in enumerate(values):
        group = next((group for group in groups if _is_same(values[group[0]], value)), None)
        if group is None:
            groups.append([index])
        else:
            group.append(index)
    return groups


def _is_same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and bool(left == right)
