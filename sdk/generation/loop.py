"""The generation loop: forward pass, mask, sample, append, until the sequence is finished.

It is a generator, so whoever iterates sees each piece of text as it is made, and cancels by not going on: all
state is in the sequence and its decoder, and nothing shared is left half changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdk.generation.model import Decoder
from sdk.generation.sequence import Sequence

__all__ = ["generate"]


def generate(decoder: Decoder, sequence: Sequence) -> Iterator[bytes]:
    """Run ``sequence`` to its end, one forward pass for each text yielded (whole tokens, perhaps half a character).

    The texts concatenate to ``sequence.text``.
    """
    pending = sequence.prompt
    while sequence.finish_reason is None:
        pending = sequence.advance(decoder.forward(pending))
        yield b"".join(sequence.vocabulary.tokens[token_id] or b"" for token_id in pending)
