"""The check for GPUs runs without one, and its tokenizer for other libraries has the tokens of its vocabulary."""

from __future__ import annotations

import torch

from sdk.generation.models.tokenizer import vocabulary_of
from tests.benchmarks import gpu_check


def test_the_tokenizer_has_the_bytes_of_the_vocabulary():
    vocabulary = gpu_check._vocabulary(2_000)
    tokenizer = gpu_check.tokenizer_of(vocabulary)
    assert vocabulary_of(tokenizer, size=2_000).tokens == vocabulary.tokens
    word = vocabulary.tokenize(b'{"')
    assert tokenizer.decode(word) == '{"'


def test_columns_that_need_a_gpu_are_empty_without_one():
    model = gpu_check.Model(gpu_check._module(False, 2_000, "cpu", torch.float32), gpu_check._vocabulary(2_000))
    cells = dict(zip(gpu_check._COLUMNS, gpu_check.measured(model, 2, steps=2), strict=True))
    assert cells.pop("waits a step") == cells.pop("waiting ms") == "-"
    assert all(float(cell.rstrip("%")) > 0 for cell in cells.values())
