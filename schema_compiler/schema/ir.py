"""What a schema means once every keyword has been understood: ``Schema``, a closed union of thirteen cases.

Raw JSON Schema can say one thing in many ways (``type`` lists, keywords side by side, ``allOf``, ``$ref`` with
neighbours, booleans). ``normalize`` reduces all of them to the cases below, and ``lower`` needs to know only
these. Values are immutable and print as one line of readable text::

    {"id": integer in [1, inf), "tags"?: [string{1,}*]{0,5}, string /^x-/: any} | null

This is an object or null: ``id`` is required, ``tags`` is optional and has up to five non-empty strings, and keys that
match ``^x-`` may hold anything; there are no other keys. Numbers in braces are the least and the most that is allowed
of what stands before them: characters, items or members.

A ``Reference`` names an entry of ``NormalizedSchema.definitions``. Entries are normalised when first asked for, so a
schema of a megabyte costs only what a document reaches.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from mypy_extensions import mypyc_attr

from schema_compiler.regular.regex.dialect import Pattern

__all__ = [
    "ANY_STRING",
    "OPEN_RULES",
    "Alternative",
    "AnyValue",
    "Array",
    "Boolean",
    "Contains",
    "Enumeration",
    "ItemClass",
    "KeyRule",
    "Never",
    "NormalizedSchema",
    "Null",
    "Number",
    "Object",
    "Piece",
    "Property",
    "Reading",
    "ReadingKind",
    "Reference",
    "Schema",
    "Sentence",
    "String",
    "Union",
    "Within",
    "children",
]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Never:
    """No value at all; ``reason`` says which keywords exclude each other."""

    reason: str = "the schema is false"

    def __str__(self) -> str:
        return "never"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class AnyValue:
    """Any JSON value."""

    def __str__(self) -> str:
        return "any"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Null:
    """``null``."""

    def __str__(self) -> str:
        return "null"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Boolean:
    """``true`` or ``false``."""

    def __str__(self) -> str:
        return "boolean"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Number:
    """A number; its bounds are exact at any size.

    ``integer`` restricts it to whole numbers; ``fraction`` then still admits the spelling ``1.0``, which JSON
    Schema (not Pydantic's output) calls an integer. ``max_digits`` and ``decimal_places`` are those of
    Pydantic's ``Decimal``. ``quoted``: the number stands between quotes, as Pydantic writes a ``Decimal``.
    A number that is in one of the ``excluded`` is not in this one.
    """

    integer: bool = False
    fraction: bool = False
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    exclusive_minimum: bool = False
    exclusive_maximum: bool = False
    multiple_of: Decimal | None = None
    max_digits: int | None = None
    decimal_places: int | None = None
    quoted: bool = False
    excluded: tuple[Number, ...] = ()

    def __str__(self) -> str:
        words = ["quoted"] if self.quoted else []
        words.append(("integer.0" if self.fraction else "integer") if self.integer else "number")
        if self.minimum is not None or self.maximum is not None:
            words.append("in " + self._interval())
        if self.multiple_of is not None:
            words.append(f"step {self.multiple_of}")
        if self.max_digits is not None:
            words.append(f"digits {self.max_digits}")
        if self.decimal_places is not None:
            words.append(f"places {self.decimal_places}")
        words.extend(f"!({number})" for number in self.excluded)
        return " ".join(words)

    def _interval(self) -> str:
        left = "(-inf" if self.minimum is None else f"{'(' if self.exclusive_minimum else '['}{self.minimum}"
        right = "inf)" if self.maximum is None else f"{self.maximum}{')' if self.exclusive_maximum else ']'}"
        return f"{left}, {right}"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class String:
    """A string with ``min_length`` to ``max_length`` code points.

    Every one of ``patterns`` and ``formats`` must hold, and none of the formats in ``excluded`` may.
    """

    min_length: int = 0
    max_length: int | None = None
    patterns: tuple[Pattern, ...] = ()
    formats: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    def __str__(self) -> str:
        size = _size(self.min_length, self.max_length)
        formats = [*(f"<{name}>" for name in self.formats), *(f"!<{name}>" for name in self.excluded)]
        return " ".join([f"string{size}", *map(str, self.patterns), *formats])


ANY_STRING = String()
"""The schema of all strings."""


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Sentence:
    """A string whose text the rule ``start`` of a grammar in Lark's notation derives."""

    grammar: str
    start: str

    def __str__(self) -> str:
        return f"sentence {self.start} of {self.grammar!r}"


Within: TypeAlias = Literal["word", "line", "lines", "sentence", "anywhere"]
"""Where a piece of a document may begin and end; see ``grounding.boundaries``."""

ReadingKind: TypeAlias = Literal["text", "date", "datetime", "number", "choice"]
"""How a value is read from a piece: it is the piece, or what one of the spellings of its kind says."""


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Reading:
    """How values are read from pieces of a document.

    A piece has at least ``min_chars`` characters. ``day_first``: how a date such as 01/02/2024 is read (``None``: both
    ways). ``unique``: no two items of the list around the value are equal.
    """

    kind: ReadingKind = "text"
    within: Within = "word"
    min_chars: int = 1
    unique: bool = False
    day_first: bool | None = None

    def __str__(self) -> str:
        limits = [f"{self.min_chars},"] if self.min_chars > 1 else []
        words = ["unique"] * self.unique + ([] if self.day_first is None else [f"day_first={self.day_first}"])
        return " ".join([f"{self.kind} within {self.within}", *limits, *words])


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Piece:
    """The values of ``base`` that are read from a piece of the document, which each request brings along.

    There is a piece from which all of ``readings``, at least one, read the value. ``base`` is a ``String``, a
    ``Sentence``, a ``Number``, or an ``Enumeration`` of strings or of numbers.
    """

    base: Schema
    readings: tuple[Reading, ...]

    def __str__(self) -> str:
        return f"piece ({self.base}; {', '.join(map(str, self.readings))})"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Contains:
    """``minimum`` to ``maximum`` items of an array (``None``: any number) satisfy the schema for their index.

    ``prefix`` has the schemas for the first indexes, ``items`` is the one for all others.
    """

    prefix: tuple[Schema, ...] = ()
    items: Schema = AnyValue()
    minimum: int = 1
    maximum: int | None = None

    def __str__(self) -> str:
        prefix = "".join(f"{schema}, " for schema in self.prefix)
        return f"has{_size(self.minimum, self.maximum)} ({prefix}{self.items})"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class ItemClass:
    """The items that count for some of an array's ``contains``: those whose indexes are in ``counts``.

    ``schema`` is what such an item must satisfy: the array's own schema for it, and those of all that it counts for.
    Where a ``Contains`` that it does not count for has a maximum, the item must not satisfy that one.
    """

    schema: Schema
    counts: frozenset[int]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Array:
    """An array: ``prefix`` has the schemas of its first items, ``items`` is that of all others (``Never``: no others).

    ``unique``: no two items are equal. The grammar sees to it where the items are few values (see
    ``values.single_values``), or strings of a language that always goes on (see ``languages.are_told_apart``);
    elsewhere it is checked afterwards. Each of ``contains`` must hold. To count for them, ``item_classes`` has, for
    each index, the classes that the item there may be of (the last entry is for all indexes from there on)::

        [integer*]{1,} has{1,2} (number in [5, inf))
        item_classes: ((integer in (-inf, 4], counts nothing), (integer in [5, inf), counts 0))

    ``normalize`` fills them in where there are ``contains``; elsewhere they are empty.
    """

    prefix: tuple[Schema, ...] = ()
    items: Schema = AnyValue()
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    contains: tuple[Contains, ...] = ()
    item_classes: tuple[tuple[ItemClass, ...], ...] = ()

    @property
    def has_distinct_pieces(self) -> bool:
        """Whether all items are pieces of a document of one kind, no two of them equal; the grammar sees to that."""
        if not isinstance(self.items, Piece) or self.prefix or self.contains:
            return False
        return self.unique or any(reading.unique for reading in self.items.readings)

    def __str__(self) -> str:
        rest = [] if isinstance(self.items, Never) else [f"{_nested(self.items)}*"]
        inner = ", ".join([*map(str, self.prefix), *rest])
        size = _size(self.min_items, self.max_items)
        return " ".join([f"{'unique ' if self.unique else ''}[{inner}]{size}", *map(str, self.contains)])


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Property:
    """One declared property.

    The schema ``Never``, which no required property has, says that the name is forbidden although a rule may admit it.
    """

    name: str
    schema: Schema
    required: bool

    def __str__(self) -> str:
        return f"{json.dumps(self.name, ensure_ascii=False)}{'' if self.required else '?'}: {self.schema}"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class KeyRule:
    """The values of undeclared keys in ``names`` are in ``schema``.

    A ``Number`` in ``names`` is ``quoted``: the keys are numbers, as in ``dict[int, str]``.
    """

    names: String | Number
    schema: Schema

    def __str__(self) -> str:
        return f"{self.names}: {self.schema}"


OPEN_RULES = (KeyRule(ANY_STRING, AnyValue()),)
"""The rules of an object to which any member may be added."""


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Alternative:
    """One member that meets some of an object's ``obligations``, which are numbers; see ``Object``.

    ``names``: the name of a declared property, or the keys of an undeclared member. The obligations are met by such a
    member with a value in ``schema``; where ``schema`` is ``None``, by the absence of that declared property.
    """

    obligations: frozenset[int]
    names: str | String | Number
    schema: Schema | None

    def __str__(self) -> str:
        name = json.dumps(self.names, ensure_ascii=False) if isinstance(self.names, str) else self.names
        value = "absent" if self.schema is None else self.schema
        return f"{name}: {value} ({', '.join(map(str, sorted(self.obligations)))})"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Object:
    """An object: declared ``properties``, and undeclared keys by the ``rules``, whose ``names`` are disjoint.

    The properties come in this order. An object without rules is closed. A declared name is never an undeclared key,
    whatever ``names`` of a rule admits it.

    What an object must *not* be becomes an obligation: at least one member has to differ. Obligations are numbered,
    ``alternatives`` lists the members that meet them, and each obligation that is mentioned must be met by one of
    those. ``{"not": {"properties": {"a": {"type": "integer"}}, "required": ["b"]}}`` is one obligation, 0::

        {"a"?: integer | null, "b"?: any} with "b": absent (0) or "a": null (0)
    """

    properties: tuple[Property, ...] = ()
    rules: tuple[KeyRule, ...] = ()
    min_properties: int = 0
    max_properties: int | None = None
    alternatives: tuple[Alternative, ...] = ()

    @property
    def is_limited(self) -> bool:
        """Whether members are admitted together, not one by one: their number has bounds, or there are obligations."""
        return bool(self.alternatives) or self.min_properties > 0 or self.max_properties is not None

    @property
    def obligations(self) -> frozenset[int]:
        """The numbers of the obligations that must be met."""
        return frozenset().union(*(alternative.obligations for alternative in self.alternatives))

    def __str__(self) -> str:
        inner = ", ".join([*map(str, self.properties), *map(str, self.rules)])
        alternatives = f" with {' or '.join(map(str, self.alternatives))}" if self.alternatives else ""
        return f"{{{inner}}}{_size(self.min_properties, self.max_properties)}{alternatives}"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Enumeration:
    """One of these JSON values, each in the spelling that ``json.dumps`` gives it and in no other.

    ``fraction``: a whole number in them may also be spelled ``1.0``.
    """

    values: tuple[Any, ...]
    fraction: bool = False

    def __str__(self) -> str:
        return f"one of {json.dumps(self.values, ensure_ascii=False, default=str)}"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Union:
    """The values of all ``options``, of which there are at least two."""

    options: tuple[Schema, ...]

    def __str__(self) -> str:
        return " | ".join(map(_nested, self.options))


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Reference:
    """The definition ``name`` of the ``NormalizedSchema``, which may in turn refer to itself."""

    name: str

    def __str__(self) -> str:
        return f"@{self.name}"


Schema: TypeAlias = (
    Never
    | AnyValue
    | Null
    | Boolean
    | Number
    | String
    | Sentence
    | Piece
    | Array
    | Object
    | Enumeration
    | Union
    | Reference
)
"""A set of JSON values."""


def children(schema: Schema) -> list[Schema]:
    """The schemas directly inside ``schema`` that a value may be written by."""
    match schema:
        case Union(options):
            return list(options)
        case Array(prefix, items, item_classes=item_classes):
            return [*prefix, items, *(item_class.schema for classes in item_classes for item_class in classes)]
        case Object(properties, rules, alternatives=alternatives):
            required = [one.schema for one in alternatives if one.schema is not None]
            return [*(item.schema for item in properties), *(rule.schema for rule in rules), *required]
        case _:
            return []


@dataclass(frozen=True, slots=True)
class NormalizedSchema:
    """A whole schema: ``root``, the schema of a document, and the ``definitions`` that references name.

    A definition is computed when it is first asked for; ``definitions[name]`` then raises ``InvalidSchemaError``,
    ``UnsupportedSchemaError`` or ``CompileBudgetError`` where its part of the raw schema is refused.
    """

    root: Schema
    definitions: Mapping[str, Schema]


def _size(minimum: int, maximum: int | None) -> str:
    if not minimum and maximum is None:
        return ""
    return f"{{{minimum},{'' if maximum is None else maximum}}}"


def _nested(schema: Schema) -> str:
    return f"({schema})" if isinstance(schema, Union) else str(schema)
