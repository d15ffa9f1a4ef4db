"""A document's result as a line of a file: what the command line writes, and what reports and evaluations read.

    {"source": "receipts/1.txt", "value": {"shop": "Ace"}, "fields": [{"path": ["shop"], "confidence": 0.93,
     "evidence": [{"start": 0, "end": 3, "text": "Ace"}]}]}
    {"source": "receipts/2.txt", "error": {"type": "EmptyTextError", "message": "expected a document with some text"}}

``source`` is the document's name, a path where it was read from a file; other programs may call it ``id``. ``fields``
holds what is known of a field besides its value. ``document`` is the text, where it cannot be read again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from schema_compiler import Span
from sdk.errors import ResultsError
from sdk.fields import Alternative, FieldPath

__all__ = ["Failure", "Result", "read_results"]

_DECIMALS = 6
"""To how many decimals probabilities are written: models are often surer than 0.999, and their order counts; chosen."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a document has no value: the name of the error's class, and its message."""

    type: str
    message: str


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one document.

    ``value``: plain data, as JSON has it. ``error``: why there is none. ``document``: the text, where it is known.
    ``evidence``, ``confidence``, ``alternatives``: see ``Extraction``.
    """

    source: str
    value: Any = None
    error: Failure | None = None
    document: str | None = None
    evidence: Mapping[FieldPath, tuple[Span, ...]] = field(default_factory=dict)
    confidence: Mapping[FieldPath, float] = field(default_factory=dict)
    alternatives: Mapping[FieldPath, tuple[Alternative, ...]] = field(default_factory=dict)

    def line(self) -> str:
        """The result as a JSON object on one line, without what is empty."""
        line: dict[str, Any] = {"source": self.source}
        if self.error is not None:
            line["error"] = {"type": self.error.type, "message": self.error.message}
        else:
            line["value"] = self.value
        paths = dict.fromkeys([*self.evidence, *self.confidence, *self.alternatives])
        if paths:
            line["fields"] = [self._field(path) for path in paths]
        if self.document is not None:
            line["document"] = self.document
        return json.dumps(line, ensure_ascii=False)

    def _field(self, path: FieldPath) -> dict[str, Any]:
        known: dict[str, Any] = {"path": list(path)}
        if path in self.confidence:
            known["confidence"] = round(self.confidence[path], _DECIMALS)
        if self.alternatives.get(path):
            known["alternatives"] = [
                {"text": one.text, "probability": round(one.probability, _DECIMALS)} for one in self.alternatives[path]
            ]
        if path in self.evidence:
            known["evidence"] = [
                {"start": span.start, "end": span.end, "text": span.text} for span in self.evidence[path]
            ]
        return known

    def text(self, folder: Path) -> str:
        """The document: as it is on the line, or as the file ``source`` in ``folder`` has it.

        Raises ``ResultsError`` when it cannot be read, or when the evidence does not stand where it is said to: then it
        is not the text that the result is about.
        """
        text = self.document
        if text is None:
            try:
                text = (folder / self.source).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise ResultsError(f"the document of {self.source!r} cannot be read: {error}") from error
        for spans in self.evidence.values():
            for span in spans:
                if text[span.start : span.end] != span.text:
                    raise ResultsError(
                        f"the document of {self.source!r} is not the one that was read: expected {span.text!r} from "
                        f"character {span.start} to {span.end}, found {text[span.start : span.end]!r}"
                    )
        return text


def read_results(lines: Iterable[str], name: str) -> Iterator[Result]:
    """The results on ``lines``, one by one, empty lines skipped. ``name``: of the file, for messages.

    Other keys of a line are another program's. Raises ``ResultsError`` for a line that is no result.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _Line.model_validate_json(line).result()
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                place = "".join(f"[{step!r}]" for step in first["loc"])
                raise ResultsError(f"{name}, line {number}{place and f', at {place}'}: {first['msg']}") from error


_Probability = Annotated[float, Field(ge=0, le=1)]


class _Alternative(BaseModel):
    text: str
    probability: _Probability


class _Span(BaseModel):
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    text: str


class _Field(BaseModel):
    path: tuple[int | str, ...]
    confidence: _Probability | None = None
    alternatives: tuple[_Alternative, ...] = ()
    evidence: tuple[_Span, ...] = ()


class _Failure(BaseModel):
    type: str
    message: str


class _Line(BaseModel):
    source: Annotated[str, Field(validation_alias=AliasChoices("id", "source"))]
    value: Any = None
    error: _Failure | None = None
    document: str | None = None
    fields_: Annotated[tuple[_Field, ...], Field(validation_alias="fields")] = ()

    @model_validator(mode="after")
    def _value_or_error(self) -> _Line:
        if ("value" in self.model_fields_set) == (self.error is not None):
            raise PydanticCustomError("value_or_error", "expected either a value or an error, found both or neither")
        return self

    def result(self) -> Result:
        return Result(
            self.source,
            value=self.value,
            error=Failure(self.error.type, self.error.message) if self.error else None,
            document=self.document,
            evidence={
                one.path: tuple(Span(span.start, span.end, span.text) for span in one.evidence)
                for one in self.fields_
                if one.evidence
            },
            confidence={one.path: one.confidence for one in self.fields_ if one.confidence is not None},
            alternatives={
                one.path: tuple(Alternative(other.text, other.probability) for other in one.alternatives)
                for one in self.fields_
                if one.alternatives
            },
        )
