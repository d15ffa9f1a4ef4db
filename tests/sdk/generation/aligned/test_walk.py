"""One token, one attempt: chosen by weight, and rejected for exactly what was promised too much."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdk.generation.aligned import ExpectedFutureGrammaticality
from sdk.generation.aligned.walk import Walk, choose

A, B, C = 10, 20, 30
ALL = np.array([A, B, C])


@given(st.data())
def test_a_token_without_weight_is_never_chosen(data):
    numbers = st.floats(0, 1) | st.just(0.0)
    probabilities = np.array(data.draw(st.lists(numbers, min_size=1, max_size=8)))
    estimates = np.array(data.draw(st.lists(numbers, min_size=len(probabilities), max_size=len(probabilities))))
    uniform = data.draw(st.sampled_from([0.0, math.nextafter(1.0, 0.0)]) | st.floats(0, 1, exclude_max=True))
    choice = choose(np.arange(len(probabilities)), probabilities, estimates, uniform)
    weights = probabilities * estimates
    if choice is None:
        assert weights.sum() == 0
    else:
        assert weights[choice.token] > 0
        assert choice.share == pytest.approx(weights[choice.token] / weights.sum())


def test_shares_are_the_weights():
    tokens = [
        choose(ALL, np.array([0.1, 0.2, 0.4]), np.array([1.0, 0.5, 0.0]), step / 1000).token for step in range(1000)
    ]
    assert {token: tokens.count(token) for token in (A, B, C)} == {A: 500, B: 500, C: 0}


def scripted(*numbers: float):
    waiting = iter(numbers)
    return lambda: next(waiting)


def expand(futures: ExpectedFutureGrammaticality, below: float) -> None:
    """Someone learns that after A, B the model writes something legal with the probability ``below``."""
    node = futures.visit(futures.root, A, 0.5)
    node.look(0.8)
    child = futures.visit(node, B, 0.6)
    child.look(below)
    futures.settle(child)


@pytest.mark.parametrize(("number", "goes_on"), [(0.0, True), (0.49, True), (0.51, False), (0.99, False)])
def test_an_attempt_pays_for_what_others_have_learned_since_its_last_token(number, goes_on):
    """A was taken for 1; then its future turns out to be 0.2 + 0.6 * 0.5 = 0.5."""
    futures = ExpectedFutureGrammaticality()
    walk = Walk(futures, "exact", scripted(0.0, 0.3, number), 1)
    assert walk.step(ALL, np.array([0.5, 0.2, 0.1]))
    assert walk.tokens == (A,)
    expand(futures, 0.5)
    assert futures.estimate((A,)) == pytest.approx(0.5)
    assert walk.step(ALL, np.array([0.1, 0.6, 0.1])) is goes_on


def test_an_attempt_owes_nothing_for_what_was_known_when_it_took_its_token():
    futures = ExpectedFutureGrammaticality()
    expand(futures, 0.5)
    walk = Walk(futures, "exact", scripted(0.0, 0.3, math.nextafter(1.0, 0.0)), 1)
    assert walk.step(ALL, np.array([0.5, 0.2, 0.1]))
    assert walk.step(ALL, np.array([0.1, 0.6, 0.1]))


def test_asap_and_masking_give_nothing_up():
    for method in ("asap", "masked"):
        walk = Walk(ExpectedFutureGrammaticality(), method, scripted(0.0, 0.99), 1)
        assert walk.step(ALL, np.array([0.5, 0.2, 0.1]))
        assert walk.step(ALL, np.array([1e-9, 1e-9, 1e-9]))


def test_a_walk_says_what_the_masks_removed():
    walk = Walk(ExpectedFutureGrammaticality(), "masked", scripted(0.0, 0.99), 3)
    walk.step(ALL, np.array([0.5, 0.2, 0.1]))
    walk.step(ALL[:2], np.array([0.25, 0.25]))
    sample = walk.finish()
    assert sample.tokens == (A, B)
    assert sample.attempts == 3
    assert sample.removed == pytest.approx((0.2, 0.5))
    assert sample.log_model == pytest.approx(math.log(0.5 * 0.25))
    assert sample.log_masked == sample.log_proposal == pytest.approx(math.log(0.625 * 0.5))
