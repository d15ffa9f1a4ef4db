"""ASAp inside the generation loop comes closer to the model's distribution as it draws, drafts or not."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from sdk.generation.aligned import ASAp, ExpectedFutureGrammaticality
from sdk.generation.samplers import Positions, race_row
from tests.toys import TOYS, Toy, divergence, exact, proposed

END = frozenset({2})


def positions(toy: Toy, outputs: list[list[int]], uniforms: list[float], allowed: list[list[int]]) -> Positions:
    logits = torch.tensor(np.array(toy([tuple(output) for output in outputs])), dtype=torch.float32)
    mask = torch.zeros(logits.shape, dtype=torch.bool)
    for row, token_ids in enumerate(allowed):
        mask[row, token_ids] = True
    return Positions(logits, mask, torch.tensor(uniforms, dtype=torch.float64), outputs)


def legal(matcher: object, size: int) -> list[int]:
    row = matcher.mask()
    return [token for token in range(size) if row[token // 32] >> np.uint32(token % 32) & 1]


def write(toy: Toy, sampler: ASAp, random: np.random.Generator) -> tuple[int, ...]:
    """One document, as the loop would have it: an end that is the only choice is not sampled."""
    matcher, output = toy.language.matcher(), list[int]()
    while (allowed := legal(matcher, len(toy.vocabulary))) != [len(toy.spellings)]:
        (token,) = sampler(positions(toy, [output], [random.random()], [allowed])).tolist()
        assert token in allowed
        assert matcher.accept(token)
        output.append(token)
        if token in toy.language.eos_token_ids:
            break
    return tuple(output)


@pytest.mark.parametrize("toy", TOYS, ids=[toy.name for toy in TOYS])
def test_it_learns_the_distribution(toy):
    wanted, _ = exact(toy, toy.language)
    futures, random = ExpectedFutureGrammaticality(), np.random.default_rng(0)
    sampler = ASAp(futures, toy.vocabulary.eos_token_ids)
    before = divergence(proposed(toy, toy.language, wanted, futures), wanted)
    for _ in range(1500):
        assert write(toy, sampler, random) in wanted
    assert divergence(proposed(toy, toy.language, wanted, futures), wanted) < before / 50


def test_places_of_a_draft_are_chosen_together():
    toy = TOYS[0]
    zero, one = toy.tokens("0"), toy.tokens("1")
    futures = ExpectedFutureGrammaticality()
    guesses = [[], [*one], [*one, *zero], [*one, *zero, *zero]]
    both = [*zero, *one]
    to_zero, to_one = (
        next(step / 100 for step in range(100) if race_row(np.array([0.5, 0.5]), step / 100) == index)
        for index in range(2)
    )
    chosen = ASAp(futures, toy.vocabulary.eos_token_ids)(
        positions(toy, guesses, [to_one, to_one, to_zero, to_zero], [both] * 4)
    ).tolist()
    assert chosen == [*one, *one, *zero, *zero]
    assert futures.find([*one, *one]) is not None
    assert futures.find([*one, *zero]) is None, "the draft was wrong from here on"


def test_nothing_is_learned_about_a_document_that_is_over():
    toy = TOYS[0]
    futures = ExpectedFutureGrammaticality()
    (end,) = toy.vocabulary.eos_token_ids
    sampler = ASAp(futures, toy.vocabulary.eos_token_ids)
    assert sampler(positions(toy, [[]], [0.0], [[end]])).tolist() == [end]
    assert futures.estimate() == 1.0
    assert futures.size == 1


def test_where_nothing_promises_a_legal_end_any_legal_token_does():
    toy = TOYS[0]
    futures = ExpectedFutureGrammaticality()
    for token in toy.tokens("01"):
        futures.visit(futures.root, token, 0.5).look(0.0)
        futures.find([token]).refresh()
    (token,) = ASAp(futures, toy.vocabulary.eos_token_ids)(positions(toy, [[]], [0.7], [[*toy.tokens("01")]])).tolist()
    assert token in toy.tokens("01")


def test_what_is_kept_is_bounded():
    toy = TOYS[2]
    futures, random = ExpectedFutureGrammaticality(max_nodes=10), np.random.default_rng(0)
    for _ in range(100):
        write(toy, ASAp(futures, toy.vocabulary.eos_token_ids), random)
        assert futures.size <= 11
    assert math.isfinite(futures.estimate())


def test_two_samplers_are_never_taken_for_one():
    futures = ExpectedFutureGrammaticality()
    assert ASAp(futures, END) != ASAp(futures, END)
    with pytest.raises(ValueError, match="temperature"):
        ASAp(futures, END, 0.0)
