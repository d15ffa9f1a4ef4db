"""What becomes of each keyword of one place: the rows it adds to the report.

For example::

    {"type": "string", "format": "regex", "then": {}}
    type          enforced
    format regex  checked afterwards  the grammar does not enforce this format
    then          ignored annotation  it says nothing without if

Rows that depend on more than the keywords themselves are added where that is known, as for ``uniqueItems``.
"""

from __future__ import annotations

from collections.abc import Iterator

from schema_compiler.regular.formats import IRREGULAR, PARTLY_CHECKED
from schema_compiler.schema.normalization.context import ReadingOptions
from schema_compiler.schema.report import ReportRow
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import APPLICATORS, ASSERTIONS, CHECKED, IDENTIFIERS

__all__ = ["rows_of"]

_UNREPORTED = frozenset({"title", "description", "$comment"}) | IDENTIFIERS
"""The keywords that no report mentions: nobody expects that they exclude a value."""
_COMPANIONS = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}
"""For some keywords, the one without which they mean nothing."""


def rows_of(place: Place, draft: int, options: ReadingOptions) -> Iterator[ReportRow]:
    """The rows for the dictionary at ``place``: one for each keyword, but for names and descriptions.

    ``draft`` is the year of the schema's draft.
    """
    for keyword in place.raw:
        if draft < 2019 and "$ref" in place.raw and keyword not in {"$ref", CHECKED, *_UNREPORTED}:
            yield ReportRow(place.pointer, keyword, "ignored annotation", "this draft ignores what stands beside $ref")
        elif keyword not in _UNREPORTED:
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
    elif keyword in _COMPANIONS and _COMPANIONS[keyword] not in place.raw:
        yield ReportRow(place.pointer, keyword, "ignored annotation", f"it says nothing without {_COMPANIONS[keyword]}")
    elif keyword in ASSERTIONS | APPLICATORS:
        yield ReportRow(place.pointer, keyword, "enforced")
    else:
        yield ReportRow(place.pointer, keyword, "ignored annotation", "JSON Schema ignores it")
