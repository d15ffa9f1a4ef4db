"""Language models of a few tokens over grammars with few documents, whose exact distributions can be written down.

A toy model is a table of what follows which token. Every document of its grammar is enumerated under the masks, so
the distribution of the model given the grammar is a sum away, with no sampling in it:

    P(w | legal) = P(w) / (sum of P over all legal documents)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from schema_compiler import CompiledGrammar, Vocabulary, compile_schema
from sdk.generation.aligned import Conditional, ExpectedFutureGrammaticality, Language, LogProbabilities, Sample
from sdk.generation.aligned.walk import Method
from sdk.generation.masking import allowed_tokens

__all__ = ["TOYS", "Distribution", "Toy", "divergence", "drawn", "exact", "proposed"]

Distribution = dict[tuple[int, ...], float]


@dataclass(frozen=True)
class Toy:
    """``follows``: for each token (``"^"`` at the start) the weights of what may come next, ``"$"`` for the end."""

    name: str
    schema: Mapping[str, Any]
    follows: Mapping[str, Mapping[str, float]]
    budget: int = 16

    @cached_property
    def spellings(self) -> list[str]:
        return sorted({token for weights in self.follows.values() for token in weights} - {"$"})

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary([*(text.encode() for text in self.spellings), None], [len(self.spellings)])

    @cached_property
    def compiled(self) -> CompiledGrammar:
        return compile_schema(dict(self.schema), self.vocabulary)

    @cached_property
    def language(self) -> Language:
        return Language(self.compiled.matcher, self.vocabulary.eos_token_ids, self.budget)

    @cached_property
    def table(self) -> dict[int, npt.NDArray[np.float64]]:
        tokens = [*self.spellings, "$"]
        rows = {
            before: np.array([weights.get(token, 0.0) for token in tokens]) for before, weights in self.follows.items()
        }
        numbers = {"^": -1} | {token: number for number, token in enumerate(tokens)}
        with np.errstate(divide="ignore"):
            return {numbers[before]: np.log(row / row.sum()) for before, row in rows.items()}

    def __call__(self, prefixes: Sequence[tuple[int, ...]]) -> list[npt.NDArray[np.float64]]:
        return [self.table[prefix[-1] if prefix else -1] for prefix in prefixes]

    def spelled(self, tokens: Sequence[int]) -> str:
        return b"".join(self.vocabulary.tokens[token] or b"" for token in tokens).decode()

    def conditional(self, **options: Any) -> Conditional:
        return Conditional(self, self.language, **options)


def exact(model: LogProbabilities, language: Language) -> tuple[Distribution, float]:
    """Every legal document with its probability given that it is legal, and the probability of all of them."""
    masses = {tokens: math.exp(log) for tokens, log in _documents(model, language)}
    legal = math.fsum(masses.values())
    return {tokens: mass / legal for tokens, mass in masses.items()}, legal


def _documents(model: LogProbabilities, language: Language) -> Iterator[tuple[tuple[int, ...], float]]:
    waiting: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    while waiting:
        prefix, log = waiting.pop()
        if not _is_over(language, prefix):
            logs = model([prefix])[0]
            waiting += [
                ((*prefix, token), log + logs[token]) for token in _legal(language, prefix) if logs[token] > -math.inf
            ]
        elif language.accepts(_without_end(language, prefix)):
            yield prefix, log


def _without_end(language: Language, prefix: tuple[int, ...]) -> tuple[int, ...]:
    return prefix[:-1] if prefix[-1] in language.eos_token_ids else prefix


def _legal(language: Language, prefix: tuple[int, ...]) -> list[int]:
    matcher = language.matcher()
    assert all(matcher.accept(token) for token in prefix)
    row = matcher.mask()
    legal = np.flatnonzero(allowed_tokens(row, 32 * len(row))).tolist()
    return [token for token in legal if len(prefix) < language.budget or token in language.eos_token_ids]


def _is_over(language: Language, prefix: tuple[int, ...]) -> bool:
    ended = bool(prefix) and prefix[-1] in language.eos_token_ids
    return ended or set(_legal(language, prefix)) == set(language.eos_token_ids)


def proposed(
    model: LogProbabilities,
    documents: Iterator[tuple[int, ...]],
    language: Language,
    futures: ExpectedFutureGrammaticality,
) -> Distribution:
    """With which probability ASAp would draw each document next; with empty ``futures``, plain masking."""
    shares = {}
    for tokens in documents:
        share = 1.0
        for place, token in enumerate(tokens):
            prefix = tokens[:place]
            legal = _legal(language, prefix)
            weights = {each: math.exp(model([prefix])[0][each]) * futures.estimate((*prefix, each)) for each in legal}
            share *= weights[token] / math.fsum(weights.values())
        shares[tokens] = share
    return shares


def drawn(samples: Sequence[Sample]) -> Distribution:
    """The shares of the documents among ``samples``."""
    return {tokens: count / len(samples) for tokens, count in Counter(sample.tokens for sample in samples).items()}


def divergence(found: Distribution, wanted: Distribution) -> float:
    """Kullback-Leibler divergence of ``found`` from ``wanted``, in nats."""
    return math.fsum(share * math.log(share / wanted[tokens]) for tokens, share in found.items() if share > 0.0)


_BITS = {"0": 0.45, "1": 0.5, '"': 0.05}

TOYS = [
    Toy(
        "binary strings: after a first 0 only 0, after a first 1 anything",
        {"type": "string", "pattern": "^(00000|1[01]{4})$"},
        {"^": {'"': 1.0}, '"': {"0": 0.5, "1": 0.5}, "0": {"0": 0.1, "1": 0.8, '"': 0.1}, "1": _BITS},
    ),
    Toy(
        "sums of digits, at most three of them",
        {"type": "string", "pattern": r"^[12](\+[12]){0,2}$"},
        {
            "^": {'"': 0.9, "1": 0.1},
            '"': {"1": 0.7, "2": 0.2, "+": 0.1},
            "1": {"+": 0.3, "2": 0.3, '"': 0.4},
            "2": {"+": 0.6, "1": 0.1, '"': 0.3},
            "+": {"1": 0.1, "2": 0.3, "+": 0.6},
        },
    ),
    Toy(
        "objects: two enumerations and a number",
        {
            "type": "object",
            "properties": {"a": {"enum": ["x", "xy", "yx"]}, "b": {"enum": ["x", "yy"]}, "c": {"enum": [1, 12, 21]}},
            "required": ["a"],
            "additionalProperties": False,
        },
        {
            "^": {'{"a": "': 0.8, "x": 0.2},
            '{"a": "': {"x": 0.6, "y": 0.3, '"': 0.1},
            "x": {"x": 0.2, "y": 0.3, '"}': 0.1, '", "b": "': 0.2, '", "c": ': 0.2},
            "y": {"x": 0.5, "y": 0.1, '"}': 0.2, '", "b": "': 0.1, '", "c": ': 0.1},
            '", "b": "': {"x": 0.1, "y": 0.7, '"}': 0.2},
            '", "c": ': {"1": 0.5, "2": 0.4, "x": 0.1},
            "1": {"1": 0.3, "2": 0.3, "}": 0.4},
            "2": {"1": 0.2, "2": 0.5, "}": 0.3},
        },
    ),
]
