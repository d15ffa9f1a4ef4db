"""How right results are: outcomes of all documents, in sum and field by field.

    evaluate([Pair("1", gold={"shop": "Ace", "total": 9}, predicted={"shop": "ACE", "total": 8})], Receipt)

    field    values   exact   normalised   token F1
    shop          1    0.00         1.00       1.00
    total         1    0.00         0.00       0.00
    micro         2    0.00         0.50       0.50        the mean over values
    macro         2    0.00         0.50       0.50        the mean over fields, each counting the same

A field that is absent on both sides is no value and counts for neither; one that is absent on one side is wrong. So
nothing is gained by null where null is common, and nothing lost. For confidence, which is also that of null, it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from sdk.errors import ResultsError
from sdk.evaluation.confidence import Confidence, Judged, measure
from sdk.evaluation.outcomes import Outcome, outcomes
from sdk.evaluation.pairs import Pair

__all__ = ["Evaluation", "Scores", "evaluate"]


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over ``count`` values, in [0, 1]. ``missed`` and ``spurious``: how many are absent on one side.

    Of a mean over fields, ``count``, ``missed`` and ``spurious`` are sums.
    """

    count: int
    exact: float
    normalised: float
    token_f1: float
    missed: int
    spurious: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of all documents.

    ``outcomes``: those of each document, by its name. ``invalid``: documents whose prediction is no instance of the
    type, with the reason; all their fields are missed. ``judged``: each confidence, with whether the value is right
    (normalised).
    """

    outcomes: Mapping[str, Sequence[Outcome]]
    invalid: Mapping[str, str]
    judged: Sequence[Judged]

    @property
    def fields(self) -> dict[str, Scores]:
        """The scores of each field, by its path with ``[]`` for any index."""
        by_field: dict[str, list[Outcome]] = {}
        for outcome in self._values():
            by_field.setdefault(outcome.field, []).append(outcome)
        return {name: _mean(values) for name, values in by_field.items()}

    @property
    def micro(self) -> Scores:
        """The mean over all values."""
        return _mean(self._values())

    @property
    def macro(self) -> Scores:
        """The mean over all fields."""
        fields = list(self.fields.values())
        return Scores(
            count=sum(one.count for one in fields),
            exact=_fmean(one.exact for one in fields),
            normalised=_fmean(one.normalised for one in fields),
            token_f1=_fmean(one.token_f1 for one in fields),
            missed=sum(one.missed for one in fields),
            spurious=sum(one.spurious for one in fields),
        )

    @property
    def confidence(self) -> Confidence | None:
        """What confidence is worth, where there is any."""
        return measure(self.judged) if self.judged else None

    def _values(self) -> list[Outcome]:
        return [one for listed in self.outcomes.values() for one in listed if not one.is_absent]


def evaluate(pairs: Iterable[Pair], wanted: Any) -> Evaluation:
    """Compare predictions with what they should be. ``wanted``: the type, for Pydantic's ``TypeAdapter``.

    Values are compared by their types (see ``comparison``), lists by their best partners (see ``outcomes``).
    Raises ``ResultsError`` for two pairs of one name, or a ``gold`` that is no instance of the type, and
    ``MissingExtraError`` where scipy is needed and not installed.
    """
    adapter: TypeAdapter[Any] = TypeAdapter(wanted)
    compared: dict[str, Sequence[Outcome]] = {}
    invalid: dict[str, str] = {}
    judged: list[Judged] = []
    for pair in pairs:
        if pair.name in compared:
            raise ResultsError(f"expected one pair for each document, found two for {pair.name!r}")
        try:
            gold = _plain(adapter, pair.gold)
        except ValidationError as error:
            raise ResultsError(f"the gold value of {pair.name!r} is not of the type: {_first(error)}") from error
        try:
            predicted = None if pair.predicted is None else _plain(adapter, pair.predicted)
        except ValidationError as error:
            predicted, invalid[pair.name] = None, _first(error)
        compared[pair.name] = found = outcomes(gold, predicted)
        if predicted is not None:
            judged += [
                (pair.confidence[one.predicted_path], one.comparison.normalised)
                for one in found
                if one.predicted_path is not None and one.predicted_path in pair.confidence
            ]
    return Evaluation(compared, invalid, judged)


def _plain(adapter: TypeAdapter[Any], value: Any) -> Any:
    """The value as mappings and lists with typed values in them, named as in JSON."""
    return adapter.dump_python(adapter.validate_json(to_json(value, by_alias=True)), by_alias=True)


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else first["msg"]


def _mean(values: Sequence[Outcome]) -> Scores:
    return Scores(
        count=len(values),
        exact=_fmean(one.comparison.exact for one in values),
        normalised=_fmean(one.comparison.normalised for one in values),
        token_f1=_fmean(one.comparison.token_f1 for one in values),
        missed=sum(one.is_missed for one in values),
        spurious=sum(one.is_spurious for one in values),
    )


def _fmean(numbers: Iterable[float]) -> float:
    """The mean, 0 of nothing."""
    return fmean(listed) if (listed := list(numbers)) else 0.0
