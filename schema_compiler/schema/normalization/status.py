"""What becomes of each keyword of one place: the rows it adds to the report."""

from __future__ import annotations

from collections.abc import Iterator

from schema_compiler.regular.formats import IRREGULAR, PARTLY_CHECKED
from schema_compiler.schema.normalization.context import ReadingOptions
from schema_compiler.schema.report import ReportRow
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import APPLICATORS, ASSERTIONS, CHECKED, IDENTIFIERS

__all__ = ["rows_of"]

_WORDS = frozenset({"title", "description", "$comment"}) | IDENTIFIERS
_NEEDS = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}


def rows_of(place: Place, draft: int, options: ReadingOptions) -> Iterator[ReportRow]:
    """One row for each keyword of the dictionary at ``place``, but for names and plain descriptions."""
    for keyword in place.raw:
        if draft < 2019 and "$ref" in place.raw and keyword not in {"$ref", CHECKED, *_WORDS}:
            yield ReportRow(place.pointer, keyword, "ignored annotation", "this draft ignores what stands beside $ref")
        elif keyword not in _WORDS:
            yield from _rows(place, keyword, options)


def _rows(place: Place, keyword: str, options: ReadingOptions) -> Iterator[ReportRow]:
    value = place.raw[keyword]
    if keyword == CHECKED:
        yield from (
            ReportRow(place.pointer, sentence, "checked afterwards", "no grammar can see it") for sentence in value
        )
    elif keyword == "format" and not options.asserts(value) and (value in IRREGULAR or options.dialect != "ecma"):
        yield ReportRow(
            place.pointer, f"format {value}", "checked afterwards", "the grammar does not enforce this format"
        )
    elif keyword == "format" and not options.asserts(value):
        yield ReportRow(place.pointer, f"format {value}", "ignored annotation", "this format is not known")
    elif keyword == "format" and value in PARTLY_CHECKED:
        yield ReportRow(place.pointer, f"format {value}", "checked afterwards", PARTLY_CHECKED[value])
    elif keyword in _NEEDS and _NEEDS[keyword] not in place.raw:
        yield ReportRow(place.pointer, keyword, "ignored annotation", f"it says nothing without {_NEEDS[keyword]}")
    elif keyword in ASSERTIONS | APPLICATORS:
        yield ReportRow(place.pointer, keyword, "enforced")
    else:
        yield ReportRow(place.pointer, keyword, "ignored annotation", "JSON Schema ignores it")
