"""One attempt at a document: token by token from the start to its end, or to where it is given up.

At a prefix, a token *a* has the model's probability ``p(a)`` and an estimate ``c(a)``, an upper bound of the
chance that what the model writes after it is legal. The three ways of drawing differ in what they do with the
estimates:

    masked   a ~ p(a)                       the usual constrained decoding
    asap     a ~ p(a) c(a)                  comes closer to the model's distribution as the estimates do
    exact    a ~ p(a) c(a), then given up with the chance 1 - z / c(a), z = the sum of p(b) c(b) after a

The last one is rejection sampling: an attempt gives the document *w* with the probability P(w) / z(start), since all
other factors cancel, so that documents come in the model's own proportions whatever the estimates are. The estimates
decide how often attempts fail, and every failure improves them. The argument allows that other attempts lower the
estimates meanwhile, so attempts may share a trie and a batch.

Sources: Park et al. (arXiv 2405.21047), Parys et al. (arXiv 2510.01902).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from sdk.generation.aligned.futures import ExpectedFutureGrammaticality
from sdk.generation.samplers import race_row

__all__ = ["Attempt", "DocumentDraw", "Method", "TokenDraw", "draw_token"]

Method: TypeAlias = Literal["masked", "asap", "exact"]
"""How a token is drawn from its probability and its estimate."""


@dataclass(frozen=True, slots=True)
class TokenDraw:
    """A token drawn at a prefix.

    ``probability``: under the model. ``kept``: the share of probability that the mask leaves at the prefix. ``share``:
    the chance with which the token was drawn. ``estimate``: of its expected future grammaticality at that time.
    """

    token: int
    probability: float
    kept: float
    share: float
    estimate: float


@dataclass(frozen=True, slots=True)
class DocumentDraw:
    """A document that was drawn.

    ``tokens``: EOS is the last one where the document could have gone on; where it could only end, the model is not
    asked. Natural logarithms of its probability: ``log_model`` under the model, ``log_masked`` when each step's
    probabilities are those of the legal tokens made to sum to 1, ``log_proposal`` as the successful attempt drew it.
    ``removed``: for each token the share of the model's probability that the mask removed. ``attempts``: how many
    were made for this draw, the successful one among them.
    """

    tokens: tuple[int, ...]
    log_model: float
    log_masked: float
    log_proposal: float
    removed: tuple[float, ...]
    attempts: int


def draw_token(
    token_ids: npt.NDArray[np.integer],
    probabilities: npt.NDArray[np.float64],
    estimates: npt.NDArray[np.float64],
    uniform: float,
) -> TokenDraw | None:
    """A token drawn with a weight of its probability times its estimate; ``None`` when all weights are 0.

    All arrays are ``[k]``, one entry for each legal token; k is 0 where no token of the vocabulary spells what has to
    follow. ``uniform``: the random number, in [0, 1), by which the tokens race (see ``race``).
    """
    weights = probabilities * estimates
    total = float(weights.sum())
    if total <= 0.0:
        return None
    index = race_row(weights, uniform)
    probability, estimate = float(probabilities[index]), float(estimates[index])
    return TokenDraw(
        int(token_ids[index]), probability, float(probabilities.sum()), probability * estimate / total, estimate
    )


class Attempt:
    """One attempt at a document, under way.

    ``futures``: the estimates, which it uses and improves. ``uniform``: gives its random numbers in [0, 1).
    ``number``: which attempt of its draw this is, counted from 1. ``tokens``: those drawn so far.
    """

    def __init__(
        self, futures: ExpectedFutureGrammaticality, method: Method, uniform: Callable[[], float], number: int
    ) -> None:
        self.tokens: tuple[int, ...] = ()
        self._futures = futures
        self._method = method
        self._uniform = uniform
        self._number = number
        self._node = futures.root
        self._draws: list[TokenDraw] = []

    def step(self, token_ids: npt.NDArray[np.integer], probabilities: npt.NDArray[np.float64]) -> bool:
        """Draw the next token; ``False`` when the attempt is given up instead.

        ``token_ids`` and ``probabilities`` are ``[k]``: the legal tokens, ascending, and the model's probabilities.
        """
        self._node.look(float(probabilities.sum()))
        estimates = self._node.estimates(token_ids)
        weights = np.ones(len(token_ids)) if self._method == "masked" else estimates
        draw = draw_token(token_ids, probabilities, weights, self._uniform())
        if draw is None:
            self.fail()
            return False
        if self._method == "exact" and self._is_rejected(float(probabilities @ estimates)):
            self._futures.settle(self._node)
            return False
        self._node = self._futures.visit(self._node, draw.token, draw.probability)
        self._draws.append(draw)
        self.tokens += (draw.token,)
        return True

    def _is_rejected(self, weight: float) -> bool:
        """Whether to give up, with the chance 1 - ``weight`` / the estimate that the last token was drawn with.

        At the start there is no such token, and nothing to correct.
        """
        return bool(self._draws) and self._uniform() * self._draws[-1].estimate >= weight

    def fail(self) -> None:
        """Record that no legal document begins with the tokens so far."""
        self._node.look(0.0)
        self._futures.settle(self._node)

    def finish(self) -> DocumentDraw:
        """The draw, when the tokens so far are a legal document."""
        self._futures.settle(self._node)
        return DocumentDraw(
            self.tokens,
            log_model=sum(math.log(draw.probability) for draw in self._draws),
            log_masked=sum(math.log(draw.probability / draw.kept) for draw in self._draws),
            log_proposal=sum(math.log(draw.share) for draw in self._draws),
            removed=tuple(max(0.0, 1.0 - draw.kept) for draw in self._draws),
            attempts=self._number,
        )
