"""Texts read as a tree: against products of probabilities taken one by one, whatever a pass reads."""

from __future__ import annotations

import math
import random

import pytest
import torch

from sdk.generation.choosing.tree import Ending, Spelled, TreeSearch
from sdk.generation.slots import Chunk
from tests.fakes import EOS, FakeSlots, RandomModel

QUOTE, COMMA = b'",'


def run(search: TreeSearch, slots: FakeSlots, width: int) -> int:
    """How many passes it took."""
    slots.forward([Chunk(0, [EOS])])
    for passes in range(1, 1000):
        (logits,) = slots.forward([search.chunk(0, [QUOTE], width)])
        search.read(search.numbers(logits).tolist())
        slots.rewind(0, 1)
        if search.is_done:
            return passes
    raise AssertionError("the search does not end")


def wanted(model: RandomModel, texts: list[Spelled]) -> list[tuple[float, float]]:
    """The share and the probability of each text, token by token, without a tree."""
    found = []
    for text in texts:
        share = probability = 1.0
        for place in range(len(text.token_ids) + 1):
            before = text.token_ids[:place]
            chances = model.logits([QUOTE, *before]).softmax(-1)
            others = [other for other in texts if other.token_ids[:place] == before]
            going_on = {other.token_ids[place] for other in others if len(other.token_ids) > place}
            ended = [other.ending.token_ids for other in others if len(other.token_ids) == place]
            ending = {token_id for token_ids in ended for token_id in token_ids}
            here = {text.token_ids[place]} if place < len(text.token_ids) else set(text.ending.token_ids)
            probability *= float(chances[[*here]].sum())
            share *= float(chances[[*here]].sum() / chances[[*going_on, *ending]].sum())
        found.append((share, probability))
    return found


def texts_of(seed: int) -> list[Spelled]:
    numbers = random.Random(seed)
    texts = {bytes(numbers.choices(b"abc", k=numbers.randint(0, 6))) for _ in range(numbers.randint(2, 40))}
    ending = Ending((QUOTE, COMMA) if seed % 2 else (QUOTE,))
    return [Spelled(tuple(text), ending) for text in sorted(texts)]


@pytest.mark.parametrize("width", [0, 1, 3, 8, 1000])
@pytest.mark.parametrize("branches", [True, False])
@pytest.mark.parametrize("margin", [0.0, 1.0, math.inf])
@pytest.mark.parametrize("seed", range(6))
def test_texts_near_the_best_and_their_shares(seed: int, margin: float, branches: bool, width: int):
    model, texts = RandomModel(seed=seed), texts_of(seed)
    expected = wanted(model, texts)
    shares = [share for share, _ in expected]
    assert sum(shares) == pytest.approx(1)
    search = TreeSearch(texts, margin=margin, branches=branches)
    passes = run(search, FakeSlots(model, 1, branches=branches), width)
    assert [search.share(number) for number in search.near()] == sorted(map(search.share, search.near()), reverse=True)
    least = max(shares) * math.exp(-margin)
    assert set(search.near()) == {number for number, share in enumerate(shares) if share >= least * (1 - 1e-6)}
    for number in search.near():
        assert search.share(number) == pytest.approx(shares[number])
        assert search.log(number) == pytest.approx(math.log(expected[number][1]), abs=1e-4)
        assert search.token_ids(number)[:-1] == list(texts[number].token_ids)
    if branches and width == 1000:
        assert passes == 1


def test_the_ending_is_the_most_probable_one_and_what_goes_on_to_no_text_is_removed():
    model = RandomModel(seed=1)
    search = TreeSearch([Spelled((letter,), Ending((QUOTE, COMMA))) for letter in b"ab"], margin=0.0, branches=True)
    run(search, FakeSlots(model, 1), 8)
    token_ids = search.token_ids(search.near()[0])
    first, last = (model.logits(before).softmax(-1) for before in ([QUOTE], [QUOTE, token_ids[0]]))
    kept = [float(first[list(b"ab")].sum()), float(last[[QUOTE, COMMA]].sum())]
    assert search.removed(search.near()[0]) == pytest.approx([1 - share for share in kept], abs=1e-6)
    assert token_ids[1] == (QUOTE if last[QUOTE] > last[COMMA] else COMMA)


@pytest.mark.parametrize("bias", [-3.0, 0.5, 2.5])
def test_a_bias_moves_the_odds_of_its_text_alone(bias: float):
    model, others = RandomModel(seed=5), texts_of(3)

    def shares(bias: float) -> list[float]:
        search = TreeSearch([Spelled(tuple(b"null"), others[0].ending, bias), *others], margin=math.inf, branches=True)
        run(search, FakeSlots(model, 1), 1000)
        return [search.share(number) for number in range(1 + len(others))]

    (null, *rest), (own, *own_rest) = shares(bias), shares(0.0)
    assert math.log(null / (1 - null)) == pytest.approx(math.log(own / (1 - own)) + bias)
    assert [share / (1 - null) for share in rest] == pytest.approx([share / (1 - own) for share in own_rest])


def test_many_texts_take_passes_by_what_is_probable_not_by_their_number():
    class Sure(RandomModel):
        def logits(self, fed: list[int]) -> torch.Tensor:
            return 4 * super().logits(fed)

    numbers = random.Random(9)
    texts = sorted({bytes(numbers.choices(b"abcdefgh", k=12)) for _ in range(300)})
    spelled = [Spelled(tuple(text), Ending((QUOTE,))) for text in texts]
    slots = FakeSlots(Sure(seed=2), 1)
    search = TreeSearch(spelled, margin=0.0, branches=True)
    assert run(search, slots, 24) < 20
    shares = [share for share, _ in wanted(slots.model, spelled)]
    assert search.share(search.near()[0]) == pytest.approx(max(shares))


def test_a_long_text_is_not_read_token_by_token():
    """Each pass has room for as many unread tokens, however many lead to them."""
    text = bytes(random.Random(1).choices(b"abc", k=400))
    texts = [Spelled(tuple(text[:end]), Ending((QUOTE,))) for end in range(10, 400, 10)]
    assert run(TreeSearch(texts, margin=math.inf, branches=True), FakeSlots(RandomModel(seed=0), 1), 32) < 20
