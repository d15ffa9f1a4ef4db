"""One answer being generated: its tokens, its cursor, its drafts and its budget.

A token budget never produces half a document. A token is only kept if the shortest text that closes the document
after it still fits into what is left. With a budget of 9 tokens,

    {"items": ["ab", "c        3 tokens left, closing `"]}` takes 2: go on
    {"items": ["ab", "cd       2 tokens left, closing takes 2: any token after which closing still takes 2 is given up
    {"items": ["ab", "cd"]}    closed, finish reason "budget"

The check is made after the cursor has accepted the token, since one token can make the closing longer (it opens an
object with required fields); the cursor's ``rollback`` gives the token up.

A draft is a guess of the next tokens, put into the same forward pass as the tokens that are certain. The pass then
tells what the sampler chooses after each of them, and as long as it chooses the guess, the pass counts for the next
token too:

    certain  "total"     draft  ": 9.00}     the sampler chooses  ": 9.50     kept  ": 9.    and the token 5

Every token is the sampler's own choice, with the logits, the mask and the random number it would have had without
drafts, so drafts change how many passes are made and nothing else. (Speculative sampling, Leviathan et al. 2023,
comes down to this where the draft is certain of itself.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from schema_compiler import TokenMask, Vocabulary
from sdk.errors import BudgetTooSmallError, IllegalTokenError
from sdk.generation.choosing.chooser import Chooser, NoChoices
from sdk.generation.choosing.search import Scored, ValueSearch
from sdk.generation.cursor import Cursor
from sdk.generation.drafting.drafter import NO_DRAFT, Draft, Drafter
from sdk.generation.exclusion import Exclusion
from sdk.generation.loop.prefixes import Prefixes
from sdk.generation.null_bias import NullBias
from sdk.generation.samplers import Sampler
from sdk.generation.slots import Chunk, Slots
from sdk.generation.trace import FinishReason, Origin, Token

if TYPE_CHECKING:
    import torch

__all__ = ["Refusal", "TextSequence", "closing_tokens"]

_LEAST_WIDTH = 32
"""Tokens of values that are read in a pass at least, also where they are not for free.

So that a search takes few passes, each of which reads again what leads to its tokens: some values of a document have
as many. Chosen, not measured.
"""

_RANDOM_NUMBERS = 64
"""How many random numbers a sequence fetches at a time, since a call of torch costs as much for one as for some dozens.

