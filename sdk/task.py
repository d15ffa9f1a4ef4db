"""One kind of extraction, ready for any document: what is wanted, the words of the prompt, how tokens are chosen.

    Task --answer(text)--> Answer --(the loop runs its sequence)--> Answer.extraction()

What all documents of a task share is made once: the compiled target, checked examples, and the beginning of the
prompt, which the model reads only once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Any

from schema_compiler import Grounded, UngroundedError
from sdk.confidence import alternatives, confidences
from sdk.errors import (
    BudgetTooSmallError,
    ContextLengthError,
    EmptyTextError,
    InputError,
    NotInDocumentError,
    ValidationFailedError,
)
from sdk.extraction import Extraction
from sdk.generation.choosing.chooser import Chooser, NoChoices
from sdk.generation.loop.generator import Generator
from sdk.generation.loop.loop import Step
from sdk.generation.loop.sequence import Refusal, TextSequence, closing_tokens
from sdk.generation.null_bias import NullBias
from sdk.generation.reasoning import MARKER, Closing, Reasoning
from sdk.generation.samplers import Sampler
from sdk.generation.trace import Pass
from sdk.options import Choose
from sdk.prompting import Message, PromptTemplate, lone_surrogate, outline
from sdk.refusals import refused_value
from sdk.target import Target

if TYPE_CHECKING:
    import torch

__all__ = ["Answer", "Task"]

_REASONING = f"First think about the document in a few sentences. Then write {MARKER.strip()} and the value."
"""What the instructions end with where free text comes first."""

_OTHER_DOCUMENT = "\N{BROKEN BAR}"
"""A document to compare prompts with: no text begins with this character, and few tokens hold it."""


@dataclass(frozen=True)
class Task:
    """What the extractions of one call have in common.

    ``examples``: texts and their answers as JSON. ``max_tokens``: the most tokens of a document. ``seed``: of the
    random numbers, ``None`` for new ones each time. ``reasoning``: the most tokens of free text before the document; 0
    for none. ``closings``: see ``TextSequence``.
    """

    generator: Generator
    target: Target
    template: PromptTemplate
    instructions: str | None
    examples: Sequence[tuple[str, str]]
    sampler: Sampler
    choose: Choose
    null_bias: float
    attempts: int
    max_tokens: int
    seed: int | None
    reasoning: int
    closings: dict[int, int] = field(default_factory=dict)

    def answer(self, text: str, *, sample: int | None = None) -> Answer:
        """A new sequence about ``text``; ``sample``: its number among several answers to the same prompt.

        Raises ``InputError`` (also as ``EmptyTextError``, ``NotInDocumentError`` and ``ContextLengthError``),
        ``PromptError`` or ``BudgetTooSmallError``.
        """
        if not isinstance(text, str):
            raise InputError(f"expected the document as str, found {type(text).__name__}")
        if not text.strip():
            raise EmptyTextError(f"expected a document with some text, found {len(text)} characters, all white space")
        if (offset := lone_surrogate(text)) is not None:
            raise InputError(
                f"expected a document in Unicode, found the lone surrogate {text[offset]!a} at offset {offset}"
            )
        started, vocabulary = time.perf_counter(), self.generator.model.vocabulary
        prompt, closing = self._prompt(text)
        try:
            grounded = self.target.compiled.bind(text)
        except UngroundedError as error:
            raise NotInDocumentError(str(error), error.fields) from error
        document = grounded.matcher()
        shortest = len(closing_tokens(document, vocabulary)) + (len(closing.token_ids) if closing else 0)
        budget = self._budget(len(prompt), shortest, closing)
        thought = min(self.reasoning, budget - shortest)
        reasoning = Reasoning(document, vocabulary, thought, closing) if closing else None
        start = (lambda: 0) if reasoning is None else (lambda: reasoning.length)
        sequence = TextSequence(
            prompt=prompt,
            matcher=reasoning or document,
            vocabulary=vocabulary,
            sampler=self.sampler,
            generator=_random_numbers(self.seed, sample or 0),
            budget=budget,
            drafter=self.generator.drafter(text),
            chooser=self._chooser(grounded),
            null_bias=NullBias(self.null_bias, vocabulary, start) if self.null_bias else None,
            closings={} if grounded.leaves else self.closings,  # whose states are those of one document
            shared=self.generator.shared(prompt, self._other_prompt if sample is None else prompt),
        )
        return Answer(self.target, grounded, sequence, reasoning, started)

    def _chooser(self, grounded: Grounded) -> Chooser:
        return self.generator.chooser(self.null_bias) if self.choose == "best" and grounded.leaves else NoChoices()

    def _prompt(self, text: str) -> tuple[list[int], Closing | None]:
        """The prompt, and what closes the free text behind it, where it is asked for."""
        model = self.generator.model
        if not self.reasoning:
            return model.chat(self._messages(text)), None
        if thought := model.think(self._messages(text)):
            return thought.prompt, thought.closing
        prompt = model.chat(self._messages(text, _REASONING))
        return prompt, Closing(tuple(model.vocabulary.tokenize(MARKER.encode())), MARKER.encode())

    def _messages(self, text: str, *instructions: str) -> list[Message]:
        return self.template.messages(
            text,
            outline=outline(self.target.compiled.schema),
            instructions=" ".join(filter(None, [self.instructions, *instructions])),
            examples=self.examples,
        )

    @cached_property
    def _other_prompt(self) -> list[int]:
        """A prompt that has in common with others what does not depend on the document."""
        return self._prompt(_OTHER_DOCUMENT)[0]

    def _budget(self, prompt: int, shortest: int, closing: Closing | None) -> int:
        """The most tokens of output: for document, free text and its ``closing``, or what the model's context leaves.

        ``prompt`` and ``shortest``: the tokens of the prompt and of the shortest legal answer. Raises
        ``ContextLengthError`` when these do not fit, ``BudgetTooSmallError`` where no document can be so short.
        """
        most = self.max_tokens + (self.reasoning + len(closing.token_ids) if closing else 0)
        if most < shortest:
            raise BudgetTooSmallError(most, shortest)
        context = self.generator.model.context_tokens
        if context is None:
            return most
        if prompt + shortest > context:
            raise ContextLengthError(prompt, shortest, context)
        return min(most, context - prompt)


@dataclass(slots=True)
class Answer:
    """A sequence on its way to become an extraction.

    ``reasoning``: the sequence's cursor where it begins with free text. ``started``: by ``time.perf_counter``.
    ``refused``: the errors of validators so far.
    """

    target: Target
    grounded: Grounded
    sequence: TextSequence
    reasoning: Reasoning | None
    started: float
    passes: list[Pass] = field(default_factory=list)
    refused: list[ValidationFailedError] = field(default_factory=list)
    _value: tuple[str, Any] | None = None  # of the text that was parsed last

    def add(self, step: Step) -> None:
        """Keep the trace of a pass."""
        self.passes.append(step.trace)

    def allow(self, attempts: int) -> Answer:
        """Have values that validators refuse chosen anew, up to ``attempts`` answers in all; gives itself."""

        def review(sequence: TextSequence) -> Refusal | None:
            document = self._written()
            try:
                self._parse(document.decode())
            except ValidationFailedError as error:
                self.refused.append(error)
                place = refused_value(document, error.errors)
                if place is not None and len(self.refused) < attempts:
                    before = len(sequence.text) - len(document)
                    return Refusal(before + place[1], before + place[2])
            return None

        if attempts > 1:
            self.sequence.review = review
        return self

    def _parse(self, document: str) -> Any:
        """The value, checked once."""
        if self._value is None or self._value[0] != document:
            self._value = document, self.target.parse(document)
        return self._value[1]

    def _written(self) -> bytes:
        """The document, without free text before it."""
        return self.sequence.spell(self.sequence.output[self._free_tokens() or 0 :])

    def document(self) -> str:
        """The document so far, up to its last whole character, without free text before it."""
        free = self._free_tokens()
        return "" if free is None else self.sequence.spell(self.sequence.output[free:]).decode(errors="ignore")

    def extraction(self, *, parse: Callable[[str], Any] | None = None, trace: bool = False) -> Extraction[Any]:
        """The result of a finished sequence.

        ``parse``: from the document to its value, ``None`` for ``target.parse``. ``trace``: keep the passes.
        Raises the sequence's error (``IllegalTokenError``), or ``ValidationFailedError``.
        """
        sequence = self.sequence
        if sequence.error is not None:
            raise sequence.error
        assert sequence.finish_reason is not None
        free = self._free_tokens() or 0
        written = self._written()
        document = written.decode()
        before = len(sequence.text) - len(written)
        try:
            value = (parse or self._parse)(document)
        except ValidationFailedError as error:
            error.attempts = tuple(earlier for earlier in self.refused if earlier.text != document)
            raise
        return Extraction(
            value=value,
            text=document,
            finish_reason=sequence.finish_reason,
            prompt_tokens=len(sequence.prompt),
            output_tokens=len(sequence.output),
            forward_passes=sequence.passes,
            seconds=time.perf_counter() - self.started,
            removed_mass=fmean(sequence.removed[free:] or [0.0]),
            reasoning=self.reasoning.text.decode(errors="replace") if self.reasoning else None,
            trace=tuple(self.passes) if trace else (),
            evidence={path: tuple(spans) for path, spans in self.grounded.evidence(document).items()},
            confidence=confidences(written, sequence.lengths[free:], sequence.chances[free:]),
            alternatives=alternatives(written, [(start - before, scored) for start, scored in sequence.scored]),
            document=self.grounded.text,
        )

    def _free_tokens(self) -> int | None:
        """How many tokens come before the document; ``None`` when it has not begun."""
        return 0 if self.reasoning is None else self.reasoning.length


def _random_numbers(seed: int | None, sample: int) -> torch.Generator:
    """A generator of its own for each answer; with a seed, the one that a call with ``seed + sample`` would have."""
    import torch

    generator = torch.Generator()
    if seed is None:
        generator.seed()
    else:
        generator.manual_seed(seed + sample)
    return generator
