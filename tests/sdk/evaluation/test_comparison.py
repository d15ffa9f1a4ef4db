"""When a value counts as right, kind by kind."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any

import pytest

from sdk.evaluation.comparison import ABSENT, compare


class Colour(StrEnum):
    RED = "Red"
    DARK_RED = "red"


class Level(IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    ("gold", "predicted", "exact", "normalised", "token_f1"),
    [
        ("Ace", "Ace", True, True, 1.0),
        ("ACE Books, Ltd.", "Ace  books\nLtd", False, True, 1.0),
        ("12 Long Road", "Long Road", False, False, 0.8),
        ("a a b", "a b b", False, False, 2 / 3),
        ("Ann", "Bob", False, False, 0.0),
        ("", "?", False, False, 0.0),
        ("!", "?", False, False, 0.0),
        ("", "", True, True, 1.0),
        (Decimal("9.0"), Decimal("9.00"), False, True, 1.0),
        (Decimal("9.0"), Decimal("9.1"), False, False, 0.0),
        (0.1, 0.1, True, True, 1.0),
        (1, 1.0, False, True, 1.0),
        (1, Decimal("1.0"), False, True, 1.0),
        (True, True, True, True, 1.0),
        (True, 1, False, False, 0.0),
        (1, "1", False, False, 0.0),
        (Colour.RED, Colour.DARK_RED, False, False, 0.0),
        (Colour.RED, Colour.RED, True, True, 1.0),
        (Level.LOW, Level.LOW, True, True, 1.0),
        (date(2024, 3, 1), date(2024, 3, 1), True, True, 1.0),
        (date(2024, 3, 1), date(2024, 1, 3), False, False, 0.0),
        (
            datetime(2024, 3, 1, 12, tzinfo=UTC),
            datetime(2024, 3, 1, 13, tzinfo=timezone(timedelta(hours=1))),
            False,
            True,
            1.0,
        ),
        (datetime(2024, 3, 1, 12, tzinfo=UTC), datetime(2024, 3, 1, 12), False, False, 0.0),
        (ABSENT, ABSENT, True, True, 1.0),
        (ABSENT, "", False, False, 0.0),
        (0, ABSENT, False, False, 0.0),
    ],
)
def test_policies(gold: Any, predicted: Any, exact: bool, normalised: bool, token_f1: float) -> None:
    for left, right in ((gold, predicted), (predicted, gold)):
        found = compare(left, right)
        assert (found.exact, found.normalised) == (exact, normalised)
        assert found.token_f1 == pytest.approx(token_f1)
