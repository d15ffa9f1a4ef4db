"""The keywords of strings: lengths, patterns and formats; or a grammar; or those of a number between quotes.

For example::

    {"minLength": 2, "pattern": "^a"}                                       string{2,} /^a/
    {"x-pydantic-quoted": "integer", "minimum": 1}                          quoted integer in [1, inf)
    {"x-pydantic-grammar": {"text": "start: /a/ start?", "start": "start"}} sentence start of 'start: /a/ start?'
"""

from __future__ import annotations

from typing import Any

from schema_compiler.errors import GrammarError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.regular.regex.dialect import Dialect, Pattern
from schema_compiler.schema.algebra.disjunction import Disjunct
from schema_compiler.schema.algebra.intersection import canonical_string
from schema_compiler.schema.algebra.languages import unreadable
from schema_compiler.schema.ir import Sentence, String
from schema_compiler.schema.normalization.context import Context, count, mapping
from schema_compiler.schema.normalization.numbers import read_number
from schema_compiler.schema.report import ReportRow
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import DIALECT, GRAMMAR, QUOTED

__all__ = ["read_pattern", "read_string"]


def read_string(place: Place, context: Context) -> Disjunct:
    """The strings that the keywords at ``place`` admit; ``Never`` where they exclude each other.

    Raises ``InvalidSchemaError`` for the value of a keyword, and ``UnsupportedSchemaError`` for a pattern or a grammar
    that is not supported.
    """
    if GRAMMAR in place.raw:
        return _sentence(place, context)
    if QUOTED in place.raw:
        return read_number(place, context, integer=place.raw[QUOTED] == "integer", quoted=True)
    return canonical_string(
        String(
            count(place, "minLength") or 0,
            count(place, "maxLength"),
            _patterns(place, context),
            _formats(place, context),
        )
    )


def _sentence(place: Place, context: Context) -> Sentence:
    beside = sorted(place.raw.keys() & {"minLength", "maxLength", "pattern", "format"})
    if beside:
        raise UnsupportedSchemaError(f"{', '.join(beside)} beside a grammar is not supported", place.pointer)
    check = context.options.check_grammar
    if check is None:
        raise UnsupportedSchemaError(f"{GRAMMAR} is not supported without a check of grammars", place.pointer)
    grammar = mapping(place, GRAMMAR)
    try:
        notes = check(grammar["text"], grammar["start"])
    except GrammarError as error:
        raise InvalidSchemaError(f"the grammar cannot be used: {error}", place.pointer) from error
    for note in notes:
        context.record(
            ReportRow(place.pointer, note, "ignored annotation", "the grammar's language is the same without it")
        )
    return Sentence(grammar["text"], grammar["start"])


def _patterns(place: Place, context: Context) -> tuple[Pattern, ...]:
    if "pattern" not in place.raw:
        return ()
    dialect = place.raw.get(DIALECT, context.options.dialect)
    return (read_pattern(place, place.raw["pattern"], dialect),)


def read_pattern(place: Place, regex: Any, dialect: Dialect) -> Pattern:
    """The pattern ``regex``, which is written at ``place``.

    Raises ``InvalidSchemaError`` where it is no text, and ``UnsupportedSchemaError`` where it is malformed or not
    regular.
    """
    if not isinstance(regex, str):
        raise InvalidSchemaError(f"expected a regular expression, found {regex!r}", place.pointer)
    pattern = Pattern(regex, dialect)
    why_not = unreadable(pattern)
    if why_not:
        raise UnsupportedSchemaError(why_not, place.pointer)
    return pattern


def _formats(place: Place, context: Context) -> tuple[str, ...]:
    name = place.raw.get("format")
    return (name,) if context.options.asserts(name) else ()
