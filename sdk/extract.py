"""``extract(Model, text)``: from a type and a document to an instance.

``Extractor`` holds what is expensive (a loaded model, compiled grammars) and runs the walk that the rest of the
package is made of: type -> grammar -> prompt -> tokens under the mask -> text -> value. ``extract`` is the same with
an extractor kept for each model name. Nothing heavy is imported before a model is loaded.

    >>> extract(Receipt, "Ace Books, 3 March 2024. Total 9.00")        # doctest: +SKIP
    Receipt(shop='Ace Books', total=Decimal('9.00'))
"""

from __future__ import annotations

import json
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from statistics import fmean
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar, Unpack, overload

from sdk.errors import BudgetExceededError, ContextLengthError, EmptyTextError
from sdk.generation.loop import generate
from sdk.generation.model import Device, Model, default_model_name, load_model
from sdk.generation.samplers import Greedy, Temperature
from sdk.generation.sequence import FinishReason, Sequence, closing_tokens
from sdk.prompting import Example, PromptTemplate, checked_examples, outline
from sdk.target import Target, target_of

if TYPE_CHECKING:
    import torch

__all__ = ["Extraction", "Extractor", "OnBudget", "Options", "extract"]

T = TypeVar("T")

OnBudget: TypeAlias = Literal["raise", "return"]
"""What to do with a document that the token budget closed early: raise it in an error, or return its value."""

_COMPILED_GRAMMARS = 128
"""How many types an extractor keeps compiled, the least recently used dropped first."""


class Options(TypedDict, total=False):
    """What can be said about one extraction; ``Extractor.run`` documents each."""

    instructions: str | None
    examples: Collection[Example]
    max_tokens: int
    temperature: float
    seed: int | None
    template: PromptTemplate | None
    on_text: Callable[[str], None] | None


@dataclass(frozen=True, slots=True)
class Extraction(Generic[T]):
    """One document's result, and what it cost.

    ``finish_reason``: ``"complete"``, or ``"budget"`` when the token budget closed the document early.
    ``removed_mass``: the mean share of the model's probability, in [0, 1], that the masks removed; near 0 the model
    would have written this by itself. ``seconds``: prompt and generation; ``forward_passes``: calls of the model.
    """

    value: T
    text: str
    finish_reason: FinishReason
    prompt_tokens: int
    output_tokens: int
    forward_passes: int
    seconds: float
    removed_mass: float


class Extractor:
    """A loaded model, ready for any type.

    ``model``: the name or folder of a causal language model of transformers, or an object that is a ``Model``;
    ``None`` for ``SDK_MODEL`` or else the embedded model. ``device`` and ``dtype``: see ``load_model``.
    ``template``: the words of the prompt.

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
    ) -> None:
        """Loads the model; raises ``ModelNotFoundError`` or ``TokenizerError``."""
        self.model: Model = (
            load_model(model, device=device, dtype=dtype) if model is None or isinstance(model, str) else model
        )
        self.template = template or PromptTemplate()
        self._target_of_type = lru_cache(_COMPILED_GRAMMARS)(self._compile)
        self._target_of_schema = lru_cache(_COMPILED_GRAMMARS)(lambda text: self._compile(json.loads(text)))

    def run(
        self,
        wanted: Any,
        text: str,
        *,
        instructions: str | None = None,
        examples: Collection[Example] = (),
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int | None = None,
        template: PromptTemplate | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Extraction[Any]:
        """Extract ``wanted`` (a type for Pydantic's ``TypeAdapter``, or a JSON Schema as a mapping) from ``text``.

        ``instructions``: a few sentences for the model. ``examples``: pairs of a text and its value.
        ``max_tokens``: the most tokens of output; less where the model's context ends sooner. The text is a complete
        document all the same, and the finish reason says ``"budget"``. ``temperature``: 0 takes the most probable
        token; above, ``seed`` makes the choice repeatable. ``template``: the words of the prompt, ``None`` for the
        extractor's. ``on_text``: called with each piece of the answer as it is made; an exception from it cancels
        the run.

        Raises ``InputError``, ``PromptError`` or ``GenerationError``, and ``SchemaCompilerError`` about the type.
        """
        started = time.perf_counter()
        if not text.strip():
            raise EmptyTextError(f"expected a document, found {len(text)} characters of white space")
        target = self._target(wanted)
        messages = (template or self.template).messages(
            text,
            outline=outline(target.compiled.schema),
            instructions=instructions,
            examples=list(checked_examples(examples, target, self.model.vocabulary)),
        )
        prompt = self.model.chat(messages)
        matcher = target.compiled.matcher()
        sequence = Sequence(
            prompt=prompt,
            matcher=matcher,
            vocabulary=self.model.vocabulary,
            sampler=Temperature(temperature) if temperature else Greedy(),
            generator=_random_numbers(seed),
            budget=self._budget(max_tokens, len(prompt), len(closing_tokens(matcher, self.model.vocabulary))),
        )
        passes, decode = 0, getincrementaldecoder("utf-8")().decode
        for piece in generate(self.model.decoder(), sequence):
            passes += 1
            if on_text is not None:
                on_text(decode(piece))
        assert sequence.finish_reason is not None
        document = sequence.text.decode()
        return Extraction(
            value=target.parse(document),
            text=document,
            finish_reason=sequence.finish_reason,
            prompt_tokens=len(sequence.prompt),
            output_tokens=len(sequence.output),
            forward_passes=passes,
            seconds=time.perf_counter() - started,
            removed_mass=fmean(sequence.removed),
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
        extraction = self.run(wanted, text, **options)
        if extraction.finish_reason == "budget" and on_budget == "raise":
            raise BudgetExceededError(extraction)
        return extraction.value

    def _target(self, wanted: Any) -> Target:
        if isinstance(wanted, Mapping):
            return self._target_of_schema(json.dumps(wanted))
        if isinstance(wanted, Hashable):
            return self._target_of_type(wanted)
        return self._compile(wanted)

    def _compile(self, wanted: Any) -> Target:
        return target_of(wanted, self.model.vocabulary)

    def _budget(self, max_tokens: int, prompt: int, shortest: int) -> int:
        """``max_tokens``, or what the model's context has left after the prompt."""
        context = self.model.context_tokens
        if context is None:
            return max_tokens
        if prompt + shortest > context:
            raise ContextLengthError(prompt, shortest, context)
        return min(max_tokens, context - prompt)


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


def _random_numbers(seed: int | None) -> torch.Generator:
    import torch

    generator = torch.Generator()
    if seed is None:
        generator.seed()
    else:
        generator.manual_seed(seed)
    return generator
