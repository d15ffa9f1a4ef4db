"""Estimates are upper bounds that only fall, are exact where everything was seen, and survive a file."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdk.errors import FuturesError
from sdk.generation.aligned import ExpectedFutureGrammaticality, load_futures, save_futures
from tests.toys import TOYS, Toy, exact


def true_futures(toy: Toy) -> dict[tuple[int, ...], float]:
    """For each prefix of a legal document, the chance that the model goes on to a legal document, by enumeration."""
    shares, legal = exact(toy, toy.language)
    written: dict[tuple[int, ...], float] = {(): 1.0}
    ending: dict[tuple[int, ...], float] = {}
    for tokens, share in shares.items():
        for size in range(len(tokens) + 1):
            prefix = tokens[:size]
            if size:
                (logs,) = toy([prefix[:-1]])
                written[prefix] = written[prefix[:-1]] * math.exp(logs[prefix[-1]])
            ending[prefix] = ending.get(prefix, 0.0) + share * legal
    return {prefix: mass / written[prefix] for prefix, mass in ending.items()}


def estimates(futures: ExpectedFutureGrammaticality) -> dict[tuple[int, ...], float]:
    found = {(): futures.root.estimate}
    waiting = [((), futures.root)]
    while waiting:
        prefix, node = waiting.pop()
        for token, child in node.children.items():
            found[*prefix, token] = child.estimate
            waiting.append(((*prefix, token), child))
    return found


def names(toys: list[Toy]) -> list[str]:
    return [toy.name for toy in toys]


@pytest.mark.parametrize("toy", TOYS, ids=names(TOYS))
@pytest.mark.parametrize("method", ["masked", "asap", "exact"])
def test_estimates_fall_and_stay_above_the_truth(toy, method):
    truth, conditional = true_futures(toy), toy.conditional()
    before = estimates(conditional.futures)
    for round_ in range(60):
        conditional.draw(2, method, seed=round_, batch=2)
        after = estimates(conditional.futures)
        assert all(after[prefix] <= estimate for prefix, estimate in before.items())
        assert all(estimate >= truth.get(prefix, 0.0) - 1e-12 for prefix, estimate in after.items())
        before = after


@pytest.mark.parametrize("toy", TOYS, ids=names(TOYS))
def test_estimates_are_exact_when_everything_was_seen(toy):
    conditional, truth = toy.conditional(), true_futures(toy)
    for prefix in truth:  # one visit to each place, in the order of the enumeration
        node = conditional.futures.root
        for place, token in enumerate(prefix):
            (logs,) = toy([prefix[:place]])
            node = conditional.futures.visit(node, token, math.exp(logs[token]))
    for prefix, future in truth.items():
        node = conditional.futures.find(prefix)
        assert node is not None
        if node.children:
            node.look(sum(child.probability for child in node.children.values()))
        assert future == pytest.approx(1.0) or node.children
        conditional.futures.settle(node)
    assert {prefix: conditional.futures.estimate(prefix) for prefix in truth} == pytest.approx(truth)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40), st.sampled_from(TOYS))
def test_a_trim_keeps_the_most_visited_and_never_goes_below_the_truth(seed, room, toy):
    conditional = toy.conditional(ExpectedFutureGrammaticality(max_nodes=room))
    futures = conditional.futures
    conditional.draw(30, "asap", seed=seed)
    kept = estimates(futures)
    futures.trim()
    assert futures.size == len(estimates(futures)) == sum(1 for _ in futures.nodes()) <= max(room, 1)
    truth = true_futures(toy)
    assert all(estimate >= truth.get(prefix, 0.0) - 1e-12 for prefix, estimate in estimates(futures).items())
    forgotten = kept.keys() - estimates(futures).keys()
    assert all(futures.estimate(prefix) == 1.0 for prefix in forgotten)


def test_a_trim_forgets_the_least_visited_and_the_longest_first():
    futures = ExpectedFutureGrammaticality(max_nodes=4)
    for path in [(1, 2, 3), (1, 2), (1,), (4,)]:
        node = futures.root
        for token in path:
            node = futures.visit(node, token, 0.25)
    assert futures.is_full
    futures.trim()
    assert sorted(estimates(futures)) == [(), (1,), (1, 2)]


def test_what_was_saved_is_what_is_loaded(tmp_path):
    conditional = TOYS[2].conditional(ExpectedFutureGrammaticality(key="a prompt", max_nodes=1000))
    conditional.draw(50, "asap", seed=0)
    save_futures(conditional.futures, tmp_path / "futures.npz")
    loaded = load_futures(tmp_path / "futures.npz", key="a prompt")
    assert estimates(loaded) == estimates(conditional.futures)
    assert (loaded.size, loaded.max_nodes, loaded.key) == (conditional.futures.size, 1000, "a prompt")
    assert [file.name for file in tmp_path.iterdir()] == ["futures.npz"]
    continued = [TOYS[2].conditional(futures).draw(50, "asap", seed=1) for futures in (loaded, conditional.futures)]
    assert [draw.tokens for draw in continued[0]] == [draw.tokens for draw in continued[1]]


def test_files_that_are_not_about_this_are_refused(tmp_path):
    path = tmp_path / "futures.npz"
    save_futures(ExpectedFutureGrammaticality(key="one"), path)
    with pytest.raises(FuturesError, match="to be about 'another', found 'one'"):
        load_futures(path, key="another")
    arrays = dict(np.load(path))
    np.savez(path, **{**arrays, "version": np.array(99)})
    with pytest.raises(FuturesError, match="to be of version 1, found 99"):
        load_futures(path)
    with pytest.raises(FileNotFoundError):
        load_futures(tmp_path / "nothing")


@pytest.mark.parametrize("damage", ["cut", "empty", "noise", "flipped"])
def test_damaged_files_are_refused(tmp_path, damage):
    path = tmp_path / "futures.npz"
    futures = ExpectedFutureGrammaticality()
    futures.visit(futures.root, 1, 0.5)
    save_futures(futures, path)
    content = path.read_bytes()
    half = len(content) // 2
    path.write_bytes(
        {
            "cut": content[:half],
            "empty": b"",
            "noise": b"\x00" * 100,
            "flipped": content[:half] + bytes([content[half] ^ 255]) + content[half + 1 :],
        }[damage]
    )
    with pytest.raises(FuturesError):
        load_futures(path)


def test_there_has_to_be_room_for_a_node():
    with pytest.raises(ValueError, match="max_nodes to be at least 1, found 0"):
        ExpectedFutureGrammaticality(max_nodes=0)
