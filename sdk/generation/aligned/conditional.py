"""A language model's distribution over the documents that a grammar admits.

Documents are token sequences that the grammar admits, of at most so many tokens, which ``accepts`` does not refuse:
what no grammar can say (a validator's opinion) is part of the condition too. A document that can only end is over, as
it is for the generation loop; where it could also go on, ending is a token like any other.

    draws wanted -> attempts under way -> one question to the model for all their prefixes -> a token for each
    -> an attempt that fails is made again, knowing more; one that ends is a sample

Several attempts are under way at a time, so that the model sees a batch, and all learn from each other at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sdk.errors import TooManyAttemptsError
from sdk.generation.aligned.answers import Answers, LogProbabilities, Prefix
from sdk.generation.aligned.futures import ExpectedFutureGrammaticality
from sdk.generation.aligned.walk import Method, Sample, Walk
from sdk.generation.masking import allowed_tokens
from sdk.generation.reasoning import Cursor

__all__ = ["Conditional", "Language"]


def _anything(_: Prefix) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Language:
    """The documents that are wanted.

    ``matcher``: makes a cursor at the start of a document. ``budget``: the most tokens of a document, EOS not counted.
    ``accepts``: whether a document is wanted, by its tokens without EOS.
    """

    matcher: Callable[[], Cursor]
    eos_token_ids: frozenset[int]
    budget: int
    accepts: Callable[[Prefix], bool] = _anything


@dataclass(slots=True, eq=False)
class _Draw:
    """A document to come: its random numbers, how often it was tried, and what came of it."""

    random: np.random.Generator
    attempts: int = 0
    sample: Sample | None = None


@dataclass(frozen=True, slots=True)
class _Attempt:
    draw: _Draw
    language: Language
    matcher: Cursor
    walk: Walk

    def legal(self) -> npt.NDArray[np.intp]:
        """The ids of the tokens that may come next; when the budget is used up, of those that end the document."""
        row = self.matcher.mask()
        token_ids = np.flatnonzero(allowed_tokens(row, 32 * len(row)))
        if len(self.walk.tokens) < self.language.budget:
            return token_ids
        return token_ids[np.isin(token_ids, list(self.language.eos_token_ids))]

    def step(self, token_ids: npt.NDArray[np.intp], probabilities: npt.NDArray[np.float64]) -> bool:
        """Draw a token; whether the attempt goes on."""
        if not self.walk.step(token_ids, probabilities):
            return False
        *before, token = self.walk.tokens
        taken = self.matcher.accept(token)
        assert taken, f"token {token} was in the mask"
        if token in self.language.eos_token_ids:
            return self._end(tuple(before))
        if self.matcher.is_complete():
            return len(self.legal()) > len(self.language.eos_token_ids) or self._end(self.walk.tokens)
        if len(self.walk.tokens) == self.language.budget:
            self.walk.fail()
            return False
        return True

    def _end(self, document: Prefix) -> bool:
        """A document that is refused is an attempt that failed."""
        if self.language.accepts(document):
            self.draw.sample = self.walk.finish()
        else:
            self.walk.fail()
        return False


class Conditional:
    """``model``, given that its text belongs to ``language``. Not shared between threads.

    ``futures``: what is known from earlier draws; drawing adds to it. ``remembered_bytes``: room for the model's
    answers, which ``answers`` counts.
    """

    def __init__(
        self,
        model: LogProbabilities,
        language: Language,
        futures: ExpectedFutureGrammaticality | None = None,
        *,
        remembered_bytes: int = 1 << 28,
    ) -> None:
        self.language = language
        self.futures = ExpectedFutureGrammaticality() if futures is None else futures
        self.answers = Answers(model, remembered_bytes)

    def draw(
        self, count: int, method: Method, *, seed: int | None = None, batch: int = 8, attempts: int = 1000
    ) -> list[Sample]:
        """``count`` documents, at most ``batch`` at a time.

        Each draw has random numbers of its own, from ``seed``. Draws by ``"exact"`` are independent and follow the
        model's distribution; those by ``"asap"`` get closer to it the more is known.
        Raises ``TooManyAttemptsError`` when ``attempts`` for each document, taken together, were not enough.
        """
        draws = [_Draw(np.random.default_rng(each)) for each in np.random.SeedSequence(seed).spawn(count)]
        waiting, active, left = draws[::-1], list[_Attempt](), attempts * count
        while waiting or active:
            if self.futures.is_full and not active:  # estimates that rise would spoil attempts under way
                self.futures.trim()
            while waiting and len(active) < batch and not self.futures.is_full:
                if not left:
                    ready = sum(draw.sample is not None for draw in draws)
                    raise TooManyAttemptsError(attempts * count, ready, count, self.futures.estimate())
                active.append(self._start(waiting.pop(), method))
                left -= 1
            active, stopped = self._advance(active)
            waiting += [attempt.draw for attempt in stopped if attempt.draw.sample is None]
        return [draw.sample for draw in draws if draw.sample is not None]

    def _start(self, draw: _Draw, method: Method) -> _Attempt:
        draw.attempts += 1
        walk = Walk(self.futures, method, draw.random.random, draw.attempts)
        return _Attempt(draw, self.language, self.language.matcher(), walk)

    def _advance(self, active: list[_Attempt]) -> tuple[list[_Attempt], list[_Attempt]]:
        """One token for each attempt: those that go on, and those that stop."""
        legal = {attempt.walk.tokens: attempt.legal() for attempt in active}
        probabilities = self.answers.probabilities(legal)
        going, stopped = list[_Attempt](), list[_Attempt]()
        for attempt in active:
            prefix = attempt.walk.tokens
            (going if attempt.step(legal[prefix], probabilities[prefix]) else stopped).append(attempt)
        return going, stopped
