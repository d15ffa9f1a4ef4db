"""Attention on a CPU without copies of keys and values.

Where several query heads share a key/value head, transformers repeats keys and values for each query head before it
calls torch, unless it reads one token; on a CPU that copy takes three times as long as the attention of a short
draft. torch's own kernel knows shared heads. Registered through transformers' attention interface, for the models
that are loaded here; numbers stay the same to the bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["GROUPED", "use_grouped_attention"]

GROUPED = "sdpa_grouped"
"""The name transformers knows it by."""


def use_grouped_attention(module: PreTrainedModel) -> None:
    """Switch a model that uses torch's attention; others stay as they are."""
    if module.config._attn_implementation == "sdpa":
        AttentionInterface.register(GROUPED, _attend)
        AttentionMaskInterface.register(GROUPED, sdpa_mask)
        module.set_attn_implementation(GROUPED)


def _attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """Under a mask and nothing else out of the ordinary; the rest is transformers' own.

    ``query``: ``[B, heads, Q, size]``; ``key`` and ``value``: ``[B, shared heads, K, size]``. Gives
    ``[B, Q, heads, size]``.
    """
    unusual = any(options.get(name) is not None for name in ("position_bias", "softcap", "s_aux"))
    if attention_mask is None or unusual or module.training:
        output, _ = sdpa_attention_forward(module, query, key, value, attention_mask, **options)
        return output, None
    output = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=attention_mask, scale=options.get("scaling"), enable_gqa=True
    )
    return output.transpose(1, 2).contiguous(), None
