"""``extract(Model, text)``: from a type and a document to an instance.

``Extractor`` holds what is expensive (a loaded model, compiled grammars) and runs the walk that the rest of the
package is made of: type -> grammar -> prompt -> tokens under the mask -> text -> value. ``extract`` is the same with
an extractor kept for each model name. Nothing heavy is imported before a model is loaded.

    >>> extract(Receipt, "Ace Books, 3 March 2024. Total 9.00")        # doctest: +SKIP
    Receipt(shop='Ace Books', total=Decimal('9.00'))
"""

from __future__ import annotations

import contextlib
import json
import sys
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from sdk.errors import BudgetExceededError, SdkError
from sdk.extraction import Extraction, OnBudget, Options, Partial, PromptOptions, TaskOptions
from sdk.generation.loop.generator import Drafting, Generator
from sdk.generation.loop.sequence import Sequence
from sdk.generation.models.model import Device, Model, default_model_name, load_model
from sdk.generation.samplers import Sampler, sampler_of
from sdk.partial import PLAIN, PartialValue, parts_of
from sdk.prompting import Example, PromptTemplate, checked_examples
from sdk.target import Target, TypeTarget, target_of
from sdk.task import Answer, Task

if TYPE_CHECKING:
    import torch

    from sdk.generation.aligned import ExpectedFutureGrammaticality, Samples
    from sdk.sampling import SampleMethod

__all__ = ["Extraction", "Extractor", "OnBudget", "Options", "Partial", "extract"]

T = TypeVar("T")

_COMPILED_GRAMMARS = 128
"""How many types an extractor keeps compiled, the least recently used dropped first."""

_REASONING_TOKENS = 256
"""The most free text before the document, where ``reasoning=True`` sets no other limit."""


