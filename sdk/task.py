"""One kind of extraction, ready for any document: what is wanted, the words of the prompt, how tokens are chosen.

    Task --answer(text)--> Answer --(the loop runs its sequence)--> Answer.extraction()

What all documents of a task share is made once: the compiled target, checked examples, and the prompt up to the
document, whose tokens the model needs to read only once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from collections.abc import Sequence as Many
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Any

from sdk.errors import ContextLengthError, EmptyTextError, InputError
from sdk.extraction import Extraction
from sdk.generation.loop.generator import Generator
from sdk.generation.loop.loop import Step
from sdk.generation.loop.sequence import Sequence, closing_tokens
from sdk.generation.reasoning import MARKER, Cursor, Reasoning
from sdk.generation.samplers import Sampler
from sdk.generation.trace import Pass
from sdk.prompting import PromptTemplate, outline
from sdk.target import Target

if TYPE_CHECKING:
    import torch

__all__ = ["Answer", "Task"]

_REASONING = f"First think about the document in a few sentences. Then write {MARKER.strip()} and the value."


@dataclass(frozen=True)
class Task:
    """``reasoning``: the most tokens of free text before the document; 0 for none."""

    generator: Generator
    target: Target
    template: PromptTemplate
    instructions: str | None
    examples: Many[tuple[str, str]]
    sampler: Sampler
    max_tokens: int
    seed: int | None
    reasoning: int
    closings: dict[int, int] = field(default_factory=dict)

    def answer(self, text: str, *, sample: int | None = None) -> Answer:
        """A new sequence about ``text``; ``sample``: its number among several answers to the same prompt.

        Raises ``EmptyTextError``, ``ContextLengthError``, ``PromptError`` or ``BudgetTooSmallError``.
        """
        if not isinstance(text, str):
            raise InputError(f"expected the document as str, found {type(text).__name__}")
        if not text.strip():
            raise EmptyTextError(f"expected a document with some text, found {len(text)} characters, all white space")
        started, model = time.perf_counter(), self.generator.model
        prompt = self._prompt(text)
        matcher: Cursor = self.target.compiled.matcher()
        if self.reasoning:
            matcher = Reasoning(matcher, model.vocabulary, self.reasoning)
        extra = self.reasoning + len(model.vocabulary.tokenize(MARKER.encode())) if self.reasoning else 0
        sequence = Sequence(
            prompt=prompt,
            matcher=matcher,
            vocabulary=model.vocabulary,
            sampler=self.sampler,
            generator=_random_numbers(self.seed, sample or 0),
            budget=self._budget(extra, len(prompt), len(closing_tokens(matcher, model.vocabulary))),
            drafter=self.generator.drafter(text),
            closings=self.closings,
            shared=self.generator.shared(prompt, self._other_prompt if sample is None else prompt),
        )
        return Answer(self.target, sequence, started)

    def _prompt(self, text: str) -> list[int]:
        instructions = self.instructions
        if self.reasoning:
            instructions = " ".join(filter(None, [instructions, _REASONING]))
        return self.generator.model.chat(
            self.template.messages(
                text,
                outline=outline(self.target.compiled.schema),
                instructions=instructions,
                examples=self.examples,
            )
        )

    @cached_property
    def _other_prompt(self) -> list[int]:
        """A prompt about a document that begins like no other."""
        return self._prompt("\N{BROKEN BAR}")

    def _budget(self, extra: int, prompt: int, shortest: int) -> int:
        """``max_tokens`` and ``extra``, or what the model's context has left after the prompt."""
        context = self.generator.model.context_tokens
        if context is None:
            return self.max_tokens + extra
        if prompt + shortest > context:
            raise ContextLengthError(prompt, shortest, context)
        return min(self.max_tokens + extra, context - prompt)


@dataclass(slots=True)
class Answer:
    """A sequence on its way to become an extraction."""

    target: Target
    sequence: Sequence
    started: float
    passes: list[Pass] = field(default_factory=list)

    def add(self, step: Step) -> None:
        """Keep what a pass brought."""
        self.passes.append(step.made)

    def document(self) -> str:
        """The document so far, up to its last whole character, without free text before it."""
        sequence = self.sequence
        free = sequence.matcher.length if isinstance(sequence.matcher, Reasoning) else 0
        return "" if free is None else sequence.spelled(sequence.output[free:]).decode(errors="ignore")

    def extraction(self, *, parse: Callable[[str], Any] | None = None, trace: bool = False) -> Extraction[Any]:
        """The result of a finished sequence; raises its error, or ``ValidationFailedError``.

        ``parse``: from the document to its value, ``None`` for the target's way.
        """
        sequence = self.sequence
        if sequence.error is not None:
            raise sequence.error
        assert sequence.finish_reason is not None
        free = sequence.matcher.length or 0 if isinstance(sequence.matcher, Reasoning) else 0
        document = sequence.spelled(sequence.output[free:]).decode()
        return Extraction(
            value=(parse or self.target.parse)(document),
            text=document,
            finish_reason=sequence.finish_reason,
            prompt_tokens=len(sequence.prompt),
            output_tokens=len(sequence.output),
            forward_passes=sequence.passes,
            seconds=time.perf_counter() - self.started,
            removed_mass=fmean(sequence.removed[free:] or [0.0]),
            reasoning=sequence.spelled(sequence.output[:free]).decode(errors="replace") if free else None,
            trace=tuple(self.passes) if trace else (),
        )


def _random_numbers(seed: int | None, sample: int) -> torch.Generator:
    import torch

    generator = torch.Generator()
    if seed is None:
        generator.seed()
    else:
        generator.manual_seed(seed + sample)
    return generator
