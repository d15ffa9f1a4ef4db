"""What came of each field of one document: right and predicted value side by side.

    gold       {"items": [{"name": "Tea"}, {"name": "Milk"}]}
    predicted  {"items": [{"name": "Milk"}]}

    items[].name    "Milk"    "Milk"                            the item of gold that is most like the predicted one
    items[].name    "Tea"     ABSENT

Models are compared name by name. Null, an empty list or object, and what is missing are the same, *absent*. Items of
lists and sets are paired so that their token F1 is the highest in sum (the assignment problem, solved by scipy), since
a model that leaves one out or turns two around should not have all others wrong; items of tuples are paired by
position. What has no partner is absent on the other side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from sdk.errors import MissingExtraError
from sdk.evaluation.comparison import ABSENT, Comparison, compare
from sdk.fields import FieldPath

__all__ = ["Outcome", "outcomes"]

_IN_ORDER = 1e-6
"""What an item's score gains by standing at the place of its partner: decides between equals, and nothing else.

Scores are means of fractions of small numbers, which differ by more than this.
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One field of one document.

    ``field``: its path with ``[]`` for any index. ``gold_path`` and ``predicted_path``: where its values stand, which
    differs in lists; ``None`` for what has no place there, such as an item without a partner. ``gold`` and
    ``predicted``: may be ``ABSENT``.
    """

    field: str
    gold_path: FieldPath | None
    predicted_path: FieldPath | None
    gold: Any
    predicted: Any
    comparison: Comparison

    @property
    def is_absent(self) -> bool:
        """Whether there is no value on either side."""
        return self.gold is ABSENT and self.predicted is ABSENT

    @property
    def is_missed(self) -> bool:
        """Whether a value should be there, and is not."""
        return self.predicted is ABSENT and self.gold is not ABSENT

    @property
    def is_spurious(self) -> bool:
        """Whether a value is there that should not be."""
        return self.gold is ABSENT and self.predicted is not ABSENT


def outcomes(gold: Any, predicted: Any) -> list[Outcome]:
    """The outcomes of one document, of mappings, lists and values as ``TypeAdapter.dump_python`` gives them.

    Raises ``MissingExtraError`` where items are to be paired and scipy is not installed (the extra ``evaluation``).
    """
    return list(_outcomes(gold, predicted, (), (), ""))


def _outcomes(
    gold: Any, predicted: Any, here: FieldPath | None, there: FieldPath | None, field: str
) -> Iterator[Outcome]:
    shapes = {_shape(gold), _shape(predicted)}
    if shapes <= {"absent", "value"}:
        left, right = (ABSENT if _shape(one) == "absent" else one for one in (gold, predicted))
        yield Outcome(field or "$", here, there, left, right, compare(left, right))
    elif shapes <= {"absent", "object"}:
        ours, theirs = gold or {}, predicted or {}
        for name in dict.fromkeys([*ours, *theirs]):
            below = f"{field}.{name}".removeprefix(".")
            yield from _outcomes(ours.get(name), theirs.get(name), _step(here, name), _step(there, name), below)
    elif shapes <= {"absent", "items"}:
        yield from _item_outcomes(gold, predicted, here, there, f"{field}[]")
    else:  # one is missed, and another one stands in its place
        yield from _outcomes(gold, None, here, None, field)
        yield from _outcomes(None, predicted, None, there, field)


def _step(path: FieldPath | None, step: str | int) -> FieldPath | None:
    return None if path is None else (*path, step)


def _shape(value: Any) -> Literal["absent", "object", "items", "value"]:
    match value:
        case None:
            return "absent"
        case Mapping():
            return "object" if value else "absent"
        case list() | tuple() | deque() | AbstractSet():
            return "items" if value else "absent"
        case _:
            return "value"


def _item_outcomes(
    gold: Any, predicted: Any, here: FieldPath | None, there: FieldPath | None, field: str
) -> Iterator[Outcome]:
    """The outcomes of items in pairs, then of those without a partner."""
    ours, theirs = list(gold or ()), list(predicted or ())
    by_position = isinstance(gold, tuple) or isinstance(predicted, tuple)
    pairs = list(zip(range(len(ours)), range(len(theirs)), strict=False)) if by_position else _best_pairs(ours, theirs)
    for left, right in pairs:
        yield from _outcomes(ours[left], theirs[right], _step(here, left), _step(there, right), field)
    for left in sorted({*range(len(ours))} - {left for left, _ in pairs}):
        yield from _outcomes(ours[left], None, _step(here, left), None, field)
    for right in sorted({*range(len(theirs))} - {right for _, right in pairs}):
        yield from _outcomes(None, theirs[right], None, _step(there, right), field)


def _best_pairs(ours: Sequence[Any], theirs: Sequence[Any]) -> list[tuple[int, int]]:
    """Indexes of partners, as many as the shorter list has, by those of ``ours``."""
    if len(ours) <= 1 >= len(theirs):
        return [(0, 0)] if ours and theirs else []
    if not (ours and theirs):
        return []
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError as error:
        raise MissingExtraError("to pair the items of lists", "scipy", "evaluation") from error
    scores = [
        [_score(left, right) + _IN_ORDER * (i == j) for j, right in enumerate(theirs)] for i, left in enumerate(ours)
    ]
    rows, columns = linear_sum_assignment(scores, maximize=True)
    return [(int(left), int(right)) for left, right in zip(rows, columns, strict=True)]


def _score(gold: Any, predicted: Any) -> float:
    return fmean(one.comparison.token_f1 for one in outcomes(gold, predicted))