class Extractor:
    """A loaded model, ready for any type.

    ``model``: the name or folder of a causal language model of transformers, or an object that is a ``Model``;
    ``None`` for ``SDK_MODEL`` or else the embedded model. ``device`` and ``dtype``: see ``load_model``.
    ``template``: the words of the prompt. ``max_batch``: how many documents of a batch are generated at a time.
    ``drafting`` and ``share_prefixes``: how forward passes are saved; they change no result.

    Threads may share one extractor: grammars and weights are only read, and each run has its own matcher,
    key/value cache and random numbers. A run that is interrupted leaves nothing behind.
    """

    def __init__(
        self,
        model: str | Model | None = None,
        *,
        device: Device | None = None,
        dtype: torch.dtype | str | None = None,
        template: PromptTemplate | None = None,
        max_batch: int = 16,
        drafting: Drafting = "document",
        share_prefixes: bool = True,
    ) -> None:
        """Loads the model; raises ``ModelNotFoundError`` or ``TokenizerError``."""
        self.model: Model = (
            load_model(model, device=device, dtype=dtype) if model is None or isinstance(model, str) else model
        )
        self.template = template or PromptTemplate()
        self.max_batch = max_batch
        self._generator = Generator(self.model, drafting=drafting, share_prefixes=share_prefixes)
        self._target_of_type = lru_cache(_COMPILED_GRAMMARS)(self._compile)
        self._target_of_schema = lru_cache(_COMPILED_GRAMMARS)(lambda text: self._compile(json.loads(text)))
        self._saved = 0
        self._compiled = 0

    def run(
        self,
        wanted: Any,
        text: str,
        *,
        on_text: Callable[[str], None] | None = None,
        trace: bool = False,
        **options: Unpack[TaskOptions],
    ) -> Extraction[Any]:
        """Extract ``wanted`` (a type for Pydantic's ``TypeAdapter``, or a JSON Schema as a mapping) from ``text``.

        Options:
            instructions: a few sentences for the model.
            examples: pairs of a text and its value.
            max_tokens: the most tokens of output (512); less where the model's context ends sooner. The text is a
                complete document all the same, and the finish reason says ``"budget"``.
            temperature: 0 takes the most probable token; above, tokens are drawn.
            top_k, top_p, min_p: draw among the most probable tokens only.
            repetition_penalty: above 1 makes tokens that were already written less probable.
            sampler: how tokens are chosen, in place of these numbers.
            seed: makes drawing repeatable.
            template: the words of the prompt, ``None`` for the extractor's.
            reasoning: let the model write free text before the document, of at most so many tokens (``True``: 256).
            on_text: called with each piece of the answer as it is made; an exception from it cancels the run.
            trace: keep what each forward pass did.

        Raises ``InputError``, ``PromptError`` or ``GenerationError``, and ``SchemaCompilerError`` about the type.
        """
        answer = self._task(wanted, **options).answer(text)
        decode = getincrementaldecoder("utf-8")().decode
        for step in self._generator.run([answer.sequence], 1):
            answer.add(step)
            if on_text is not None:
                on_text(decode(step.text))
        self._save_scans()
        return answer.extraction(trace=trace)

    def run_batch(
        self,
        wanted: Any,
        texts: Iterable[str],
        *,
        max_batch: int | None = None,
        trace: bool = False,
        **options: Unpack[TaskOptions],
    ) -> Iterator[tuple[int, Extraction[Any] | SdkError]]:
        """Extract from many documents that share forward passes; results as they are ready, with their numbers.

        Texts are asked for when there is room. What goes wrong with one document is its result. ``max_batch``: how
        many documents at a time, ``None`` for the extractor's. Raises errors about the type and the options.
        """
        return self._run_batch(self._task(wanted, **options), texts, max_batch or self.max_batch, trace)

    def _run_batch(
        self, task: Task, texts: Iterable[str], max_batch: int, trace: bool
    ) -> Iterator[tuple[int, Extraction[Any] | SdkError]]:
        answers: dict[Sequence, tuple[int, Answer]] = {}
        refused: list[tuple[int, SdkError]] = []

        def sequences() -> Iterator[Sequence]:
            for number, text in enumerate(texts):
                try:
                    answer = task.answer(text)
                except SdkError as error:
                    refused.append((number, error))
                else:
                    answers[answer.sequence] = number, answer
                    yield answer.sequence

        for step in self._generator.run(sequences(), max_batch):
            if trace:
                answers[step.sequence][1].add(step)
            if step.sequence.is_finished:
                number, answer = answers.pop(step.sequence)
                yield number, _result(answer, trace=trace)
            while refused:
                yield refused.pop()
        yield from refused
        self._save_scans()

    def run_samples(
        self, wanted: Any, text: str, count: int, *, max_batch: int | None = None, **options: Unpack[TaskOptions]
    ) -> list[Extraction[Any] | SdkError]:
        """``count`` answers to one prompt, which is read once; ``options`` are those of ``run``.

        The first is that of ``run`` with the same seed. What goes wrong with an answer is its result.
        """
        task = self._task(wanted, **options)
        answers = [task.answer(text, sample=number) for number in range(count)]
        for _ in self._generator.run([answer.sequence for answer in answers], max_batch or self.max_batch):
            pass
        return [_result(answer) for answer in answers]

    @overload
    def sample(
        self,
        wanted: type[T],
        text: str,
        *,
        n: int = ...,
        method: SampleMethod = ...,
        temperature: float = ...,
        max_batch: int | None = ...,
        attempts: int = ...,
        futures: ExpectedFutureGrammaticality | None = ...,
        **options: Unpack[PromptOptions],
    ) -> Samples[T]: ...
    @overload
    def sample(
        self,
        wanted: Any,
        text: str,
        *,
        n: int = ...,
        method: SampleMethod = ...,
        temperature: float = ...,
        max_batch: int | None = ...,
        attempts: int = ...,
        futures: ExpectedFutureGrammaticality | None = ...,
        **options: Unpack[PromptOptions],
    ) -> Samples[Any]: ...
    def sample(
        self,
        wanted: Any,
        text: str,
        *,
        n: int = 32,
        method: SampleMethod = "asap",
        temperature: float = 1.0,
        max_batch: int | None = None,
        attempts: int = 10,
        futures: ExpectedFutureGrammaticality | None = None,
        instructions: str | None = None,
        examples: Collection[Example] = (),
        max_tokens: int = 512,
        seed: int | None = None,
        template: PromptTemplate | None = None,
    ) -> Samples[Any]:
        """How sure the model is: distinct values with their probabilities, from ``n`` draws.

        Probabilities are the model's at ``temperature``, given that its answer is valid and has at most ``max_tokens``
        tokens; what a mask would do to them is undone. ``method``: see ``SampleMethod``. ``max_batch``: how many draws
        at a time, ``None`` for the extractor's. ``attempts``: how many each draw may take on average. ``futures``: the
        ``futures`` of an earlier result about the same, to go on with what it learned. Other options: ``run``.

        Raises ``TooManyAttemptsError``, ``FuturesError``, and what ``run`` raises before it generates.
        """
        task = self._task(
            wanted,
            instructions=instructions,
            examples=examples,
            max_tokens=max_tokens,
            seed=seed,
            template=template,
        )
        from sdk.sampling import sample  # loaded by those who sample

        return sample(
            task,
            text,
            n,
            method,
            temperature=temperature,
            batch=max_batch or self.max_batch,
            attempts=attempts,
            futures=futures,
        )

    @overload
    def extract(self, wanted: type[T], text: str, *, on_budget: OnBudget = ..., **options: Unpack[Options]) -> T: ...
    @overload
    def extract(self, wanted: Any, text: str, *, on_budget: OnBudget = ..., **options: Unpack[Options]) -> Any: ...
    def extract(self, wanted: Any, text: str, *, on_budget: OnBudget = "raise", **options: Unpack[Options]) -> Any:
        """The value alone; ``options`` are those of ``run``.

        Raises ``BudgetExceededError``, which carries the extraction, when the budget closed the document early,
        unless ``on_budget`` is ``"return"``.
        """
        return _value(self.run(wanted, text, **options), on_budget)

    @overload
    def extract_batch(
        self,
        wanted: type[T],
        texts: Collection[str],
        *,
        on_budget: OnBudget = ...,
        max_batch: int | None = ...,
        progress: bool | None = ...,
        **options: Unpack[TaskOptions],
    ) -> list[T | SdkError]: ...
    @overload
    def extract_batch(
        self,
        wanted: Any,
        texts: Collection[str],
        *,
        on_budget: OnBudget = ...,
        max_batch: int | None = ...,
        progress: bool | None = ...,
        **options: Unpack[TaskOptions],
    ) -> list[Any]: ...
    def extract_batch(
        self,
        wanted: Any,
        texts: Collection[str],
        *,
        on_budget: OnBudget = "raise",
        max_batch: int | None = None,
        progress: bool | None = None,
        **options: Unpack[TaskOptions],
    ) -> list[Any]:
        """For each text, in order, its value, or the error that ``extract`` would raise.

        ``progress``: a progress bar on standard error; ``None`` shows it on a terminal. Other options: ``run_batch``.
        """
        from tqdm import tqdm

        hidden = not (sys.stderr.isatty() if progress is None else progress)
        results: list[Any] = [None] * len(texts)
        with tqdm(total=len(texts), unit="document", disable=hidden) as bar:
            for number, result in self.run_batch(wanted, texts, max_batch=max_batch, **options):
                results[number] = _value_or_error(result, on_budget)
                bar.update()
        return results

    def stream(self, wanted: Any, text: str, **options: Unpack[TaskOptions]) -> Iterator[Partial[Any]]:
        """``run``, step by step: the text so far, and the parts of the value that are closed, each checked once.

        The last partial has the extraction. Raises what ``run`` raises; a part that a validator refuses ends the
        stream where it closes.
        """
        answer = self._task(wanted, **options).answer(text)
        typed = isinstance(answer.target, TypeTarget)
        parts = parts_of(answer.target.adapter) if isinstance(answer.target, TypeTarget) else PLAIN
        partial, document = PartialValue(parts), ""
        for step in self._generator.run([answer.sequence], 1):
            answer.add(step)
            before, document = document, answer.document()
            partial.feed(document[len(before) :])
            extraction = None
            if answer.sequence.is_finished:
                extraction = answer.extraction(parse=partial.whole if typed and parts else None)
            yield Partial(document, partial.value, extraction)
        self._save_scans()

    async def astream(self, wanted: Any, text: str, **options: Unpack[TaskOptions]) -> AsyncIterator[Partial[Any]]:
        """``stream`` with each step in a thread, so that the event loop goes on."""
        import asyncio

        steps = self.stream(wanted, text, **options)
        while (partial := await asyncio.to_thread(next, steps, None)) is not None:
            yield partial

    async def aextract(
        self, wanted: Any, text: str, *, on_budget: OnBudget = "raise", **options: Unpack[Options]
    ) -> Any:
        """``extract`` in a thread, so that the event loop goes on."""
        import asyncio

        return await asyncio.to_thread(lambda: self.extract(wanted, text, on_budget=on_budget, **options))

    def _task(
        self,
        wanted: Any,
        *,
        instructions: str | None = None,
        examples: Collection[Example] = (),
        max_tokens: int = 512,
        temperature: float = 0.0,
        top_k: int | None = None,
        top_p: float | None = None,
        min_p: float | None = None,
        repetition_penalty: float | None = None,
        sampler: Sampler | None = None,
        seed: int | None = None,
        template: PromptTemplate | None = None,
        reasoning: bool | int = False,
    ) -> Task:
        numbers = (temperature, top_k, top_p, min_p, repetition_penalty)
        if sampler is not None and numbers != (0.0, None, None, None, None):
            raise ValueError(f"expected a sampler, or a temperature and what goes with it; found both: {numbers}")
        target = self._target(wanted)
        return Task(
            generator=self._generator,
            target=target,
            template=template or self.template,
            instructions=instructions,
            examples=list(checked_examples(examples, target, self.model.vocabulary)),
            sampler=sampler or sampler_of(*numbers),
            max_tokens=max_tokens,
            seed=seed,
            reasoning=_REASONING_TOKENS if reasoning is True else int(reasoning),
        )

    def _target(self, wanted: Any) -> Target:
        if isinstance(wanted, Mapping):
            return self._target_of_schema(json.dumps(wanted))
        if isinstance(wanted, Hashable):
            return self._target_of_type(wanted)
        return self._compile(wanted)

    def _compile(self, wanted: Any) -> Target:
        self._compiled += 1
        return target_of(wanted, self.model.vocabulary)

    def _save_scans(self) -> None:
        """After the first document of a type: keep what was found out about the vocabulary for later processes."""
        if self._saved < self._compiled:
            self._saved = self._compiled
            with contextlib.suppress(OSError):  # a cache that cannot be written only costs time
                self.model.vocabulary.save()


