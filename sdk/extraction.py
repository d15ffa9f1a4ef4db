"""What an extraction gives: ``Extraction`` in the end, and ``Partial`` as long as the document is being written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from schema_compiler import Span
from sdk.generation.trace import FinishReason, Pass

__all__ = ["Alternative", "Extraction", "FieldPath", "Partial"]

T = TypeVar("T")

FieldPath: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value: ``("items", 2, "price")``."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A value that a field might have had: the JSON of the value, and its probability in [0, 1]."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Extraction(Generic[T]):
    """One document's result, and what it cost.

    ``text``: the JSON that the model wrote. ``finish_reason``: ``"complete"``, or ``"budget"`` when the token budget
    closed the document early. ``forward_passes``: calls of the model this document took part in. ``seconds``: for
    prompt and generation. ``removed_mass``: the mean share of the model's probability, in [0, 1], that the masks
    removed; near 0 the model would have written this by itself. ``reasoning``: the free text before the document,
    without what ends it, where it was asked for. ``trace``: each forward pass, where it was asked for.
    ``evidence``: for each value of a ``Verbatim`` field, by its path, the places of the document from which it is read;
    where there are several, the nearest to the evidence of the neighbouring values come first. ``confidence``: for
    each value by its path, its probability among all that the field might have, given what precedes it.
    ``alternatives``: the others with the highest probabilities, where they were compared.
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
    evidence: Mapping[FieldPath, tuple[Span, ...]] = field(default_factory=dict)
    confidence: Mapping[FieldPath, float] = field(default_factory=dict)
    alternatives: Mapping[FieldPath, tuple[Alternative, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Partial(Generic[T]):
    """An extraction under way.

    ``text``: the document so far. ``value``: the parts of it that are closed, each checked: a model's fields by name,
    or a list's items; plain data under a JSON Schema; ``None`` for types of other shapes. ``extraction``: the result,
    with the last partial.
    """

    text: str
    value: dict[str, Any] | list[Any] | None
    extraction: Extraction[T] | None = None
