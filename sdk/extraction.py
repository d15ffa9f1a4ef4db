"""What an extraction gives: ``Extraction`` in the end, and ``Partial`` as long as the document is being written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from schema_compiler import Span
from sdk.errors import InputError, MissingExtraError
from sdk.fields import Alternative, FieldPath, path_text
from sdk.generation.trace import FinishReason, Pass

if TYPE_CHECKING:
    from sdk.results import Result

__all__ = ["Alternative", "Extraction", "FieldPath", "Partial", "path_text"]

T = TypeVar("T")


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
    ``alternatives``: the others with the highest probabilities, where they were compared. ``document``: the text that
    all of this is about. A path is written as ``path_text`` does: ``items[2].price``.
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
    document: str = ""

    def aligned(self) -> dict[FieldPath, tuple[Span, ...]]:
        """For values without evidence, by path, where in the document they might come from; see ``sdk.alignment``.

        Values for which nothing is found are left out. Raises ``InputError`` where the document is not known, and
        ``MissingExtraError`` where a place can only be found by similarity and rapidfuzz is not installed.
        """
        from sdk.alignment import aligned

        return aligned(self.result())

    def result(self, source: str = "") -> Result:
        """The same as plain data, for lines of a file and for reports. ``source``: the document's name."""
        from sdk.results import Result

        return Result(
            source,
            value=json.loads(self.text),
            document=self.document or None,
            evidence=self.evidence,
            confidence=self.confidence,
            alternatives=self.alternatives,
        )

    def to_html(self, title: str = "Extraction") -> str:
        """A page that shows the document with the places of all values; see ``sdk.report``. Raises as ``aligned``."""
        from sdk.report import page

        return page([self.result(title)], title=title)

    def _repr_html_(self) -> str | None:
        """The same for notebooks; ``None``, for which they print the object, where it cannot be made."""
        from sdk.report import fragment

        try:
            return fragment(self.result("Extraction"))
        except (InputError, MissingExtraError):
            return None


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
