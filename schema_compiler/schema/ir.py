"""What a schema means once every keyword has been understood: a closed union of twelve cases.

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
from typing import Any, TypeAlias

from mypy_extensions import mypyc_attr

from schema_compiler.regular.regex.dialect import Pattern

__all__ = [
    "ANY_STRING",
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
    "Property",
    "Reference",
    "Schema",
    "Sentence",
    "String",
    "Union",
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
    """A number, bounds exact at any size.

    ``integer`` restricts to whole numbers; ``fraction`` then still admits the spelling ``1.0``, which JSON
    Schema (not Pydantic's output) calls an integer. ``max_digits`` and ``decimal_places`` are those of
    Pydantic's ``Decimal``. ``quoted``: the number stands between quotes, as Pydantic writes a ``Decimal``.
    No value of any of the ``excluded`` is one of these numbers.
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
    """A string. Lengths count code points; every pattern and format must hold, and none of the ``excluded`` formats."""

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
"""Every string."""


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Sentence:
    """A string whose text the rule ``start`` of a grammar in Lark's notation derives."""

    grammar: str
    start: str

    def __str__(self) -> str:
        return f"sentence {self.start} of {self.grammar!r}"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Contains:
    """``minimum`` to ``maximum`` (``None``: any number) items are in the schema of their place."""

    prefix: tuple[Schema, ...] = ()
    items: Schema = AnyValue()
    minimum: int = 1
    maximum: int | None = None

    def __str__(self) -> str:
        places = "".join(f"{schema}, " for schema in self.prefix)
        return f"has{_size(self.minimum, self.maximum)} ({places}{self.items})"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class ItemClass:
    """What an item may be so that it counts for the ``Contains`` of these numbers, and for no other."""

    schema: Schema
    counts: frozenset[int]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Array:
    """``prefix`` item by item, then ``items`` for the rest (``Never``: no more items).

    ``unique``: no two items are equal. The grammar sees to it where the items are few values, see
    ``values.single_values``, or strings of a language that always goes on, see ``languages.are_told_apart``; elsewhere
    it is checked afterwards. Each of ``contains`` must hold; ``item_classes`` then say for each index (the last one
    stands for all that follow) what an item may be and what it counts for.
    """

    prefix: tuple[Schema, ...] = ()
    items: Schema = AnyValue()
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    contains: tuple[Contains, ...] = ()
    item_classes: tuple[tuple[ItemClass, ...], ...] = ()

    def __str__(self) -> str:
        rest = [] if isinstance(self.items, Never) else [f"{_nested(self.items)}*"]
        inner = ", ".join([*map(str, self.prefix), *rest])
        size = _size(self.min_items, self.max_items)
        return " ".join([f"{'unique ' if self.unique else ''}[{inner}]{size}", *map(str, self.contains)])


@mypyc_attr(acyclic=True)
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


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class KeyRule:
    """Undeclared keys whose text is in ``names`` take values of ``schema``.

    A ``Number`` in ``names`` is ``quoted``: the keys are numbers, as in ``dict[int, str]``.
    """

    names: String | Number
    schema: Schema

    def __str__(self) -> str:
        return f"{self.names}: {self.schema}"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Alternative:
    """How an object can meet ``obligations``: a member with such a value, or (without a schema) the absence of one.

    ``names``: the name of a declared property, or the names of undeclared keys.
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
    """Declared properties in order; undeclared keys by the ``rules``, whose key languages are disjoint.

    No rules: the object is closed. A declared name is never an undeclared key, whatever a rule's ``names`` say.
    Every obligation that ``alternatives`` mention must be met by one of them: this is how an object is not another one.
    """

    properties: tuple[Property, ...] = ()
    rules: tuple[KeyRule, ...] = ()
    min_properties: int = 0
    max_properties: int | None = None
    alternatives: tuple[Alternative, ...] = ()

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
    """One of these JSON values, in the one spelling that ``json.dumps`` gives each.

    ``fraction``: a whole number may also be spelled ``1.0``.
    """

    values: tuple[Any, ...]
    fraction: bool = False

    def __str__(self) -> str:
        return f"one of {json.dumps(self.values, ensure_ascii=False, default=str)}"


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Union:
    """Any of the options (at least two)."""

    options: tuple[Schema, ...]

    def __str__(self) -> str:
        return " | ".join(map(_nested, self.options))


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True)
class Reference:
    """A named definition: the way to recursion."""

    name: str

    def __str__(self) -> str:
        return f"@{self.name}"


Schema: TypeAlias = (
    Never | AnyValue | Null | Boolean | Number | String | Sentence | Array | Object | Enumeration | Union | Reference
)


@dataclass(frozen=True, slots=True)
class NormalizedSchema:
    """A whole schema: where to start, and the definitions its references name (computed on first use)."""

    root: Schema
    definitions: Mapping[str, Schema]


def _size(minimum: int, maximum: int | None) -> str:
    if not minimum and maximum is None:
        return ""
    return f"{{{minimum},{'' if maximum is None else maximum}}}"


def _nested(schema: Schema) -> str:
    return f"({schema})" if isinstance(schema, Union) else str(schema)
