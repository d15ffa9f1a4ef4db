"""The choice of a token for every position of a pass, in one call: the only time that a step waits for the device.

A sequence has a position after its known tokens, and one after each token of its draft.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdk.generation.loop.sequence import TextSequence
from sdk.generation.masking import removed_mass, send
from sdk.generation.samplers import Positions, Sampler

if TYPE_CHECKING:
    import torch

__all__ = ["choose"]


def choose(
    sequences: Collection[TextSequence], logits: Sequence[torch.Tensor], allowed: torch.Tensor
) -> list[tuple[list[int], list[float]]]:
    """For each sequence, the tokens chosen for its positions, and the share of probability that each mask removes.

    ``logits``: float32 ``[positions, V]`` for each sequence; ``allowed``: bool ``[positions of all, V]``.
    """
    import torch

    positions = Positions(
        torch.cat(list(logits)) if len(logits) > 1 else logits[0],
        allowed,
        send(np.array([number for sequence in sequences for number in sequence.uniforms()]), allowed.device),
        [output for sequence in sequences for output in sequence.outputs()],
    )
    samplers = [sequence.sampler for sequence, rows in zip(sequences, logits, strict=True) for _ in rows]
    token_ids = _sample(positions, samplers)
    # float64 holds token ids exactly, so one tensor, and one wait, brings both from the device
    chosen, removed = torch.stack([token_ids.double(), removed_mass(positions.logits, allowed).double()]).tolist()
    choices, start = [], 0
    for rows in logits:
        end = start + len(rows)
        choices.append(([int(token_id) for token_id in chosen[start:end]], removed[start:end]))
        start = end
    return choices


def _sample(positions: Positions, samplers: Sequence[Sampler]) -> torch.Tensor:
    """The tokens for all positions, ``[R]``; each sampler is called once, with all positions that are its own."""
    import torch

    if all(sampler == samplers[0] for sampler in samplers):
        return samplers[0](positions)
    token_ids = torch.empty(len(samplers), dtype=torch.long, device=positions.logits.device)
    for sampler in dict.fromkeys(samplers):
        rows = [row for row, own in enumerate(samplers) if own == sampler]
        token_ids[rows] = sampler(
            Positions(
                positions.logits[rows],
                positions.allowed[rows],
                positions.uniforms[rows],
                [positions.outputs[row] for row in rows],
            )
        )
    return token_ids