As many as a short answer has tokens; chosen, not measured.
"""


def closing_tokens(matcher: Cursor, vocabulary: Vocabulary) -> list[int]:
    """Tokens of the shortest text that completes the document, none when it is complete already."""
    return vocabulary.tokenize(matcher.closing())


@dataclass(frozen=True, slots=True)
class Refusal:
    """A value that is to be chosen anew: its first byte in the output, and the one behind it."""

    start: int
    end: int


@dataclass(slots=True, eq=False)
class TextSequence:
    """A prompt and the text that is generated after it. Mutable; the loop moves it on.

    ``shared``: how many of the prompt's first tokens other prompts begin with too. ``budget``: the most tokens of
    output, the end-of-sequence token not counted. ``closings``: how many bytes close the document, by the cursor's
    state; sequences of the same grammar may share it. ``removed``: for each token that was chosen, the share of
    probability that its mask removed. ``chances``: for each token of output, its probability under the model among
    what might have been chosen, 1 where the text is forced; that of a whole value is its first token's. ``scored``: the
    values that were chosen as wholes, each with the byte of the output where its text begins, and the values after it.
    ``passes``: forward passes that the sequence took part in. ``remembered``: how many tokens the model's memory holds.
    ``error``: why the sequence was given up. ``review``: asked about a complete text; a value that it refuses is chosen
    anew, and what follows it, where the model's memory can be taken back. ``search``: the choice among whole values
    that is under way.
    Raises ``BudgetTooSmallError`` when the shortest legal document does not fit the budget.
    """

    prompt: Sequence[int]
    matcher: Cursor
    vocabulary: Vocabulary
    sampler: Sampler
    generator: torch.Generator
    budget: int
    drafter: Drafter
    chooser: Chooser = field(default_factory=NoChoices)
    null_bias: NullBias | None = None
    review: Callable[[TextSequence], Refusal | None] | None = None
    shared: int = 0
    closings: dict[int, int] = field(default_factory=dict)
    output: list[int] = field(default_factory=list)
    removed: list[float] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    scored: list[tuple[int, Scored]] = field(default_factory=list)
    passes: int = 0
    finish_reason: FinishReason | None = None
    error: Exception | None = None
    remembered: int = 0
    search: ValueSearch | None = None
    _refused: dict[bytes, set[bytes]] = field(default_factory=dict)  # by the text before them
    _rewinds: bool = False
    _ended: bool = False  # by EOS, which is no output
    _certain: bytes = b""  # what is left of a forced text
    _draft: Draft = NO_DRAFT
    _uniforms: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse a budget that no legal document fits."""
        shortest = len(closing_tokens(self.matcher, self.vocabulary))
        if shortest > self.budget:
            raise BudgetTooSmallError(self.budget, shortest)

    @property
    def text(self) -> bytes:
        """The output as bytes."""
        return self.spell(self.output)

    @property
    def lengths(self) -> list[int]:
        """How many bytes each token of output has."""
        return [len(self.vocabulary.tokens[token_id] or b"") for token_id in self.output]

    @property
    def is_finished(self) -> bool:
        """Whether the text has ended, or the sequence was given up."""
        return self.finish_reason is not None or self.error is not None

    def spell(self, token_ids: Iterable[int]) -> bytes:
        """The bytes of tokens; special tokens have none."""
        return b"".join(self.vocabulary.tokens[token_id] or b"" for token_id in token_ids)

    def prefill(self, slots: Slots, slot: int, prefixes: Prefixes) -> None:
        """Start in an empty slot, with the shared part of the prompt where the rest can be read behind it."""
        if slots.extends or len(self.prompt) == self.shared + 1:
            self.passes += prefixes.load(slots, slot, self.prompt[: self.shared])
            self.remembered = self.shared

    def new_tokens(self) -> list[int]:
        """The tokens of prompt and output that the model's memory does not hold yet, at least one."""
        if self.remembered < len(self.prompt):
            return [*self.prompt[self.remembered :], *self.output]
        return self.output[self.remembered - len(self.prompt) :]

    def chunk(self, slots: Slots, slot: int, batch: int) -> Chunk:
        """What to read in a pass that ``batch`` sequences share: new tokens, and values or a draft behind them.

        One more token costs 1 / ``free_tokens`` of a pass, and a guess that is right saves the sequence's share of
        one, 1 / ``batch``. (A pass over a batch costs more than one over a sequence, but so do the draft's tokens:
        measured on a CPU, drafts stop paying where this ratio says so.)
        """
        self._rewinds = slots.rewinds
        if self.search is None and slots.rewinds:
            self.search = self.chooser.search(self.matcher, self.output, branches=slots.branches)
        if self.search is not None:
            return self.search.chunk(slot, self.new_tokens(), max(_LEAST_WIDTH, slots.free_tokens // batch))
        self._draft = NO_DRAFT
        if slots.rewinds:
            limit = self.budget - len(self.output)
            draft = self.drafter.propose(self.matcher, self.output, limit, batch / slots.free_tokens)
            self._draft = draft.first(self.chooser.choosable(self.matcher, draft.token_ids))
        return Chunk(slot, [*self.new_tokens(), *self._draft.token_ids], 1 + len(self._draft.token_ids))

    def masks(self) -> list[TokenMask]:
        """The masks of the positions to choose tokens for: after the output, and after each token of the draft."""
        if self.search is not None:
            return []
        masks = [self.matcher.mask()]
        for token_id in self._draft.token_ids:
            self.matcher.accept(token_id)
            masks.append(self.matcher.mask())
        self.matcher.rollback(len(self._draft.token_ids))
        return masks

    def uniforms(self) -> list[float]:
        """A random number for each position; one that is not used stays with its position for the next pass."""
        import torch

        missing = 1 + len(self._draft.token_ids) - len(self._uniforms)
        if missing > 0:
            missing = max(missing, _RANDOM_NUMBERS)
            self._uniforms += torch.rand(missing, generator=self.generator, dtype=torch.float64).tolist()
        return self._uniforms[: 1 + len(self._draft.token_ids)]

    def outputs(self) -> list[list[int]]:
        """The output before each position."""
        return [self.output + self._draft.token_ids[:count] for count in range(1 + len(self._draft.token_ids))]

    def advance(self, told: Sequence[float]) -> tuple[Token, ...]:
        """Take what a pass brought; gives the new tokens of output, none where a search among values goes on.

        ``told``: what the search asked for; or for each position the token that the sampler chose, then for each the
        share of probability that its mask removes, then for each the token's chance. Tokens are taken up to the first
        one that differs from the draft, with that one. Sets ``finish_reason`` when they are the last, and ``error``
        (an ``IllegalTokenError``) when a chosen token is not in its mask.
        """
        self.passes += 1
        self.remembered = len(self.prompt) + len(self.output)
        taken = self._advance_search(self.search, told) if self.search is not None else self._advance_draft(told)
        if self.finish_reason == "complete" and self.review is not None and self._rewinds:
            refusal = self.review(self)
            if refusal is not None:
                self._reopen(refusal)
        return taken

    def _advance_draft(self, told: Sequence[float]) -> tuple[Token, ...]:
        guesses, hits, taken, count = self._draft.token_ids, 0, [], len(told) // 3
        for token_id, removed, chance in zip(map(int, told[:count]), told[count:], told[2 * count :], strict=False):
            hit = hits < len(guesses) and token_id == guesses[hits]
            taken += self._take(token_id, removed, chance, self._draft.origin(hits) if hit else "sampled")
            self._uniforms.pop(0)
            if not hit or self.is_finished:
                break
            hits += 1
        self.remembered += hits
        self.drafter.learn(self._draft, hits)
        return tuple(taken)

    def _advance_search(self, search: ValueSearch, told: Sequence[float]) -> tuple[Token, ...]:
        """Take the best value, if it is found. Its chance is its first token's, those after it are certain."""
        search.read(told)
        best = search.best()
        if best is None:
            self.remembered -= 1  # what is read next stands behind the last token
            return ()
        self.search = None
        start, taken = len(self.text) + search.forced, []
        chance = best.texts[0][1]
        for token_id, removed in zip(best.token_ids, best.removed, strict=True):
            forced = len(self.text) + len(self.vocabulary.tokens[token_id] or b"") <= start
            taken += self._take(token_id, removed, 1.0 if forced else chance, "forced" if forced else "scored")
            chance = chance if forced else 1.0
            if self.is_finished:
                break
        self.scored.append((start, best))
        return tuple(taken)

    def _reopen(self, refusal: Refusal) -> None:
        """Go back to where a value begins, never to write it again behind the same text; no further if none is left."""
        count = sum(end <= refusal.start for end in accumulate(self.lengths))
        before, refused = self.text[: sum(self.lengths[:count])], self.text[: refusal.end]
        cursor = self.matcher.cursor if isinstance(self.matcher, Exclusion) else self.matcher
        place = cursor.fork()
        place.rollback(len(self.output) + self._ended - count)
        texts = self._refused.setdefault(before, set())
        texts.add(refused[len(before) :])
        exclusion = Exclusion(place, self.vocabulary, texts)
        if exclusion.is_dead:
            return
        self.matcher, self.closings, self.finish_reason, self._ended = exclusion, {}, None, False
        for column in (self.output, self.removed, self.chances):
            del column[count:]
        self._certain = b""
        self.scored = [(start, scored) for start, scored in self.scored if start < len(before)]
        self.remembered = min(self.remembered, len(self.prompt) + count - 1)  # the last token is read again

    def _take(self, token_id: int, removed: float, chance: float, origin: Origin) -> list[Token]:
        """Append one token, or what ends the document in its place; the new tokens of output."""
        if self._is_certain(token_id):
            chance = 1.0
        if not self.matcher.accept(token_id):
            self.error = IllegalTokenError(token_id, len(self.output))
            return []
        self.removed.append(removed)
        if token_id in self.vocabulary.eos_token_ids:
            self._ended = True
            return self._finish("complete", [])
        if not self._fits():
            self.matcher.rollback(1)
            closing = closing_tokens(self.matcher, self.vocabulary)
            for closing_id in closing:  # a cursor with free text before the document learns where that ends
                self.matcher.accept(closing_id)
            return self._finish("budget", [Token(closing_id, "closing") for closing_id in closing])
        if self._is_over():
            return self._finish("complete", [Token(token_id, origin)], chance)
        self.output.append(token_id)
        self.chances.append(chance)
        return [Token(token_id, origin)]

    def _is_certain(self, token_id: int) -> bool:
        """Whether the text of the next token is forced: its probability against shorter ones says nothing then."""
        self._certain = self._certain or self.matcher.forced()
        text = self.vocabulary.tokens[token_id] or b""
        certain = text != b"" and self._certain.startswith(text)
        self._certain = self._certain[len(text) :] if certain else b""
        return certain

    def _fits(self) -> bool:
        """Whether the document can still be closed within the budget, one token from here."""
        remaining = self.budget - len(self.output) - 1
        state = self.matcher.state_id
        if state not in self.closings:
            self.closings[state] = len(self.matcher.closing())
        if self.closings[state] <= remaining:  # a token has at least one byte
            return True
        return len(closing_tokens(self.matcher, self.vocabulary)) <= remaining

    def _finish(self, reason: FinishReason, tokens: list[Token], chance: float = 0.0) -> list[Token]:
        """``chance``: of the tokens; 0 where nothing has chosen them."""
        self.finish_reason = reason
        self.output.extend(token.token_id for token in tokens)
        self.chances.extend(chance for _ in tokens)
        return tokens

    def _is_over(self) -> bool:
        """Whether the document is complete and no text may follow, so that asking the model would waste a pass."""
        if not self.matcher.is_complete():
            return False
        return int(np.bitwise_count(self.matcher.mask()).sum()) == len(self.vocabulary.eos_token_ids)
