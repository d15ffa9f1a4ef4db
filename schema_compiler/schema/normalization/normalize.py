"""Raw JSON Schema to ``NormalizedSchema``: every keyword enforced, checked afterwards, or refused by name.

``Document`` finds the places of a schema, and the ``Registry`` names them. To read a place, it calls ``applicators``,
which calls ``unevaluated`` and ``keywords``, which calls ``numbers``, ``strings``, ``arrays`` and ``objects``. For each
name it has a disjunction, in which inner schemas are names again, possible or not.

This module makes definitions of the disjunctions, each when it is first asked for: simple inner schemas are written
out, and what no value satisfies is left out, since a document that got there could not be finished::

    {"properties": {"a": {"type": "integer"}, "b": false}, "type": "object"}, with additional_properties="closed"
    {"a"?: integer}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import RLock
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from schema_compiler.errors import ImpossibleSchemaError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.schema.algebra.canonical import canonical_array, canonical_object
from schema_compiler.schema.algebra.disjunction import (
    UNSTATED,
    CircularError,
    Complement,
    Disjunction,
    disjunction,
    is_whole,
)
from schema_compiler.schema.algebra.emptiness import Inhabitants
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
    Piece,
    Property,
    Reference,
    Schema,
    Union,
    children,
)
from schema_compiler.schema.normalization.context import GrammarCheck, ReadingOptions
from schema_compiler.schema.normalization.registry import Registry
from schema_compiler.schema.report import Report, ReportRow
from schema_compiler.schema.source.document import Document

__all__ = ["AdditionalProperties", "Normalized", "normalize"]

AdditionalProperties: TypeAlias = Literal["schema", "closed"]
"""Whether objects that do not say what other properties may hold are open, as the standard has them, or closed."""


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalised schema, and the report of what became of its keywords.

    ``str`` gives one line for each definition that the root can reach, and reads all of them.
    """

    schema: NormalizedSchema
    _definitions: _Definitions

    def report(self) -> Report:
        """The report of everything that the root can reach. All of it is read, so whatever is refused is found.

        Raises ``UnsupportedSchemaError``, ``InvalidSchemaError`` or ``CompileBudgetError``.
        """
        return self._definitions.report(self.schema.root)

    def __str__(self) -> str:
        return "\n".join(f"@{name} = {schema}" for name, schema in self._definitions.items()) or str(self.schema.root)


def normalize(
    raw: dict[str, Any] | bool,
    *,
    dialect: Dialect = "ecma",
    additional_properties: AdditionalProperties = "schema",
    integer_fraction: bool = False,
    resources: Mapping[str, Any] = MappingProxyType({}),
    check_grammar: GrammarCheck | None = None,
) -> Normalized:
    """The meaning of a JSON Schema (drafts 4 to 2020-12).

    ``dialect`` is that of its patterns. ``additional_properties="closed"`` closes objects that list properties
    and do not say what others may hold. ``integer_fraction`` lets integers be spelled ``1.0``. ``resources``: the
    schemas that remote references may lead to, by their URIs; nothing is fetched. ``check_grammar`` is called with the
    text and the start rule of each grammar beside a string; it gives notes for the report, and raises ``GrammarError``
    for a grammar that cannot be used. Without it, grammars are refused by name, with ``UnsupportedSchemaError``.

    Raises ``InvalidSchemaError``, ``UnsupportedSchemaError`` and ``CompileBudgetError`` for what the root needs
    (``Normalized.report``, and the definitions, for the rest), and ``ImpossibleSchemaError`` if nothing satisfies the
    schema.
    """
    options = ReadingOptions(dialect, additional_properties == "closed", integer_fraction, check_grammar)
    definitions = _Definitions(Document(raw, resources), options)
    return Normalized(NormalizedSchema(definitions.root(), definitions), definitions)


