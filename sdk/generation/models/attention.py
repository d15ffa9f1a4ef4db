"""Attention on a CPU without copies of keys and values.

Where several query heads share a key/value head, transformers repeats keys and values for each query head before it
calls torch, unless it reads one token; on a CPU that copy takes three times as long as the attention of a short
draft. Here the queries of all heads that share one are laid out as if they were its own:

    queries [B, 9 heads, Q, size]  ->  [B, 3 shared heads, 3 Q, size]      the mask's Q rows three times

so that keys and values are read once, from where they are. Registered through transformers' attention interface, for
the models that are loaded here.
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
"""The name of this attention in transformers' registry; begins like ``sdpa``, whose arguments and masks it takes."""


def use_grouped_attention(module: PreTrainedModel) -> None:
    """Switch a model that uses torch's attention (``sdpa``) to this one; others stay as they are."""
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
    """Attention under a mask that all heads share; calls with anything else in them go to transformers' own.

    ``query``: ``[B, heads, Q, size]``; ``key`` and ``value``: ``[B, shared heads, K, size]``; ``attention_mask``:
    ``[B, 1, Q, K]``, added to the scores. Gives ``[B, Q, heads, size]``.
    """
    unusual = any(options.get(name) is not None for name in ("position_bias", "softcap", "s_aux"))
    if attention_mask is None or attention_mask.shape[1] > 1 or unusual or module.training:
        output, _ = sdpa_attention_forward(module, query, key, value, attention_mask, **options)
        return output, None
    batch, heads, count, size = query.shape
    shared = key.shape[1]
    output = torch.nn.functional.scaled_dot_product_attention(
        query.reshape(batch, shared, heads // shared * count, size),
        key,
        value,
        attn_mask=attention_mask.repeat(1, 1, heads // shared, 1),
        scale=options.get("scaling"),
    )
    return output.view(batch, heads, count, size).transpose(1, 2).contiguous(), None
