"""Draws follow the distributions they promise, against exact ones computed by enumeration."""

from __future__ import annotations

import math
from statistics import fmean

import pytest

from sdk.errors import TooManyAttemptsError
from sdk.generation.aligned import Conditional, ExpectedFutureGrammaticality, Language
from tests.pearson import is_drawn_from
from tests.toys import TOYS, Toy, divergence, drawn, exact, proposed

pytestmark = pytest.mark.parametrize("toy", TOYS, ids=[toy.name for toy in TOYS])


@pytest.mark.parametrize(("batch", "max_nodes"), [(1, 1 << 17), (8, 1 << 17), (8, 12), (3, 1)])
def test_exact_draws_follow_the_distribution_whatever_is_shared_or_forgotten(toy: Toy, batch, max_nodes):
    wanted, _ = exact(toy, toy.language)
    conditional = toy.conditional(ExpectedFutureGrammaticality(max_nodes=max_nodes))
    draws = conditional.draw(2000, "exact", seed=batch, batch=batch)
    assert is_drawn_from(drawn(draws), wanted, len(draws))


def test_early_exact_draws_are_as_good_as_late_ones(toy: Toy):
    wanted, _ = exact(toy, toy.language)
    first = [toy.conditional().draw(3, "exact", seed=seed, batch=3) for seed in range(700)]
    for place in range(3):
        assert is_drawn_from(drawn([draws[place] for draws in first]), wanted, len(first))


def test_masked_draws_follow_the_masked_distribution_which_is_another(toy: Toy):
    wanted, _ = exact(toy, toy.language)
    masked = proposed(toy, toy.language, wanted, ExpectedFutureGrammaticality())
    draws = toy.conditional().draw(2000, "masked", seed=0)
    assert is_drawn_from(drawn(draws), masked, len(draws))
    assert not is_drawn_from(drawn(draws), wanted, len(draws))


def test_asap_starts_as_masking_and_comes_closer_with_every_ten_draws(toy: Toy):
    wanted, _ = exact(toy, toy.language)
    means = []
    tries = [toy.conditional() for _ in range(10)]
    for seen, count in ((0, 10), (10, 90), (100, 900), (1000, 0)):
        means.append(fmean(divergence(proposed(toy, toy.language, wanted, c.futures), wanted) for c in tries))
        for seed, conditional in enumerate(tries):
            conditional.draw(count, "asap", seed=1000 * seed + seen)
    assert means == sorted(means, reverse=True)
    assert means[-1] < 0.005 < means[0]


def test_a_draw_reports_its_probabilities(toy: Toy):
    wanted, legal = exact(toy, toy.language)
    for method in ("masked", "asap", "exact"):
        conditional = toy.conditional()
        nothing = ExpectedFutureGrammaticality()
        masked = proposed(toy, toy.language, wanted, nothing)
        for number in range(20):
            before = proposed(toy, toy.language, wanted, conditional.futures)
            (draw,) = conditional.draw(1, method, seed=number)
            assert draw.log_model == pytest.approx(math.log(wanted[draw.tokens] * legal))
            assert draw.log_masked == pytest.approx(math.log(masked[draw.tokens]))
            assert draw.log_model == pytest.approx(draw.log_masked + sum(math.log(1 - share) for share in draw.removed))
            assert len(draw.removed) == len(draw.tokens)
            if method == "masked":
                assert draw.log_proposal == draw.log_masked
            elif draw.attempts == 1:
                assert draw.log_proposal == pytest.approx(math.log(before[draw.tokens]))


def test_the_same_seed_gives_the_same_draws(toy: Toy):
    once, again = (toy.conditional().draw(50, "exact", seed=7, batch=4) for _ in range(2))
    assert once == again
    assert toy.conditional().draw(50, "exact", seed=8, batch=4) != once


@pytest.mark.parametrize("method", ["asap", "exact"])
def test_what_is_refused_is_part_of_the_condition(toy: Toy, method):
    """Documents with an even number of tokens are refused: nobody but ``accepts`` knows."""
    language = Language(
        toy.language.matcher, toy.language.eos_token_ids, toy.language.budget, lambda tokens: len(tokens) % 2 == 1
    )
    wanted, legal = exact(toy, language)
    conditional = Conditional(toy, language)
    draws = conditional.draw(2000, method, seed=3)
    assert {draw.tokens for draw in draws} <= wanted.keys()
    assert legal <= conditional.futures.estimate() + 1e-12
    if method == "exact":
        assert is_drawn_from(drawn(draws), wanted, len(draws))


@pytest.mark.parametrize("method", ["masked", "asap", "exact"])
def test_a_budget_is_part_of_the_condition(toy: Toy, method):
    full, _ = exact(toy, toy.language)
    ends = toy.language.eos_token_ids
    lengths = sorted({len(tokens) - (tokens[-1] in ends) for tokens in full})
    language = Language(toy.language.matcher, ends, lengths[len(lengths) // 2])
    wanted, _ = exact(toy, language)
    assert len(wanted) < len(full) or len(lengths) == 1
    draws = Conditional(toy, language).draw(2000, method, seed=5)
    assert {draw.tokens for draw in draws} <= wanted.keys()
    if method == "exact":
        assert is_drawn_from(drawn(draws), wanted, len(draws))


def test_hopeless_conditions_are_given_up_with_numbers(toy: Toy):
    language = Language(toy.language.matcher, toy.language.eos_token_ids, toy.language.budget, lambda _: False)
    with pytest.raises(TooManyAttemptsError, match=r"600 attempts gave 0 of 2 documents.*at most 0\b") as caught:
        Conditional(toy, language).draw(2, "exact", seed=0, attempts=300)
    assert caught.value.mass == 0.0


def test_no_prefix_is_asked_about_twice(toy: Toy):
    conditional = toy.conditional()
    asked: list[tuple[int, ...]] = []

    def model(prefixes):
        asked.extend(prefixes)
        return toy(prefixes)

    counted = Conditional(model, toy.language, conditional.futures)
    counted.draw(300, "asap", seed=0)
    assert len(asked) == len(set(asked)) == counted.answers.asked
    forgetful = Conditional(toy, toy.language, remembered_bytes=100)
    assert len(forgetful.draw(100, "exact", seed=0)) == 100
