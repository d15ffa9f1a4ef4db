"""What a schema means once every keyword has been understood: a closed union of eleven cases.

Raw JSON Schema says one thing in many ways (``type`` lists, sibling keywords, ``allOf``, ``$ref`` with
neighbours, booleans). ``normalize`` reduces all of it to the cases below, and ``lower`` needs to know only
these. Values are immutable and print as one line of readable text::

    {"id": integer in [1, inf), "tags"?: [string{1,}*]{,5}, /^x-/: any} | null


A ``Reference`` names an entry of ``Definitions``; entries are normalised when first asked for, so a schema of
a megabyte costs only what a document reaches.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

__all__ = [
    "AnyValue",
    "Array",
    "Boolean",
    "Dialect",
    "Enumeration",
    "KeyRule",
    "Never",
    "NormalizedSchema",
    "Null",
    "Number",
    "Object",
    "Pattern",
    "Property",
    "Reference",
    "Schema",
    "String",
    "Union",
    "finite_values",
]

Dialect: TypeAlias = Literal["ecma", "rust", "python"]


@dataclass(frozen=True, slots=True)
class Never:
    """No value at all; ``reason`` says which keywords exclude each other."""

    reason: str = "the schema is false"

    def __str__(self) -> str:
        return "never"


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Any JSON value."""

    def __str__(self) -> str:
        return "any"


@dataclass(frozen=True, slots=True)
class Null:
    """``null``."""

    def __str__(self) -> str:
        return "null"


@dataclass(frozen=True, slots=True)
class Boolean:
    """``true`` or ``false``."""

    def __str__(self) -> str:
        return "boolean"


@dataclass(frozen=True, slots=True)
class Number:
    """A number, bounds exact at any size.

    ``integer`` restricts to whole numbers; ``fraction`` then still admits the spelling ``1.0``, which JSON
    Schema (not Pydantic's output) calls an integer. ``max_digits`` and ``decimal_places`` are those of
    Pydantic's ``Decimal``. ``quoted``: the number stands between quotes, as Pydantic writes a ``Decimal``.
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
        return " ".join(words)

    def _interval(self) -> str:
        left = "(-inf" if self.minimum is None else f"{'(' if self.exclusive_minimum else '['}{self.minimum}"
        right = "inf)" if self.maximum is None else f"{self.maximum}{')' if self.exclusive_maximum else ']'}"
        return f"{left}, {right}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression the string must (``negated``: must not) match somewhere: search semantics."""

    regex: str
    dialect: Dialect = "ecma"
    negated: bool = False

    def __str__(self) -> str:
        flavour = "" if self.dialect == "ecma" else self.dialect
        return f"{'!' if self.negated else ''}/{self.regex}/{flavour}"


@dataclass(frozen=True, slots=True)
class String:
    """A string. Lengths count code points; every pattern and every format must hold."""

    min_length: int = 0
    max_length: int | None = None
    patterns: tuple[Pattern, ...] = ()
    formats: tuple[str, ...] = ()

    def __str__(self) -> str:
        size = _size(self.min_length, self.max_length)
        details = [*map(str, self.patterns), *(f"<{name}>" for name in self.formats)]
        return " ".join([f"string{size}", *details])


@dataclass(frozen=True, slots=True)
class Array:
    """``prefix`` item by item, then ``items`` for the rest (``Never``: no more items).

    ``unique``: no two items are equal. The grammar sees to it where the items are finitely many, see
    ``finite_values``; elsewhere it is checked afterwards.
    """

    prefix: tuple[Schema, ...] = ()
    items: Schema = AnyValue()
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False

    def __str__(self) -> str:
        rest = [] if isinstance(self.items, Never) else [f"{_nested(self.items)}*"]
        inner = ", ".join([*map(str, self.prefix), *rest])
        return f"{'unique ' if self.unique else ''}[{inner}]{_size(self.min_items, self.max_items)}"


@dataclass(frozen=True, slots=True)
class Property:
    """One declared property.

    ``Never`` as the schema (never of a required one): the name is forbidden, although a rule would admit it.
    """

    name: str
    schema: Schema
    required: bool

    def __str__(self) -> str:
        return f"{json.dumps(self.name, ensure_ascii=False)}{'' if self.required else '?'}: {self.schema}"


@dataclass(frozen=True, slots=True)
class KeyRule:
    """Undeclared keys whose text is in ``names`` take values of ``schema``.

    A ``Number`` in ``names`` is ``quoted``: the keys are numbers, as in ``dict[int, str]``.
    """

    names: String | Number
    schema: Schema

    def __str__(self) -> str:
        return f"{self.names}: {self.schema}"


@dataclass(frozen=True, slots=True)
class Object:
    """Declared properties in order; undeclared keys by the ``rules``, whose key languages are disjoint.

    No rules: the object is closed. A declared name is never an undeclared key, whatever a rule's ``names`` say.
    """

    properties: tuple[Property, ...] = ()
    rules: tuple[KeyRule, ...] = ()
    min_properties: int = 0
    max_properties: int | None = None

    def __str__(self) -> str:
        inner = ", ".join([*map(str, self.properties), *map(str, self.rules)])
        return f"{{{inner}}}{_size(self.min_properties, self.max_properties)}"


@dataclass(frozen=True, slots=True)
class Enumeration:
    """One of these JSON values, spelled as the compact canonical JSON of each."""

    values: tuple[Any, ...]

    def __str__(self) -> str:
        return f"one of {json.dumps(self.values, ensure_ascii=False, default=str)}"


@dataclass(frozen=True, slots=True)
class Union:
    """Any of the options (at least two)."""

    options: tuple[Schema, ...]

    def __str__(self) -> str:
        return " | ".join(map(_nested, self.options))


@dataclass(frozen=True, slots=True)
class Reference:
    """A named definition: the way to recursion."""

    name: str

    def __str__(self) -> str:
        return f"@{self.name}"


Schema: TypeAlias = (
    Never | AnyValue | Null | Boolean | Number | String | Array | Object | Enumeration | Union | Reference
)


@dataclass(frozen=True, slots=True)
class NormalizedSchema:
    """A whole schema: where to start, and the definitions its references name (computed on first use)."""

    root: Schema
    definitions: Mapping[str, Schema]


def finite_values(schema: Schema) -> tuple[Any, ...] | None:
    """The values of ``schema``, where they are few and written out in it; ``None`` elsewhere."""
    match schema:
        case Null():
            return (None,)
        case Boolean():
            return (True, False)
        case Enumeration(values) if len(values) <= _MANY:
            return values
        case Union(options):
            parts = [finite_values(option) for option in options]
            return None if None in parts else tuple(value for part in parts for value in part or ())
        case _:
            return None


_MANY = 256
"""Sets of values up to this size are told apart one by one."""


def _size(minimum: int, maximum: int | None) -> str:
    if not minimum and maximum is None:
        return ""
    return f"{{{minimum},{'' if maximum is None else maximum}}}"


def _nested(schema: Schema) -> str:
    return f"({schema})" if isinstance(schema, Union) else str(schema)
