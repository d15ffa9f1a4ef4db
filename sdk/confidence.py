"""How sure a model was of each value: from the probabilities of tokens to those of fields.

    {"shop": "Ace Books", "total": 9.00}
              0.8  1.0  1.0     0.9 1.0        shop 0.8, total 0.9; keys and punctuation are no one's choice

A value's confidence is the probability of its tokens, each among those that the grammar left, multiplied: how likely
it was to be written there, given what stands before it. The tokens are those that have a byte of the value, with its
quotes; for what has no quotes, also the token behind, which says that it does not go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod

from sdk.fields import Alternative, FieldPath, scalars
from sdk.generation.choosing.search import Scored

__all__ = ["alternatives", "confidences"]


def confidences(document: bytes, lengths: Sequence[int], chances: Sequence[float]) -> dict[FieldPath, float]:
    """The confidence of each value, in [0, 1].

    ``lengths`` and ``chances``: for each token of the document, how many bytes it has, and its probability among those
    that might have been chosen.
    """
    ends = list(accumulate(lengths))
    found: dict[FieldPath, float] = {}
    token = 0
    for path, start, end in scalars(document):
        last = end - (document[end - 1 : end] == b'"')
        while token < len(ends) and ends[token] <= start:
            token += 1
        after = token
        while after < len(ends) and (after == token or ends[after - 1] <= last):
            after += 1
        found[path] = prod(chances[token:after])
    return found


def alternatives(document: bytes, scored: Sequence[tuple[int, Scored]]) -> dict[FieldPath, tuple[Alternative, ...]]:
    """The values that were compared with those of the document, and less probable, the most probable first.

    ``scored``: see ``TextSequence``; places count from the document's beginning.
    """
    places = dict(scored)
    found: dict[FieldPath, tuple[Alternative, ...]] = {}
    for path, start, end in scalars(document):
        for place in range(start, end):
            if place in places:
                begun, others = document[start:place].decode(), places[place].texts[1:]
                if others:
                    found[path] = tuple(Alternative(begun + text.decode(), share) for text, share in others)
    return found
