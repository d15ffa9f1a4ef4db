"""Outcomes of nested values, and the pairing of lists."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdk.evaluation.comparison import ABSENT
from sdk.evaluation.outcomes import outcomes

WORDS = st.lists(st.text("abc ", min_size=1, max_size=5), max_size=4)


def table(gold: Any, predicted: Any) -> list[tuple[Any, ...]]:
    return [
        (one.field, one.gold, one.predicted, one.gold_path, one.predicted_path) for one in outcomes(gold, predicted)
    ]


def test_items_find_their_partners() -> None:
    gold = {"items": [{"name": "Tea", "price": 1}, {"name": "Milk", "price": 2}]}
    predicted = {"items": [{"name": "Milk", "price": 3}]}
    assert table(gold, predicted) == [
        ("items[].name", "Milk", "Milk", ("items", 1, "name"), ("items", 0, "name")),
        ("items[].price", 2, 3, ("items", 1, "price"), ("items", 0, "price")),
        ("items[].name", "Tea", ABSENT, ("items", 0, "name"), None),
        ("items[].price", 1, ABSENT, ("items", 0, "price"), None),
    ]


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("a", "b", [("$", "a", "b")]),
        (None, None, [("$", ABSENT, ABSENT)]),
        ({"a": None}, {}, [("a", ABSENT, ABSENT)]),
        ({}, {"a": 1}, [("a", ABSENT, 1)]),
        ({"a": []}, {"a": None}, [("a", ABSENT, ABSENT)]),
        ({"a": []}, {"a": [1]}, [("a[]", ABSENT, 1)]),
        ({"a": {"b": 1}}, {"a": None}, [("a.b", 1, ABSENT)]),
        ({"a": {"b": 1}}, {"a": [2]}, [("a.b", 1, ABSENT), ("a[]", ABSENT, 2)]),
        ({"a": "x"}, {"a": ["x"]}, [("a", "x", ABSENT), ("a[]", ABSENT, "x")]),
        ([["x"], ["y"]], [["y"], ["x"]], [("[][]", "x", "x"), ("[][]", "y", "y")]),
        ((1, 2), (2, 1), [("[]", 1, 2), ("[]", 2, 1)]),
        ((1, 2), (1,), [("[]", 1, 1), ("[]", 2, ABSENT)]),
        ({1, 2}, {2}, [("[]", 2, 2), ("[]", 1, ABSENT)]),
        (["x", "x"], ["x", "y"], [("[]", "x", "x"), ("[]", "x", "y")]),
        (["p", "q"], ["r", "s"], [("[]", "p", "r"), ("[]", "q", "s")]),
    ],
)
def test_shapes(gold: Any, predicted: Any, expected: list[tuple[str, Any, Any]]) -> None:
    assert [row[:3] for row in table(gold, predicted)] == expected


@given(WORDS, WORDS)
@settings(deadline=None)
def test_no_other_pairing_has_more_in_common(gold: list[str], predicted: list[str]) -> None:
    """Against all pairings there are."""

    def score(left: str, right: str) -> float:
        return outcomes(left, right)[0].comparison.token_f1

    shorter, longer = sorted([gold, predicted], key=len)
    best = max(sum(map(score, shorter, chosen)) for chosen in permutations(longer, len(shorter)))
    found = outcomes(gold, predicted)
    assert sum(one.comparison.token_f1 for one in found if not one.is_absent) == pytest.approx(best)
    assert sum(not one.is_absent for one in found) == len(longer)


@given(
    st.recursive(
        st.integers() | st.text(max_size=3),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=2), inner),
        max_leaves=8,
    )
)
@settings(deadline=None)
def test_a_value_is_right_about_itself(value: Any) -> None:
    assert all(one.comparison.exact and not one.is_missed and not one.is_spurious for one in outcomes(value, value))
