"""Packed layers compute what plain ones do, and the same to the bit in any company."""

from __future__ import annotations

import pytest
import torch

from sdk.generation.models.linear import HalfLinear, PackedLinear, pack_linear_layers

KINDS = [
    pytest.param(
        HalfLinear,
        marks=pytest.mark.skipif(
            "fbgemm" not in torch.backends.quantized.supported_engines, reason="torch has FBGEMM on x86 only"
        ),
    ),
    PackedLinear,
]


def half(linear: torch.nn.Linear, dtype: torch.dtype = torch.float16) -> torch.nn.Linear:
    """The layer with weights of 16 bits, in float32."""
    linear.weight.data = linear.weight.data.to(dtype).float()
    return linear


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(1, 7), (7, 1), (64, 96), (300, 1536)])
def test_packed_layers_compute_what_plain_ones_do(kind, shape, bias):
    torch.manual_seed(0)
    plain = half(torch.nn.Linear(shape[1], shape[0], bias=bias))
    packed = kind(plain)
    states = torch.randn(2, 3, shape[1])
    with torch.inference_mode():
        torch.testing.assert_close(packed(states), plain(states), rtol=1e-4, atol=1e-5)
        assert packed(states[:, :0]).shape == (2, 0, shape[0])
    assert torch.equal(packed.weight, plain.weight)
    assert torch.equal(packed.bias, plain.bias) if bias else packed.bias is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(192, 576), (576, 1536), (4915, 576)])
def test_a_rows_numbers_do_not_depend_on_other_rows(kind, shape):
    torch.manual_seed(1)
    packed = kind(torch.nn.Linear(shape[1], shape[0], bias=False))
    with torch.inference_mode():
        states = torch.randn(390, shape[1])
        together = packed(states)
        for count in (*range(1, 40), 61, 62, 64, 121, 127, 362):
            assert torch.equal(packed(states[-count:]), together[-count:])


def test_weights_that_float16_holds_are_kept_in_it():
    torch.manual_seed(2)
    assert HalfLinear.fits(half(torch.nn.Linear(64, 32)))
    assert HalfLinear.fits(half(torch.nn.Linear(64, 32), torch.bfloat16))
    assert not HalfLinear.fits(torch.nn.Linear(64, 32))
    large = half(torch.nn.Linear(64, 32), torch.bfloat16)
    large.weight.data[3, 5] = 1e5
    assert not HalfLinear.fits(large)


def test_only_plain_float32_layers_are_replaced():
    class Special(torch.nn.Linear):
        pass

    module = torch.nn.Sequential(
        torch.nn.Linear(4, 4), torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU()), Special(2, 2)
    )
    module.append(torch.nn.Linear(2, 2, dtype=torch.bfloat16))
    module.append(half(torch.nn.Linear(4, 4)))
    of_halves = HalfLinear if HalfLinear.fits(module[-1]) else PackedLinear
    pack_linear_layers(module)
    kinds = [type(layer) for layer in module.modules() if not list(layer.children())]
    assert kinds == [PackedLinear, PackedLinear, torch.nn.ReLU, Special, torch.nn.Linear, of_halves]
