"""Samplers stay inside the mask and follow the model's distribution, each row for itself."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sdk.generation.samplers import (
    Draw,
    Greedy,
    MinP,
    Positions,
    RepetitionPenalty,
    Sampler,
    Temperature,
    TopK,
    TopP,
    Transform,
    sampler_of,
)
from tests.pearson import is_drawn_from

ALLOWED = [True, False, True, True, True]
LOGITS = [0.0, 5.0, 1.0, 2.0, -1.0]


def places(uniforms: Sequence[float], output: Sequence[int] = ()) -> Positions:
    count = len(uniforms)
    return Positions(
        torch.tensor([LOGITS] * count),
        torch.tensor([ALLOWED] * count),
        torch.tensor(uniforms, dtype=torch.float64),
        [output] * count,
    )


def follows(sampler: Sampler, weights: dict[int, float], output: Sequence[int] = ()) -> bool:
    """Whether tokens are drawn with probabilities in proportion to ``weights``, and no others."""
    draws = sampler(places([step / 4096 for step in range(4096)], output)).tolist()
    shares = {token_id: count / 4096 for token_id, count in Counter(draws).items()}
    return is_drawn_from(
        shares, {token_id: weight / sum(weights.values()) for token_id, weight in weights.items()}, 4096
    )


def test_greedy_takes_the_first_of_the_best_allowed_tokens():
    tied = Positions(
        torch.tensor([[0.0, 9.0, 2.0, 2.0]]), torch.tensor([[True, False, True, True]]), torch.zeros(1), [[]]
    )
    assert Greedy()(tied).tolist() == [2]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_temperature_follows_the_sharpened_distribution(temperature):
    weights = {token: math.exp(LOGITS[token] / temperature) for token in (0, 2, 3, 4)}
    assert follows(Draw((Temperature(temperature),)), weights)


@pytest.mark.parametrize(
    ("transform", "kept"),
    [(TopK(1), {3}), (TopK(2), {2, 3}), (TopK(99), {0, 2, 3, 4}), (TopP(0.5), {3}), (TopP(0.9), {0, 2, 3}),
     (TopP(1.0), {0, 2, 3, 4}), (MinP(0.3), {2, 3}), (MinP(0.0), {0, 2, 3, 4}), (MinP(1.0), {3})],
)  # fmt: skip
def test_cuts_keep_the_head_of_the_allowed_distribution(transform: Transform, kept):
    assert follows(Draw((transform,)), {token: math.exp(LOGITS[token]) for token in kept})


def test_the_penalty_makes_written_tokens_rarer():
    weights = {0: 1.0, 2: math.exp(1.0), 3: math.exp(2 / 1.5), 4: math.exp(-1.5)}
    assert follows(Draw((RepetitionPenalty(1.5),)), weights, output=[3, 4, 1])
    assert Greedy((RepetitionPenalty(3.0),))(places([0.0], output=[3])).tolist() == [2]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_sampler_stays_inside_any_mask(data):
    size = data.draw(st.integers(1, 12))
    allowed = data.draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(any))
    logits = data.draw(st.lists(st.floats(-40, 40), min_size=size, max_size=size))
    uniform = data.draw(st.sampled_from([0.0, 0.5, math.nextafter(1.0, 0.0)]) | st.floats(0, 1, exclude_max=True))
    sampler = sampler_of(
        temperature=data.draw(st.sampled_from([0.0, 0.1, 1.0, 5.0])),
        top_k=data.draw(st.none() | st.integers(1, 5)),
        top_p=data.draw(st.none() | st.floats(0.01, 1)),
        min_p=data.draw(st.none() | st.floats(0, 1)),
        repetition_penalty=data.draw(st.none() | st.floats(0.5, 2)),
    )
    positions = Positions(
        torch.tensor([logits]), torch.tensor([allowed]), torch.tensor([uniform], dtype=torch.float64), [[0]]
    )
    assert allowed[int(sampler(positions))]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"temperature": -1.0}, "temperature"),
        ({"temperature": math.inf}, "temperature"),
        ({"temperature": math.nan}, "temperature"),
        ({"temperature": 1.0, "top_k": 0}, "top_k"),
        ({"temperature": 1.0, "top_p": 0.0}, "top_p"),
        ({"temperature": 1.0, "min_p": 1.1}, "min_p"),
        ({"repetition_penalty": 0.0}, "repetition_penalty"),
    ],
)
def test_numbers_out_of_range_are_refused_by_name(options, named):
    with pytest.raises(ValueError, match=named):
        sampler_of(**options)
