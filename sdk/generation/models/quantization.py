"""Linear layers with small weights: 8 or 4 bits a number, for ``load_model(..., quantize=...)``.

A pass over few tokens spends its time on reading weights, so weights of a quarter of the size make it faster, if
the kernel that reads them is. On a CPU that is FBGEMM for int8, which comes with torch and multiplies 8-bit
integers. Its own call finds one scale for the activations of the whole pass, so that a token's numbers depend on the
other tokens. Here each row gets a scale of its own. And 8 bits are too few for activations, of which some are much
larger than the others (a small model then chooses other words), so they are written with two digits in base 128, as two
rows of one call. That costs as much as twice the tokens: prompts take somewhat longer than in float32.

    row  0.5  -2.0  1.05    largest 2.0    times 64 / largest    16.0  -64.0  33.6    ->    16  -64   34
                                                                                             0    0  -51 / 128

Sums of integers are exact in any order, so that a token's numbers are the same to the bit whatever other tokens share
the pass. Digits go from -64 to 64 because the kernel adds pairs of products in 16 bits where a processor has no better
instruction, with 64 added to each digit: 2 x 128 x 127 fits, and no more.

For int4 torch has one kernel (weights in groups, each with scale and zero, products in bfloat16). It needs the least
memory, but on a processor with AVX2 it reads prompts in about twice the time of float32. On CUDA the kernels are
torchao's.

Sources: per-row activation scales are those of LLM.int8() (arXiv 2208.07339); group-wise 4-bit weights, GPTQ's
(arXiv 2210.17323), without its error correction.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import torch

from sdk.errors import ModelError

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["Int4Linear", "Int8Linear", "Quantization", "check_quantization", "quantize_linear_layers"]

Quantization: TypeAlias = Literal["int8", "int4"]
"""Bits of a weight: 8 with one scale for each output, 4 with a scale and a zero for each group of inputs."""

_GROUP = 32
"""How many weights of a row share scale and zero in int4.

The least that torch's kernel takes, and what llama.cpp's 4-bit blocks have: smaller groups are more exact.
"""

_LARGEST_DIGIT = 64
"""Digits of activations go from minus this to this; the base is twice as much. See above for what limits it."""

_SMALLEST = 1e-30
"""The least scale of a row, so that a row of zeros is not divided by zero."""

_LEAST_SHARE = 0.5
"""The share of a model's weights, embeddings aside, that must be in plain linear layers.

