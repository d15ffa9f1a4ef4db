"""The names of a schema: each stands for an intersection of places, and is read when first asked for.

A name lists what must hold together: a place of the document, the complement of another name, or an atom. So the
intersection of two recursive schemas is finite, because there are finitely many sets of places::

    #/$defs/a  with items #/$defs/a,  and  #/$defs/b  with items #/$defs/b
    "#/$defs/a & #/$defs/b"  has items  "#/$defs/a & #/$defs/b"

A megabyte of definitions costs only what is asked for.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import reduce
from itertools import chain, filterfalse
from typing import Any, TypeAlias

from schema_compiler.errors import CompileBudgetError, InvalidSchemaError, UnsupportedSchemaError, place_name
from schema_compiler.schema.algebra.complement import complement
from schema_compiler.schema.algebra.disjunction import (
    ANY,
    UNSTATED,
    CircularError,
    Complement,
    Disjunct,
    Disjunction,
    InexpressibleError,
    disjunction,
)
from schema_compiler.schema.algebra.intersection import meet
from schema_compiler.schema.ir import AnyValue, Never, Reference, Schema, Union
from schema_compiler.schema.normalization.applicators import read
from schema_compiler.schema.normalization.context import ReadingOptions
from schema_compiler.schema.normalization.status import rows_of
from schema_compiler.schema.report import ReportRow
from schema_compiler.schema.source.document import Document, Place
from schema_compiler.schema.source.keywords import CHECKED, REFUSED, SPEAKING, UNSUPPORTED

__all__ = ["Registry"]

_SCALARS = frozenset({"null", "boolean", "integer", "number", "string"})
_LIMITS = frozenset({"type", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_DEEPEST = 60
"""Schemas may apply each other in place (``allOf`` in ``allOf``) so deep; what nests in values has no limit."""


@dataclass(frozen=True, slots=True)
class _Negation:
    """The values outside ``schema``."""

    schema: Schema


_Part: TypeAlias = Place | _Negation | Schema


class _Nesting:
    """The names that are being read, the outermost first; the last is left when the ``with`` statement ends."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def inside(self, name: str) -> _Nesting:
        """Enters ``name``. Raises ``CircularError`` where it is being read already."""
        if name in self._names:
            raise CircularError(f"{name} refers to itself with nothing in between")
        if len(self._names) >= _DEEPEST:
            raise CompileBudgetError(
                f"schemas apply each other in place over {_DEEPEST} deep, at {place_name(name.removeprefix('#'))}"
            )
        self._names.append(name)
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._names.pop()


