"""Raw JSON Schema to ``NormalizedSchema``: every keyword enforced, checked afterwards, or refused by name.

The stages are the modules of this room: ``document`` finds places, ``keywords`` and ``applicators`` read one,
``intersection`` and ``complement`` combine what they say, ``registry`` names the results, ``inhabited`` finds what
has no value. What remains here is to hand out definitions, when they are first asked for, without anything
impossible in them::

    normalize({"properties": {"a": {"type": "integer"}, "b": false}, "type": "object"}, ...)
    {"a"?: integer}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import RLock
from types import MappingProxyType
from typing import Any, Literal

from schema_compiler.errors import ImpossibleSchemaError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.schema.algebra.disjunction import (
    UNSTATED,
    CircularError,
    Complement,
    Disjunct,
    disjunction,
    is_whole,
)
from schema_compiler.schema.algebra.emptiness import Inhabitants
from schema_compiler.schema.algebra.intersection import canonical_array, canonical_object
from schema_compiler.schema.algebra.obligations import with_item_classes, with_joined_alternatives
from schema_compiler.schema.ir import (
    Alternative,
    AnyValue,
    Array,
    ItemClass,
    KeyRule,
    Never,
    NormalizedSchema,
    Object,
    Property,
    Reference,
    Schema,
    Union,
)
from schema_compiler.schema.normalization.context import ReadingOptions
from schema_compiler.schema.normalization.registry import Registry
from schema_compiler.schema.report import Report, ReportRow
from schema_compiler.schema.source.document import Document

__all__ = ["Normalized", "normalize"]


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalised schema and what became of each keyword."""

    schema: NormalizedSchema
    _definitions: _Definitions

    def report(self) -> Report:
        """Rows for everything the root can reach. Reads all of it, and so finds everything that is refused.

        Raises ``UnsupportedSchemaError``, ``InvalidSchemaError`` or ``CompileBudgetError``.
        """
        return self._definitions.report(self.schema.root)

    def __str__(self) -> str:
        return "\n".join(f"@{name} = {schema}" for name, schema in self._definitions.items()) or str(self.schema.root)


def normalize(
    raw: dict[str, Any] | bool,
    *,
    dialect: Dialect = "ecma",
    additional_properties: Literal["schema", "closed"] = "schema",
    integer_fraction: bool = False,
    resources: Mapping[str, Any] = MappingProxyType({}),
) -> Normalized:
    """The meaning of a JSON Schema (drafts 4 to 2020-12).

    ``dialect`` is that of its patterns. ``additional_properties="closed"`` closes objects that list properties
    and do not say what others may hold. ``integer_fraction`` lets integers be spelled ``1.0``. ``resources``: the
    schemas that remote references may lead to, by their URIs; nothing is fetched.

    Raises ``InvalidSchemaError``, ``UnsupportedSchemaError`` and ``CompileBudgetError`` for what the root needs
    (``Normalized.report`` for the rest), and ``ImpossibleSchemaError`` if nothing satisfies the schema.
    """
    options = ReadingOptions(dialect, additional_properties == "closed", integer_fraction)
    definitions = _Definitions(Document(raw, resources), options)
    return Normalized(NormalizedSchema(definitions.root(), definitions), definitions)


