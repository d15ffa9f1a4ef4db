"""A schema as a disjunction of disjuncts, each of one JSON type: the normal form in which keywords intersect exactly.

A keyword either picks disjuncts (``type``, ``anyOf``) or narrows those of one type (``minLength``). So a schema is a
union of disjuncts, and the intersection of two schemas is the union of the intersections of their disjuncts::

    {"type": ["string", "integer"], "minLength": 2}     string{2,} | integer
    {"minLength": 2}                                    null | boolean | number | string{2,} | [any*] | {string: any}

Inside a disjunct, what stands deeper (items, values of properties) is named by a ``Reference``, not expanded: the
intersection of two objects only notes that a property must satisfy both schemas. That is what makes recursion end.
Source: the disjunctive normal form of propositional logic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final, Protocol, TypeAlias

from schema_compiler.schema.algebra.numbers import is_number
from schema_compiler.schema.algebra.values import distinct
from schema_compiler.schema.ir import (
    OPEN_RULES,
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    Never,
    Null,
    Number,
    Object,
    Piece,
    Reference,
    Schema,
    Sentence,
    String,
)

__all__ = [
    "ANY",
    "TYPES",
    "UNSTATED",
    "CircularError",
    "Complement",
    "Disjunct",
    "Disjunction",
    "InexpressibleError",
    "SchemaAlgebra",
    "disjunction",
    "enumeration",
    "is_whole",
    "kind",
]


@dataclass(frozen=True, slots=True)
class Complement:
    """The values of the JSON type of ``excluded`` that are not in ``excluded``, where no ``Schema`` describes them.

    The arrays in which two items are equal are ``Complement(Array(unique=True))``.
    """

    excluded: Schema

    def __str__(self) -> str:
        return f"not ({self.excluded})"


Disjunct: TypeAlias = Schema | Complement
"""A set of values of one JSON type; an enumeration, a union or a reference may hold values of several."""
Disjunction: TypeAlias = tuple[Disjunct, ...]
"""The union of the disjuncts, at least one."""

UNSTATED: Final = Reference("unstated")
"""The schema of undeclared keys about which no keyword says anything.

It admits every value, as ``AnyValue`` does. It is told from ``AnyValue`` because the option that closes objects removes
the key rules with this schema, and no others.
"""
ANY: Final[Disjunction] = (AnyValue(),)
"""The disjunction of all JSON values."""
TYPES: Final[dict[str, Schema]] = {
    "null": Null(),
    "boolean": Boolean(),
    "number": Number(),
    "string": String(),
    "array": Array(),
    "object": Object(rules=OPEN_RULES),
}
"""For each JSON type, the disjunct of all its values."""


class InexpressibleError(Exception):
    """No disjunction expresses a combination of keywords; the message names the combination."""


class CircularError(Exception):
    """A schema was asked for while it is being read; the message names it."""


class SchemaAlgebra(Protocol):
    """The set operations on the named schemas inside disjuncts; the ``Registry`` of a document implements them.

    ``join`` and ``negate`` only give a name to the result. What reading a schema raises is raised by ``shape``.
    """

    def join(self, left: Schema, right: Schema) -> Schema:
        """A schema for the values in both."""

    def negate(self, schema: Schema) -> Schema:
        """A schema for the values not in ``schema``."""

    def shape(self, schema: Disjunct) -> Disjunction:
        """The disjunction of ``schema``, without references at its top.

        Raises ``CircularError`` where ``schema`` is being read already, and ``InvalidSchemaError``,
        ``UnsupportedSchemaError`` or ``CompileBudgetError`` where it cannot be read.
        """


def is_whole(disjunct: Disjunct) -> bool:
    """Whether ``disjunct`` holds all values of its JSON type."""
    return TYPES.get(kind(disjunct)) == disjunct


def kind(disjunct: Disjunct) -> str:
    """The name of the JSON type of ``disjunct``; "" for one that may hold values of several types, or none."""
    match disjunct:
        case Null():
            return "null"
        case Boolean():
            return "boolean"
        case Number(quoted=quoted):
            return "string" if quoted else "number"
        case String() | Sentence():
            return "string"
        case Array():
            return "array"
        case Object():
            return "object"
        case Complement(excluded):
            return kind(excluded)
        case Piece(Enumeration(values)):
            return "string" if isinstance(values[0], str) else "number"
        case Piece(base):
            return kind(base)
        case _:
            return ""


def disjunction(disjuncts: Iterable[Disjunct]) -> Disjunction:
    """The union of ``disjuncts``: none twice, no ``Never`` beside others, none that a whole type contains."""
    given = tuple(disjuncts)
    if len(given) == 1:
        return given
    possible = [disjunct for disjunct in _merge_enumerations(given) if not isinstance(disjunct, Never)]
    if not possible:
        return given[:1] or (Never(),)
    whole = {name for disjunct in possible if is_whole(disjunct) and (name := kind(disjunct))}
    if len(whole) == len(TYPES) or AnyValue() in possible:
        return ANY
    return _without_duplicates([one for one in possible if kind(one) not in whole or is_whole(one)])


def _without_duplicates(disjuncts: list[Disjunct]) -> Disjunction:
    """``disjuncts``, none twice; they are compared by their texts, which those alone of their type need not have."""
    sizes = Counter(map(kind, disjuncts))
    by_text: dict[str, Disjunct] = {}
    for disjunct in disjuncts:
        name = kind(disjunct)
        by_text[str(disjunct) if sizes[name] > 1 else name] = disjunct
    return tuple(by_text.values())


def _merge_enumerations(disjuncts: Disjunction) -> Disjunction:
    """``disjuncts`` with the values of all enumerations in the place of the first."""
    enumerations = [disjunct for disjunct in disjuncts if isinstance(disjunct, Enumeration)]
    if len(enumerations) < 2:
        return disjuncts
    values = distinct(chain.from_iterable(one.values for one in enumerations))
    merged = enumeration(values, fraction=any(one.fraction for one in enumerations))
    first = next(index for index, disjunct in enumerate(disjuncts) if isinstance(disjunct, Enumeration))
    rest = (disjunct for disjunct in disjuncts[first:] if not isinstance(disjunct, Enumeration))
    return (*disjuncts[:first], merged, *rest)


def enumeration(values: Iterable[object], *, fraction: bool = False) -> Schema:
    """The simplest disjunct of ``values``; ``fraction``: whole numbers among them may be spelled ``1.0``."""
    listed = tuple(values)
    if not listed:
        return Never("no value of the enumeration is left")
    if listed == (None,):
        return Null()
    return Enumeration(listed, fraction and any(map(_has_number, listed)))


def _has_number(value: object) -> bool:
    match value:
        case list():
            return any(map(_has_number, value))
        case dict():
            return any(map(_has_number, value.values()))
        case _:
            return is_number(value)
