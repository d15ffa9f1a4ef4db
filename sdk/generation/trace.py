"""What happened in each forward pass: which tokens came of it, how, and where the time went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Origin", "Pass", "Token"]

Origin: TypeAlias = Literal["sampled", "forced", "copied", "closing"]
"""How a token came to be.

``"sampled"``: chosen by the sampler, and nobody guessed it. ``"forced"`` and ``"copied"``: guessed because the
grammar leaves no other text, or because the document goes on like this, and then chosen by the sampler all the same.
``"closing"``: written to complete the document when the budget, or that of free text, ran out.
"""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of output; the end-of-sequence token is not one."""

    token_id: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Pass:
    """One forward pass, as one sequence saw it.

    ``drafted``: guesses that went in. ``batch``: sequences that shared the pass. Times are seconds of the whole
    pass: guessing, calling the model, masks, and choosing. On a device that computes asynchronously the call
    returns early, the masks are made while it works, and ``choosing`` includes waiting for it.
    """

    tokens: tuple[Token, ...]
    drafted: int
    batch: int
    drafting: float
    forward: float
    masks: float
    choosing: float
