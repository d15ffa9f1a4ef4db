"""The generation loop: many sequences, few forward passes.

    fill free slots -> guess -> one pass over every slot's new tokens -> masks, while the device works
    -> choose -> each sequence takes what it may -> a finished slot is free again

It is a generator, so whoever iterates sees each piece of text as it is made, and cancels by not going on: all state
is in the sequences and their slots, and nothing shared is left half changed. What is shared (rows on the device,
memories of common prefixes) and what is a policy (drafting, sampling) comes from outside.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from sdk.generation.loop.choose import choose
from sdk.generation.loop.prefixes import Prefixes
from sdk.generation.loop.sequence import Sequence
from sdk.generation.masking import MaskTable
from sdk.generation.slots import Chunk, Slots
from sdk.generation.trace import Pass

__all__ = ["Step", "generate"]


@dataclass(frozen=True, slots=True)
class Step:
    """What one pass brought one sequence."""

    sequence: Sequence
    made: Pass

    @property
    def text(self) -> bytes:
        """The new text: whole tokens, perhaps half a character."""
        return self.sequence.spelled(token.token_id for token in self.made.tokens)


def generate(slots: Slots, sequences: Iterable[Sequence], *, table: MaskTable, prefixes: Prefixes) -> Iterator[Step]:
    """Run all ``sequences`` to their ends; a step for each sequence of each pass.

    The texts of a sequence's steps concatenate to its text. Sequences are asked for when a slot is free.
    """
    waiting = iter(sequences)
    active: dict[int, Sequence] = {}
    while True:
        for slot in range(slots.count):
            if slot not in active and (sequence := next(waiting, None)) is not None:
                active[slot] = sequence
                sequence.prefill(slots, slot, prefixes)
        if not active:
            return
        times = [time.perf_counter()]
        chunks = [_chunk(slots, slot, sequence, len(active)) for slot, sequence in active.items()]
        times.append(time.perf_counter())
        logits = slots.forward(chunks)
        times.append(time.perf_counter())
        allowed = table.allowed([row for sequence in active.values() for row in sequence.masks()], logits[0].device)
        times.append(time.perf_counter())
        choices = choose(active.values(), logits, allowed)
        times.append(time.perf_counter())
        seconds = [after - before for before, after in pairwise(times)]
        batch = len(active)
        for (slot, sequence), chunk, choice in zip(list(active.items()), chunks, choices, strict=True):
            tokens = sequence.advance(*choice)
            if sequence.is_finished:
                del active[slot]
            slots.rewind(slot, 0 if sequence.is_finished else sequence.remembered)
            yield Step(sequence, Pass(tokens, chunk.keep - 1, batch, *seconds))


def _chunk(slots: Slots, slot: int, sequence: Sequence, batch: int) -> Chunk:
    """The sequence's new tokens, a draft behind them.

    A token more costs 1 / free tokens of a pass, and a guess that hits saves the sequence's share, 1 / batch of one.
    (A pass over a batch costs more than one over a sequence, but so does the padding that a draft brings the others:
    measured on a CPU, drafts stop paying where this says so.)
    """
    guesses = sequence.draft(batch / slots.free_tokens).token_ids if slots.rewinds else []
    return Chunk(slot, [*sequence.known(), *guesses], 1 + len(guesses))
