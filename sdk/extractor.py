"""The front door: from a type and documents to values, with one loaded model.

``Extractor`` holds what is expensive (a loaded model, compiled grammars) and runs the whole pipeline: type -> grammar
-> prompt -> tokens under the mask -> text -> value. Nothing heavy is imported before a model is loaded.

    >>> extractor = Extractor()                                                  # doctest: +SKIP
    >>> extractor.extract(Receipt, "Ace Books, 3 March 2024. Total 9.00")        # doctest: +SKIP
    Receipt(shop='Ace Books', total=Decimal('9.00'))
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast, get_args, overload

from sdk.errors import BudgetExceededError, ModelError, SdkError
from sdk.extraction import Extraction, Partial
from sdk.generation.loop.generator import Drafting, Generator
from sdk.generation.loop.sequence import TextSequence
from sdk.generation.models.loading import Device, load_model
from sdk.generation.models.model import Model
from sdk.generation.samplers import SAMPLER_DEFAULTS, Greedy, SamplerOptions, complete_options, sampler_of
from sdk.options import DEFAULTS, PROMPT_DEFAULTS, Choose, OnBudget, Options, PromptOptions, TaskOptions
from sdk.prompting import PromptTemplate, checked_examples
from sdk.target import Target, target_of
from sdk.task import Answer, Task

if TYPE_CHECKING:
    import torch

    from sdk.generation.aligned import ExpectedFutureGrammaticality, Samples
    from sdk.generation.models.quantization import Quantization
    from sdk.sampling import SampleMethod

__all__ = ["Extractor"]

T = TypeVar("T")

_COMPILED_GRAMMARS = 128
"""How many types an extractor keeps compiled, the least recently used dropped first.

A program that makes types or schemas as it goes must not keep them all; more types than a program usually has by name.
A power of two, chosen, not measured.
"""

_REASONING_TOKENS = 256
"""The most tokens of free text before the document, where ``reasoning=True`` sets no other limit.

