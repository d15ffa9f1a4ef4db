"""The best of the few values that a field may have, instead of the first good token of one.

A greedy choice of tokens takes the best first word, and lives with what it leads to. Where the values are known, those
of a document for a ``Verbatim`` field, they are compared as wholes. What comes near the best under the mask is compared
by the model's own probability of writing all of it.

That alone prefers what is easy to write: short pieces, and those that the document repeats. So the values in question
are written once more, as if the field were called something else, which tells how easy they are in this document
whatever the field asks for:

    {"total":   20.00  0.20     0.00  0.30         {"text":   20.00  0.01     0.00  0.20
    0.20 / 0.01 ** 0.4 = 1.26   0.30 / 0.20 ** 0.4 = 0.57         the total is 20.00

The probability of a value is the share that those in question have under the mask, shared out by this comparison.

Sources: contextual calibration (Zhao et al. 2021) and domain-conditional mutual information (Holtzman et al. 2021)
divide by the probability without the question. Here the document stays, and only the field's name goes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdk.generation.choosing.tree import Spelled, TreeSearch
from sdk.generation.slots import Chunk

if TYPE_CHECKING:
    import torch

__all__ = ["Scored", "Value", "ValueSearch"]

_MARGIN = 3.0
"""How far below the best a value's share under the mask may be, as a logarithm, to be compared: a twentieth.

Measured with ``_CALIBRATION``: with 2, 18 companies and 11 totals are right, with 3 19 and 12, from 4 on 19 and 13; of
3, 5 and 8 values in question on average, each of which costs a few tokens.
"""

_CALIBRATION = 0.4
"""How much the ease of writing a value counts against it, as an exponent.

Measured with the embedded model on the lines and amounts of 28 receipts: 18 companies and 10 totals are right with 0,
18 and 11 with 0.3, 19 and 12 with 0.4, 19 and 11 with 0.5. Without the comparison, by shares alone, 16 and 7.
"""

_MOST_COMPARED = 8
"""How many values are compared: as many as there are on average within the margin; chosen, not measured."""

_MOST_TOKENS = 256
"""How many tokens the values in question may have together to be written once more; longer ones are compared as they
are. As many as eight lines of text; chosen, not measured."""

_RUNNERS_UP = 4
"""How many values are reported besides the best; chosen, not measured."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a field may have: what it is, and how the model would write it."""

    text: bytes
    spelled: Spelled


@dataclass(frozen=True, slots=True)
class Scored:
    """The best value.

    ``token_ids``: with what ends it. ``removed``: for each of them, the share of the model's probability that lies on
    no value. ``texts``: the best value and those that came near, each with its probability among all values.
    """

    token_ids: list[int]
    removed: list[float]
    texts: list[tuple[bytes, float]]


class ValueSearch:
    """One choice among ``values``, at least one: ``chunk``, ``numbers`` and ``read`` it pass by pass until ``best``.

    ``forced``: how many bytes all values begin with that are not part of them. ``elsewhere``: how a value is written in
    a field of another name; ``None`` where that cannot be said. ``branches``: see ``TreeSearch``.
    """

    def __init__(
        self,
        values: Sequence[Value],
        forced: int = 0,
        elsewhere: Callable[[Value], Spelled] | None = None,
        *,
        branches: bool,
    ) -> None:
        self.forced = forced
        self._values = values
        self._elsewhere = elsewhere
        self._branches = branches
        self._search = TreeSearch([value.spelled for value in values], margin=_MARGIN, branches=branches)
        self._second: TreeSearch | None = None

    def chunk(self, slot: int, new_tokens: Sequence[int], width: int) -> Chunk:
        """What to read behind ``new_tokens``: about ``width`` tokens."""
        return (self._second or self._search).chunk(slot, new_tokens, width)

    def numbers(self, logits: torch.Tensor) -> torch.Tensor:
        """What there is to know about a pass: float64 ``[N]``, on the device. ``logits``: float32 ``[keep, V]``."""
        return (self._second or self._search).numbers(logits)

    def read(self, numbers: Sequence[float]) -> None:
        """Take what ``numbers`` gives for the last chunk."""
        (self._second or self._search).read(numbers)
        if self._second is None and self._elsewhere is not None and self._search.is_done:
            texts = [self._elsewhere(self._values[number]) for number in self._near()]
            if len(texts) > 1 and sum(len(text.token_ids) for text in texts) <= _MOST_TOKENS:
                self._second = TreeSearch(texts, margin=math.inf, branches=self._branches)

    def best(self) -> Scored | None:
        """The best value; ``None`` as long as another one may be."""
        if not (self._second or self._search).is_done:
            return None
        near = self._near()
        weights = {number: self._search.log(number) for number in near}
        if self._second is not None:
            for place, number in enumerate(near):
                weights[number] -= _CALIBRATION * self._second.log(place)
        ranked = sorted(near, key=lambda number: -weights[number])
        shares = self._shares(weights)
        texts = [(self._values[number].text, shares[number]) for number in ranked[: 1 + _RUNNERS_UP]]
        return Scored(self._search.token_ids(ranked[0]), self._search.removed(ranked[0]), texts)

    def _near(self) -> list[int]:
        """The values in question."""
        return self._search.near()[:_MOST_COMPARED]

    def _shares(self, weights: Mapping[int, float]) -> dict[int, float]:
        """The probability of each value in question, given the logarithms of their weights against each other."""
        most = max(weights.values())
        parts = {number: math.exp(weight - most) for number, weight in weights.items()}
        total = sum(map(self._search.share, weights)) / sum(parts.values())
        return {number: part * total for number, part in parts.items()}
