"""The generation loop: many sequences, few forward passes.

    fill free slots -> draft -> one pass over every slot's new tokens -> masks, while the device works
    -> choose tokens -> each sequence takes those that agree with its draft -> finished sequences leave their slots

It is a generator, so whoever iterates sees each piece of text as it is made, and cancels by not going on: all state
is in the sequences and their slots, and nothing shared is left half changed. What is shared (masks on the device,
memories of common prefixes) and what is a policy (drafting, sampling) comes from outside.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from sdk.generation.loop.choose import choose
from sdk.generation.loop.prefixes import Prefixes
from sdk.generation.loop.sequence import TextSequence
from sdk.generation.masking import MaskTable
from sdk.generation.slots import Slots
from sdk.generation.trace import Pass

__all__ = ["Step", "generate"]


@dataclass(frozen=True, slots=True)
class Step:
    """What one forward pass brought one sequence; ``trace``: its tokens, and where the time went."""

    sequence: TextSequence
    trace: Pass

    @property
    def text(self) -> bytes:
        """The new text: whole tokens, so perhaps a part of a character."""
        return self.sequence.spell(token.token_id for token in self.trace.tokens)


def generate(
    slots: Slots, sequences: Iterable[TextSequence], *, table: MaskTable, prefixes: Prefixes
) -> Iterator[Step]:
    """Run all ``sequences`` to their ends; a step for each sequence of each pass.

    The texts of a sequence's steps concatenate to its text, unless its ``review`` refuses some of it. ``sequences`` is
    read when a slot is free. A sequence that fails says so in its ``error``, and the others go on.
    """
    waiting = iter(sequences)
    active: dict[int, TextSequence] = {}
    while True:
        for slot in range(slots.count):
            if slot not in active and (sequence := next(waiting, None)) is not None:
                active[slot] = sequence
                sequence.prefill(slots, slot, prefixes)
        if not active:
            return
        times = [time.perf_counter()]
        chunks = [sequence.chunk(slots, slot, len(active)) for slot, sequence in active.items()]
        times.append(time.perf_counter())
        logits = slots.forward(chunks)
        times.append(time.perf_counter())
        masks = [mask for sequence in active.values() for mask in sequence.masks()]
        allowed = table.allowed(masks, logits[0].device) if masks else None
        times.append(time.perf_counter())
        told = choose(active.values(), logits, allowed)
        times.append(time.perf_counter())
        seconds = [after - before for before, after in pairwise(times)]
        batch = len(active)
        for (slot, sequence), chunk, numbers in zip(list(active.items()), chunks, told, strict=True):
            tokens = sequence.advance(numbers)
            if sequence.is_finished:
                del active[slot]
            slots.rewind(slot, 0 if sequence.is_finished else sequence.remembered)
            yield Step(sequence, Pass(tokens, chunk.keep - 1, batch, *seconds))
