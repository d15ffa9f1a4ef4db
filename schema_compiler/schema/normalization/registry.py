"""The named schemas of a document: each name stands for an intersection, which is computed when first asked for.

A name has parts that must hold together: places of the document, complements of other names, and schemas. To intersect
two names is to make a name of the parts of both. So the intersection of two recursive schemas is finite, because a
document has finitely many places, and so finitely many sets of them::

    #/$defs/a  is {"type": "array", "items": {"$ref": "#/$defs/a"}}, and #/$defs/b the like
    "#/$defs/a & #/$defs/b"  is  [@#/$defs/a & #/$defs/b*]

Nothing is read before it is asked for, so of a megabyte of definitions only those that are used cost time. Source: the
product construction of automata, which makes a state of each pair of states as it reaches them.
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
"""The types whose values have no parts."""
_LIMITS = frozenset({"type", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
"""The keywords of a scalar that is written out wherever it is used, instead of by name: they are short to read."""
_MOST_NESTED = 60
"""How deep schemas may apply each other to the same value (``allOf`` in ``allOf``); items and members do not count.

They are read recursively. With ``oneOf`` in ``oneOf``, which takes most calls for each level, Python's recursion limit
of 1,000 is met at a depth of about 100 (measured once); 60 leaves the rest to the caller.
"""


@dataclass(frozen=True, slots=True)
class _ComplementOf:
    """The values that are not in ``schema``; which these are is computed when the name that has this part is read."""

    schema: Schema


_Part: TypeAlias = Place | _ComplementOf | Schema
"""One of the parts of a name, all of which must hold."""


class _Nesting:
    """The names that are being read, the outermost first; a ``with`` statement leaves the last of them at its end."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def inside(self, name: str) -> _Nesting:
        """Enters ``name``.

        Raises ``CircularError`` where it is being read already, and ``CompileBudgetError`` where too many names are.
        """
        if name in self._names:
            raise CircularError(f"{name} refers to itself with nothing in between")
        if len(self._names) >= _MOST_NESTED:
            raise CompileBudgetError(
                f"schemas apply each other in place over {_MOST_NESTED} deep, at {place_name(name.removeprefix('#'))}"
            )
        self._names.append(name)
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._names.pop()


