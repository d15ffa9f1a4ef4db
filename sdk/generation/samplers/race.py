"""A random choice that hardly moves when the probabilities hardly move: a race of exponential arrival times.

A model's logits differ in their last bits between passes of different shapes, and a draw should still give the same
token with and without drafts. Inverting a cumulated sum magnifies such differences, since every boundary between two
tokens moves a little with all the probabilities before it. In a race, each competitor runs for itself:

    weights 0.5 0.2 0.3     noise 0.9 0.1 0.6     arrivals noise / weight = 1.8 0.5 2.0     the second wins

The noise is exponential, so that each wins with the probability of its share of the weights, and it depends on the
position's random number and the competitor alone. Where two distributions have the distance d in total variation, the
winners differ with a probability of at most 2 d. What a weight of zero removes changes the winner only if it had won.

Few competitors need noise: groups of tokens race first, with the sums of their weights, and then the tokens of the
group that has won. The noise is a counter-based hash, so it is made on the device, and is the same on every device.

Sources: the bound is Daliri, Musco and Suresh, "Coupling without Communication and Drafter-Invariant Speculative
Decoding" (arXiv 2408.07978), and holds for each of the two races; the hash is SplitMix64 (Steele, Lea and Flood, "Fast
Splittable Pseudorandom Number Generators", 2014).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import torch

__all__ = ["exponential_noise", "race", "race_row"]

_GROUP = 256
"""Tokens that race as a group first.

Near the square root of usual vocabularies, 32,000 to 256,000 tokens, so that the two races are about equally large.
"""

_GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
_FIRST = 0xBF58476D1CE4E5B9 - (1 << 64)
_SECOND = 0x94D049BB133111EB - (1 << 64)
"""The constants of SplitMix64, as signed numbers: the step of its counter, and the two factors of its hash."""


def race(weights: torch.Tensor, uniforms: torch.Tensor) -> torch.Tensor:
    """For each row, an index drawn with the probability of its share of the row's weights: int64 ``[R]``.

    ``weights``: float ``[R, V]``, not negative, a positive one in each row. ``uniforms``: float64 ``[R]`` in [0, 1),
    the random number of each row, on the same device.
    """
    import torch

    grouped = torch.nn.functional.pad(weights, (0, -weights.shape[1] % _GROUP)).unflatten(1, (-1, _GROUP))
    noise = exponential_noise(uniforms, _GROUP + grouped.shape[1])
    group = (grouped.sum(-1) / noise[:, _GROUP:]).argmax(-1, keepdim=True)
    members = grouped.take_along_dim(group[:, :, None], 1).squeeze(1)
    return group.squeeze(1) * _GROUP + (members / noise[:, :_GROUP]).argmax(-1)


def race_row(weights: npt.NDArray[np.float64], uniform: float) -> int:
    """``race`` for one row of numbers in memory, ``[V]``, where a call of torch costs more than what it computes."""
    grouped = np.zeros((-(-len(weights) // _GROUP), _GROUP))
    grouped.reshape(-1)[: len(weights)] = weights
    bits = _random_bits(np.array([int(uniform * 2.0**53)]), np.arange(1, _GROUP + len(grouped) + 1))
    noise = -np.log1p((bits + 0.5) * -(2.0**-52))
    group = int((grouped.sum(-1) / noise[_GROUP:]).argmax())
    return group * _GROUP + int((grouped[group] / noise[:_GROUP]).argmax())


def exponential_noise(uniforms: torch.Tensor, count: int) -> torch.Tensor:
    """``count`` independent numbers from the exponential distribution for each of ``uniforms``: float64 ``[R, count]``.

    They are the logarithms of numbers in (0, 1) with 52 bits, so none is 0 or infinite, and the least is 2 ** -53: a
    weight whose share is 1e-12 still wins as often as it should.
    """
    import torch

    counters = torch.arange(1, count + 1, device=uniforms.device)
    bits = _random_bits((uniforms * 2.0**53).long()[:, None], counters)
    return -torch.log1p((bits.double() + 0.5) * -(2.0**-52))


def _random_bits(numbers: Any, counters: Any) -> Any:
    """52 random bits for each pair of a number and a counter; int64 arrays or tensors, whose products wrap around."""
    return _shifted(_mixed(_mixed(numbers) + counters * _GOLDEN), 12)


def _mixed(bits: Any) -> Any:
    """The hash of SplitMix64."""
    bits = (bits ^ _shifted(bits, 30)) * _FIRST
    bits = (bits ^ _shifted(bits, 27)) * _SECOND
    return bits ^ _shifted(bits, 31)


def _shifted(bits: Any, count: int) -> Any:
    """``bits`` moved right, zeros moving in; the operator for signed numbers moves the sign in."""
    return (bits >> count) & ((1 << (64 - count)) - 1)
