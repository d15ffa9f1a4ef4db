"""The keywords of strings: lengths, patterns and formats; or a grammar; or those of a number between quotes.

For example::

    {"minLength": 2, "pattern": "^a"}                                       string{2,} /^a/
    {"x-pydantic-quoted": "integer", "minimum": 1}                          quoted integer in [1, inf)
    {"x-pydantic-grammar": {"text": "start: /a/ start?", "start": "start"}} sentence start of 'start: /a/ start?'
"""

from __future__ import annotations

from typing import Any, get_args

from schema_compiler.errors import GrammarError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.regular.regex.dialect import Dialect, Pattern
from schema_compiler.schema.algebra.canonical import canonical_string
from schema_compiler.schema.algebra.disjunction import Disjunct
from schema_compiler.schema.algebra.languages import unreadable
from schema_compiler.schema.ir import Sentence, String
from schema_compiler.schema.normalization.context import Context, count, expect, mapping
from schema_compiler.schema.normalization.numbers import read_number
from schema_compiler.schema.report import ReportRow
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import DIALECT, GRAMMAR, QUOTED

__all__ = ["read_pattern", "read_string"]

_DIALECTS = get_args(Dialect)
"""The dialects by the names that ``DIALECT`` may have."""


def read_string(place: Place, context: Context) -> Disjunct:
    """The strings that the keywords at ``place`` admit; ``Never`` where they exclude each other.

    Raises ``InvalidSchemaError`` for the value of a keyword, and ``UnsupportedSchemaError`` for a pattern or a grammar
    that is not supported, or for keywords of text beside a grammar or a quoted number.
    """
    formats = _formats(place, context)
    keywords_of_text = {"minLength", "maxLength", "pattern", *(("format",) if formats else ())}
    if GRAMMAR in place.raw:
        _refuse_beside("a grammar", {*keywords_of_text, QUOTED}, place)
        return _sentence(place, context)
    if QUOTED in place.raw:
        _refuse_beside("a quoted number", keywords_of_text, place)
        return _quoted_number(place, context)
    return canonical_string(
        String(
            count(place, "minLength") or 0,
            count(place, "maxLength"),
            _patterns(place, context),
            formats,
        )
    )


def _refuse_beside(what: str, keywords: set[str], place: Place) -> None:
    """Raises ``UnsupportedSchemaError`` where any of ``keywords``, which ``what`` would drop, is at ``place``."""
    beside = sorted(place.raw.keys() & keywords)
    if beside:
        raise UnsupportedSchemaError(f"{', '.join(beside)} beside {what} is not supported", place.pointer)


def _quoted_number(place: Place, context: Context) -> Disjunct:
    kind = place.raw[QUOTED]
    if kind not in ("number", "integer"):
        raise InvalidSchemaError(f"expected {QUOTED} to be 'number' or 'integer', found {kind!r}", place.pointer)
    return read_number(place, context, integer=kind == "integer", quoted=True)


def _sentence(place: Place, context: Context) -> Sentence:
    check = context.options.check_grammar
    if check is None:
        raise UnsupportedSchemaError(f"{GRAMMAR} is not supported without a check of grammars", place.pointer)
    grammar = mapping(place, GRAMMAR)
    text, start = grammar.get("text"), grammar.get("start")
    if not isinstance(text, str) or not isinstance(start, str):
        raise InvalidSchemaError(f"expected {GRAMMAR} to have a text and a start, found {grammar!r}", place.pointer)
    try:
        notes = check(text, start)
    except GrammarError as error:
        raise InvalidSchemaError(f"the grammar cannot be used: {error}", place.pointer) from error
    for note in notes:
        context.record(
            ReportRow(place.pointer, note, "ignored annotation", "the grammar's language is the same without it")
        )
    return Sentence(text, start)


def _patterns(place: Place, context: Context) -> tuple[Pattern, ...]:
    if "pattern" not in place.raw:
        return ()
    return (read_pattern(place, place.raw["pattern"], context),)


def read_pattern(place: Place, regex: Any, context: Context) -> Pattern:
    """The pattern ``regex``, which is written at ``place``, in the dialect that the place names, or else the options.

    Raises ``InvalidSchemaError`` where it is no text or the dialect is not known, and ``UnsupportedSchemaError`` where
    the pattern is malformed or not regular.
    """
    if not isinstance(regex, str):
        raise InvalidSchemaError(f"expected a regular expression, found {regex!r}", place.pointer)
    dialect = place.raw.get(DIALECT, context.options.dialect)
    if dialect not in _DIALECTS:
        raise InvalidSchemaError(f"expected a dialect ({', '.join(_DIALECTS)}), found {dialect!r}", place.pointer)
    pattern = Pattern(regex, dialect)
    why_not = unreadable(pattern)
    if why_not:
        raise UnsupportedSchemaError(why_not, place.pointer)
    return pattern


def _formats(place: Place, context: Context) -> tuple[str, ...]:
    name = expect(place, "format", str)
    return (name,) if context.options.asserts(name) else ()
