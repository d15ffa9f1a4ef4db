"""Pearson's chi-squared test: whether counts are what a distribution gives.

Tests that use it have fixed seeds, so they pass or fail for good; the bound is the 99.99 % quantile of what a right
sampler gives (Wilson and Hilferty's approximation), so that other seeds would pass as well.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

__all__ = ["is_drawn_from"]

K = TypeVar("K", bound=Hashable)


def is_drawn_from(shares: Mapping[K, float], wanted: Mapping[K, float], count: int) -> bool:
    """Whether the shares of ``count`` draws fit; outcomes expected fewer than 5 times are put together."""
    rare = {outcome for outcome, share in wanted.items() if share * count < 5}
    cells = [(shares.get(outcome, 0.0), share) for outcome, share in wanted.items() if outcome not in rare]
    if rare:
        cells.append((sum(shares.get(outcome, 0.0) for outcome in rare), sum(wanted[outcome] for outcome in rare)))
    statistic = count * sum((found - share) ** 2 / share for found, share in cells)
    freedom = len(cells) - 1
    if not shares.keys() <= wanted.keys():
        return False
    return freedom == 0 or statistic < freedom * (1 - 2 / (9 * freedom) + 3.72 * math.sqrt(2 / (9 * freedom))) ** 3
