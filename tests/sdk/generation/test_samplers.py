"""Samplers stay inside the mask and follow the model's distribution; masks unpack bit by bit."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from sdk.generation.masking import allowed_tokens, removed_mass
from sdk.generation.samplers import Greedy, Temperature

CPU = torch.device("cpu")


@pytest.mark.parametrize("size", [1, 31, 32, 33, 257])
def test_rows_unpack_to_one_bool_a_token(size):
    flags = np.random.default_rng(size).random(size) < 0.4
    words = np.zeros((size + 31) // 32, np.uint32)
    for token_id in np.flatnonzero(flags):
        words[token_id // 32] |= np.uint32(1 << (int(token_id) % 32))
    assert allowed_tokens(words, size, CPU).tolist() == flags.tolist()


def test_removed_mass_is_the_probability_outside_the_mask():
    logits = torch.tensor([1.0, 2.0, 3.0])
    shares = [math.exp(x) for x in (1, 2, 3)]
    assert removed_mass(logits, torch.tensor([True, False, True])) == pytest.approx(shares[1] / sum(shares))
    assert removed_mass(logits, torch.tensor([True, True, True])) == 0.0


def test_greedy_takes_the_best_allowed_token():
    allowed = torch.tensor([True, False, True, True])
    assert Greedy()(torch.tensor([0.0, 9.0, 2.0, 2.0]), allowed, torch.Generator()) == 2


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_temperature_follows_the_sharpened_distribution(temperature):
    logits, allowed = torch.tensor([0.0, 5.0, 1.0, 2.0]), torch.tensor([True, False, True, True])
    generator = torch.Generator().manual_seed(1)
    draws = [Temperature(temperature)(logits, allowed, generator) for _ in range(4000)]
    weights = {token: math.exp(float(logits[token]) / temperature) for token in (0, 2, 3)}
    for token, weight in weights.items():
        assert draws.count(token) / 4000 == pytest.approx(weight / sum(weights.values()), abs=0.03)
    assert 1 not in draws


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.inf, math.nan])
def test_a_temperature_must_be_positive_and_finite(temperature):
    with pytest.raises(ValueError, match="temperature"):
        Temperature(temperature)
