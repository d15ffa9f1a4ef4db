"""What a further token costs in a forward pass, measured when a model is loaded, so that drafts have the right length.

A pass over few tokens spends its time on reading weights, and each further token adds a little:

    1 token  41 ms      17 tokens  95 ms      so 12 further tokens take as long as the first

Where that changes, from a laptop to a GPU, and from float32 to 4 bits, a guess is worth more or less. It depends on the
machine as much as on the model, so it is measured and not chosen. The figure is kept on disk, beside ``probe``'s.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from schema_compiler.files import replace_atomically
from sdk.generation.slots import Chunk, Slots

__all__ = ["free_tokens_of"]

_FURTHER = 16
"""How many further tokens are measured: as many as a long draft has."""

_CONTEXT = 256
"""Tokens that the slot remembers meanwhile, fewer than a prompt has: attention costs little beside the weights."""

_REPETITIONS = 5
"""Passes of each length, of which the fastest counts, since other programs only make them slower; chosen."""

_LEAST, _MOST = 4, 512
"""Limits of what is believed, since a measurement can be disturbed. Drafts are shorter than the second."""


def free_tokens_of(slots: Slots, token_ids: Sequence[int], path: Path) -> int:
    """How many further tokens take as long as the rest of a pass, in [4, 512]; measured unless ``path`` has it.

    ``slots``: empty ones that rewind. ``token_ids``: tokens to read, at least one.
    """
    try:
        known: int = json.loads(path.read_text())["free_tokens"]
        if _LEAST <= known <= _MOST:
            return known
    except (OSError, ValueError, KeyError, TypeError):
        pass
    text = [token_ids[place % len(token_ids)] for place in range(_CONTEXT + 1 + _FURTHER)]
    slots.forward([Chunk(0, text[:_CONTEXT])])
    one, more = (
        min(_seconds(slots, text[_CONTEXT : _CONTEXT + count]) for _ in range(_REPETITIONS))
        for count in (1, 1 + _FURTHER)
    )
    further = max(more - one, 1e-9) / _FURTHER
    free_tokens = round(min(max(one / further - 1, _LEAST), _MOST))
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_atomically(path) as scratch:
        scratch.write_text(json.dumps({"free_tokens": free_tokens}))
    return free_tokens


def _seconds(slots: Slots, token_ids: Sequence[int]) -> float:
    """A pass over new tokens, which are taken back."""
    started = time.perf_counter()
    (logits,) = slots.forward([Chunk(0, token_ids, keep=len(token_ids))])
    logits[0, 0].item()  # waits for the device
    seconds = time.perf_counter() - started
    slots.rewind(0, _CONTEXT)
    return seconds
