"""Drafts, shared prefixes and batches change no text of a seed, with the last bits of real forward passes."""

from __future__ import annotations

import pytest
import torch

from sdk import Extractor
from sdk.generation.samplers import Draw, MinP, Positions, Temperature, TopK, TopP, sampler_of
from tests.benchmarks.seeds import ALONE, WAYS, Inversion, random_model, texts
from tests.pearson import is_drawn_from


@pytest.fixture(scope="module")
def model(extractor: Extractor):
    return random_model(extractor.model)


@pytest.mark.parametrize("temperature", [0.7, 1.0, 1.5])
def test_ways_to_compute_a_text_change_no_draw(model, temperature):
    sampler = Draw((Temperature(temperature),))
    alone = texts(model, ALONE, sampler, 10)
    assert len(set(alone)) > 5
    for name in ("drafts", "all of these"):
        assert texts(model, WAYS[name], sampler, 10) == alone


@pytest.mark.parametrize("cut", [TopP(0.9), TopK(40), MinP(0.02)], ids=lambda cut: type(cut).__name__)
def test_nor_does_it_with_cuts(model, cut):
    sampler = Draw((Temperature(1.2), cut))
    assert texts(model, WAYS["all of these"], sampler, 8) == texts(model, ALONE, sampler, 8)


def test_the_embedded_model_writes_what_it_writes_alone(extractor):
    sampler = sampler_of(temperature=1.2)
    assert texts(extractor.model, WAYS["all of these"], sampler, 2) == texts(extractor.model, ALONE, sampler, 2)


def test_the_other_draw_follows_the_same_distribution():
    """So that the figures of the benchmark compare like with like."""
    logits = torch.tensor([[0.0, 1.0, 2.0, 3.0]])
    allowed = torch.tensor([[True, True, False, True]])
    numbers = torch.arange(2000, dtype=torch.float64) / 2000
    positions = Positions(logits.expand(2000, 4), allowed.expand(2000, 4), numbers, [[]] * 2000)
    wanted = dict(enumerate(logits.masked_fill(~allowed, float("-inf")).div(1.5).softmax(-1)[0].tolist()))
    del wanted[2]
    for sampler in (Draw((Temperature(1.5),)), Inversion(1.5)):
        winners, counts = sampler(positions).unique(return_counts=True)
        assert is_drawn_from(dict(zip(winners.tolist(), (counts / 2000).tolist(), strict=True)), wanted, 2000)