@overload
def extract(
    wanted: type[T], text: str, *, model: str | None = ..., on_budget: OnBudget = ..., **options: Unpack[Options]
) -> T: ...
@overload
def extract(
    wanted: Any, text: str, *, model: str | None = ..., on_budget: OnBudget = ..., **options: Unpack[Options]
) -> Any: ...
def extract(
    wanted: Any, text: str, *, model: str | None = None, on_budget: OnBudget = "raise", **options: Unpack[Options]
) -> Any:
    """Extract an instance of ``wanted`` from ``text``: ``Extractor(model).extract`` with the extractor kept.

    ``wanted``: any type that Pydantic's ``TypeAdapter`` takes, or a JSON Schema as a mapping, for plain data.
    ``model``: the name or folder of a causal language model, ``None`` for ``SDK_MODEL`` or else the embedded model;
    it is loaded by the first call that names it and kept. For everything else see ``Extractor.run``.
    """
    return _extractor(model or default_model_name()).extract(wanted, text, on_budget=on_budget, **options)


@cache
def _extractor(model: str) -> Extractor:
    return Extractor(model)


def _result(answer: Answer, *, trace: bool = False) -> Extraction[Any] | SdkError:
    try:
        return answer.extraction(trace=trace)
    except SdkError as error:
        return error


def _value(extraction: Extraction[Any], on_budget: OnBudget) -> Any:
    if extraction.finish_reason == "budget" and on_budget == "raise":
        raise BudgetExceededError(extraction)
    return extraction.value


def _value_or_error(result: Extraction[Any] | SdkError, on_budget: OnBudget) -> Any:
    try:
        return result if isinstance(result, SdkError) else _value(result, on_budget)
    except BudgetExceededError as error:
        return error
