"""A language model's answers about prefixes, remembered: many draws from one prompt begin alike.

Only the probabilities of legal tokens are kept: after ``{"shop``, where one token is legal, an answer takes 8 bytes
instead of 8 for each token of the vocabulary.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Answers", "LogProbabilities", "Prefix"]

Prefix: TypeAlias = tuple[int, ...]
"""The tokens of a document so far, without the prompt."""

_Probabilities: TypeAlias = npt.NDArray[np.float64]


class LogProbabilities(Protocol):
    """A language model with its prompt and its temperature, as a function."""

    def __call__(self, prefixes: Sequence[Prefix]) -> Sequence[npt.NDArray[np.float64]]:
        """For each prefix, the natural logarithm of each token's probability to come next: float64 ``[V]``."""
        ...


class Answers:
    """``model``, asked about each prefix once.

    ``budget``: bytes of answers to remember; then the least recently used are dropped. ``asked``: how many prefixes
    the model was asked about, in ``calls`` calls.
    """

    def __init__(self, model: LogProbabilities, budget: int) -> None:
        self.asked = 0
        self.calls = 0
        self._model = model
        self._budget = budget
        self._bytes = 0
        self._remembered: OrderedDict[Prefix, _Probabilities] = OrderedDict()

    def probabilities(self, legal: dict[Prefix, npt.NDArray[np.intp]]) -> dict[Prefix, _Probabilities]:
        """For each prefix, the probabilities of its legal tokens; ``legal``: their ids, ``[k]`` as the answers are."""
        missing = [prefix for prefix in legal if prefix not in self._remembered]
        if missing:
            self.calls += 1
            self.asked += len(missing)
            for prefix, logs in zip(missing, self._model(missing), strict=True):
                self._remembered[prefix] = np.exp(logs[legal[prefix]])
                self._bytes += self._remembered[prefix].nbytes
        for prefix in legal:
            self._remembered.move_to_end(prefix)
        answers = {prefix: self._remembered[prefix] for prefix in legal}
        while self._bytes > self._budget:
            self._bytes -= self._remembered.popitem(last=False)[1].nbytes
        return answers
