"""From a model's confidence to a probability that can be relied on, learned from values that were checked.

    calibrator = Calibrator.fit([(0.99, True), (0.97, False), ...])
    calibrator(0.98)        0.71: of checked values that were as sure, about so many were right
    calibrator.save("receipts.json")

Isotonic regression (Zadrozny and Elkan 2002): the monotone function with the least squared error, so that the order of
values stays as it is, and no shape is assumed; a model that is always 0.99 sure needs no other sharpness, but another
shape. scikit-learn fits it (the extra ``evaluation``); to use a calibrator takes nothing but numpy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from schema_compiler.files import replace_atomically
from sdk.errors import CalibrationError, MissingExtraError
from sdk.evaluation.confidence import Judged

__all__ = ["Calibrator"]


@dataclass(frozen=True, slots=True)
class Calibrator:
    """A monotone function from confidence to probability: linear between its points, level outside.

    ``confidences`` rise from point to point, ``probabilities`` do not fall; all are in [0, 1]. ``count``: how many
    checked values it was learned from. Raises ``CalibrationError`` for points that are not like that.
    """

    confidences: tuple[float, ...]
    probabilities: tuple[float, ...]
    count: int

    def __post_init__(self) -> None:
        xs, ys = self.confidences, self.probabilities
        if not (
            len(xs) == len(ys) > 0
            and all(0 <= one <= 1 for one in (*xs, *ys))
            and all(left < right for left, right in pairwise(xs))
            and all(left <= right for left, right in pairwise(ys))
        ):
            raise CalibrationError(f"expected rising confidences and probabilities in [0, 1], found {xs} and {ys}")

    @classmethod
    def fit(cls, judged: Iterable[Judged]) -> Calibrator:
        """Learn from confidences in [0, 1] and whether the values were right; some hundreds are a good number.

        No probability is nearer to 0 or 1 than the rule of succession allows for so many values: ``1 / (n + 2)``.
        Raises ``CalibrationError`` for no values, or a confidence outside [0, 1]; ``MissingExtraError`` without
        scikit-learn.
        """
        pairs = list(judged)
        if not pairs or not all(0 <= confidence <= 1 for confidence, _ in pairs):
            raise CalibrationError(f"expected confidences in [0, 1], found {pairs[:3] or 'none'}")
        try:
            from sklearn.isotonic import IsotonicRegression
        except ImportError as error:
            raise MissingExtraError("to fit a calibrator", "scikit-learn", "evaluation") from error
        least = 1 / (len(pairs) + 2)
        fitted = IsotonicRegression(y_min=least, y_max=1 - least, out_of_bounds="clip")
        fitted.fit([confidence for confidence, _ in pairs], [float(right) for _, right in pairs])
        return cls(
            tuple(map(float, fitted.X_thresholds_)),
            tuple(accumulate(map(float, fitted.y_thresholds_), max)),  # rounding may let them fall by the last digit
            len(pairs),
        )

    def __call__(self, confidence: float) -> float:
        """The probability that a value of this confidence is right; ``ValueError`` for one outside [0, 1]."""
        if not 0 <= confidence <= 1:
            raise ValueError(f"expected a confidence in [0, 1], found {confidence}")
        return float(np.interp(confidence, self.confidences, self.probabilities))

    def save(self, path: str | Path) -> None:
        """Write the points to a JSON file, whole or not at all. Raises ``OSError``."""
        file = _File(
            kind="isotonic calibration",
            version=1,
            count=self.count,
            confidences=self.confidences,
            probabilities=self.probabilities,
        )
        with replace_atomically(Path(path)) as scratch:
            scratch.write_text(f"{file.model_dump_json()}\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Calibrator:
        """Read what ``save`` wrote. Raises ``CalibrationError`` for any other file, ``OSError`` for none."""
        try:
            file = _File.model_validate_json(Path(path).read_bytes())
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise CalibrationError(f"{path} holds no calibration: {place and f'{place}: '}{first['msg']}") from error
        return cls(file.confidences, file.probabilities, file.count)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: Literal["isotonic calibration"]
    version: Literal[1]
    count: Annotated[int, Field(ge=1)]
    confidences: tuple[float, ...]
    probabilities: tuple[float, ...]
