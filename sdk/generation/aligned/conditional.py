"""A language model's distribution over the documents of a language: a grammar, a budget of tokens, and a predicate.

The predicate is for what no grammar can say, such as whether a validator refuses the value. A document that can only
end is over, as it is for the generation loop; where it could also go on, EOS is a token like any other.

    draws to make -> attempts under way -> one call of the model for all their prefixes -> a token for each
    -> an attempt that fails is made again, with better estimates; one that ends gives its draw

Several attempts are under way at a time, so that the model sees a batch; they share their estimates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sdk.errors import TooManyAttemptsError
from sdk.generation.aligned.answers import Answers, LogProbabilities, Prefix
from sdk.generation.aligned.attempt import Attempt, DocumentDraw, Method
from sdk.generation.aligned.futures import ExpectedFutureGrammaticality
from sdk.generation.cursor import Cursor
from sdk.generation.masking import allowed_tokens

__all__ = ["Conditional", "Language"]


def _accept_all(_: Prefix) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Language:
    """The documents that are wanted.

    ``matcher``: makes a cursor at the start of a document. ``eos_token_ids``: tokens that end one. ``budget``: the most
    tokens of a document, EOS not counted. ``accepts``: whether a document is wanted, by its tokens without EOS.
    """

    matcher: Callable[[], Cursor]
    eos_token_ids: frozenset[int]
    budget: int
    accepts: Callable[[Prefix], bool] = _accept_all


@dataclass(slots=True, eq=False)
class _PendingDraw:
    """A draw to make: its random numbers, how many attempts were made, and the ``result`` of the successful one."""

    random: np.random.Generator
    attempts: int = 0
    result: DocumentDraw | None = None


@dataclass(frozen=True, slots=True)
class _ConstrainedAttempt:
    """An attempt at a draw, with the matcher that says which tokens are legal."""

    draw: _PendingDraw
    language: Language
    matcher: Cursor
    attempt: Attempt

    def legal(self) -> npt.NDArray[np.intp]:
        """The ids of the tokens that may come next; when the budget is used up, only of those that end the document."""
        mask = self.matcher.mask()
        token_ids = np.flatnonzero(allowed_tokens(mask, 32 * len(mask)))
        if len(self.attempt.tokens) < self.language.budget:
            return token_ids
        return token_ids[np.isin(token_ids, list(self.language.eos_token_ids))]

    def step(self, token_ids: npt.NDArray[np.intp], probabilities: npt.NDArray[np.float64]) -> bool:
        """Draw a token. Gives whether the attempt goes on; when it does not, the draw has a result or none."""
        if not self.attempt.step(token_ids, probabilities):
            return False
        *before, token = self.attempt.tokens
        taken = self.matcher.accept(token)
        assert taken, f"token {token} was in the mask"
        if token in self.language.eos_token_ids:
            self._end(tuple(before))
            return False
        if self.matcher.is_complete():
            if len(self.legal()) > len(self.language.eos_token_ids):
                return True
            self._end(self.attempt.tokens)
            return False
        if len(self.attempt.tokens) == self.language.budget:
            self.attempt.fail()
            return False
        return True

    def _end(self, document: Prefix) -> None:
        """Finish the draw, unless the document is refused, which makes it a failed attempt."""
        if self.language.accepts(document):
            self.draw.result = self.attempt.finish()
        else:
            self.attempt.fail()


class Conditional:
    """``model``, given that its text belongs to ``language``. Not shared between threads.

    ``futures``: the estimates of earlier draws; drawing improves them. ``remembered_bytes``: the budget of ``answers``,
    the model's answers; the default is 256 MiB, chosen, not measured.
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
    ) -> list[DocumentDraw]:
        """``count`` documents, at most ``batch`` at a time.

        Each draw has random numbers of its own, from ``seed``. Draws by ``"exact"`` are independent and follow the
        model's distribution; those by ``"asap"`` get closer to it the better the estimates are. ``attempts``: how many
        a draw may take on average.
        Raises ``TooManyAttemptsError`` when they were not enough.
        """
        draws = [_PendingDraw(np.random.default_rng(each)) for each in np.random.SeedSequence(seed).spawn(count)]
        waiting, active, remaining = draws[::-1], list[_ConstrainedAttempt](), attempts * count
        while waiting or active:
            if self.futures.is_full and not active:  # a trim raises estimates, which attempts under way have used
                self.futures.trim()
            while waiting and len(active) < batch and not self.futures.is_full:
                if not remaining:
                    finished = sum(draw.result is not None for draw in draws)
                    raise TooManyAttemptsError(attempts * count, finished, count, self.futures.estimate())
                active.append(self._start(waiting.pop(), method))
                remaining -= 1
            active, stopped = self._advance(active)
            waiting += [each.draw for each in stopped if each.draw.result is None]
        return [draw.result for draw in draws if draw.result is not None]

    def _start(self, draw: _PendingDraw, method: Method) -> _ConstrainedAttempt:
        draw.attempts += 1
        attempt = Attempt(self.futures, method, draw.random.random, draw.attempts)
        return _ConstrainedAttempt(draw, self.language, self.language.matcher(), attempt)

    def _advance(
        self, active: list[_ConstrainedAttempt]
    ) -> tuple[list[_ConstrainedAttempt], list[_ConstrainedAttempt]]:
        """Draw one token for each attempt. Gives the attempts that go on, and those that have ended."""
        legal = {each.attempt.tokens: each.legal() for each in active}
        probabilities = self.answers.probabilities(legal)
        going, stopped = list[_ConstrainedAttempt](), list[_ConstrainedAttempt]()
        for each in active:
            prefix = each.attempt.tokens
            (going if each.step(legal[prefix], probabilities[prefix]) else stopped).append(each)
        return going, stopped
