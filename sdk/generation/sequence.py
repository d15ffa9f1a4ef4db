"""One answer in the making: what has been generated, what may come next, and when to stop.

A sequence holds all that differs between answers: matcher, sampler, random numbers, budget. The loop brings it
logits; it says which tokens to append. A token budget never breaks the document: a token is only kept if the
shortest way to close the document after it still fits what is left. With a budget of 9 tokens,

    {"items": ["ab", "c        3 tokens left, closing `"]}` takes 2: go on
    {"items": ["ab", "cd       2 tokens left, closing takes 2: whatever longer comes next is given up
    {"items": ["ab", "cd"]}    closed, finish reason "budget"

The check is made after the matcher has accepted the token, since one token can make the closing longer (it opens an
object with required fields); the matcher's ``rollback`` gives the token up.
"""

from __future__ import annotations

from collections.abc import Sequence as Tokens
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from schema_compiler import Matcher, Vocabulary
from sdk.errors import BudgetTooSmallError, IllegalTokenError
from sdk.generation.masking import allowed_tokens, removed_mass
from sdk.generation.samplers import Sampler

if TYPE_CHECKING:
    import torch

__all__ = ["FinishReason", "Sequence", "closing_tokens"]

FinishReason: TypeAlias = Literal["complete", "budget"]
"""The model ended the document, or the document can only end here; or the token budget closed it early."""


def closing_tokens(matcher: Matcher, vocabulary: Vocabulary) -> list[int]:
    """Tokens that complete the document along its shortest text, none when it is complete already."""
    return vocabulary.tokenize(matcher.closing())


@dataclass(slots=True)
class Sequence:
    """Mutable state of one answer.

    ``budget``: the most tokens of output, the end-of-sequence token not counted. ``removed``: for each token that
    was sampled, the share of probability its mask removed. Raises ``BudgetTooSmallError`` when the shortest legal
    document does not fit the budget.
    """

    prompt: Tokens[int]
    matcher: Matcher
    vocabulary: Vocabulary
    sampler: Sampler
    generator: torch.Generator
    budget: int
    output: list[int] = field(default_factory=list)
    removed: list[float] = field(default_factory=list)
    finish_reason: FinishReason | None = None

    def __post_init__(self) -> None:
        """Refuses a budget that no legal document fits."""
        shortest = len(closing_tokens(self.matcher, self.vocabulary))
        if shortest > self.budget:
            raise BudgetTooSmallError(self.budget, shortest)

    @property
    def text(self) -> bytes:
        """The output as bytes."""
        return b"".join(self.vocabulary.tokens[token_id] or b"" for token_id in self.output)

    def advance(self, logits: torch.Tensor) -> Tokens[int]:
        """Choose what follows; the tokens to append, none when the document is over.

        ``logits``: float32 ``[len(vocabulary)]`` of the position after the last token. Sets ``finish_reason`` when
        these are the last tokens. Raises ``IllegalTokenError`` when the sampler leaves the mask.
        """
        allowed = allowed_tokens(self.matcher.mask(), len(self.vocabulary), logits.device)
        token_id = self.sampler(logits, allowed, self.generator)
        if not self.matcher.accept(token_id):
            raise IllegalTokenError(token_id, len(self.output))
        self.removed.append(removed_mass(logits, allowed))
        if token_id in self.vocabulary.eos_token_ids:
            return self._finish("complete", [])
        if len(self.output) + 1 + len(closing_tokens(self.matcher, self.vocabulary)) > self.budget:
            self.matcher.rollback(1)
            return self._finish("budget", closing_tokens(self.matcher, self.vocabulary))
        if self._is_over():
            return self._finish("complete", [token_id])
        self.output.append(token_id)
        return [token_id]

    def _finish(self, reason: FinishReason, tokens: list[int]) -> list[int]:
        self.finish_reason = reason
        self.output.extend(tokens)
        return tokens

    def _is_over(self) -> bool:
        """The document is complete and no text may follow, so that asking the model would be a wasted pass."""
        if not self.matcher.is_complete():
            return False
        return int(np.bitwise_count(self.matcher.mask()).sum()) == len(self.vocabulary.eos_token_ids)
