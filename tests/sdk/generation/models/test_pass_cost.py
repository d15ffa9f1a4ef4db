"""What a further token costs: measured once, kept, and never believed beyond its limits."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import torch

from sdk.generation.models.pass_cost import free_tokens_of
from sdk.generation.slots import Chunk
from tests.fakes import FakeSlots, RandomModel


class SleepingSlots(FakeSlots):
    """A pass takes ``base`` milliseconds, and each of its tokens ``further``."""

    base = 4.0
    further = 0.25

    def forward(self, chunks: list[Chunk]) -> list[torch.Tensor]:
        (chunk,) = chunks
        time.sleep((self.base + self.further * len(chunk.token_ids)) / 1000)
        self.calls += 1
        self.texts[chunk.slot] += chunk.token_ids
        return [torch.zeros(chunk.keep, 3)]


def test_it_is_measured_once(tmp_path: Path):
    slots, path = SleepingSlots(RandomModel(0), 1), tmp_path / "probes" / "cost.json"
    free_tokens = free_tokens_of(slots, range(5), path)
    assert 4 <= free_tokens <= 40  # 4 / 0.25 = 16 where nothing disturbs
    calls = slots.calls
    assert free_tokens_of(slots, range(5), path) == free_tokens
    assert slots.calls == calls


@pytest.mark.parametrize(
    "damage", ["", "{}", "[]", '{"free_tokens": 0}', '{"free_tokens": "x"}', '{"free_tokens": 513}']
)
def test_a_figure_that_cannot_be_is_measured_again(tmp_path: Path, damage: str):
    path = tmp_path / "cost.json"
    path.write_text(damage)
    slots = SleepingSlots(RandomModel(0), 1)
    free_tokens = free_tokens_of(slots, [7], path)
    assert slots.calls
    assert json.loads(path.read_text()) == {"free_tokens": free_tokens}


def test_a_token_that_costs_nothing_is_not_believed(tmp_path: Path):
    slots = SleepingSlots(RandomModel(0), 1)
    slots.further = 0.0
    assert free_tokens_of(slots, range(9), tmp_path / "cost.json") <= 512
