"""Evaluations of whole sets: sums, means, and documents that do not fit."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, Field

from sdk.errors import ResultsError
from sdk.evaluation import Pair, Scores, differences, evaluate, pair_results
from sdk.results import Failure, Result


class Item(BaseModel):
    name: str
    price: Decimal


class Receipt(BaseModel):
    shop: str = Field(alias="Shop")
    day: date | None = None
    items: list[Item] = []


GOLD = {
    "Shop": "ACE Books, Ltd.",
    "day": "2024-03-01",
    "items": [{"name": "Tea", "price": "1.0"}, {"name": "Milk", "price": "2.50"}],
}
CLOSE = {"Shop": "Ace Books", "day": None, "items": [{"name": "milk", "price": "2.5"}]}


def test_fields_and_their_means() -> None:
    found = evaluate([Pair("1", GOLD, GOLD), Pair("2", GOLD, CLOSE)], Receipt)
    assert found.fields == {
        "Shop": Scores(2, 0.5, 0.5, pytest.approx(0.9), 0, 0),
        "day": Scores(2, 0.5, 0.5, 0.5, 1, 0),
        "items[].name": Scores(4, 0.5, 0.75, 0.75, 1, 0),
        "items[].price": Scores(4, 0.5, 0.75, 0.75, 1, 0),
    }
    assert found.micro == Scores(12, 0.5, pytest.approx(8 / 12), pytest.approx((1.8 + 1 + 3 + 3) / 12), 3, 0)
    assert found.macro == Scores(12, 0.5, 0.625, pytest.approx((0.9 + 0.5 + 0.75 + 0.75) / 4), 3, 0)


def test_values_may_be_instances() -> None:
    whole = Receipt.model_validate(GOLD)
    assert evaluate([Pair("1", whole, GOLD)], Receipt).micro.exact == 1.0


def test_absent_on_both_sides_is_no_value_but_has_a_confidence() -> None:
    none = {"Shop": "Ace"}
    found = evaluate([Pair("1", none, none, {("Shop",): 0.9, ("day",): 0.8})], Receipt)
    assert list(found.fields) == ["Shop"]
    assert found.judged == [(0.9, True), (0.8, True)]


def test_confidence_belongs_to_the_predicted_place() -> None:
    confidence = {("day",): 0.4, ("items", 0, "name"): 0.9, ("items", 1, "name"): 0.1, ("elsewhere",): 1.0}
    found = evaluate([Pair("1", GOLD, CLOSE, confidence)], Receipt)
    assert found.judged == [(0.4, False), (0.9, True)]
    assert found.confidence is not None
    assert found.confidence.count == 2


def test_predictions_without_a_value_or_of_another_type_miss_all() -> None:
    found = evaluate([Pair("1", GOLD), Pair("2", GOLD, {"day": "x"})], Receipt)
    assert found.invalid == {"2": "Shop: Field required"}
    assert (found.micro.count, found.micro.missed, found.micro.token_f1) == (12, 12, 0.0)
    assert found.confidence is None


def test_nothing_at_all() -> None:
    assert evaluate([], Receipt).macro == Scores(0, 0.0, 0.0, 0.0, 0, 0)


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([Pair("1", {"day": "x"})], "the gold value of '1' is not of the type: Shop: Field required"),
        ([Pair("1", GOLD), Pair("1", GOLD)], "found two for '1'"),
    ],
)
def test_errors(pairs: list[Pair], said: str) -> None:
    with pytest.raises(ResultsError, match=said):
        evaluate(pairs, Receipt)


def results(**values: Any) -> list[Result]:
    return [Result(name, value) for name, value in values.items()]


def test_results_are_matched_by_name() -> None:
    found = pair_results(
        results(a=1, b=2, c=3), [*results(z=0, b=7), Result("c", error=Failure("InputError", "no text"))]
    )
    assert [(pair.name, pair.gold, pair.predicted) for pair in found.pairs] == [
        ("a", 1, None),
        ("b", 2, 7),
        ("c", 3, None),
    ]
    assert (found.failed, found.missing, found.unknown) == (["c"], ["a"], ["z"])


def test_names_are_unique_and_gold_has_values() -> None:
    with pytest.raises(ResultsError, match="in gold, found 'a' twice"):
        pair_results([*results(a=1), *results(a=1)], [])
    with pytest.raises(ResultsError, match="in the results, found 'a' twice"):
        pair_results(results(a=1), [*results(a=1), *results(a=2)])
    with pytest.raises(ResultsError, match="found an error for 'a'"):
        pair_results([Result("a", error=Failure("E", ""))], [])


def test_differences_are_of_the_same_values() -> None:
    swapped = {"Shop": "Ace", "items": [GOLD["items"][1], GOLD["items"][0], {"name": "Jam", "price": 1}]}
    first = evaluate([Pair("1", GOLD, CLOSE)], Receipt)
    second = evaluate([Pair("1", GOLD, swapped), Pair("2", GOLD)], Receipt)
    found = differences(first, second)
    counts = {name: (one.count, one.both, one.only_first, one.only_second) for name, one in found.items()}
    assert counts == {
        "Shop": (1, 0, 0, 0),
        "day": (1, 0, 0, 0),
        "items[].name": (2, 1, 0, 1),
        "items[].price": (2, 1, 0, 1),
    }
    assert (found["items[].name"].first, found["items[].name"].second) == (0.5, 1.0)


@pytest.mark.parametrize(("only_first", "only_second"), [(0, 0), (1, 0), (3, 3), (4, 12), (0, 10), (200, 260)])
def test_p_values_are_those_of_the_binomial_test(only_first: int, only_second: int) -> None:
    from scipy.stats import binomtest

    from sdk.evaluation import Difference

    trials = only_first + only_second
    expected = binomtest(only_first, trials).pvalue if trials else 1.0
    assert Difference(1000, 0, only_first, only_second).p_value == pytest.approx(expected)
