"""What a pass tells each sequence, brought from the device in one call: the only time that a step waits for it.

A sequence that chooses tokens has a position after its known tokens, and one after each token of its draft. One that
chooses among whole values asks its search.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from sdk.generation.loop.sequence import TextSequence
from sdk.generation.masking import removed_mass, send
from sdk.generation.samplers import Positions, Sampler

if TYPE_CHECKING:
    import torch

__all__ = ["choose"]


def choose(
    sequences: Collection[TextSequence], logits: Sequence[torch.Tensor], allowed: torch.Tensor | None
) -> list[list[float]]:
    """What each sequence is to ``advance`` by.

    ``logits``: float32 ``[keep, V]`` for each sequence. ``allowed``: bool ``[positions, V]``, the masks of the
    sequences that choose tokens; ``None`` where none does.
    """
    import torch

    pairs = [pair for pair in zip(sequences, logits, strict=True) if pair[0].search is None]
    drawn = iter(() if allowed is None else _drawn(pairs, allowed))
    told = [
        next(drawn) if sequence.search is None else sequence.search.numbers(rows)
        for sequence, rows in zip(sequences, logits, strict=True)
    ]
    numbers = iter(torch.cat(told).tolist())
    return [list(islice(numbers, len(part))) for part in told]


def _drawn(pairs: Sequence[tuple[TextSequence, torch.Tensor]], allowed: torch.Tensor) -> list[torch.Tensor]:
    """For each sequence and its logits: the tokens for its positions, what the masks remove there, and chances.

    Float64 ``[3 R]``, which holds token ids exactly.
    """
    import torch

    logits = torch.cat([rows for _, rows in pairs]) if len(pairs) > 1 else pairs[0][1]
    removed = removed_mass(logits, allowed)
    positions = Positions(
        torch.cat([_biased(*pair) for pair in pairs]) if any(sequence.null_bias for sequence, _ in pairs) else logits,
        allowed,
        send(np.array([number for sequence, _ in pairs for number in sequence.uniforms()]), allowed.device),
        [output for sequence, _ in pairs for output in sequence.outputs()],
    )
    token_ids = _sample(positions, [sequence.sampler for sequence, rows in pairs for _ in rows])
    chances = positions.masked.log_softmax(-1).gather(1, token_ids[:, None])[:, 0].exp()
    columns = torch.stack([token_ids.double(), removed.double(), chances.double()])
    return [part.flatten() for part in columns.split([len(rows) for _, rows in pairs], 1)]


def _biased(sequence: TextSequence, rows: torch.Tensor) -> torch.Tensor:
    """A sequence's logits, with a bias towards null where null may stand."""
    import torch

    bias = sequence.null_bias
    if bias is None:
        return rows
    places = [row for row, output in enumerate(sequence.outputs()) if bias.applies(output)]
    added = torch.zeros_like(rows)
    added[np.ix_(places, bias.token_ids)] = bias.bias
    return rows + added


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
