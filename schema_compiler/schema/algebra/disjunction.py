"""A schema as alternatives, each of one JSON type: the form in which keywords can be intersected exactly.

Every keyword either picks alternatives (``type``, ``anyOf``) or narrows those of one type (``minLength``), so a
schema is a union of atoms, and an intersection of two schemas is the union of the intersections of their atoms::

    {"type": ["string", "integer"], "minLength": 2}     string{2,} | integer
    {"minLength": 2}                                    null | boolean | number | string{2,} | [any*] | {string: any}

Inside an atom, what stands deeper (items, values of properties) is named, not expanded: intersecting two objects
only writes down that a property must satisfy both names. That is what makes recursion end.
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
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    KeyRule,
    Never,
    Null,
    Number,
    Object,
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
    """The values of the excluded atom's JSON type that are not in it, where no atom can say so."""

    excluded: Schema

    def __str__(self) -> str:
        return f"not ({self.excluded})"


Disjunct: TypeAlias = Schema | Complement
Disjunction: TypeAlias = tuple[Disjunct, ...]

UNSTATED: Final = Reference("unstated")
"""The value of an undeclared key that no keyword speaks of; closing objects means dropping the rules with it."""
ANY: Final[Disjunction] = (AnyValue(),)
TYPES: Final[dict[str, Schema]] = {
    "null": Null(),
    "boolean": Boolean(),
    "number": Number(),
    "string": String(),
    "array": Array(),
    "object": Object(rules=(KeyRule(String(), AnyValue()),)),
}
"""For each JSON type, the atom of all its values."""


class InexpressibleError(Exception):
    """A combination of keywords has no form; the message says which."""


class CircularError(Exception):
    """A schema was asked for while it is being read; the message names it."""


class SchemaAlgebra(Protocol):
    """What atoms need to know about the schemas inside them."""

    def join(self, left: Schema, right: Schema) -> Schema:
        """A schema for the values in both."""

    def negate(self, schema: Schema) -> Schema:
        """A schema for the values not in ``schema``."""

    def shape(self, schema: Disjunct) -> Disjunction:
        """The form of ``schema``, without references at its top."""


def is_whole(disjunct: Disjunct) -> bool:
    """Whether ``disjunct`` is a whole JSON type."""
    return TYPES.get(kind(disjunct)) == disjunct


def kind(disjunct: Disjunct) -> str:
    """The JSON type of an atom; "" for those that may hold values of several."""
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
        case _:
            return ""


def disjunction(disjuncts: Iterable[Disjunct]) -> Disjunction:
    """The atoms as a form: none twice, no ``Never`` beside others, none that a whole type contains."""
    found = tuple(disjuncts)
    if len(found) == 1:
        return found
    possible = [disjunct for disjunct in _one_enumeration(found) if not isinstance(disjunct, Never)]
    if not possible:
        return found[:1] or (Never(),)
    whole = {name for disjunct in possible if is_whole(disjunct) and (name := kind(disjunct))}
    if len(whole) == len(TYPES) or AnyValue() in possible:
        return ANY
    return _unlike([disjunct for disjunct in possible if kind(disjunct) not in whole or is_whole(disjunct)])


def _unlike(disjuncts: list[Disjunct]) -> Disjunction:
    """The atoms, none twice. Those alone of their type need no comparison."""
    kinds = Counter(map(kind, disjuncts))
    return tuple(
        {(str(disjunct) if kinds[kind(disjunct)] > 1 else kind(disjunct)): disjunct for disjunct in disjuncts}.values()
    )


def _one_enumeration(disjuncts: Disjunction) -> Disjunction:
    """The atoms with all enumerations in the place of the first."""
    lists = [disjunct for disjunct in disjuncts if isinstance(disjunct, Enumeration)]
    if len(lists) < 2:
        return disjuncts
    merged = enumeration(distinct(chain(*(one.values for one in lists))), fraction=any(one.fraction for one in lists))
    first = next(index for index, disjunct in enumerate(disjuncts) if isinstance(disjunct, Enumeration))
    return tuple(
        merged if index == first else disjunct
        for index, disjunct in enumerate(disjuncts)
        if index == first or not isinstance(disjunct, Enumeration)
    )


def enumeration(values: Iterable[object], *, fraction: bool = False) -> Schema:
    """The values as the simplest atom; ``fraction``: whole numbers among them may be spelled ``1.0``."""
    found = tuple(values)
    if not found:
        return Never("no value of the enumeration is left")
    if found == (None,):
        return Null()
    return Enumeration(found, fraction and any(map(_has_number, found)))


def _has_number(value: object) -> bool:
    match value:
        case list():
            return any(map(_has_number, value))
        case dict():
            return any(map(_has_number, value.values()))
        case _:
            return is_number(value)