class _Definitions(Mapping[str, Schema]):
    """Definitions by name, each made when first asked for."""

    def __init__(self, document: Document, options: ReadingOptions) -> None:
        self._closed = options.closed
        self._registry = Registry(document, options)
        self._inhabitants = Inhabitants(self._registry)
        self._made: dict[str, Schema] = {}
        self._inside: dict[str, Schema] = {}
        self._start = document.root
        self._lock = RLock()

    def root(self) -> Schema:
        with self._reading(""):
            schema = self._registry.child(self._start)
            if self._inhabitants.include(schema):
                return self._part(schema)
            raise ImpossibleSchemaError(f"no value satisfies the schema: {self._inhabitants.why_not(schema)}")

    def report(self, root: Schema) -> Report:
        for _ in self._reached([root]):
            pass
        return Report(tuple(sorted(self._registry.rows(), key=lambda row: row.path)))

    def __getitem__(self, name: str) -> Schema:
        if name not in self._made:
            with self._reading(name.removeprefix("#")):
                self._made[name] = self._whole(name)
        return self._made[name]

    @contextmanager
    def _reading(self, pointer: str) -> Iterator[None]:
        """Reads in one thread at a time: the registry knows by what it is reading that a schema is circular."""
        with self._lock:
            try:
                yield
            except CircularError as error:
                raise InvalidSchemaError(str(error), pointer) from error

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._reached([self.root()])))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _reached(self, waiting: list[Schema]) -> Iterator[str]:
        found: set[str] = set()
        while waiting:
            schema = waiting.pop()
            if not isinstance(schema, Reference):
                waiting.extend(_children(schema))
            elif schema.name not in found:
                found.add(schema.name)
                yield schema.name
                waiting.append(self[schema.name])

    def _whole(self, name: str) -> Schema:
        """The definition ``name`` with leaves written out, and without impossible parts."""
        options = [self._finished(disjunct) for disjunct in self._registry.view(name)]
        return _union(option for option in options if self._inhabitants.holds(option))

    def _finished(self, disjunct: Disjunct) -> Schema:
        match disjunct:
            case Object():
                return self._finished_object(disjunct)
            case Array():
                return self._finished_array(disjunct)
            case Reference():
                return self._part(disjunct)
            case Complement():
                raise UnsupportedSchemaError(f"this negation is not supported: {disjunct}")
            case _:
                return disjunct

    def _finished_array(self, array: Array) -> Array | Never:
        if array.unique and (array.prefix or array.contains):
            why = "the grammar does not compare items that are counted, or not all alike"
            self._registry.record(ReportRow("", "uniqueItems", "checked afterwards", why))
        if array.contains:
            array = with_item_classes(array, self._registry)
        prefix = tuple(map(self._part, array.prefix))
        contains = tuple(
            replace(one, prefix=tuple(map(self._part, one.prefix)), items=self._part(one.items))
            for one in array.contains
        )
        item_classes = tuple(tuple(self._finished_item_classes(place)) for place in array.item_classes)
        items = self._part(array.items)
        return canonical_array(replace(array, prefix=prefix, items=items, contains=contains, item_classes=item_classes))

    def _finished_item_classes(self, item_classes: tuple[ItemClass, ...]) -> Iterator[ItemClass]:
        possible = (item_class for item_class in item_classes if self._inhabitants.include(item_class.schema))
        return (replace(item_class, schema=self._part(item_class.schema)) for item_class in possible)

    def _finished_object(self, made: Object) -> Object | Never:
        properties = (Property(item.name, self._part(item.schema), item.required) for item in made.properties)
        rules = (KeyRule(rule.names, self._part(rule.schema)) for rule in made.rules if not self._is_closed(rule))
        alternatives = tuple(self._finished_alternatives(made)) if made.alternatives else ()
        if made.obligations - frozenset().union(*(alternative.obligations for alternative in alternatives)):
            return Never("it cannot be told from what it must not be")
        return canonical_object(
            replace(made, properties=tuple(properties), rules=tuple(rules), alternatives=alternatives)
        )

    def _finished_alternatives(self, made: Object) -> Iterator[Alternative]:
        for alternative in with_joined_alternatives(made, self._registry).alternatives:
            if alternative.schema is None:
                yield alternative
            elif self._inhabitants.include(alternative.schema):
                yield replace(alternative, schema=self._part(alternative.schema))

    def _is_closed(self, rule: KeyRule) -> bool:
        return self._closed and rule.schema == UNSTATED

    def _part(self, schema: Schema) -> Schema:
        """``schema`` where it stands inside another: leaves written out, all else by name."""
        if not isinstance(schema, Reference):
            return self._finished(schema) if self._inhabitants.include(schema) else self._never(schema)
        if schema.name not in self._inside:
            self._inside[schema.name] = self._named_part(schema)
        return self._inside[schema.name]

    def _named_part(self, schema: Reference) -> Schema:
        if schema == UNSTATED:
            return AnyValue()
        if not self._inhabitants.include(schema):
            return self._never(schema)
        shape = [disjunct for disjunct in self._registry.shape(schema) if self._inhabitants.holds(disjunct)]
        if all(is_whole(disjunct) or not isinstance(disjunct, Array | Object | Complement) for disjunct in shape):
            return _union(map(self._finished, shape))
        match self._registry.view(schema.name):
            case (Reference() as target,):
                return self._part(target)
        return schema

    def _never(self, schema: Schema) -> Never:
        return Never(self._inhabitants.why_not(schema))


def _union(options: Iterable[Schema]) -> Schema:
    flat = (inner for option in options for inner in (option.options if isinstance(option, Union) else (option,)))
    kept = tuple(disjunct for disjunct in disjunction(flat) if not isinstance(disjunct, Complement))
    return kept[0] if len(kept) == 1 else Union(kept)


def _children(schema: Schema) -> list[Schema]:
    match schema:
        case Union(options):
            return list(options)
        case Array(prefix, items, item_classes=item_classes):
            return [*prefix, items, *(item_class.schema for place in item_classes for item_class in place)]
        case Object(properties, rules, alternatives=alternatives):
            inside = [alternative.schema for alternative in alternatives if alternative.schema is not None]
            return [*(item.schema for item in properties), *(rule.schema for rule in rules), *inside]
        case _:
            return []