class Registry:
    """Names the schemas of a document, reads them when asked for, and keeps what was read; implements ``Context``.

    It is not safe for threads: what is being read is noted, to find schemas that are circular.
    """

    def __init__(self, document: Document, options: ReadingOptions) -> None:
        self.document = document
        self.options = options
        self._parts_by_name: dict[str, tuple[_Part, ...]] = {}
        self._views: dict[str, Disjunction] = {}
        self._shapes: dict[str, Disjunction] = {}
        self._nesting = _Nesting()
        self._places: dict[str, Place] = {}
        self._rows: dict[tuple[str, str], ReportRow] = {}

    def child(self, place: Place) -> Schema:
        """The schema at ``place``: a name, or the schema itself where it is simple; mere references are followed.

        Raises ``InvalidSchemaError`` for what is no schema, or a reference that leads nowhere or back to itself, and
        ``UnsupportedSchemaError`` for a reference to a resource that is not supplied, or of an incompatible draft.
        """
        passed = {place}
        while self._is_mere_reference(place):
            self._record_keywords(place)
            place = self.document.resolve(place, place.raw["$ref"])
            if place in passed:
                raise InvalidSchemaError("the reference leads back to itself", place.pointer)
            passed.add(place)
        place = self._without_unknown_keywords(place)
        match place.raw:
            case True:
                return AnyValue()
            case False:
                return Never(f"false at {place.pointer}") if place.pointer else Never()
            case dict() if not place.raw.keys() & SPEAKING:
                self._record_keywords(place)
                return AnyValue()
            case dict() if _is_limited_scalar(place.raw):
                self._record_keywords(place)
                (disjunct,) = read(place, self)
                assert not isinstance(disjunct, Complement), "limits of a scalar need no complement"
                return disjunct
            case dict():
                return self._define(place.name, (place,))
        raise InvalidSchemaError(f"expected a schema, found {place.raw!r}", place.pointer)

    def place_of(self, schema: Schema) -> Place | None:
        """The place that ``schema`` refers to; ``None`` where it is not a reference to a single place."""
        match self._parts_of(schema):
            case (Place() as place,):
                return place
        return None

    def pointer_of(self, name: str) -> str:
        """The JSON pointer of the place that ``name`` stands for; of several, that of the first; of none, ``""``."""
        waiting: list[_Part] = [Reference(name)]
        while waiting:
            match waiting.pop():
                case Place(pointer):
                    return pointer
                case Reference(inner):
                    waiting.extend(reversed(self._parts_by_name.get(inner, ())))
                case Union(options):
                    waiting.extend(reversed(options))
                case _ComplementOf(schema):
                    waiting.append(schema)
        return ""

    def reading(self, place: Place) -> AbstractContextManager[None]:
        """Checks and records the keywords of ``place``, which is noted as being read until the end of the block.

        Raises ``UnsupportedSchemaError``, ``CircularError`` or ``CompileBudgetError``; see ``Context.reading``.
        """
        self._check_keywords(place)
        return self._nesting.inside(place.name)

    def join(self, left: Schema, right: Schema) -> Schema:
        """A schema, in most cases a name, for the values in both."""
        match left, right:
            case (Never(), _) | (_, AnyValue()):
                return left
            case (_, Never()) | (AnyValue(), _):
                return right
            case _ if UNSTATED in (left, right):
                return right if left == UNSTATED else left
        parts = {_name_of(part): part for side in (left, right) for part in self._parts_of(side)}
        for part in parts.values():
            if isinstance(part, _ComplementOf) and str(part.schema).removeprefix("@") in parts:
                return Never(f"{part.schema} and its negation")
        return self._define(" & ".join(sorted(parts)), tuple(parts[name] for name in sorted(parts)))

    def either(self, *schemas: Schema) -> Schema:
        """A schema, in most cases a name, for the values in any of ``schemas``, of which there is at least one."""
        possible = tuple(schema for schema in schemas if not isinstance(schema, Never))
        if len(possible) < 2:
            return possible[0] if possible else schemas[0]
        return self._define(f"({' | '.join(map(str, possible))})", (Union(possible),))

    def negate(self, schema: Schema) -> Schema:
        """A schema, in most cases a name, for the values not in ``schema``."""
        match schema:
            case Never():
                return AnyValue()
            case _ if schema in (AnyValue(), UNSTATED):
                return Never("the negation of anything")
        match self._parts_of(schema):
            case (_ComplementOf(inner),):
                return inner
        return self._define(f"not ({schema})", (_ComplementOf(schema),))

    def view(self, name: str) -> Disjunction:
        """The disjunction of the definition ``name``, in which references stay references.

        Raises ``InvalidSchemaError``, ``UnsupportedSchemaError`` or ``CompileBudgetError`` where it is refused, and
        ``CircularError`` where it is being read already.
        """
        if name not in self._views:
            with self._nesting.inside(name):
                self._views[name] = self._read_definition(name)
        return self._views[name]

    def shape(self, schema: Disjunct) -> Disjunction:
        """The disjunction of ``schema`` without references at its top. Raises what ``view`` raises."""
        match schema:
            case Reference(name) if schema != UNSTATED:
                if name not in self._shapes:
                    view = self.view(name)
                    with self._nesting.inside(name):
                        self._shapes[name] = disjunction(disjunct for part in view for disjunct in self._expand(part))
                return self._shapes[name]
            case Union(options):
                return disjunction(disjunct for option in options for disjunct in self.shape(option))
            case _:
                return ANY if schema == UNSTATED else (schema,)

    def record(self, row: ReportRow) -> None:
        """Adds a row to the report, instead of an earlier one with its path and constraint."""
        self._rows[row.path, row.constraint] = row

    def rows(self) -> list[ReportRow]:
        """The rows for all places read so far; those that were added by ``record`` take precedence."""
        rows = (row for place in self._places.values() for row in rows_of(place, self.document.draft, self.options))
        return list({(row.path, row.constraint): row for row in chain(rows, self._rows.values())}.values())

    def _define(self, name: str, parts: tuple[_Part, ...]) -> Reference:
        """A reference to ``name``, which has these ``parts``."""
        self._parts_by_name.setdefault(name, parts)
        return Reference(name)

    def _parts_of(self, schema: Schema) -> tuple[_Part, ...]:
        """The parts of the name that ``schema`` refers to; itself if it is no reference."""
        return self._parts_by_name[schema.name] if isinstance(schema, Reference) else (schema,)

    def _expand(self, part: Disjunct) -> Disjunction:
        return self.shape(part) if isinstance(part, Reference) else (part,)

    def _read_definition(self, name: str) -> Disjunction:
        parts = self._parts_by_name[name]
        try:
            if len(parts) == 1:
                return self._read_part(parts[0])
            return reduce(lambda left, right: meet(left, right, self), map(self._part_shape, parts), ANY)
        except InexpressibleError as error:
            what = f"the keywords combine to what is not supported: {error}"
            raise UnsupportedSchemaError(what, self.pointer_of(name)) from error

    def _part_shape(self, part: _Part) -> Disjunction:
        """The disjunction of one part of several; a place or a complement is read once, under a name of its own."""
        if isinstance(part, Place | _ComplementOf):
            return self.shape(self._define(_name_of(part), (part,)))
        return self.shape(part)

    def _read_part(self, part: _Part) -> Disjunction:
        match part:
            case Place():
                self._check_keywords(part)
                return read(part, self)
            case _ComplementOf(schema):
                return complement(self.shape(schema), self)
            case _:
                return self.shape(part)

    def _without_unknown_keywords(self, place: Place) -> Place:
        """``place`` without the keywords that its draft does not have, which are recorded as annotations."""
        known = self.document.without_unknown_keywords(place)
        if known is not place:
            for keyword in filterfalse(known.raw.__contains__, place.raw):
                row = ReportRow(place.pointer, keyword, "ignored annotation", "the declared draft does not have it")
                self._rows.setdefault((row.path, row.constraint), row)
        return known

    def _is_mere_reference(self, place: Place) -> bool:
        """Whether ``$ref`` alone decides about values; up to draft 7, keywords beside it mean nothing."""
        if not isinstance(place.raw, dict) or not isinstance(place.raw.get("$ref"), str):
            return False
        return self.document.draft < 2019 or not place.raw.keys() & (SPEAKING - {"$ref", CHECKED})

    def _check_keywords(self, place: Place) -> None:
        """Records the keywords of ``place`` for the report; raises ``UnsupportedSchemaError`` for unsupported ones."""
        if UNSUPPORTED in place.raw:
            raise UnsupportedSchemaError(place.raw[UNSUPPORTED], place.pointer)
        refused = sorted(place.raw.keys() & REFUSED)
        if refused:
            raise UnsupportedSchemaError(f"unsupported keywords: {', '.join(refused)}", place.pointer)
        self._record_keywords(place)

    def _record_keywords(self, place: Place) -> None:
        """Notes the keywords of ``place`` for the report, whose rows are made when it is asked for."""
        self._places[place.pointer] = place


def _is_limited_scalar(raw: dict[str, Any]) -> bool:
    """Whether only a scalar type and its limits decide about values: such a schema needs no name of its own."""
    return isinstance(raw.get("type"), str) and raw["type"] in _SCALARS and raw.keys() & SPEAKING <= _LIMITS


def _name_of(part: _Part) -> str:
    match part:
        case Place():
            return part.name
        case _ComplementOf(schema):
            return f"not ({schema})"
        case _:
            return str(part)