class Registry:
    """Reads a document place by place; implements ``Context``."""

    def __init__(self, document: Document, options: ReadingOptions) -> None:
        self.document = document
        self.options = options
        self._parts: dict[str, tuple[_Part, ...]] = {}
        self._views: dict[str, Disjunction] = {}
        self._shapes: dict[str, Disjunction] = {}
        self._nesting = _Nesting()
        self._places: dict[str, Place] = {}
        self._rows: dict[tuple[str, str], ReportRow] = {}

    def child(self, place: Place) -> Schema:
        """The schema at ``place``; plain references are followed to what they name."""
        passed = {place}
        while self._is_alias(place):
            self._record_all(place)
            place = self.document.resolve(place, place.raw["$ref"])
            if place in passed:
                raise InvalidSchemaError("the reference leads back to itself", place.pointer)
            passed.add(place)
        place = self._known(place)
        match place.raw:
            case True:
                return AnyValue()
            case False:
                return Never(f"false at {place.pointer}") if place.pointer else Never()
            case dict() if not place.raw.keys() & SPEAKING:
                self._record_all(place)
                return AnyValue()
            case dict() if _is_plain(place.raw):
                self._record_all(place)
                (disjunct,) = read(place, self)
                assert not isinstance(disjunct, Complement), "limits alone exclude nothing that no atom can say"
                return disjunct
            case dict():
                return self._name(place.name, (place,))
        raise InvalidSchemaError(f"expected a schema, found {place.raw!r}", place.pointer)

    def place_of(self, schema: Schema) -> Place | None:
        """The place that ``schema`` names, if it is one place."""
        match self._parts_of(schema):
            case (Place() as place,):
                return place
        return None

    def reading(self, place: Place) -> AbstractContextManager[None]:
        """Guards the reading of ``place``, and accounts for its keywords."""
        self._account(place)
        return self._nesting.inside(place.name)

    def join(self, left: Schema, right: Schema) -> Schema:
        """A name for the values in both."""
        match left, right:
            case (Never(), _) | (_, AnyValue()):
                return left
            case (_, Never()) | (AnyValue(), _):
                return right
            case _ if UNSTATED in (left, right):
                return right if left == UNSTATED else left
        parts = {_part_name(part): part for side in (left, right) for part in self._parts_of(side)}
        for part in parts.values():
            if isinstance(part, _Negation) and str(part.schema).removeprefix("@") in parts:
                return Never(f"{part.schema} and its negation")
        return self._name(" & ".join(sorted(parts)), tuple(parts[name] for name in sorted(parts)))

    def either(self, *schemas: Schema) -> Schema:
        """A name for the values in any of ``schemas``."""
        possible = tuple(schema for schema in schemas if not isinstance(schema, Never))
        if len(possible) < 2:
            return possible[0] if possible else schemas[0]
        return self._name(f"({' | '.join(map(str, possible))})", (Union(possible),))

    def negate(self, schema: Schema) -> Schema:
        """A name for the values not in ``schema``."""
        match schema:
            case Never():
                return AnyValue()
            case _ if schema in (AnyValue(), UNSTATED):
                return Never("the negation of anything")
        match self._parts_of(schema):
            case (_Negation(inner),):
                return inner
        return self._name(f"not ({schema})", (_Negation(schema),))

    def view(self, name: str) -> Disjunction:
        """The form of the definition ``name``; what is only a reference stays one."""
        if name not in self._views:
            with self._nesting.inside(name):
                self._views[name] = self._read(name)
        return self._views[name]

    def shape(self, schema: Disjunct) -> Disjunction:
        """The form of ``schema`` without references at its top."""
        match schema:
            case Reference(name) if schema != UNSTATED:
                if name not in self._shapes:
                    view = self.view(name)
                    with self._nesting.inside(name):
                        self._shapes[name] = disjunction(disjunct for part in view for disjunct in self._expanded(part))
                return self._shapes[name]
            case Union(options):
                return disjunction(disjunct for option in options for disjunct in self.shape(option))
            case _:
                return ANY if schema == UNSTATED else (schema,)

    def record(self, row: ReportRow) -> None:
        """Adds a row to the report, in the place of one about the same keyword."""
        self._rows[row.path, row.constraint] = row

    def rows(self) -> list[ReportRow]:
        """The rows of the places read so far."""
        rows = (row for place in self._places.values() for row in rows_of(place, self.document.draft, self.options))
        return list({(row.path, row.constraint): row for row in chain(rows, self._rows.values())}.values())

    def _name(self, name: str, parts: tuple[_Part, ...]) -> Reference:
        self._parts.setdefault(name, parts)
        return Reference(name)

    def _parts_of(self, schema: Schema) -> tuple[_Part, ...]:
        return self._parts[schema.name] if isinstance(schema, Reference) else (schema,)

    def _expanded(self, part: Disjunct) -> Disjunction:
        return self.shape(part) if isinstance(part, Reference) else (part,)

    def _read(self, name: str) -> Disjunction:
        parts = self._parts[name]
        try:
            if len(parts) == 1:
                return self._read_part(parts[0])
            return reduce(lambda left, right: meet(left, right, self), map(self._part_shape, parts), ANY)
        except InexpressibleError as error:
            pointer = next((part.pointer for part in parts if isinstance(part, Place)), name)
            raise UnsupportedSchemaError(f"the keywords combine to what is not supported: {error}", pointer) from error

    def _part_shape(self, part: _Part) -> Disjunction:
        """The form of one part among several; places and complements are names themselves, read once for all."""
        if isinstance(part, Place | _Negation):
            return self.shape(self._name(_part_name(part), (part,)))
        return self.shape(part)

    def _read_part(self, part: _Part) -> Disjunction:
        match part:
            case Place():
                self._account(part)
                return read(part, self)
            case _Negation(schema):
                return complement(self.shape(schema), self)
            case _:
                return self.shape(part)

    def _known(self, place: Place) -> Place:
        """``place`` without the keywords that the schema's draft does not have."""
        knows = self.document.draft_at(place).knows
        if not isinstance(place.raw, dict) or all(map(knows, place.raw)):
            return place
        for keyword in filterfalse(knows, place.raw):
            row = ReportRow(place.pointer, keyword, "ignored annotation", "the declared draft does not have it")
            self._rows.setdefault((row.path, row.constraint), row)
        raw = {keyword: value for keyword, value in place.raw.items() if knows(keyword)}
        return Place(place.pointer, raw, place.base, place.scope)

    def _is_alias(self, place: Place) -> bool:
        """Whether the place says nothing but ``$ref``; up to draft 7, what stands beside it does not count."""
        if not isinstance(place.raw, dict) or not isinstance(place.raw.get("$ref"), str):
            return False
        return self.document.draft < 2019 or not place.raw.keys() & (SPEAKING - {"$ref", CHECKED})

    def _account(self, place: Place) -> None:
        """Refuses what is not understood, and records what is."""
        if UNSUPPORTED in place.raw:
            raise UnsupportedSchemaError(place.raw[UNSUPPORTED], place.pointer)
        refused = sorted(place.raw.keys() & REFUSED)
        if refused:
            raise UnsupportedSchemaError(f"unsupported keywords: {', '.join(refused)}", place.pointer)
        self._record_all(place)

    def _record_all(self, place: Place) -> None:
        self._places[place.pointer] = place


def _is_plain(raw: dict[str, Any]) -> bool:
    """Whether a place says nothing but a scalar type and its limits: it needs no name of its own."""
    return isinstance(raw.get("type"), str) and raw["type"] in _SCALARS and raw.keys() & SPEAKING <= _LIMITS


def _part_name(part: _Part) -> str:
    match part:
        case Place():
            return part.name
        case _Negation(schema):
            return f"not ({schema})"
        case _:
            return str(part)
