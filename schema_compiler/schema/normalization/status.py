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
from schema_compiler.schema.normalization.context import ReadingOptions, expect, names_in
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

    ``draft`` is the year of the schema's draft. Raises ``InvalidSchemaError`` where the value of a keyword that a row
    quotes is malformed: ``format`` is a text, ``CHECKED`` a list of sentences.
    """
    for keyword in place.raw:
        if draft < 2019 and "$ref" in place.raw and keyword not in {"$ref", CHECKED, *_UNREPORTED}:
            yield ReportRow(place.pointer, keyword, "ignored annotation", "this draft ignores what stands beside $ref")
        elif keyword not in _UNREPORTED:
            yield from _rows(place, keyword, options)


def _rows(place: Place, keyword: str, options: ReadingOptions) -> Iterator[ReportRow]:
    if keyword == CHECKED:
        for sentence in names_in(place.raw[CHECKED], CHECKED, place, "texts"):
            yield ReportRow(place.pointer, sentence, "checked afterwards", "no grammar can see it")
    elif keyword == "format":
        yield _format_row(place, options)
    elif keyword == "additionalItems" and not isinstance(place.raw.get("items"), list):
        yield ReportRow(place.pointer, keyword, "ignored annotation", "it says nothing without a list of items")
    elif keyword in _COMPANIONS and _COMPANIONS[keyword] not in place.raw:
        yield ReportRow(place.pointer, keyword, "ignored annotation", f"it says nothing without {_COMPANIONS[keyword]}")
    elif keyword in ASSERTIONS | APPLICATORS:
        yield ReportRow(place.pointer, keyword, "enforced")
    else:
        yield ReportRow(place.pointer, keyword, "ignored annotation", "JSON Schema ignores it")


def _format_row(place: Place, options: ReadingOptions) -> ReportRow:
    name: str = expect(place, "format", str)
    if options.asserts(name):
        if name not in PARTLY_CHECKED:
            return ReportRow(place.pointer, "format", "enforced")
        return ReportRow(place.pointer, f"format {name}", "checked afterwards", PARTLY_CHECKED[name])
    if name in IRREGULAR or options.dialect != "ecma":
        why = "the grammar does not enforce this format"
        return ReportRow(place.pointer, f"format {name}", "checked afterwards", why)
    return ReportRow(place.pointer, f"format {name}", "ignored annotation", "this format is not known")
