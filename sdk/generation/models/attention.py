"""Attention over slots: one row of new tokens, of which each attends to the keys and values of its own sequence.

A forward pass takes the new tokens of several sequences one behind the other, so linear layers compute no padding:

    row        a b c | d | e f         three sequences with 3, 1 and 2 new tokens
    queries    a b c     e f .         laid out for attention: those with many new tokens by themselves,
                         d . .         those with few as a rectangle

Where several query heads share a key/value head, their queries are laid out as if they were its own

    queries [B, 9 heads, Q, size]  ->  [B, 3 shared heads, 3 Q, size]      the mask's Q rows three times

so that keys and values are read once, from where they are, instead of being copied for each query head.

Registered through transformers' attention interface. A layer finds its ``Packing`` among the keyword arguments that
models hand down to attention; without one (``generate`` of transformers), this is plain attention under the mask that
the model makes. Sources: rows without padding are those of variable-length FlashAttention (Dao 2023); soft caps of
scores are Gemma 2's, sinks gpt-oss's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

from sdk.generation.masking import send

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["PACKED", "Packing", "Rectangle", "use_packed_attention"]

PACKED = "slots"
"""The name of this attention in transformers' registry."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """``R`` sequences with at most ``Q`` new tokens each, whose attention is computed together.

    ``slots``: where their keys and values are. ``used``: how many columns of these the longest has. ``read`` and
    ``write``: int64 ``[R, Q]``, the places of their tokens in the row; padding reads the first place, and writes to a
    place behind the last.
    """

    slots: slice
    used: int
    read: torch.Tensor
    write: torch.Tensor


@dataclass(frozen=True, slots=True)
class Packing:
    """How the ``T`` tokens of a row fall into rectangles."""

    rectangles: Sequence[Rectangle]
    _masks: dict[tuple[int, int, int], torch.Tensor] = field(default_factory=dict)

    @staticmethod
    def of(parts: Sequence[tuple[int, int, int]], few: int, device: torch.device) -> Packing:
        """Of the parts of a row, in the order of their slots: slot, number of new tokens, length with these.

        Parts of at most ``few`` tokens share a rectangle, which leaves out no slot between its first and its last.
        """
        total, start = sum(count for _, count, _ in parts), 0
        rectangles = []
        short: list[tuple[int, int, int, int]] = []
        for slot, count, length in parts:
            if count > few:
                rectangles.append(_rectangle([(slot, start, count, length)], total, device))
            else:
                short.append((slot, start, count, length))
            start += count
        if short:
            rectangles.append(_rectangle(short, total, device))
        return Packing(rectangles)

    def mask(self, number: int, mask: torch.Tensor, copies: int) -> torch.Tensor:
        """A rectangle's part of a mask ``[1, 1, T, columns]``: ``[R, 1, copies Q, used]``, made once a pass."""
        key = id(mask), number, copies
        if key not in self._masks:
            rectangle = self.rectangles[number]
            part = mask[0, 0, :, : rectangle.used][rectangle.read]
            self._masks[key] = part.repeat(1, copies, 1)[:, None]
        return self._masks[key]


def _rectangle(parts: Sequence[tuple[int, int, int, int]], total: int, device: torch.device) -> Rectangle:
    first, last = parts[0][0], parts[-1][0]
    longest = max(count for _, _, count, _ in parts)
    read = [[0] * longest for _ in range(last - first + 1)]
    write = [[total] * longest for _ in range(last - first + 1)]
    for slot, start, count, _ in parts:
        read[slot - first][:count] = write[slot - first][:count] = range(start, start + count)
    numbers = send([read, write], device)
    return Rectangle(slice(first, last + 1), max(length for *_, length in parts), numbers[0], numbers[1])


def use_packed_attention(module: PreTrainedModel) -> bool:
    """Switch a model to this attention; ``False``, and nothing changes, where it has attention of its own."""
    if not module._can_set_attn_implementation():
        return False
    AttentionInterface.register(PACKED, _attend)
    AttentionMaskInterface.register(PACKED, eager_mask)
    module.set_attn_implementation(PACKED)
    return True


def _attend(
    module: torch.nn.Module,  # noqa: ARG001  # the interface passes it
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    scaling: float | None = None,
    softcap: float | None = None,
    s_aux: torch.Tensor | None = None,
    position_bias: torch.Tensor | None = None,
    packing: Packing | None = None,
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """Attention with an additive ``attention_mask``; gives ``[B, Q, heads, size]``.

    ``query``: ``[B, heads, Q, size]``; ``key`` and ``value``: ``[B, shared heads, K, size]``; ``attention_mask``:
    ``[B, 1 or heads, Q, K]``. With a ``packing``, ``B`` is 1, ``Q`` is ``T``, the mask is that of all heads, and keys
    and values are those of all slots. Raises ``NotImplementedError`` where heads have masks or biases of their own.
    """
    if packing is None:
        biases = [bias for bias in (attention_mask, position_bias) if bias is not None]
        mask = sum(biases[1:], biases[0]) if biases else None
        if mask is not None:
            heads, shared = query.shape[1], key.shape[1]
            mask = mask.expand(-1, heads, -1, -1).reshape(len(mask), shared, -1, mask.shape[-1])
        return _dense(query, key, value, mask, scaling, softcap, s_aux), None
    if position_bias is not None or attention_mask is None or attention_mask.shape[1] > 1:
        raise NotImplementedError("attention with a bias of its own for each head, over a packed row")
    row = query[0].transpose(0, 1)
    result = row.new_empty(len(row) + 1, row.shape[1], value.shape[-1])
    for number, rectangle in enumerate(packing.rectangles):
        result[rectangle.write] = _dense(
            row[rectangle.read].transpose(1, 2),
            key[rectangle.slots, :, : rectangle.used],
            value[rectangle.slots, :, : rectangle.used],
            packing.mask(number, attention_mask, query.shape[1] // key.shape[1]),
            scaling,
            softcap,
            s_aux,
        )
    return result[None, :-1], None


def _dense(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    scaling: float | None,
    softcap: float | None,
    sinks: torch.Tensor | None,
) -> torch.Tensor:
    """Attention of ``[B, heads, Q, size]``: ``[B, Q, heads, size]``.

    ``mask``: ``[B, 1 or shared heads, heads per shared one x Q, K]``. ``sinks``: ``[heads]``, scores that
    take a share of the attention and give nothing.
    """
    batch, heads, count, size = query.shape
    shared = key.shape[1]
    grouped = query.reshape(batch, shared, heads // shared * count, size)
    if softcap is None and sinks is None:
        output = torch.nn.functional.scaled_dot_product_attention(grouped, key, value, attn_mask=mask, scale=scaling)
    else:
        scores = grouped @ key.transpose(2, 3) * (size**-0.5 if scaling is None else scaling)
        if softcap is not None:
            scores = (scores / softcap).tanh() * softcap
        if mask is not None:
            scores = scores + mask
        if sinks is not None:
            own = sinks.view(1, shared, -1, 1, 1).expand(batch, -1, -1, count, 1)
            scores = torch.cat([scores, own.reshape(batch, shared, -1, 1).to(scores.dtype)], -1)
        shares = scores.softmax(-1, dtype=torch.float32).to(value.dtype)
        output = shares[..., : key.shape[2]] @ value
    return output.reshape(batch, heads, count, -1).transpose(1, 2)
