"""The race draws by weight, from noise that is SplitMix64's, and hardly moves with its weights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
import torch

from sdk.generation.samplers.race import exponential_noise, race, race_row
from tests.pearson import is_drawn_from

ALL_ONES = (1 << 64) - 1


def mixed(state: int) -> int:
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & ALL_ONES
    state = (state ^ state >> 27) * 0x94D049BB133111EB & ALL_ONES
    return state ^ state >> 31


def unmixed(number: int) -> int:
    """The inverse of ``mixed``: each of its steps is one to one."""

    def unshifted(value: int, count: int) -> int:
        found = value
        for _ in range(64 // count):
            found = value ^ found >> count
        return found

    number = unshifted(number, 31) * pow(0x94D049BB133111EB, -1, 1 << 64) & ALL_ONES
    number = unshifted(number, 27) * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & ALL_ONES
    return unshifted(number, 30)


def splitmix64(state: int) -> Iterator[int]:
    while True:
        state = state + 0x9E3779B97F4A7C15 & ALL_ONES
        yield mixed(state)


def uniforms(*numbers: int) -> torch.Tensor:
    """Random numbers by their 53 bits."""
    return torch.tensor([number / (1 << 53) for number in numbers], dtype=torch.float64)


def test_the_tests_own_generator_is_the_published_one():
    assert list(islice(splitmix64(1234567), 3)) == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert unmixed(mixed(987654321)) == 987654321


def test_noise_is_made_of_splitmix64():
    numbers = [0, 1, 12345, (1 << 52) + 7, (1 << 53) - 1]
    noise = exponential_noise(uniforms(*numbers), 600)
    for row, number in zip(noise, numbers, strict=True):
        bits = [one >> 12 for one in islice(splitmix64(mixed(number)), 600)]
        torch.testing.assert_close(row.tolist(), [-math.log1p(-(one + 0.5) / (1 << 52)) for one in bits])


def extreme(bits: int) -> tuple[float, int]:
    """A random number, and the place in its noise where the 52 ``bits`` are behind the value."""
    for place in range(10):
        for rest in range(1 << 12):
            number = unmixed(unmixed(bits << 12 | rest) - (place + 1) * 0x9E3779B97F4A7C15 & ALL_ONES)
            if number < 1 << 53:
                return number / (1 << 53), place
    raise AssertionError("one in 2,048 should do")


def test_the_extremes_of_the_noise_are_positive_and_finite():
    for bits, value in ((0, 2.0**-53), ((1 << 52) - 1, 53 * math.log(2))):
        number, place = extreme(bits)
        assert exponential_noise(torch.tensor([number], dtype=torch.float64), 10)[0, place].item() == pytest.approx(
            value
        )


def test_rare_tokens_win_where_their_noise_is_small_enough():
    number, place = extreme(4000)  # a noise of 4000.5 / 2 ** 52, about 8.9e-13
    noise = exponential_noise(torch.tensor([number], dtype=torch.float64), 10)[0]
    for share, wins in ((0.99, False), (1.01, True)):
        weights = torch.zeros(1, 10, dtype=torch.float64)
        weights[0, 9 - place] = 1.0
        weights[0, place] = share * noise[place] / noise[9 - place]
        assert 1e-14 < weights[0, place] < 1e-10
        assert race(weights, torch.tensor([number], dtype=torch.float64)).tolist() == [place if wins else 9 - place]


def test_small_noise_is_as_frequent_as_it_should_be():
    noise = exponential_noise(uniforms(*range(4000)), 500)
    for least in (1e-2, 1e-3, 1e-4):
        expected = noise.numel() * -math.expm1(-least)
        assert abs(int((noise < least).sum()) - expected) < 4 * math.sqrt(expected)


@pytest.mark.parametrize("size", [2, 257, 1000])
@pytest.mark.parametrize("spread", [0.0, 2.0])
@pytest.mark.parametrize("numbers", ["seeds", "neighbours"])
def test_each_wins_as_often_as_its_share(size, spread, numbers):
    weights = (spread * torch.randn(size, generator=torch.Generator().manual_seed(size))).exp()
    count = 6_000
    if numbers == "seeds":  # the first number of each seed, as the texts of different seeds begin
        first = [
            torch.rand(1, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) for seed in range(count)
        ]
        drawn = torch.cat(first)
    else:
        drawn = uniforms(*range(count))
    winners = torch.cat([race(weights.expand(len(part), size), part) for part in drawn.split(1000)])
    shares = dict(enumerate((winners.bincount(minlength=size) / count).tolist()))
    assert is_drawn_from(shares, dict(enumerate((weights / weights.sum()).double().tolist())), count)


def test_one_row_races_as_many_do():
    random = np.random.default_rng(0)
    for size in (1, 2, 255, 256, 257, 5000):
        weights, numbers = random.exponential(size=(50, size)) ** 9, random.random(50)
        winners = race(torch.from_numpy(weights), torch.from_numpy(numbers)).tolist()
        assert winners == [race_row(row, number) for row, number in zip(weights, numbers.tolist(), strict=True)]


def test_what_changes_little_rarely_changes_the_winner():
    """An inverted cumulated sum, whose boundaries all move, changes more than 20 times as many."""
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(64, 5_000, generator=generator)
    weights = logits.softmax(-1)
    changed = (logits + 1e-3 * torch.randn(logits.shape, generator=generator)).softmax(-1)
    distance = float((weights - changed).abs().sum(-1).mean()) / 2
    boundaries = weights.cumsum(-1), changed.cumsum(-1)
    raced = inverted = 0
    for _ in range(100):
        numbers = torch.rand(64, generator=generator, dtype=torch.float64)
        raced += int((race(weights, numbers) != race(changed, numbers)).sum())
        one, other = (torch.searchsorted(sums, numbers[:, None].float()) for sums in boundaries)
        inverted += int((one != other).sum())
    assert raced <= 4 * distance * 6_400
    assert inverted > 20 * raced


def test_removing_a_loser_changes_no_winner_of_its_group():
    weights = torch.tensor([[3.0, 2.0, 1.0, 0.5]])
    numbers = uniforms(*range(200))
    winners = race(weights.expand(200, 4), numbers)
    without = race(torch.tensor([[3.0, 2.0, 1.0, 0.0]]).expand(200, 4), numbers)
    assert (winners == 3).any()
    assert torch.equal(without[winners != 3], winners[winners != 3])
