"""What reading one place of a schema needs: checked values of its keywords, and the subschemas by name.

The functions here give a keyword's value as the type that the keyword has. They raise ``InvalidSchemaError``, with the
JSON pointer of the place, for a value that JSON Schema does not allow there::

    {"minItems": 2.0}       count(place, "minItems") == 2
    {"minItems": "2"}       expected minItems to be a number, found '2' at the root

``Context`` is what the readers of keywords know of the rest of the schema; the ``Registry`` implements it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol, TypeAlias, cast

from schema_compiler.errors import CompileBudgetError, InvalidSchemaError, place_name
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
    "branch_places",
    "count",
    "dependencies",
    "expect",
    "expect_json",
    "expect_spellable",
    "mapping",
    "names_in",
    "numeric",
    "subschema",
]


_MOST_NESTED_VALUES = 200
"""How deep a value that a schema lists may be nested, such as a list in a list; it is compared and spelled recursively.

With Python's recursion limit of 1,000, a value 400 deep can be compiled and one 600 deep cannot (measured once); 200
leaves the rest to the caller.
"""

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


def branch_places(place: Place, keyword: str, context: Context) -> list[Place]:
    """The places of the schemas that ``keyword`` (``allOf``, ``anyOf`` or ``oneOf``) lists, none where it is absent."""
    branches = place.raw.get(keyword, [])
    if not isinstance(branches, list) or (keyword in place.raw and not branches):
        raise InvalidSchemaError(f"expected {keyword} to be a list of schemas, found {branches!r}", place.pointer)
    return [context.document.child(place, keyword, str(index)) for index in range(len(branches))]


def dependencies(place: Place, context: Context) -> Iterator[tuple[str, list[str] | Place]]:
    """The keys on which something depends: each with the keys that must be beside it, or the place of a schema.

    ``dependencies`` is the older spelling of both ``dependentRequired`` and ``dependentSchemas``.
    """
    for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
        for name, dependency in mapping(place, keyword).items():
            lists = isinstance(dependency, list) if keyword == "dependencies" else keyword == "dependentRequired"
            if lists:
                yield name, names_in(dependency, keyword, place)
            else:
                yield name, context.document.child(place, keyword, name)


def count(place: Place, keyword: str) -> int | None:
    """The keyword's value, a whole number of at least 0; ``None`` when it is absent."""
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


def names_in(value: Any, keyword: str, place: Place, what: str = "names") -> list[str]:
    """``value``, which is given for ``keyword`` at ``place`` and must be a list of names, or of other texts."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InvalidSchemaError(f"expected {keyword} to be a list of {what}, found {value!r}", place.pointer)
    for name in value:
        expect_spellable(name, place)
    return value


def expect_spellable(text: str, place: Place) -> None:
    """Raises ``InvalidSchemaError`` where ``text`` has a lone surrogate, which UTF-8 cannot spell."""
    if not text.isascii() and any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        raise InvalidSchemaError(f"expected Unicode text, found a lone surrogate in {text!r}", place.pointer)


def expect_json(values: list[Any], keyword: str, place: Place) -> None:
    """Raises ``InvalidSchemaError`` where ``values``, which ``keyword`` at ``place`` lists, cannot all be JSON values.

    Raises ``CompileBudgetError`` where one is nested too deep. All values of one depth are looked at together.
    """
    level = values
    for _ in range(_MOST_NESTED_VALUES):
        for value in level:
            _expect_json_alone(value, keyword, place)
        level = [part for value in level for part in _parts_of(value)]
        if not level:
            return
    where = place_name(place.pointer)
    raise CompileBudgetError(f"a value of {keyword} is nested over {_MOST_NESTED_VALUES} deep at {where}")


def _expect_json_alone(value: Any, keyword: str, place: Place) -> None:
    """As ``expect_json``, for one value whose parts are not looked at."""
    if isinstance(value, str):
        expect_spellable(value, place)
    elif not (value is None or isinstance(value, bool | list | dict) or is_number(value)):
        raise InvalidSchemaError(f"expected {keyword} to hold JSON values, found {value!r}", place.pointer)


def _parts_of(value: Any) -> list[Any]:
    """The items of a list, the names and the members of an object; nothing for other values."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []


def numeric(place: Place, keyword: str) -> Decimal | None:
    """The keyword's value, a number; ``None`` when it is absent."""
    if keyword not in place.raw:
        return None
    value = place.raw[keyword]
    if not is_number(value):
        raise InvalidSchemaError(f"expected {keyword} to be a number, found {value!r}", place.pointer)
    return exact(value)


def expect(place: Place, keyword: str, wanted: type) -> Any:
    """The keyword's value, of the ``wanted`` Python type; ``None`` when it is absent."""
    value = place.raw.get(keyword)
    if keyword in place.raw and not isinstance(value, wanted):
        raise InvalidSchemaError(f"expected {keyword} to be a {wanted.__name__}, found {value!r}", place.pointer)
    return value
