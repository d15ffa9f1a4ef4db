"""What happened in each forward pass: which tokens came of it, how, and where the time went; and why a text ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["FinishReason", "Origin", "Pass", "Token"]

FinishReason: TypeAlias = Literal["complete", "budget"]
"""Why a document ended.

``"complete"``: the model ended it, or it could only end there. ``"budget"``: the token budget closed it early.
"""

Origin: TypeAlias = Literal["sampled", "forced", "copied", "scored", "closing"]
"""How a token came to be.

``"sampled"``: chosen by the sampler, and not drafted. ``"forced"`` and ``"copied"``: drafted because the grammar
leaves no other text, or because the source document goes on like this, and then chosen by the sampler all the same.
``"scored"``: part of the most probable of all values that a field may have.
``"closing"``: written to complete the document when the token budget ran out.
"""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of output; the end-of-sequence token is not one."""

    token_id: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Pass:
    """One forward pass, as one sequence saw it.

    ``tokens``: those that the sequence took. ``drafted``: how many of its tokens were guesses. ``batch``: sequences
    that shared the pass. Times are seconds of the whole pass: drafting, calling the model, making masks, and choosing
    tokens. On a device that computes asynchronously the call returns early, the masks are made while it works, and
    ``choosing`` includes waiting for it.
    """

    tokens: tuple[Token, ...]
    drafted: int
    batch: int
    drafting: float
    forward: float
    masks: float
    choosing: float
