"""How right results are, field by field, and how far their confidence can be trusted."""

from __future__ import annotations

from sdk.evaluation.calibrator import Calibrator
from sdk.evaluation.confidence import Band, Confidence, measure
from sdk.evaluation.difference import Difference, differences
from sdk.evaluation.evaluation import Evaluation, Scores, evaluate
from sdk.evaluation.outcomes import Outcome, outcomes
from sdk.evaluation.pairs import Pair, Pairing, pair_results

__all__ = [
    "Band",
    "Calibrator",
    "Confidence",
    "Difference",
    "Evaluation",
    "Outcome",
    "Pair",
    "Pairing",
    "Scores",
    "differences",
    "evaluate",
    "measure",
    "outcomes",
    "pair_results",
]
