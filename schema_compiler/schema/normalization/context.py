"""What reading one place of a schema needs: checked values of its keywords, and the subschemas by name.

The functions here give a keyword's value as the type that the keyword has. They raise ``InvalidSchemaError``, with the
JSON pointer of the place, for a value that JSON Schema does not allow there::

    {"minItems": 2.0}       count(place, "minItems") == 2
    {"minItems": "2"}       expected minItems to be a number, found '2' at the root

``Context`` is what the readers of keywords know of the rest of the schema; the ``Registry`` implements it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol, TypeAlias, cast

from schema_compiler.errors import InvalidSchemaError
from schema_compiler.regular.formats import FORMATS, STANDARD_FORMATS
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.schema.algebra.disjunction import SchemaAlgebra
from schema_compiler.schema.algebra.numbers import exact, is_number
from schema_compiler.schema.ir import Schema
from schema_compiler.schema.report import ReportRow
from schema_compiler.schema.source.document import Document, Place

__all__ = [
    "Context",
    "GrammarCheck",
    "ReadingOptions",
    "count",
    "expect",
    "expect_spellable",
    "mapping",
    "names_in",
    "numeric",
    "subschema",
]


GrammarCheck: TypeAlias = Callable[[str, str], Sequence[str]]
"""Takes a grammar's text and start rule, and gives notes on it. Raises ``GrammarError`` where it cannot be used."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a schema is read.

    ``dialect`` is that of its patterns. ``closed``: objects that list properties and do not say what others may hold
    have no others. ``integer_fraction``: integers may be spelled ``1.0``. ``check_grammar`` checks the grammars beside
    strings; without it, they are refused.
    """

    dialect: Dialect
    closed: bool
    integer_fraction: bool
    check_grammar: GrammarCheck | None = None

    def asserts(self, format_name: object) -> bool:
        """Whether a format is enforced: in a JSON Schema those of the standard, for Pydantic all that are known."""
        known = STANDARD_FORMATS if self.dialect == "ecma" else FORMATS
        return isinstance(format_name, str) and format_name in known


class Context(SchemaAlgebra, Protocol):
    """What reading a place needs of the whole schema: its document, its subschemas, set algebra, and the report."""

    @property
    def document(self) -> Document:
        """The raw schema."""

    @property
    def options(self) -> ReadingOptions:
        """How the schema is read."""

    def child(self, place: Place) -> Schema:
        """The schema at ``place``: a reference that is read later, or the schema itself where it is simple.

        Raises ``InvalidSchemaError`` and ``UnsupportedSchemaError``.
        """

    def either(self, *schemas: Schema) -> Schema:
        """A schema for the values in any of ``schemas``, of which there is at least one."""

    def place_of(self, schema: Schema) -> Place | None:
        """The place that ``schema`` refers to; ``None`` where it is not a reference to a single place."""

    def record(self, row: ReportRow) -> None:
        """Adds a row to the report, instead of an earlier one with its path and constraint."""

    def reading(self, place: Place) -> AbstractContextManager[None]:
        """Adds the keywords of ``place`` to the report, and notes until the end of the block that it is being read.

        Raises ``UnsupportedSchemaError`` for keywords that are not supported, ``CircularError`` where ``place`` is
        being read already, and ``CompileBudgetError`` where too many places are.
        """


def subschema(place: Place, context: Context, *path: str) -> Schema:
    """The schema that ``path`` leads to from ``place``; see ``Context.child``."""
    return context.child(context.document.child(place, *path))


def count(place: Place, keyword: str) -> int | None:
    """The keyword's value, a whole number of at least 0; ``None`` when it is absent or null."""
    value = numeric(place, keyword)
    if value is None:
        return None
    if value < 0 or value != value.to_integral_value():
        raise InvalidSchemaError(f"expected {keyword} to be a whole number of at least 0, found {value}", place.pointer)
    return int(value)


def mapping(place: Place, keyword: str) -> dict[str, Any]:
    """The keyword's value, an object; empty when it is absent."""
    members = cast(dict[str, Any], expect(place, keyword, dict) or {})
    for name in members:
        expect_spellable(name, place)
    return members


def names_in(value: Any, keyword: str, place: Place) -> list[str]:
    """``value``, which is given for ``keyword`` at ``place`` and must be a list of names."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InvalidSchemaError(f"expected {keyword} to be a list of names, found {value!r}", place.pointer)
    expect_spellable(value, place)
    return value


def expect_spellable(value: Any, place: Place) -> None:
    """Raises ``InvalidSchemaError`` where a text in ``value`` has a lone surrogate, which UTF-8 cannot spell."""
    match value:
        case str() if not value.isascii() and any(0xD800 <= ord(char) <= 0xDFFF for char in value):
            raise InvalidSchemaError(f"expected Unicode text, found a lone surrogate in {value!r}", place.pointer)
        case list():
            for item in value:
                expect_spellable(item, place)
        case dict():
            for name, member in value.items():
                expect_spellable([name, member], place)


def numeric(place: Place, keyword: str) -> Decimal | None:
    """The keyword's value, a number; ``None`` when it is absent or null."""
    value = place.raw.get(keyword)
    if keyword not in place.raw or value is None:
        return None
    if not is_number(value):
        raise InvalidSchemaError(f"expected {keyword} to be a number, found {value!r}", place.pointer)
    return exact(value)


def expect(place: Place, keyword: str, wanted: type) -> Any:
    """The keyword's value, of the ``wanted`` Python type; ``None`` when it is absent."""
    value = place.raw.get(keyword)
    if keyword in place.raw and not isinstance(value, wanted):
        raise InvalidSchemaError(f"expected {keyword} to be a {wanted.__name__}, found {value!r}", place.pointer)
    return value
