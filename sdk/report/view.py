"""What a report shows of one result: its fields as rows, and its document as segments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from schema_compiler import Span
from sdk.alignment import aligned
from sdk.fields import Alternative, FieldPath, field_values, path_text
from sdk.report.segments import Mark, Segment, segments
from sdk.results import Failure, Result

__all__ = ["ORIGINS", "Row", "View", "view_of"]

Origin: TypeAlias = Literal["verbatim", "aligned", "missing", "none"]
"""How a value is tied to its document: by evidence, by alignment, not although it could be, or not at all.

Booleans, null and what is empty are not looked for.
"""

ORIGINS: dict[Origin, str] = {
    "verbatim": "verbatim",
    "aligned": "aligned afterwards",
    "missing": "not in the document",
}
"""What a reader is told of each origin; of the last kind, nothing."""

_TURN = 137.508
"""The golden angle, in degrees: hues this far apart stay apart however many there are."""


@dataclass(frozen=True, slots=True)
class Row:
    """A field: its ``path`` and ``value`` in words, its places, and how sure it is. ``hue``: in degrees."""

    path: str
    value: str
    hue: float
    origin: Origin
    places: tuple[Span, ...]
    confidence: float | None
    alternatives: tuple[Alternative, ...]

    @property
    def shade(self) -> float:
        """How strong its colour is, in [0, 1]: what is less sure is paler."""
        return 1.0 if self.confidence is None else self.confidence

    @property
    def label(self) -> str:
        """The field in one line, for those who point at its place."""
        sure = "" if self.confidence is None else f", {self.confidence:.0%}"
        return f"{self.path}{sure}{', aligned' if self.origin == 'aligned' else ''}"


@dataclass(frozen=True, slots=True)
class View:
    """A result as it is shown. ``has_document``: whether its text is known."""

    source: str
    error: Failure | None
    has_document: bool
    rows: Sequence[Row]
    segments: Sequence[Segment]

    @property
    def has_confidence(self) -> bool:
        """Whether it is known of any field."""
        return any(row.confidence is not None for row in self.rows)

    @property
    def remark(self) -> str:
        """What a reader should know first: how many values do not stand in the document."""
        missing = sum(row.origin == "missing" for row in self.rows)
        return f"{missing} of {len(self.rows)} values not in the document" if missing else ""


def view_of(result: Result) -> View:
    """The rows and segments of a result; without its document, there are no places.

    Raises ``DocumentError`` and ``MissingExtraError`` as ``sdk.alignment`` does.
    """
    known = result.document is not None
    places = {**(aligned(result) if known and result.error is None else {}), **(result.evidence if known else {})}
    values = {} if result.error and result.value is None else dict(field_values(result.value))
    values |= {path: spans[0].text for path, spans in result.evidence.items() if path not in values and spans}
    rows = [
        Row(
            path=path_text(path),
            value=_shown(value),
            hue=round(number * _TURN % 360, 1),
            origin=_origin(path, value, result, places) if known else "none",
            places=tuple(places.get(path, ())),
            confidence=result.confidence.get(path),
            alternatives=tuple(result.alternatives.get(path, ())),
        )
        for number, (path, value) in enumerate(values.items())
    ]
    marks = [
        Mark(span.start, span.end, field, place)
        for field, row in enumerate(rows)
        for place, span in enumerate(row.places)
    ]
    return View(result.source, result.error, known, rows, list(segments(result.document or "", marks)))


def _origin(path: FieldPath, value: Any, result: Result, places: dict[FieldPath, tuple[Span, ...]]) -> Origin:
    if result.evidence.get(path):
        return "verbatim"
    if path in places:
        return "aligned"
    return "none" if isinstance(value, bool) or value in (None, "", [], {}) else "missing"


def _shown(value: Any) -> str:
    """Text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
