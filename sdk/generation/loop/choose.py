"""The sampler's choices for all places of a pass, in one go: the only time that a step waits for the device."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence as Many
from typing import TYPE_CHECKING

from sdk.generation.loop.sequence import Sequence
from sdk.generation.masking import removed_mass
from sdk.generation.samplers import Positions, Sampler

if TYPE_CHECKING:
    import torch

__all__ = ["choose"]


def choose(
    sequences: Collection[Sequence], logits: Many[torch.Tensor], allowed: torch.Tensor
) -> list[tuple[list[int], list[float]]]:
    """For each sequence, the tokens chosen for its places, and the share of probability that each mask removes.

    ``logits``: float32 ``[places, V]`` for each sequence; ``allowed``: bool ``[all places, V]``.
    """
    import torch

    positions = Positions(
        torch.cat(list(logits)) if len(logits) > 1 else logits[0],
        allowed,
        torch.tensor([number for sequence in sequences for number in sequence.uniforms()], dtype=torch.float64),
        [output for sequence in sequences for output in sequence.outputs()],
    )
    samplers = [sequence.sampler for sequence, rows in zip(sequences, logits, strict=True) for _ in rows]
    token_ids = _sampled(positions, samplers)
    answers = torch.stack([token_ids.double(), removed_mass(positions.logits, allowed).double()]).tolist()
    choices, start = [], 0
    for rows in logits:
        end = start + len(rows)
        choices.append(([int(token_id) for token_id in answers[0][start:end]], answers[1][start:end]))
        start = end
    return choices


def _sampled(positions: Positions, samplers: Many[Sampler]) -> torch.Tensor:
    """Each place's sampler asked once, with all its places."""
    import torch

    if all(sampler == samplers[0] for sampler in samplers):
        return samplers[0](positions)
    token_ids = torch.empty(len(samplers), dtype=torch.long, device=positions.logits.device)
    for sampler in dict.fromkeys(samplers):
        places = [place for place, own in enumerate(samplers) if own == sampler]
        token_ids[places] = sampler(
            Positions(
                positions.logits[places],
                positions.allowed[places],
                positions.uniforms[places],
                [positions.outputs[place] for place in places],
            )
        )
    return token_ids
