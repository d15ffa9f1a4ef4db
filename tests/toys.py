"""Language models of a few tokens over grammars with few documents, whose exact distributions can be written down.

A toy model is a table of what follows which token. Every document of its grammar is enumerated under the masks, so
the distribution of the model given the grammar is a sum away, with no sampling in it:

    P(w | legal) = P(w) / (sum of P over all legal documents)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from schema_compiler import CompiledGrammar, Vocabulary, compile_regex, compile_schema
from sdk.generation.aligned import Conditional, DocumentDraw, ExpectedFutureGrammaticality, Language, LogProbabilities
from sdk.generation.masking import allowed_tokens

__all__ = ["TOYS", "Distribution", "Toy", "divergence", "drawn", "exact", "proposed"]

Distribution = dict[tuple[int, ...], float]


@dataclass(frozen=True)
class Toy:
    """``follows``: after each token (``"^"``: at the start) the weights of what may come next, ``"$"`` for the end."""

    name: str
    grammar: Callable[[Vocabulary], CompiledGrammar]
    follows: Mapping[str, Mapping[str, float]]
    budget: int = 16

    @cached_property
    def spellings(self) -> list[str]:
        return sorted({token for weights in self.follows.values() for token in weights} - {"$"})

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary([*(text.encode() for text in self.spellings), None], [len(self.spellings)])

    @cached_property
    def language(self) -> Language:
        return Language(self.grammar(self.vocabulary).matcher, self.vocabulary.eos_token_ids, self.budget)

    @cached_property
    def table(self) -> dict[int, npt.NDArray[np.float64]]:
        """By the last token, -1 at the start, the logarithms of what the model does next."""
        tokens = [*self.spellings, "$"]
        numbers = {"^": -1} | {token: number for number, token in enumerate(tokens)}
        rows = {
            numbers[before]: np.array([weights.get(token, 0.0) for token in tokens])
            for before, weights in self.follows.items()
        }
        with np.errstate(divide="ignore"):
            return {before: np.log(row / row.sum()) for before, row in rows.items()}

    def __call__(self, prefixes: Sequence[tuple[int, ...]]) -> list[npt.NDArray[np.float64]]:
        return [self.table[prefix[-1] if prefix else -1] for prefix in prefixes]

    def tokens(self, text: str) -> tuple[int, ...]:
        """Tokens of one character each."""
        return tuple(self.spellings.index(character) for character in text)

    def spelled(self, tokens: Sequence[int]) -> str:
        return b"".join(self.vocabulary.tokens[token] or b"" for token in tokens).decode()

    def conditional(self, futures: ExpectedFutureGrammaticality | None = None) -> Conditional:
        return Conditional(self, self.language, futures)


def exact(model: LogProbabilities, language: Language) -> tuple[Distribution, float]:
    """Every legal document with its probability given that it is legal, and the probability of all of them."""
    masses = {tokens: math.exp(log) for tokens, log in _documents(model, language)}
    legal = math.fsum(masses.values())
    return {tokens: mass / legal for tokens, mass in masses.items()}, legal


def _documents(model: LogProbabilities, language: Language) -> Iterator[tuple[tuple[int, ...], float]]:
    """Level by level, so that the model is asked about many prefixes at once."""
    level: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    while level:
        over = [_is_over(language, prefix) for prefix, _ in level]
        for (prefix, log), ended in zip(level, over, strict=True):
            if ended and language.accepts(prefix[:-1] if prefix[-1] in language.eos_token_ids else prefix):
                yield prefix, log
        level = [entry for entry, ended in zip(level, over, strict=True) if not ended]
        answers = zip(level, model([prefix for prefix, _ in level]) if level else [], strict=True)
        level = [
            ((*prefix, token), log + float(logs[token]))
            for (prefix, log), logs in answers
            for token in _legal(language, prefix)
            if logs[token] > -math.inf
        ]


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
    language: Language,
    documents: Collection[tuple[int, ...]],
    futures: ExpectedFutureGrammaticality,
) -> Distribution:
    """With which probability ASAp would draw each document next; with empty ``futures``, plain masking."""
    return {tokens: math.prod(_shares(model, language, tokens, futures)) for tokens in documents}


def _shares(
    model: LogProbabilities, language: Language, tokens: tuple[int, ...], futures: ExpectedFutureGrammaticality
) -> Iterator[float]:
    for place, token in enumerate(tokens):
        prefix = tokens[:place]
        (logs,) = model([prefix])
        legal = _legal(language, prefix)
        weights = {each: math.exp(logs[each]) * futures.estimate((*prefix, each)) for each in legal}
        yield weights[token] / math.fsum(weights.values())


def drawn(samples: Sequence[DocumentDraw]) -> Distribution:
    """The shares of the documents among ``samples``."""
    return {tokens: count / len(samples) for tokens, count in Counter(sample.tokens for sample in samples).items()}


def divergence(found: Distribution, wanted: Distribution) -> float:
    """Kullback-Leibler divergence of ``found`` from ``wanted``, in nats; rounding may not make it negative."""
    terms = (share * math.log(share / wanted[tokens]) for tokens, share in found.items() if share > 0.0)
    return max(0.0, math.fsum(terms))


def _schema(schema: dict[str, Any]) -> Callable[[Vocabulary], CompiledGrammar]:
    return lambda vocabulary: compile_schema(schema, vocabulary)


def _regex(pattern: str) -> Callable[[Vocabulary], CompiledGrammar]:
    return lambda vocabulary: compile_regex(pattern, vocabulary)


TOYS = [
    Toy(
        "bits",  # after a first 0 only 0 may come, after a first 1 anything: the example of arXiv 2405.21047
        _regex("00000|1[01]{4}"),
        {"^": {"0": 0.5, "1": 0.5}, "0": {"0": 0.1, "1": 0.8, "$": 0.1}, "1": {"0": 0.45, "1": 0.5, "$": 0.05}},
    ),
    Toy(
        "sums",
        _regex(r"[12](\+[12]){0,2}"),
        {
            "^": {"1": 0.6, "2": 0.2, "+": 0.2},
            "1": {"+": 0.3, "2": 0.3, "$": 0.4},
            "2": {"+": 0.6, "1": 0.1, "$": 0.3},
            "+": {"1": 0.1, "2": 0.3, "+": 0.6},
        },
    ),
    Toy(
        "objects",
        _schema(
            {
                "type": "object",
                "properties": {
                    "a": {"enum": ["x", "xy", "yx"]},
                    "b": {"enum": ["x", "yy"]},
                    "c": {"enum": [1, 12, 21]},
                },
                "required": ["a"],
                "additionalProperties": False,
            }
        ),
        {
            "^": {'{"a": "': 0.8, "x": 0.2},
            '{"a": "': {"x": 0.6, "y": 0.3, '"}': 0.1},
            "x": {"x": 0.2, "y": 0.3, '"}': 0.1, '", "b": "': 0.2, '", "c": ': 0.2},
            "y": {"x": 0.5, "y": 0.1, '"}': 0.2, '", "b": "': 0.1, '", "c": ': 0.1},
            '", "b": "': {"x": 0.1, "y": 0.7, '"}': 0.2},
            '", "c": ': {"1": 0.5, "2": 0.4, "x": 0.1},
            "1": {"1": 0.3, "2": 0.3, "}": 0.4},
            "2": {"1": 0.2, "2": 0.5, "}": 0.3},
        },
    ),
]
