"""Linear layers on a CPU, their weights laid out once for the kernels that multiply them.

A pass over few tokens spends its time on reading weights. Torch's own ``linear`` hands them to a library that copies
them into blocks of its own in each call, and that is fastest on one maker's processors. oneDNN, which comes with
torch, takes weights that are in its blocks already: then a draft of a dozen tokens costs little more than one token.

Most checkpoints have weights of 16 bits, and float32 only repeats them in twice the memory. FBGEMM, which comes with
torch on x86 processors, reads such weights as float16 and computes in float32: half of the time for a token, four
fifths for a prompt, and the same numbers but for the order of sums.

Besides, a token's numbers are the same to the bit whatever other tokens share the pass (some rows are computed twice
for that), which torch's kernels do not promise. ``python -m tests.benchmarks.end_to_end`` shows what it does to
whole documents: the peers there run on torch's own layers.

Source: the first kernel is the one that torch's compiler puts in for linear layers whose weights are frozen.
"""

from __future__ import annotations

import torch

__all__ = ["HalfLinear", "PackedLinear", "pack_linear_layers"]

_ROWS = 64
"""For how many tokens a pass oneDNN is asked to choose the layout of the weights; the result works for any number.

A power of two between a draft and a prompt; chosen, not measured.
"""


_ROUNDING = 2.0**-25
"""How far a weight may be from a float16: half of the step between the smallest of them.

All numbers of float16 are exact, and those of bfloat16 between 1e-5 and 65,504; smaller ones are rounded by less than
what adding up a row in float32 rounds.
"""

_KERNEL_ROWS = 6
"""How many rows FBGEMM's kernel for AVX2 takes at a time.

One or two rows that are left over are added up in another order; three or more are not (measured for up to 390 rows).
"""


class HalfLinear(torch.nn.Module):  # type: ignore[misc]  # torch's modules are not typed for mypy
    """``torch.nn.Linear`` for inference in float32 on an x86 CPU, its weights kept in float16."""

    def __init__(self, linear: torch.nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self._packed = torch.ops.quantized.linear_prepack_fp16(linear.weight.detach(), None)
        self._bias = None if linear.bias is None else linear.bias.detach()
        self.nbytes = linear.weight.nbytes // 2

    @staticmethod
    def fits(linear: torch.nn.Linear) -> bool:
        """Whether float16 holds the weights, and torch has the kernel."""
        return "fbgemm" in torch.backends.quantized.supported_engines and all(
            bool(((part - part.half().float()).abs() <= _ROUNDING).all()) for part in linear.weight.detach().split(4096)
        )

    @property
    def weight(self) -> torch.Tensor:
        """A copy in torch's own layout, ``[out_features, in_features]``."""
        weight: torch.Tensor = torch.ops.quantized.linear_unpack_fp16(self._packed)[0]
        return weight

    @property
    def bias(self) -> torch.Tensor | None:
        """``[out_features]``, or ``None``."""
        return self._bias

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """``[..., in_features]`` to ``[..., out_features]``."""
        rows = states.reshape(-1, self.in_features)
        count, left = len(rows), len(rows) % _KERNEL_ROWS
        if count == 1:
            rows = rows.expand(3, -1)
        elif 0 < left < 3:
            rows = torch.cat([rows, rows[: 3 - left]])
        result = torch.ops.quantized.linear_dynamic_fp16(rows, self._packed)[:count]
        if self._bias is not None:
            result += self._bias
        return result.view(*states.shape[:-1], self.out_features)


class PackedLinear(torch.nn.Module):  # type: ignore[misc]  # torch's modules are not typed for mypy
    """``torch.nn.Linear`` for inference in float32 on a CPU."""

    def __init__(self, linear: torch.nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self._packed = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), _ROWS)
        self._bias = None if linear.bias is None else linear.bias.detach()
        self.nbytes = linear.weight.nbytes

    @property
    def weight(self) -> torch.Tensor:
        """A copy in torch's own layout, ``[out_features, in_features]``."""
        return self._packed.to_dense()

    @property
    def bias(self) -> torch.Tensor | None:
        """``[out_features]``, or ``None``."""
        return self._bias

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """``[..., in_features]`` to ``[..., out_features]``."""
        rows = states.reshape(-1, self.in_features)
        if len(rows) == 1:
            rows = rows.expand(2, -1)
        result = torch.ops.mkldnn._linear_pointwise(rows, self._packed, self._bias, "none", [], "")
        return result[: states.numel() // self.in_features].view(*states.shape[:-1], self.out_features)


def pack_linear_layers(module: torch.nn.Module) -> None:
    """Replace all plain linear layers that are float32 on a CPU by packed ones, where torch has kernels for them."""
    for parent in list(module.modules()):
        for name, child in parent.named_children():
            if (
                type(child) is torch.nn.Linear
                and child.weight.device.type == "cpu"
                and child.weight.dtype == torch.float32
            ):
                if HalfLinear.fits(child):
                    setattr(parent, name, HalfLinear(child))
                elif torch.backends.mkldnn.is_available():
                    setattr(parent, name, PackedLinear(child))
