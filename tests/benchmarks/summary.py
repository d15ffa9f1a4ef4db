"""Figures over many outcomes: counts of verdicts, and the distribution of times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.benchmarks.measure import Outcome, Verdict
from tests.benchmarks.worker import Setup

__all__ = ["SLOW_SECONDS", "Distribution", "Summary", "per_case"]

SLOW_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Distribution:
    """Times in microseconds; NaN when there were none."""

    count: int
    average: float
    p50: float
    p90: float
    p99: float
    p999: float
    maximum: float

    @classmethod
    def of(cls, nanoseconds: npt.NDArray[np.int64]) -> Distribution:
        """The distribution of int64 nanoseconds ``[count]``."""
        if not nanoseconds.size:
            return cls(0, *[float("nan")] * 6)
        micros = nanoseconds / 1e3
        return cls(micros.size, float(micros.mean()), *map(float, np.percentile(micros, [50, 90, 99, 99.9, 100])))


@dataclass(frozen=True, slots=True)
class Summary:
    """One engine's outcomes. ``slow``: cases over ``SLOW_SECONDS``, or cut off by the time limit.

    ``contradictions``: tokens on which a mask and ``accept`` disagree.
    """

    verdicts: dict[Verdict, int]
    slow: int
    contradictions: int
    first_mask: Distribution
    cold: Distribution
    warm: Distribution

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Summary:
        """Sum up outcomes."""
        counts = Counter(outcome.verdict for outcome in outcomes)
        first = [outcome.first_mask_ns for outcome in outcomes if outcome.first_mask_ns is not None]
        return cls(
            {verdict: counts[verdict] for verdict in Verdict},
            sum(outcome.verdict is Verdict.TIMEOUT or outcome.seconds > SLOW_SECONDS for outcome in outcomes),
            sum(outcome.contradictions for outcome in outcomes),
            Distribution.of(np.array(first, np.int64)),
            Distribution.of(_joined([outcome.cold_ns for outcome in outcomes])),
            Distribution.of(_joined([outcome.warm_ns for outcome in outcomes])),
        )

    def as_json(self, setup: Setup, peak_mib: float) -> dict[str, Any]:
        """For a file of results."""
        return {"setup_seconds": setup.seconds, "setup_mib": setup.peak_mib, "peak_mib": peak_mib, **asdict(self)}


def _joined(parts: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def per_case(outcome: Outcome) -> dict[str, Any]:
    """One outcome for a file of results; times in microseconds."""
    slowest = int(outcome.cold_ns.argmax()) if outcome.cold_ns.size else None
    return {
        "id": outcome.case_id,
        "verdict": outcome.verdict,
        "detail": outcome.detail,
        "first_mask": None if outcome.first_mask_ns is None else outcome.first_mask_ns / 1e3,
        "steps": outcome.cold_ns.size,
        "cold_average": float(outcome.cold_ns.mean()) / 1e3 if slowest is not None else None,
        "cold_maximum": float(outcome.cold_ns.max()) / 1e3 if slowest is not None else None,
        "slowest_step": slowest,
        "warm_average": float(outcome.warm_ns.mean()) / 1e3 if outcome.warm_ns.size else None,
        "seconds": outcome.seconds,
        "contradictions": outcome.contradictions,
    }
