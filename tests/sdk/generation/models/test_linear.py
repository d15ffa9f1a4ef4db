"""Packed layers compute what plain ones do, and the same to the bit in any company."""

from __future__ import annotations

import pytest
import torch

from sdk.generation.models.linear import PackedLinear, pack_linear_layers


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(1, 7), (7, 1), (64, 96), (300, 1536)])
def test_packed_layers_compute_what_plain_ones_do(shape, bias):
    torch.manual_seed(0)
    plain = torch.nn.Linear(shape[1], shape[0], bias=bias)
    packed = PackedLinear(plain)
    states = torch.randn(2, 3, shape[1])
    with torch.inference_mode():
        torch.testing.assert_close(packed(states), plain(states), rtol=1e-4, atol=1e-5)
        assert packed(states[:, :0]).shape == (2, 0, shape[0])
    assert torch.equal(packed.weight, plain.weight)
    assert torch.equal(packed.bias, plain.bias) if bias else packed.bias is None


@pytest.mark.parametrize("shape", [(192, 576), (576, 1536), (49152, 576)])
def test_a_rows_numbers_do_not_depend_on_other_rows(shape):
    torch.manual_seed(1)
    packed = PackedLinear(torch.nn.Linear(shape[1], shape[0], bias=False))
    with torch.inference_mode():
        states = torch.randn(70, shape[1])
        together = packed(states)
        for count in (1, 2, 3, 5, 16, 17, 64):
            assert torch.equal(packed(states[-count:]), together[-count:])


def test_only_plain_float32_layers_are_replaced():
    class Special(torch.nn.Linear):
        pass

    module = torch.nn.Sequential(
        torch.nn.Linear(4, 4), torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU()), Special(2, 2)
    )
    module.append(torch.nn.Linear(2, 2, dtype=torch.bfloat16))
    pack_linear_layers(module)
    kinds = [type(layer) for layer in module.modules() if not list(layer.children())]
    assert kinds == [PackedLinear, PackedLinear, torch.nn.ReLU, Special, torch.nn.Linear]
