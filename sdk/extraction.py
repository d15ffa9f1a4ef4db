"""What an extraction gives back, and what can be said about one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypedDict, TypeVar

from sdk.generation.loop.sequence import FinishReason
from sdk.generation.samplers import Sampler
from sdk.generation.trace import Pass
from sdk.prompting import Example, PromptTemplate

__all__ = ["Extraction", "OnBudget", "Options", "Partial", "PromptOptions", "TaskOptions"]

T = TypeVar("T")

OnBudget: TypeAlias = Literal["raise", "return"]
"""What to do with a document that the token budget closed early: raise it in an error, or return its value."""


class PromptOptions(TypedDict, total=False):
    """What can be said about prompts and answers; ``Extractor.run`` documents each."""

    instructions: str | None
    examples: Collection[Example]
    max_tokens: int
    seed: int | None
    template: PromptTemplate | None


class TaskOptions(PromptOptions, total=False):
    """What can be said about how tokens are chosen more."""

    temperature: float
    top_k: int | None
    top_p: float | None
    min_p: float | None
    repetition_penalty: float | None
    sampler: Sampler | None
    reasoning: bool | int


class Options(TaskOptions, total=False):
    """What can be said about one extraction more."""

    on_text: Callable[[str], None] | None
    trace: bool


@dataclass(frozen=True, slots=True)
class Extraction(Generic[T]):
    """One document's result, and what it cost.

    ``finish_reason``: ``"complete"``, or ``"budget"`` when the token budget closed the document early.
    ``forward_passes``: calls of the model this document took part in. ``seconds``: prompt and generation.
    ``removed_mass``: the mean share of the model's probability, in [0, 1], that the masks removed; near 0 the model
    would have written this by itself. ``reasoning``: the free text before the document, where it was asked for.
    ``trace``: each forward pass, where it was asked for.
    """

    value: T
    text: str
    finish_reason: FinishReason
    prompt_tokens: int
    output_tokens: int
    forward_passes: int
    seconds: float
    removed_mass: float
    reasoning: str | None = None
    trace: tuple[Pass, ...] = ()


@dataclass(frozen=True, slots=True)
class Partial(Generic[T]):
    """An extraction on its way.

    ``text``: the document so far. ``value``: what of it is closed, each part checked: a model's fields by name, or
    a list's items; plain data under a JSON Schema; ``None`` for types of other shapes. ``extraction``: the result,
    with the last partial.
    """

    text: str
    value: dict[str, Any] | list[Any] | None
    extraction: Extraction[T] | None = None