class _Definitions(Mapping[str, Schema]):
    """The definitions of ``document`` by name, each computed when it is first asked for."""

    def __init__(self, document: Document, options: ReadingOptions) -> None:
        self._closed = options.closed
        self._registry = Registry(document, options)
        self._inhabitants = Inhabitants(self._registry)
        self._schemas: dict[str, Schema] = {}
        self._inlined: dict[str, Schema] = {}
        self._start = document.root
        self._lock = RLock()

    def root(self) -> Schema:
        """The schema of the whole document. Raises ``ImpossibleSchemaError`` where no value satisfies it."""
        with self._exclusively(self._start.name):
            schema = self._registry.child(self._start)
            if self._inhabitants.include(schema):
                return self._inline(schema)
            raise ImpossibleSchemaError(f"no value satisfies the schema: {self._inhabitants.why_not(schema)}")

    def report(self, root: Schema) -> Report:
        """The report of all that ``root`` can reach, after reading it."""
        for _ in self._reachable_names(root):
            pass
        return Report(tuple(sorted(self._registry.rows(), key=lambda row: row.path)))

    def __getitem__(self, name: str) -> Schema:
        if name not in self._schemas:
            with self._exclusively(name):
                self._schemas[name] = self._definition(name)
        return self._schemas[name]

    @contextmanager
    def _exclusively(self, name: str) -> Iterator[None]:
        """Lets one thread at a time read ``name``; where it is circular, raises ``InvalidSchemaError``.

        The registry finds circular schemas by the names that it is reading, which must not be those of two threads.
        """
        with self._lock:
            try:
                yield
            except CircularError as error:
                raise InvalidSchemaError(str(error), self._registry.pointer_of(name)) from error

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._reachable_names(self.root())))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _reachable_names(self, root: Schema) -> Iterator[str]:
        """The names of all definitions that ``root`` refers to, directly or through others."""
        names: set[str] = set()
        waiting = [root]
        while waiting:
            schema = waiting.pop()
            if not isinstance(schema, Reference):
                waiting.extend(children(schema))
            elif schema.name not in names:
                names.add(schema.name)
                yield schema.name
                waiting.append(self[schema.name])

    def _definition(self, name: str) -> Schema:
        """The definition ``name``: inner schemas written out or by name, and nothing impossible left in it."""
        options = [self._finish(disjunct) for disjunct in self._disjuncts_of(name)]
        return _union(option for option in options if self._inhabitants.holds(option))

    def _disjuncts_of(self, name: str) -> Iterator[Schema]:
        """The disjuncts of ``name``; the report says which of them the grammar enforces in part.

        Raises ``UnsupportedSchemaError`` for the complements that no schema describes.
        """
        for disjunct in self._registry.view(name):
            if isinstance(disjunct, Complement):
                what = f"this negation is not supported: {disjunct}"
                raise UnsupportedSchemaError(what, self._registry.pointer_of(name))
            if isinstance(disjunct, Array) and disjunct.unique and (disjunct.prefix or disjunct.contains):
                why = "the grammar does not compare items that are counted, or not all alike"
                row = ReportRow(self._registry.pointer_of(name), "uniqueItems", "checked afterwards", why)
                self._registry.record(row)
            if isinstance(disjunct, Array):
                self._refuse_unique_pieces_among_others(disjunct, name)
            yield disjunct

    def _refuse_unique_pieces_among_others(self, array: Array, name: str) -> None:
        """Raises ``UnsupportedSchemaError`` where pieces are to differ in a list that holds other items, too."""
        parts = [part for schema in (*array.prefix, array.items) for part in self._item_shape(schema)]
        is_alike = len(parts) == 1 and not array.prefix and not array.contains
        if not is_alike and any(isinstance(part, Piece) and any(one.unique for one in part.readings) for part in parts):
            what = "unique pieces are supported as the only items of a list, all alike and not counted"
            raise UnsupportedSchemaError(what, self._registry.pointer_of(name))

    def _item_shape(self, schema: Schema) -> Disjunction:
        try:
            return self._registry.shape(schema)
        except CircularError:
            return ()

    def _finish(self, schema: Schema) -> Schema:
        """``schema`` with its inner schemas written out or by name, and without what is impossible inside it."""
        match schema:
            case Object():
                return self._finish_object(schema)
            case Array():
                return self._finish_array(schema)
            case Reference():
                return self._inline(schema)
            case _:
                return schema

    def _finish_array(self, array: Array) -> Array | Never:
        if array.contains:
            array = with_item_classes(array, self._registry)
        prefix = tuple(map(self._inline, array.prefix))
        contains = tuple(
            replace(one, prefix=tuple(map(self._inline, one.prefix)), items=self._inline(one.items))
            for one in array.contains
        )
        item_classes = tuple(map(self._possible_item_classes, array.item_classes))
        items = self._inline(array.items)
        return canonical_array(replace(array, prefix=prefix, items=items, contains=contains, item_classes=item_classes))

    def _possible_item_classes(self, item_classes: tuple[ItemClass, ...]) -> tuple[ItemClass, ...]:
        possible = (one for one in item_classes if self._inhabitants.include(one.schema))
        return tuple(replace(one, schema=self._inline(one.schema)) for one in possible)

    def _finish_object(self, schema: Object) -> Object | Never:
        alternatives = tuple(self._possible_alternatives(schema)) if schema.alternatives else ()
        if schema.obligations - frozenset().union(*(one.obligations for one in alternatives)):
            return Never("every object that it admits is one that it excludes")
        properties = tuple(Property(item.name, self._inline(item.schema), item.required) for item in schema.properties)
        rules = tuple(
            KeyRule(rule.names, self._inline(rule.schema)) for rule in schema.rules if not self._is_to_close(rule)
        )
        return canonical_object(replace(schema, properties=properties, rules=rules, alternatives=alternatives))

    def _possible_alternatives(self, schema: Object) -> Iterator[Alternative]:
        for alternative in with_joined_alternatives(schema, self._registry).alternatives:
            if alternative.schema is None:
                yield alternative
            elif self._inhabitants.include(alternative.schema):
                yield replace(alternative, schema=self._inline(alternative.schema))

    def _is_to_close(self, rule: KeyRule) -> bool:
        """Whether ``rule`` only stands for undeclared keys that no keyword mentions, and objects are to be closed."""
        return self._closed and rule.schema == UNSTATED

    def _inline(self, schema: Schema) -> Schema:
        """``schema`` as it is written inside another: ``Never`` if impossible, arrays and objects by name."""
        if not isinstance(schema, Reference):
            return self._finish(schema) if self._inhabitants.include(schema) else self._never(schema)
        if schema.name not in self._inlined:
            self._inlined[schema.name] = self._inline_reference(schema)
        return self._inlined[schema.name]

    def _inline_reference(self, schema: Reference) -> Schema:
        """What is written instead of ``schema``: all of it where it is flat, else the last name of a chain of names."""
        if schema == UNSTATED:
            return AnyValue()
        if not self._inhabitants.include(schema):
            return self._never(schema)
        shape = [disjunct for disjunct in self._registry.shape(schema) if self._inhabitants.holds(disjunct)]
        flat = [one for one in shape if not isinstance(one, Complement) and (is_whole(one) or not _has_parts(one))]
        if len(flat) == len(shape):
            return _union(map(self._finish, flat))
        match self._registry.view(schema.name):
            case (Reference() as target,):
                return self._inline(target)
        return schema

    def _never(self, schema: Schema) -> Never:
        return Never(self._inhabitants.why_not(schema))


def _has_parts(schema: Schema) -> bool:
    return isinstance(schema, Array | Object)


def _union(options: Iterable[Schema]) -> Schema:
    """The union of ``options``, those of inner unions among them; a single option as it is."""
    flat = (inner for option in options for inner in (option.options if isinstance(option, Union) else (option,)))
    disjuncts = tuple(disjunct for disjunct in disjunction(flat) if not isinstance(disjunct, Complement))
    return disjuncts[0] if len(disjuncts) == 1 else Union(disjuncts)
