"""One token, one attempt: chosen by weight, and rejected for exactly what was promised too much."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdk.generation.aligned import ExpectedFutureGrammaticality
from sdk.generation.aligned.attempt import Attempt, draw_token
from sdk.generation.samplers import race_row
from tests.pearson import is_drawn_from

A, B, C = 10, 20, 30
ALL = np.array([A, B, C])


@settings(deadline=None)
@given(st.data())
def test_a_token_without_weight_is_never_chosen(data):
    numbers = st.floats(0, 1) | st.just(0.0)
    probabilities = np.array(data.draw(st.lists(numbers, min_size=1, max_size=8)))
    estimates = np.array(data.draw(st.lists(numbers, min_size=len(probabilities), max_size=len(probabilities))))
    uniform = data.draw(st.sampled_from([0.0, math.nextafter(1.0, 0.0)]) | st.floats(0, 1, exclude_max=True))
    draw = draw_token(np.arange(len(probabilities)), probabilities, estimates, uniform)
    weights = probabilities * estimates
    if draw is None:
        assert weights.sum() == 0
    else:
        assert weights[draw.token] > 0
        assert draw.share == pytest.approx(weights[draw.token] / weights.sum())


def test_shares_are_the_weights():
    tokens = [
        draw_token(ALL, np.array([0.1, 0.2, 0.4]), np.array([1.0, 0.25, 0.0]), step / 3000).token
        for step in range(3000)
    ]
    shares = {token: count / 3000 for token, count in Counter(tokens).items()}
    assert is_drawn_from(shares, {A: 2 / 3, B: 1 / 3}, 3000)


def scripted(*numbers: float):
    waiting = iter(numbers)
    return lambda: next(waiting)


def choosing(index: int, *weights: float) -> float:
    """A random number by which the token at ``index`` wins."""
    return next(step / 100 for step in range(100) if race_row(np.array(weights), step / 100) == index)


FIRST, SECOND = choosing(0, 0.25, 0.2, 0.1), choosing(1, 0.1, 0.3, 0.1)
"""A and then B win, when half of what they promise is lost, and so when nothing is."""


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
    attempt = Attempt(futures, "exact", scripted(FIRST, SECOND, number), 1)
    assert attempt.step(ALL, np.array([0.5, 0.2, 0.1]))
    assert attempt.tokens == (A,)
    expand(futures, 0.5)
    assert futures.estimate((A,)) == pytest.approx(0.5)
    assert attempt.step(ALL, np.array([0.1, 0.6, 0.1])) is goes_on


def test_an_attempt_owes_nothing_for_what_was_known_when_it_took_its_token():
    futures = ExpectedFutureGrammaticality()
    expand(futures, 0.5)
    attempt = Attempt(futures, "exact", scripted(FIRST, SECOND, math.nextafter(1.0, 0.0)), 1)
    assert attempt.step(ALL, np.array([0.5, 0.2, 0.1]))
    assert attempt.step(ALL, np.array([0.1, 0.6, 0.1]))


def test_asap_and_masking_give_nothing_up():
    for method in ("asap", "masked"):
        attempt = Attempt(ExpectedFutureGrammaticality(), method, scripted(FIRST, 0.99), 1)
        assert attempt.step(ALL, np.array([0.5, 0.2, 0.1]))
        assert attempt.step(ALL, np.array([1e-9, 1e-9, 1e-9]))


def test_an_attempt_says_what_the_masks_removed():
    attempt = Attempt(ExpectedFutureGrammaticality(), "masked", scripted(FIRST, choosing(1, 0.25, 0.25)), 3)
    attempt.step(ALL, np.array([0.5, 0.2, 0.1]))
    attempt.step(ALL[:2], np.array([0.25, 0.25]))
    document = attempt.finish()
    assert document.tokens == (A, B)
    assert document.attempts == 3
    assert document.removed == pytest.approx((0.2, 0.5))
    assert document.log_model == pytest.approx(math.log(0.5 * 0.25))
    assert document.log_masked == document.log_proposal == pytest.approx(math.log(0.625 * 0.5))
