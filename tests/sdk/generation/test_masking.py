"""Rows unpack bit by bit, and the table gives back what was put in, whatever its budget."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from schema_compiler import TokenMask
from sdk.generation.masking import MaskTable, allowed_tokens, removed_mass

CPU = torch.device("cpu")


def packed(flags: np.ndarray) -> TokenMask:
    words = np.zeros((len(flags) + 31) // 32, np.uint32)
    for token_id in np.flatnonzero(flags):
        words[token_id // 32] |= np.uint32(1 << (int(token_id) % 32))
    return words


@pytest.mark.parametrize("size", [1, 31, 32, 33, 257])
def test_rows_unpack_to_one_flag_a_token(size):
    flags = np.random.default_rng(size).random(size) < 0.4
    assert allowed_tokens(packed(flags), size).tolist() == flags.tolist()


@pytest.mark.parametrize("most", [1, 3, 100, 1000])
def test_a_table_of_any_size_gives_back_each_row(most):
    numbers = np.random.default_rng(0)
    flags = numbers.random((150, 40)) < 0.5
    rows = [packed(row) for row in flags]
    table = MaskTable(40, budget=40 * most)
    for _ in range(60):
        wanted = numbers.integers(0, 150, numbers.integers(1, 20))
        assert table.allowed([rows[index] for index in wanted], CPU).tolist() == flags[wanted].tolist()


def test_removed_mass_is_the_probability_outside_the_mask():
    logits = torch.tensor([[1.0, 2.0, 3.0]] * 2)
    shares = [math.exp(x) for x in (1, 2, 3)]
    removed = removed_mass(logits, torch.tensor([[True, False, True], [True, True, True]]))
    assert removed.tolist() == pytest.approx([shares[1] / sum(shares), 0.0])