Models whose weights are elsewhere (fused experts, GPT-2's convolutions) would stay about as large and slow as they
are, which is refused rather than done in silence; chosen, not measured.
"""


class Int8Linear(torch.nn.Module):  # type: ignore[misc]  # torch's modules are not typed for mypy
    """``torch.nn.Linear`` on an x86 CPU, weights in int8, activations in two digits with a scale for each row.

    A row's numbers do not depend on other rows, to the bit.
    """

    def __init__(self, linear: torch.nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        weight = linear.weight.detach().float()
        scales = (weight.abs().amax(1) / 127).clamp_(min=_SMALLEST)
        numbers = (weight / scales[:, None]).round_().to(torch.int8)
        self._packed = _pack_int8(numbers, scales)
        self._bias = None if linear.bias is None else linear.bias.detach().float()
        self.nbytes = numbers.nbytes + scales.nbytes

    @property
    def weight(self) -> torch.Tensor:
        """What the quantized weights stand for, float32 ``[out_features, in_features]``."""
        return torch.ops.quantized.linear_unpack(self._packed)[0].dequantize()

    @property
    def bias(self) -> torch.Tensor | None:
        """float32 ``[out_features]``, or ``None``."""
        return self._bias

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """``[..., in_features]`` to ``[..., out_features]``, in the dtype of ``states``."""
        rows = states.reshape(-1, self.in_features).float()
        steps = torch.linalg.vector_norm(rows, torch.inf, -1, keepdim=True).clamp_(min=_SMALLEST) / _LARGEST_DIGIT
        numbers = rows / steps
        first = numbers.round()
        second = numbers.sub_(first).mul_(2 * _LARGEST_DIGIT)  # the kernel rounds it
        products = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32(
            torch.cat([first, second]), 1.0, _LARGEST_DIGIT, self._packed
        )
        result, rest = products[: len(rows)], products[len(rows) :]
        result = result.add_(rest, alpha=0.5 / _LARGEST_DIGIT).mul_(steps)
        if self._bias is not None:
            result += self._bias
        return result.view(*states.shape[:-1], self.out_features).to(states.dtype)


class Int4Linear(torch.nn.Module):  # type: ignore[misc]
    """``torch.nn.Linear`` on a CPU, weights in int4, products in bfloat16.

    A row's numbers do not depend on other rows, to the bit.
    """

    def __init__(self, linear: torch.nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        groups = linear.weight.detach().float().view(self.out_features, -1, _GROUP)
        lowest, highest = groups.aminmax(dim=-1, keepdim=True)
        scales = ((highest - lowest) / 15).clamp_(min=_SMALLEST)
        numbers = ((groups - lowest) / scales).round_().int().view(self.out_features, self.in_features)
        self._packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu(numbers, 1)
        # The kernel has the middle of a group, 8 of 0 to 15, where others have its zero.
        pairs = torch.stack([scales.squeeze(-1).T, (lowest + 8 * scales).squeeze(-1).T], -1)
        self._scales_and_middles = pairs.bfloat16().contiguous()
        self._bias = None if linear.bias is None else linear.bias.detach().float()
        self.nbytes = self._packed.nbytes + self._scales_and_middles.nbytes

    @staticmethod
    def fits(linear: torch.nn.Linear) -> bool:
        """Whether torch's kernel takes weights of this shape."""
        return bool(linear.in_features % _GROUP == 0 and linear.out_features % 16 == 0)

    @property
    def bias(self) -> torch.Tensor | None:
        """float32 ``[out_features]``, or ``None``."""
        return self._bias

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """``[..., in_features]`` to ``[..., out_features]``, in the dtype of ``states``."""
        rows = states.reshape(-1, self.in_features).bfloat16()
        result = torch.ops.aten._weight_int4pack_mm_for_cpu(rows, self._packed, _GROUP, self._scales_and_middles)
        if self._bias is not None:
            result = result + self._bias
        return result.view(*states.shape[:-1], self.out_features).to(states.dtype)


def check_quantization(quantization: str) -> None:
    """Raise ``ModelError`` for a name that is none of ``Quantization``."""
    if quantization not in get_args(Quantization):
        raise ModelError(f'expected quantize to be "int8" or "int4", found {quantization!r}')


def quantize_linear_layers(module: PreTrainedModel, quantization: Quantization) -> None:
    """Replace the plain linear layers of a model, the output layer among them, by quantized ones.

    Embeddings and norms stay as they are, and so do layers whose shape int4 does not take. Raises ``ModelError`` for
    an unknown ``quantization``, a model whose weights are mostly elsewhere, or on several kinds of devices, or on one
    without kernels for it.
    """
    check_quantization(quantization)
    layers = [layer for layer in _linear_layers(module) if quantization == "int8" or Int4Linear.fits(layer[2])]
    _check_share(module, [linear for *_, linear in layers], quantization)
    devices = {linear.weight.device.type for *_, linear in layers}
    if devices == {"cpu"}:
        layer_type = _cpu_layer_type(quantization)
        for parent, name, linear in layers:
            setattr(parent, name, layer_type(linear))
    elif devices == {"cuda"}:
        _quantize_with_torchao(module, {linear for *_, linear in layers}, quantization)
    else:
        raise ModelError(
            f"quantize={quantization!r}: expected all layers on a CPU or all on CUDA devices, found layers on "
            f'{", ".join(sorted(devices))}; choose the device ("cpu" or "cuda"), or a map that keeps the model there'
        )


def _linear_layers(module: torch.nn.Module) -> Iterator[tuple[torch.nn.Module, str, torch.nn.Linear]]:
    """Parent, name in it and layer, of all plain linear layers."""
    for parent in list(module.modules()):
        for name, child in parent.named_children():
            if type(child) is torch.nn.Linear:
                yield parent, name, child


def _check_share(module: PreTrainedModel, layers: list[torch.nn.Linear], quantization: str) -> None:
    embeddings = {
        parameter
        for part in module.modules()
        if isinstance(part, torch.nn.Embedding)
        for parameter in part.parameters()
    }
    quantized = {linear.weight for linear in layers}
    others = sum(parameter.numel() for parameter in {*module.parameters()} - embeddings - quantized)
    found = sum(weight.numel() for weight in quantized - embeddings)
    if found == 0 or found < _LEAST_SHARE * (found + others):
        raise ModelError(
            f"quantize={quantization!r}: expected a model whose weights are in linear layers, found {found:,} of "
            f"{found + others:,} there in {type(module).__name__}; load it without quantize"
        )


def _cpu_layer_type(quantization: Quantization) -> Callable[[torch.nn.Linear], torch.nn.Module]:
    if quantization == "int4":
        return Int4Linear
    if "fbgemm" not in torch.backends.quantized.supported_engines:
        raise ModelError(
            'quantize="int8": torch has fast kernels for it on x86 processors and on CUDA, none on this one; load the '
            "model without quantize"
        )
    return Int8Linear


def _pack_int8(numbers: torch.Tensor, scales: torch.Tensor) -> torch.ScriptObject:
    """Weights ``[out_features, in_features]`` and a scale for each output, as FBGEMM takes them."""
    zeros = torch.zeros(len(scales), dtype=torch.long)
    engine = torch.backends.quantized.engine
    with warnings.catch_warnings():
        # torch means to give up quantized tensors one day (pytorch/pytorch#184982); FBGEMM is reached through no other.
        warnings.filterwarnings("ignore", "torch.quantize_per_tensor", UserWarning)
        quantized = torch._make_per_channel_quantized_tensor(numbers, scales.double(), zeros, 0)
    try:
        torch.backends.quantized.engine = "fbgemm"
        return torch.ops.quantized.linear_prepack(quantized, None)
    finally:
        torch.backends.quantized.engine = engine


def _quantize_with_torchao(module: PreTrainedModel, layers: set[torch.nn.Linear], quantization: Quantization) -> None:
    """On CUDA. The kernels are chosen by the number of rows, so that a row's last bits may depend on other rows."""
    if importlib.util.find_spec("torchao") is None:
        raise ModelError(f"quantize={quantization!r} on CUDA needs torchao: pip install 'extraction-sdk[quantization]'")
    from torchao.quantization import Int4WeightOnlyConfig, Int8WeightOnlyConfig, quantize_

    if quantization == "int4" and module.dtype != torch.bfloat16:
        raise ModelError(f'quantize="int4" on CUDA: expected dtype="bfloat16", found {module.dtype}')
    config = (
        Int8WeightOnlyConfig()
        if quantization == "int8"
        else Int4WeightOnlyConfig(group_size=_GROUP, int4_packing_format="tile_packed_to_4d")
    )
    quantize_(module, config, filter_fn=lambda part, _: part in layers)
