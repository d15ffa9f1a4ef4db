"""Linear layers on a CPU, their weights laid out once for the kernels that multiply them.

A pass over few tokens spends its time on reading weights. Torch's own ``linear`` hands them to a library that copies
them into blocks of its own in each call, and that is fastest on one maker's processors. oneDNN, which comes with
torch, takes weights that are in its blocks already: then a draft of a dozen tokens costs little more than one token.
Besides, a token's numbers are the same to the bit whatever other tokens share the pass (a single token is computed
twice for that), which torch's kernels do not promise. ``python -m tests.benchmarks.end_to_end`` shows what it does to
whole documents: the peers there run on torch's own layers.

Source: the kernel is the one that torch's compiler puts in for linear layers whose weights are frozen.
"""

from __future__ import annotations

import torch

__all__ = ["PackedLinear", "pack_linear_layers"]

_ROWS = 64
"""For how many tokens a pass oneDNN is asked to choose the layout of the weights; the result works for any number.

A power of two between a draft and a prompt; chosen, not measured.
"""


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
    """Replace all plain linear layers that are float32 on a CPU by packed ones, if this torch has oneDNN."""
    if not torch.backends.mkldnn.is_available():
        return
    for parent in list(module.modules()):
        for name, child in parent.named_children():
            if (
                type(child) is torch.nn.Linear
                and child.weight.device.type == "cpu"
                and child.weight.dtype == torch.float32
            ):
                setattr(parent, name, PackedLinear(child))
