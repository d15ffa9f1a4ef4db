"""Whether confidence tells right values from wrong ones, and whether it means what it says.

    confidence  0.95  0.90  0.80  0.60        AUROC 0.75: of right and wrong values, in 3 of 4 pairs the right is surer
    right        yes    no   yes    no        accuracy at half coverage 0.5: of the two surest, one is right

- AUROC: the probability that a right value is surer than a wrong one (ties count a half); 0.5 is chance.
- ECE, the expected calibration error (Naeini et al. 2015; Guo et al. 2017): over bands of confidence, how far the share
  of right values is from the mean confidence, weighted by their numbers.
- Brier (1950): the mean square of the difference between confidence and outcome (0 or 1).
- Risk and coverage (El-Yaniv and Wiener 2010): the share of wrong values among the surest, for each share that is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["BANDS", "Band", "Confidence", "Judged", "measure"]

Judged: TypeAlias = tuple[float, bool]
"""A confidence in [0, 1], and whether the value was right."""

BANDS = 10
"""How many bands of equal width confidence is cut into; chosen, as in most tables of the field (10 or 15)."""

_Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Band:
    """The values with a confidence from ``low`` to below ``high``; 1 belongs to the last band.

    ``confidence``: their mean. ``accuracy``: the share of right ones.
    """

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Confidence:
    """What confidence is worth. ``auroc``: ``None`` where all values are right, or none.

    ``curve``: (coverage, risk), from the surest values to all; values that are equally sure are kept together.
    ``bands``: those with values.
    """

    count: int
    accuracy: float
    auroc: float | None
    ece: float
    brier: float
    curve: Sequence[tuple[float, float]]
    bands: Sequence[Band]

    def accuracy_at(self, coverage: float) -> float:
        """The share of right values among the surest, as few as make up at least ``coverage``, which is in (0, 1]."""
        if not 0 < coverage <= 1:
            raise ValueError(f"expected a coverage in (0, 1], found {coverage}")
        return next(1 - risk for covered, risk in self.curve if covered >= coverage)


def measure(judged: Iterable[Judged]) -> Confidence:
    """Measure confidences; raises ``ValueError`` for none at all, or one outside [0, 1]."""
    pairs = list(judged)
    sure = np.array([confidence for confidence, _ in pairs], np.float64)
    right = np.array([outcome for _, outcome in pairs], np.float64)
    if not pairs:
        raise ValueError("expected some confidences, found none")
    if not ((sure >= 0) & (sure <= 1)).all():
        raise ValueError(f"expected confidences in [0, 1], found {sure[~((sure >= 0) & (sure <= 1))][0]}")
    bands = _bands(sure, right)
    return Confidence(
        count=len(pairs),
        accuracy=float(right.mean()),
        auroc=_auroc(sure, right),
        ece=sum(band.count * abs(band.accuracy - band.confidence) for band in bands) / len(pairs),
        brier=float(np.mean((sure - right) ** 2)),
        curve=_curve(sure, right),
        bands=bands,
    )


def _auroc(sure: _Array, right: _Array) -> float | None:
    """By ranks (Mann and Whitney 1947): the mean rank of equals counts for each of them."""
    positive = int(right.sum())
    negative = right.size - positive
    if not (positive and negative):
        return None
    _, inverse, counts = np.unique(sure, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[right == 1].sum() - positive * (positive + 1) / 2) / (positive * negative))


def _bands(sure: _Array, right: _Array) -> list[Band]:
    numbers = np.minimum((sure * BANDS).astype(np.int64), BANDS - 1)
    return [
        Band(
            number / BANDS,
            (number + 1) / BANDS,
            int(inside.sum()),
            float(sure[inside].mean()),
            float(right[inside].mean()),
        )
        for number in range(BANDS)
        if (inside := numbers == number).any()
    ]


def _curve(sure: _Array, right: _Array) -> list[tuple[float, float]]:
    order = np.argsort(-sure, kind="stable")
    kept = np.arange(1, sure.size + 1)
    risks = np.cumsum(1 - right[order]) / kept
    last = np.append(np.diff(sure[order]) != 0, True)
    return [(float(count / sure.size), float(risk)) for count, risk in zip(kept[last], risks[last], strict=True)]
