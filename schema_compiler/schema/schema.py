"""What a schema means once every keyword has been understood: a closed union of eleven cases.

Raw JSON Schema says one thing in many ways (``type`` lists, sibling keywords, ``allOf``, ``$ref`` with
neighbours, booleans). ``normalize`` reduces all of it to the cases below, and ``lower`` needs to know only
these. Values are immutable and print as one line of readable text.

A ``Reference`` names an entry of ``Definitions``; entries are normalised when first asked for, so a schema of
a megabyte costs only what a document reaches.
"""

from __future__ import annotations

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
]

Dialect: TypeAlias = Literal["ecma", "rust", "python"]


@dataclass(frozen=True, slots=True)
class Never:
    """No value at all; ``reason`` says which keywords exclude each other."""

    reason: str = "the schema is false"


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Any JSON value."""


@dataclass(frozen=True, slots=True)
class Null:
    """``null``."""


@dataclass(frozen=True, slots=True)
class Boolean:
    """``true`` or ``false``."""


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


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression the string must (``negated``: must not) match somewhere: search semantics."""

    regex: str
    dialect: Dialect = "ecma"
    negated: bool = False


@dataclass(frozen=True, slots=True)
class String:
    """A string. Lengths count code points; every pattern and every format must hold."""

    min_length: int = 0
    max_length: int | None = None
    patterns: tuple[Pattern, ...] = ()
    formats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Array:
    """``prefix`` item by item, then ``items`` for the rest (``Never``: no more items)."""

    prefix: tuple[Schema, ...] = ()
    items: Schema = AnyValue()
    min_items: int = 0
    max_items: int | None = None


@dataclass(frozen=True, slots=True)
class Property:
    """One declared property."""

    name: str
    schema: Schema
    required: bool


@dataclass(frozen=True, slots=True)
class KeyRule:
    """Undeclared keys whose text is in ``names`` take values of ``schema``."""

    names: String
    schema: Schema


@dataclass(frozen=True, slots=True)
class Object:
    """Declared properties in order; undeclared keys by the ``rules``, whose key languages are disjoint.

    No rules: the object is closed. A declared name is never an undeclared key, whatever a rule's ``names`` say.
    """

    properties: tuple[Property, ...] = ()
    rules: tuple[KeyRule, ...] = ()
    min_properties: int = 0
    max_properties: int | None = None


@dataclass(frozen=True, slots=True)
class Enumeration:
    """One of these JSON values, spelled as the compact canonical JSON of each."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """Any of the options (at least two)."""

    options: tuple[Schema, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """A named definition: the way to recursion."""

    name: str


Schema: TypeAlias = (
    Never
    | AnyValue
    | Null
    | Boolean
    | Number
    | String
    | Array
    | Object
    | Enumeration
    | Union
    | Reference
)


@dataclass(frozen=True, slots=True)
class NormalizedSchema:
    """A whole schema: where to start, and the definitions its references name (computed on first use)."""

    root: Schema
    definitions: Mapping[str, Schema]
