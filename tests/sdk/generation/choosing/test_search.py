"""The most probable of some values: against products of probabilities taken one by one, whatever a pass reads."""

from __future__ import annotations

import math
import random

import pytest
import torch

from sdk.generation.choosing.search import Ending, Scored, Spelled, ValueSearch
from sdk.generation.slots import Chunk
from tests.fakes import EOS, FakeSlots, RandomModel

QUOTE, COMMA, BRACE = b'",}'


def run(search: ValueSearch, slots: FakeSlots, width: int) -> tuple[Scored, int]:
    """The result, and how many passes it took."""
    slots.forward([Chunk(0, [EOS])])
    for passes in range(1, 1000):
        chunk = search.chunk(0, [QUOTE], width)
        assert len(chunk.token_ids) - 1 <= max(width, 20)
        (logits,) = slots.forward([chunk])
        search.read(search.numbers(logits).tolist())
        slots.rewind(0, 1)
        if best := search.best():
            return best, passes
    raise AssertionError("the search does not end")


def chances(model: RandomModel, values: list[Spelled]) -> dict[bytes, float]:
    """The probability of each value, token by token among those of all values, without a tree."""
    found = {}
    for value in values:
        chance = 1.0
        for place in range(len(value.token_ids) + 1):
            before = value.token_ids[:place]
            shares = model.logits([QUOTE, *before]).exp()
            others = [other for other in values if other.token_ids[:place] == before]
            going_on = {other.token_ids[place] for other in others if len(other.token_ids) > place}
            ending = {
                token_id for other in others if len(other.token_ids) == place for token_id in other.ending.token_ids
            }
            here = {value.token_ids[place]} if place < len(value.token_ids) else set(value.ending.token_ids)
            chance *= float(shares[[*here]].sum() / shares[[*going_on, *ending]].sum())
        found[value.text] = chance
    return found


def values_of(seed: int) -> list[Spelled]:
    numbers = random.Random(seed)
    texts = {bytes(numbers.choices(b"abc", k=numbers.randint(0, 6))) for _ in range(numbers.randint(2, 40))}
    ending = Ending((QUOTE, COMMA) if seed % 2 else (QUOTE,))
    return [Spelled(text, tuple(text), ending) for text in sorted(texts)]


@pytest.mark.parametrize("width", [0, 1, 3, 8, 1000])
@pytest.mark.parametrize("branches", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_the_most_probable_value_and_its_probability(seed: int, width: int, branches: bool):
    model = RandomModel(seed=seed)
    values = values_of(seed)
    wanted = chances(model, values)
    assert sum(wanted.values()) == pytest.approx(1)
    best, passes = run(ValueSearch(values, branches=branches), FakeSlots(model, 1, branches=branches), width)
    text, probability = best.texts[0]
    assert probability == pytest.approx(max(wanted.values()))
    assert wanted[text] == pytest.approx(probability)
    assert all(wanted[text] == pytest.approx(share) for text, share in best.texts)
    assert bytes(best.token_ids[:-1]) == text
    if branches and width == 1000:
        assert passes == 1
        assert [share for _, share in best.texts] == pytest.approx(sorted(wanted.values(), reverse=True)[:5])


def test_the_ending_is_the_most_probable_one_and_what_lies_on_no_value_is_removed():
    model = RandomModel(seed=1)
    values = [Spelled(b"a", (97,), Ending((QUOTE, COMMA))), Spelled(b"b", (98,), Ending((QUOTE, COMMA)))]
    best, _ = run(ValueSearch(values, branches=True), FakeSlots(model, 1), 8)
    first, last = (model.logits(before).softmax(-1) for before in ([QUOTE], [QUOTE, best.token_ids[0]]))
    assert best.removed == pytest.approx(
        [1 - float(first[[97, 98]].sum()), 1 - float(last[[QUOTE, COMMA]].sum())], abs=1e-6
    )
    assert best.token_ids[1] == (QUOTE if last[QUOTE] > last[COMMA] else COMMA)


@pytest.mark.parametrize("bias", [-3.0, 0.0, 2.5])
def test_a_bias_moves_the_odds_of_its_value_alone(bias: float):
    model = RandomModel(seed=5)
    ending = Ending((QUOTE,))

    def odds(bias: float) -> tuple[float, float]:
        values = [Spelled(b"null", tuple(b"null"), ending, bias), *values_of(3)]
        best, _ = run(ValueSearch(values, branches=True), FakeSlots(model, 1), 1000)
        shares = dict(best.texts)
        return shares.get(b"null", math.nan), next(share for text, share in best.texts if text != b"null")

    (null, other), (own_null, own_other) = odds(bias), odds(0.0)
    if not (math.isnan(null) or math.isnan(own_null)):
        assert math.log(null / (1 - null)) == pytest.approx(math.log(own_null / (1 - own_null)) + bias)
        assert other / (1 - null) == pytest.approx(own_other / (1 - own_null))


def test_many_values_take_passes_by_what_is_probable_not_by_their_number():
    class Sure(RandomModel):
        def logits(self, fed: list[int]) -> torch.Tensor:
            return 4 * super().logits(fed)

    numbers = random.Random(9)
    texts = {bytes(numbers.choices(b"abcdefgh", k=12)) for _ in range(300)}
    values = [Spelled(text, tuple(text), Ending((QUOTE,))) for text in sorted(texts)]
    slots = FakeSlots(Sure(seed=2), 1)
    best, passes = run(ValueSearch(values, branches=True), slots, 24)
    assert passes < 40
    assert best.texts[0][1] == pytest.approx(max(chances(slots.model, values).values()))
