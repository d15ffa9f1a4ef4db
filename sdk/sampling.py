"""Many answers to one prompt, drawn so that they tell how probable each value is: how ``Extractor.sample`` works.

    Task -> prompt and matcher -> Conditional (the model, given that its answer is valid) -> draws -> distinct values

A draw whose value a validator refuses is no answer, so the condition is the grammar and the validators together.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from schema_compiler import Vocabulary
from sdk.errors import FuturesError, ValidationFailedError
from sdk.generation.aligned import (
    Conditional,
    ExpectedFutureGrammaticality,
    Language,
    Prompted,
    Samples,
    effective_draws,
    estimated,
)
from sdk.generation.loop.sequence import TextSequence
from sdk.generation.models.model import Model
from sdk.target import Target
from sdk.task import Task

__all__ = ["SampleMethod", "sample"]

SampleMethod: TypeAlias = Literal["asap", "exact", "masked", "best"]
"""How draws are made.

``"asap"``: no legal draw is rejected, and draws come closer to the model's distribution as they go on. ``"exact"``:
from that distribution itself, by rejection, which suits types with few values that the model often writes by itself.
``"masked"``: usual constrained decoding. ``"best"``: as ``"asap"``, and only the value of the document that is most
probable under the model is kept.
"""


@dataclass(frozen=True, slots=True)
class _TokenParser:
    """Parses documents in tokens; each text once, since draws repeat."""

    target: Target
    vocabulary: Vocabulary
    values: dict[str, Any] = field(default_factory=dict)

    def accepts(self, tokens: Sequence[int]) -> bool:
        """Whether no validator refuses the document."""
        try:
            self.value(tokens)
        except ValidationFailedError:
            return False
        return True

    def value(self, tokens: Sequence[int]) -> tuple[Any, str]:
        """The document's value and text; raises ``ValidationFailedError``."""
        text = b"".join(self.vocabulary.tokens[token] or b"" for token in tokens).decode()
        if text not in self.values:
            self.values[text] = self.target.parse(text)
        return self.values[text], text


def sample(
    task: Task,
    text: str,
    count: int,
    method: SampleMethod,
    *,
    temperature: float,
    batch: int,
    attempts: int,
    futures: ExpectedFutureGrammaticality | None,
) -> Samples[Any]:
    """``count`` draws of answers about ``text``, at most ``batch`` at a time; see ``Extractor.sample``.

    Raises ``ValueError`` for a count, method or temperature out of range, ``FuturesError`` for ``futures`` about
    something else, ``TooManyAttemptsError``, and what ``Task.answer`` raises.
    """
    if count < 1:
        raise ValueError(f"expected n to be at least 1, found {count}")
    if method not in get_args(SampleMethod):
        raise ValueError(f"expected a method out of {', '.join(get_args(SampleMethod))}, found {method!r}")
    started, model = time.perf_counter(), task.generator.model
    answer = task.answer(text, sample=0)
    sequence = answer.sequence
    key = _key(model, task.target, sequence, temperature)
    if futures is None:
        futures = ExpectedFutureGrammaticality(key=key)
    elif futures.key != key:
        raise FuturesError("expected futures of the same model, prompt, schema, budget and temperature, found others'")
    parser = _TokenParser(task.target, model.vocabulary)
    conditional = Conditional(
        Prompted(model.slots(batch), sequence.prompt, temperature),
        Language(answer.grounded.matcher, model.vocabulary.eos_token_ids, sequence.budget, parser.accepts),
        futures,
    )
    drawing = "asap" if method == "best" else method
    draws = conditional.draw(count, drawing, seed=task.seed, batch=batch, attempts=attempts)
    values, mass = estimated(draws, [parser.value(draw.tokens) for draw in draws], drawing, futures.estimate())
    if method == "best":
        values = (max(values, key=lambda value: value.log_model),)
    return Samples(
        values=values,
        draws=tuple(draws),
        effective_draws=effective_draws(draws, drawing),
        legal_mass=mass,
        forward_passes=conditional.answers.calls,
        prefixes=conditional.answers.asked,
        seconds=time.perf_counter() - started,
        futures=futures,
    )


def _key(model: Model, target: Target, sequence: TextSequence, temperature: float) -> str:
    """A digest of everything that the expected futures depend on, except validators, which are code and have none."""
    content = [
        model.name,
        model.vocabulary.fingerprint,
        list(sequence.prompt),
        target.compiled.schema,
        sequence.budget,
        temperature,
    ]
    return hashlib.blake2b(json.dumps(content, default=str).encode(), digest_size=16).hexdigest()
