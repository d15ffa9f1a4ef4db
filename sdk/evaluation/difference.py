"""Two sets of results for the same documents, field by field: which is right where.

    field    values   first   second   only first   only second
    total       200    0.86     0.90            4            12     p = 0.077

Both are judged on the same values, those of gold; *p* is how often chance alone would part the values of which only one
is right as unevenly (exact McNemar test, two-sided).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from sdk.evaluation.evaluation import Evaluation
from sdk.evaluation.outcomes import Outcome
from sdk.fields import FieldPath

__all__ = ["Difference", "differences"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How many of ``count`` values are right in both, only in the first, and only in the second (normalised)."""

    count: int
    both: int
    only_first: int
    only_second: int

    @property
    def first(self) -> float:
        """The share of values that the first has right."""
        return (self.both + self.only_first) / self.count

    @property
    def second(self) -> float:
        """The share of values that the second has right."""
        return (self.both + self.only_second) / self.count

    @property
    def p_value(self) -> float:
        """In (0, 1]; 1 where both are right as often."""
        trials, fewer = self.only_first + self.only_second, min(self.only_first, self.only_second)
        tail = sum(comb(trials, count) for count in range(fewer + 1))
        return min(1.0, tail / (1 << trials) * 2)

    def __add__(self, other: Difference) -> Difference:
        return Difference(
            self.count + other.count,
            self.both + other.both,
            self.only_first + other.only_first,
            self.only_second + other.only_second,
        )


def differences(first: Evaluation, second: Evaluation) -> dict[str, Difference]:
    """The differences by field, of the documents that both have; values that gold has not are left out."""
    found: dict[str, Difference] = {}
    for name in first.outcomes.keys() & second.outcomes.keys():
        ours, theirs = (_gold_values(one.outcomes[name]) for one in (first, second))
        for path, outcome in ours.items():
            mine, other = outcome.comparison.normalised, theirs[path].comparison.normalised
            one = Difference(1, mine and other, mine and not other, other and not mine)
            known = found.get(outcome.field)
            found[outcome.field] = known + one if known else one
    return dict(sorted(found.items()))


def _gold_values(outcomes: Sequence[Outcome]) -> dict[FieldPath, Outcome]:
    return {
        one.gold_path: one for one in outcomes if one.gold_path is not None and not (one.is_absent or one.is_spurious)
    }