The prompt asks for a few sentences, which take 100 tokens or so; a power of two above that, chosen, not measured.
"""


class Extractor:
    """A loaded model, ready for any type.

    ``model``: the name or folder of a causal language model of transformers, a GGUF file, or an object that is a
    ``Model``; ``None`` for ``SDK_MODEL`` or else the embedded model. ``device``, ``dtype`` and ``quantize``: see
    ``load_model``; they are refused beside an object.
    ``template``: the words of the prompt. ``max_batch``: how many documents of a batch are generated at a time.
    ``drafting`` and ``share_prefixes``: how forward passes are saved; see ``Generator``. They change no result.

    The options of each call are those of ``sdk.options``, by name. Besides the errors that a call names, it raises
    ``SchemaCompilerError`` about the type, ``PromptError`` about the template or the examples (``ExampleError``),
    ``TypeError`` for an unknown option, and ``ValueError`` for an option out of its range.

    Threads may share one extractor: grammars and weights are only read, and each run has its own matcher,
    key/value cache and random numbers. A run that is interrupted leaves nothing behind.
    """

    def __init__(
        self,
        model: str | Model | None = None,
        *,
        device: Device | None = None,
        dtype: torch.dtype | str | None = None,
        quantize: Quantization | None = None,
        template: PromptTemplate | None = None,
        max_batch: int = 16,
        drafting: Drafting = "document",
        share_prefixes: bool = True,
    ) -> None:
        """Load the model. Raises ``ModelError``, also as ``ModelNotFoundError`` and ``TokenizerError``."""
        if model is None or isinstance(model, str):
            self.model: Model = load_model(model, device=device, dtype=dtype, quantize=quantize)
        elif device is None and dtype is None and quantize is None:
            self.model = model
        else:
            raise ModelError(
                f"expected a model's name beside device, dtype or quantize, found an object of {type(model).__name__}, "
                "which is loaded already"
            )
        self.template = template or PromptTemplate()
        self.max_batch = max_batch
        self._generator = Generator(self.model, drafting=drafting, share_prefixes=share_prefixes)
        self._target_of_type = lru_cache(_COMPILED_GRAMMARS)(self._compile)
        self._target_of_schema = lru_cache(_COMPILED_GRAMMARS)(
            lambda text, grounded: self._compile(json.loads(text), grounded)
        )
        self._saved = 0
        self._compiled = 0

    def run(self, wanted: Any, text: str, **options: Unpack[Options]) -> Extraction[Any]:
        """Extract ``wanted`` (a type for Pydantic's ``TypeAdapter``, or a JSON Schema as a mapping) from ``text``.

        A document that needs more than ``max_tokens`` is closed all the same, and the finish reason is ``"budget"``.
        Raises ``InputError`` (also as ``EmptyTextError`` and ``ContextLengthError``), ``BudgetTooSmallError``,
        ``IllegalTokenError`` and ``ValidationFailedError``.
        """
        return self._run(wanted, text, options)

    def _run(
        self, wanted: Any, text: str, options: Options, on_step: Callable[[], None] = lambda: None
    ) -> Extraction[Any]:
        """``run``; ``on_step`` is called after each forward pass, and may raise what ends the run."""
        on_text, trace = options.pop("on_text", None), options.pop("trace", False)
        decode = getincrementaldecoder("utf-8")().decode
        task = self._task(wanted, options)
        answer = task.answer(text).allow(task.attempts if on_text is None else 1)
        for step in self._generator.run([answer.sequence], 1):
            answer.add(step)
            on_step()
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

        ``texts`` is read as documents are finished. ``max_batch``: how many documents at a time, ``None`` for the
        extractor's. ``trace``: keep what each forward pass did.
        An ``SdkError`` about one document, as ``run`` would raise it, is that document's result.
        """
        return self._run_batch(self._task(wanted, options), texts, max_batch or self.max_batch, trace)

    def _run_batch(
        self, task: Task, texts: Iterable[str], max_batch: int, trace: bool
    ) -> Iterator[tuple[int, Extraction[Any] | SdkError]]:
        answers: dict[TextSequence, tuple[int, Answer]] = {}
        refused: list[tuple[int, SdkError]] = []

        def sequences() -> Iterator[TextSequence]:
            for number, text in enumerate(texts):
                try:
                    answer = task.answer(text).allow(task.attempts)
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
        """``count`` answers to one prompt, which the model reads once.

        With a seed, answer ``i`` is that of ``run`` with ``seed + i``. ``max_batch``: how many answers at a time,
        ``None`` for the extractor's. An ``IllegalTokenError`` or ``ValidationFailedError`` about one answer is that
        answer's result.
        Raises ``InputError`` (also as ``EmptyTextError`` and ``ContextLengthError``) and ``BudgetTooSmallError``.
        """
        task = self._task(wanted, options)
        answers = [task.answer(text, sample=number).allow(task.attempts) for number in range(count)]
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
        **options: Unpack[PromptOptions],
    ) -> Samples[Any]:
        """How sure the model is: distinct values with their probabilities, from ``n`` draws.

        Probabilities are the model's at ``temperature``, given that its answer is valid and has at most ``max_tokens``
        tokens; what a mask would do to them is undone. ``method``: see ``SampleMethod``. ``max_batch``: how many draws
        at a time, ``None`` for the extractor's. ``attempts``: how many each draw may take on average. ``futures``: the
        ``futures`` of an earlier result with the same model, prompt, type, budget and temperature, to start from.

        Raises ``TooManyAttemptsError``, ``FuturesError`` (``futures`` are about something else), ``InputError`` (also
        as ``EmptyTextError`` and ``ContextLengthError``) and ``BudgetTooSmallError``.
        """
        task = self._task(wanted, complete_options(options, PROMPT_DEFAULTS))
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
        """The value of ``run`` alone.

        Raises what ``run`` raises, and ``BudgetExceededError``, which carries the extraction, when the budget closed
        the document early, unless ``on_budget`` is ``"return"``.
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
        """For each text, in order, its value, or the ``SdkError`` about it that ``extract`` would raise.

        ``max_batch``: how many documents at a time, ``None`` for the extractor's. ``progress``: whether to show a
        progress bar on standard error; ``None`` shows it on a terminal.
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

        The last partial has the extraction. Raises what ``run`` raises, but not before the first step is asked for; a
        part that a validator refuses ends the stream with ``ValidationFailedError`` where it closes.
        """
        answer = self._task(wanted, options).answer(text)
        partial, document = answer.target.partial(), ""
        for step in self._generator.run([answer.sequence], 1):
            answer.add(step)
            before, document = document, answer.document()
            partial.feed(document[len(before) :])
            extraction = answer.extraction(parse=partial.whole) if answer.sequence.is_finished else None
            yield Partial(document, partial.value, extraction)
        self._save_scans()

    async def astream(self, wanted: Any, text: str, **options: Unpack[TaskOptions]) -> AsyncIterator[Partial[Any]]:
        """``stream`` in a thread, so that the event loop goes on. Raises what ``stream`` raises.

        A stream that is left or cancelled ends with the pass under way.
        """
        import asyncio
        from concurrent.futures import ThreadPoolExecutor
        from contextvars import copy_context

        loop, context, thread = asyncio.get_running_loop(), copy_context(), ThreadPoolExecutor(1)
        steps: Any = self.stream(wanted, text, **options)  # a generator

        def step() -> Partial[Any] | None:
            return next(steps, None)

        try:
            while (partial := await loop.run_in_executor(thread, context.run, step)) is not None:
                yield partial
        finally:
            thread.submit(steps.close)  # in its turn, behind the pass under way
            thread.shutdown(wait=False)

    async def aextract(
        self, wanted: Any, text: str, *, on_budget: OnBudget = "raise", **options: Unpack[Options]
    ) -> Any:
        """``extract`` in a thread, so that the event loop goes on. Raises what ``extract`` raises.

        When the call is cancelled, the thread ends with the pass under way.
        """
        import asyncio
        from threading import Event

        cancelled = Event()

        def watch() -> None:
            if cancelled.is_set():
                raise asyncio.CancelledError

        try:
            extraction = await asyncio.to_thread(lambda: self._run(wanted, text, options, watch))
            return _value(extraction, on_budget)
        finally:
            cancelled.set()

    def _task(self, wanted: Any, options: PromptOptions) -> Task:
        """The task for ``options``, which may be all of ``TaskOptions``."""
        settings = complete_options(options, DEFAULTS)
        numbers = {name: value for name, value in settings.items() if name in SAMPLER_DEFAULTS}
        if settings["sampler"] is not None and numbers != SAMPLER_DEFAULTS:
            raise ValueError(f"expected a sampler, or a temperature and what goes with it; found both: {numbers}")
        target = self._target(wanted, grounded=settings["grounded"])
        reasoning = settings["reasoning"]
        sampler = settings["sampler"] or sampler_of(**cast(SamplerOptions, numbers))
        choose = settings["choose"] or ("best" if sampler == Greedy() else "greedy")
        if choose not in get_args(Choose):
            raise ValueError(f"expected choose to be one of {get_args(Choose)}, found {choose!r}")
        if choose == "best" and sampler != Greedy():
            raise ValueError(f"expected choose='best' only where no tokens are drawn, found it beside {sampler}")
        if settings["attempts"] < 1:
            raise ValueError(f"expected attempts as a number from 1 on, found {settings['attempts']}")
        if not math.isfinite(settings["null_bias"]):
            raise ValueError(f"expected null_bias as a finite number, found {settings['null_bias']}")
        return Task(
            generator=self._generator,
            target=target,
            template=settings["template"] or self.template,
            instructions=settings["instructions"],
            examples=list(checked_examples(settings["examples"], target, self.model.vocabulary)),
            sampler=sampler,
            choose=choose,
            null_bias=settings["null_bias"],
            max_tokens=settings["max_tokens"],
            attempts=settings["attempts"],
            seed=settings["seed"],
            reasoning=_REASONING_TOKENS if reasoning is True else int(reasoning),
        )

    def _target(self, wanted: Any, *, grounded: bool) -> Target:
        """The compiled target, kept for schemas by their text and for types that are hashable."""
        if isinstance(wanted, Mapping):
            return self._target_of_schema(json.dumps(wanted), grounded)
        if isinstance(wanted, Hashable):
            return self._target_of_type(wanted, grounded)
        return self._compile(wanted, grounded)

    def _compile(self, wanted: Any, grounded: bool) -> Target:
        self._compiled += 1
        return target_of(wanted, self.model.vocabulary, grounded=grounded)

    def _save_scans(self) -> None:
        """After the first document of a type, save the vocabulary's scans of leaf languages for later processes."""
        if self._saved < self._compiled:
            self._saved = self._compiled
            with contextlib.suppress(OSError):  # a cache that cannot be written only costs time
                self.model.vocabulary.save()


def _result(answer: Answer, *, trace: bool = False) -> Extraction[Any] | SdkError:
    """The extraction of a finished answer, or the error in its place."""
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
