"""When a value counts as right: a policy for each kind of value.

    gold                    predicted                exact   normalised   token F1
    "ACE Books, Ltd."       "Ace Books Ltd"          no      yes          1.0
    "12 Long Road"          "Long Road"              no      no           0.8
    Decimal("9.0")          Decimal("9.00")          no      yes          1.0
    date(2024, 3, 1)        date(2024, 3, 1)         yes     yes          1.0
    null                    null                     yes     yes          1.0

*Exact* means the same JSON. *Normalised* compares dates, times and numbers by value; booleans, enumerations and all
other kinds must be equal; text is compared as ``folding`` leaves it: case, white space and punctuation do not count.
*Token F1* is that of SQuAD (Rajpurkar et al. 2016, section 6.1) on the words of folded text, articles included, and 0
or 1 for what is no text.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

from pydantic_core import to_jsonable_python

from sdk.folding import fold

__all__ = ["ABSENT", "Comparison", "compare"]


class _Absent:
    """The type of ``ABSENT``."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()
"""Stands for a value that is not there. It is no JSON, so that a value can be told from it."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much a predicted value is like the right one. ``token_f1``: in [0, 1]."""

    exact: bool
    normalised: bool
    token_f1: float


def compare(gold: Any, predicted: Any) -> Comparison:
    """Compare two values without parts; each may be ``ABSENT``."""
    if gold is ABSENT or predicted is ABSENT:
        both = gold is predicted
        return Comparison(both, both, float(both))
    exact = type(gold) is type(predicted) and to_jsonable_python(gold) == to_jsonable_python(predicted)
    normalised = exact or _normalised(gold) == _normalised(predicted)
    if _is_text(gold) and _is_text(predicted):
        return Comparison(exact, normalised, 1.0 if normalised else _token_f1(gold, predicted))
    return Comparison(exact, normalised, float(normalised))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Enum)


def _normalised(value: Any) -> tuple[str, Any]:
    """A kind, and a value to be compared within it."""
    match value:
        case Enum() | bool():
            return type(value).__name__, value
        case str():
            return "text", fold(value)
        case int() | float() | Decimal():
            return "number", Decimal(str(value))
        case _:
            return type(value).__name__, value


def _token_f1(gold: str, predicted: str) -> float:
    wanted, found = Counter(fold(gold).split()), Counter(fold(predicted).split())
    shared = (wanted & found).total()
    return 2 * shared / (wanted.total() + found.total()) if shared else 0.0
