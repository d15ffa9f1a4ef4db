"""Estimates come with honest errors, and their bounds are never wrong."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdk.generation.aligned import DocumentDraw, effective_draws, estimated
from tests.toys import TOYS, exact

METHODS = ["exact", "asap", "masked"]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TOYS), st.sampled_from(METHODS), st.integers(1, 60), st.integers(0, 2**32))
def test_bounds_hold_the_truth(toy, method, count, seed):
    documents, legal = exact(toy, toy.language)
    conditional = toy.conditional()
    draws = conditional.draw(count, method, seed=seed)
    values = [(len(draw.tokens), toy.spelled(draw.tokens)) for draw in draws]
    estimates, (lower, upper) = estimated(draws, values, method, conditional.futures.estimate())
    assert lower - 1e-12 <= legal <= upper + 1e-12
    assert sum(estimate.count for estimate in estimates) == count
    assert sum(estimate.probability for estimate in estimates) == pytest.approx(1.0)
    for estimate in estimates:
        truth = sum(share for tokens, share in documents.items() if len(tokens) == estimate.value)
        assert estimate.at_least - 1e-9 <= truth <= estimate.at_most + 1e-9


@pytest.mark.parametrize("toy", TOYS, ids=[toy.name for toy in TOYS])
@pytest.mark.parametrize("method", METHODS)
def test_estimates_are_right_within_their_errors(toy, method):
    """Of many independent estimates, about 95 % lie within two standard errors of the truth."""
    documents, _ = exact(toy, toy.language)
    common = max(documents, key=documents.__getitem__)
    hits = 0
    for seed in range(100):
        draws = toy.conditional().draw(60, method, seed=seed)
        values = [(draw.tokens == common, toy.spelled(draw.tokens)) for draw in draws]
        estimates, _ = estimated(draws, values, method, 1.0)
        found = {estimate.value: estimate for estimate in estimates}
        if True in found:
            hits += abs(found[True].probability - documents[common]) <= 2 * found[True].standard_error
    assert hits >= {"exact": 88, "asap": 80, "masked": 75}[method]


def drawn(tokens: tuple[int, ...], probability: float, proposal: float = 1.0) -> DocumentDraw:
    return DocumentDraw(tokens, math.log(probability), 0.0, math.log(proposal), (0.0,), 1)


def test_equal_values_of_one_type_are_one_value():
    draws = [drawn((1,), 0.2), drawn((2,), 0.3), drawn((3,), 0.1), drawn((1,), 0.2)]
    values = [(1, "1"), (1, "1.0"), (True, "true"), (1, "1")]
    estimates, mass = estimated(draws, values, "exact", 0.75)
    assert [(e.value, e.text, e.count, e.probability) for e in estimates] == [
        (1, "1.0", 3, 0.75),
        (True, "true", 1, 0.25),
    ]
    assert mass == (pytest.approx(0.6), 0.75)
    one, true = estimates
    assert (one.at_least, one.at_most) == (pytest.approx(0.5 / 0.75), pytest.approx(0.65 / 0.75))
    assert (true.at_least, true.at_most) == (pytest.approx(0.1 / 0.75), pytest.approx(0.25 / 0.75))
    assert one.standard_error == pytest.approx(math.sqrt(0.75 * 0.25 / 4))


def test_a_draw_counts_by_how_much_rarer_it_was_drawn_than_the_model_writes_it():
    draws = [drawn((1,), 0.2, 0.8), drawn((2,), 0.4, 0.2)]
    estimates, _ = estimated(draws, [("a", "a"), ("b", "b")], "masked", 1.0)
    assert {e.value: e.probability for e in estimates} == pytest.approx({"a": 0.25 / 2.25, "b": 2 / 2.25})


def test_a_model_that_is_sure_needs_one_draw():
    draws = [drawn((1,), 0.89)]
    (estimate,), _ = estimated(draws, [("a", "a")], "exact", 0.9)
    assert estimate.at_least == pytest.approx(0.89 / 0.9)
    assert (estimate.probability, estimate.at_most) == (1.0, pytest.approx(1.0))


def test_effective_draws_tell_when_one_draw_decides():
    alike = [drawn((number,), 0.1, 0.1) for number in range(5)]
    assert effective_draws(alike, "asap") == pytest.approx(5)
    uneven = [*alike, drawn((9,), 0.5, 1e-6)]
    assert effective_draws(uneven, "asap") == pytest.approx(1.0, abs=1e-4)
    assert effective_draws(uneven, "exact") == pytest.approx(6)
