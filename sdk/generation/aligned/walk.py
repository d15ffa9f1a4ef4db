"""One attempt at a document: token by token from the start to its end, or to where it is given up.

At a prefix *u*, a token *a* has the model's probability ``p(a)`` and an estimate ``c(a)``, an upper bound of the
chance that what follows it is legal. The three ways of drawing differ in what they do with the estimates:

    masked   a ~ p(a)                       the usual constrained decoding
    asap     a ~ p(a) c(a)                  comes closer to the model's distribution as the estimates do
    exact    a ~ p(a) c(a), then given up with the chance 1 - z / c(a), z = the sum of p(b) c(b) after a

The last one is rejection sampling: an attempt for the document *w* succeeds with the probability P(w) / z(start),
since all other factors cancel, so that documents come in the model's own proportions whatever the estimates are. They
decide how often attempts fail, and with every failure they know more. Nothing in the argument minds that other
attempts lower the estimates meanwhile, so attempts may share a trie and a batch.

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

__all__ = ["Choice", "Method", "Sample", "Walk", "choose"]

Method: TypeAlias = Literal["masked", "asap", "exact"]
"""How a token is drawn from its probability and its estimate."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A token drawn at a prefix.

    ``probability``: under the model. ``kept``: the share of probability that the mask leaves. ``share``: the chance
    of being drawn. ``estimate``: the expected future grammaticality it was drawn with.
    """

    token: int
    probability: float
    kept: float
    share: float
    estimate: float


@dataclass(frozen=True, slots=True)
class Sample:
    """A document that was drawn.

    ``tokens``: EOS is the last one where the document could have gone on; where it could only end, the model is not
    asked. Natural logarithms of its probability: ``log_model`` under the model, ``log_masked`` when each step's
    probabilities are those of the legal tokens made to sum to 1, ``log_proposal`` as the successful attempt drew it.
    ``removed``: for each token the share of the model's probability that the mask removed. ``attempts``: how many it
    took, with the successful one.
    """

    tokens: tuple[int, ...]
    log_model: float
    log_masked: float
    log_proposal: float
    removed: tuple[float, ...]
    attempts: int


def choose(
    token_ids: npt.NDArray[np.integer],
    probabilities: npt.NDArray[np.float64],
    estimates: npt.NDArray[np.float64],
    uniform: float,
) -> Choice | None:
    """A token drawn by probability times estimate, with a number in [0, 1); ``None`` when all weights are 0.

    All arrays are ``[k]``, one entry for each legal token. There is none where no token of the vocabulary spells what
    has to follow.
    """
    cumulated = (probabilities * estimates).cumsum()
    total = float(cumulated[-1]) if len(cumulated) else 0.0
    if total <= 0.0:
        return None
    # rounding may reach the total, where no token is left
    wanted = min(uniform * total, math.nextafter(total, 0.0))
    place = int(np.searchsorted(cumulated, wanted, side="right"))
    probability, estimate = float(probabilities[place]), float(estimates[place])
    return Choice(
        int(token_ids[place]), probability, float(probabilities.sum()), probability * estimate / total, estimate
    )


class Walk:
    """An attempt in the making. ``uniform`` gives its random numbers in [0, 1)."""

    def __init__(
        self, futures: ExpectedFutureGrammaticality, method: Method, uniform: Callable[[], float], attempts: int
    ) -> None:
        self.tokens: tuple[int, ...] = ()
        self._futures = futures
        self._method = method
        self._uniform = uniform
        self._attempts = attempts
        self._node = futures.root
        self._choices: list[Choice] = []

    def step(self, token_ids: npt.NDArray[np.integer], probabilities: npt.NDArray[np.float64]) -> bool:
        """Draw the next token; ``False`` when the attempt is given up instead.

        ``token_ids`` and ``probabilities`` are ``[k]``: the legal tokens, ascending, and what the model thinks of them.
        """
        self._node.look(float(probabilities.sum()))
        known = self._node.estimates(token_ids)
        estimates = np.ones(len(token_ids)) if self._method == "masked" else known
        choice = choose(token_ids, probabilities, estimates, self._uniform())
        if choice is None:
            self.fail()
            return False
        if self._method == "exact" and self._is_rejected(float(probabilities @ known)):
            self._futures.settle(self._node)
            return False
        self._node = self._futures.visit(self._node, choice.token, choice.probability)
        self._choices.append(choice)
        self.tokens += (choice.token,)
        return True

    def _is_rejected(self, weight: float) -> bool:
        """Whether what the last token promised was too much; the start was promised nothing."""
        return bool(self._choices) and self._uniform() * self._choices[-1].estimate >= weight

    def fail(self) -> None:
        """What was written cannot become a legal document: remember it."""
        self._node.look(0.0)
        self._futures.settle(self._node)

    def finish(self) -> Sample:
        """What was written is a legal document."""
        self._futures.settle(self._node)
        return Sample(
            self.tokens,
            log_model=sum(math.log(choice.probability) for choice in self._choices),
            log_masked=sum(math.log(choice.probability / choice.kept) for choice in self._choices),
            log_proposal=sum(math.log(choice.share) for choice in self._choices),
            removed=tuple(max(0.0, 1.0 - choice.kept) for choice in self._choices),
            attempts=self._attempts,
        )
