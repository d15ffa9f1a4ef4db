"""The best of some values: by the probability of writing each, and how easy it is to write elsewhere."""

from __future__ import annotations

import math
import random

import pytest

from sdk.generation.choosing.search import Scored, Value, ValueSearch
from sdk.generation.choosing.tree import Ending, Spelled
from sdk.generation.slots import Chunk
from tests.fakes import EOS, FakeSlots, RandomModel
from tests.sdk.generation.choosing.test_tree import QUOTE, texts_of, wanted

ENDING = Ending((QUOTE,))


def elsewhere(value: Value) -> Spelled:
    return Spelled(tuple(b"x" + value.text), ENDING)


def best_of(search: ValueSearch, slots: FakeSlots, width: int) -> Scored:
    slots.forward([Chunk(0, [EOS])])
    while (best := search.best()) is None:
        (logits,) = slots.forward([search.chunk(0, [QUOTE], width)])
        search.read(search.numbers(logits).tolist())
        slots.rewind(0, 1)
    return best


def values_of(seed: int) -> list[Value]:
    return [Value(bytes(text.token_ids), Spelled(text.token_ids, ENDING)) for text in texts_of(seed)]


@pytest.mark.parametrize("width", [1, 8, 1000])
@pytest.mark.parametrize("branches", [True, False])
@pytest.mark.parametrize("calibrated", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_value(seed: int, calibrated: bool, branches: bool, width: int):
    model, values = RandomModel(seed=seed), values_of(seed)
    shares = wanted(model, [value.spelled for value in values])
    near = [number for number, (share, _) in enumerate(shares) if share >= max(shares)[0] * math.exp(-3)]
    near = sorted(near, key=lambda number: -shares[number][0])[:8]
    weights = {number: shares[number][1] for number in near}
    if calibrated:
        others = [elsewhere(values[number]) for number in near]
        for number, (_, ease) in zip(near, wanted(model, others), strict=True):
            weights[number] /= ease**0.4
    total = sum(shares[number][0] for number in near)
    expected = {values[number].text: total * weight / sum(weights.values()) for number, weight in weights.items()}
    search = ValueSearch(values, 0, elsewhere if calibrated else None, branches=branches)
    best = best_of(search, FakeSlots(model, 1, branches=branches), width)
    assert best.texts[0][0] == max(expected, key=lambda text: expected[text])
    assert [share for _, share in best.texts] == pytest.approx(sorted(expected.values(), reverse=True)[:5])
    assert all(share == pytest.approx(expected[text]) for text, share in best.texts)
    assert bytes(best.token_ids[:-1]) == best.texts[0][0]
    assert len(best.removed) == len(best.token_ids)


def test_long_values_are_not_written_twice():
    numbers = random.Random(3)
    values = [
        Value(text, Spelled(tuple(text), ENDING)) for text in (bytes(numbers.choices(b"ab", k=300)) for _ in range(2))
    ]

    def refused(value: Value) -> Spelled:
        return Spelled(tuple(b"x" + value.text), ENDING)

    slots = FakeSlots(RandomModel(seed=1), 1)
    best_of(ValueSearch(values, 0, refused, branches=True), slots, 1000)
    assert slots.calls == 2  # one of which is the prompt's
