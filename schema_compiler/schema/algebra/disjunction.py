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
    "Atom",
    "CircularError",
    "Form",
    "InexpressibleError",
    "Names",
    "Outside",
    "enumeration",
    "form",
    "is_whole",
    "kind",
]


@dataclass(frozen=True, slots=True)
class Outside:
    """The values of the excluded atom's JSON type that are not in it, where no atom can say so."""

    excluded: Schema

    def __str__(self) -> str:
        return f"not ({self.excluded})"


Atom: TypeAlias = Schema | Outside
Form: TypeAlias = tuple[Atom, ...]

UNSTATED: Final = Reference("unstated")
"""The value of an undeclared key that no keyword speaks of; closing objects means dropping the rules with it."""
ANY: Final[Form] = (AnyValue(),)
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


class Names(Protocol):
    """What atoms need to know about the schemas inside them."""

    def join(self, left: Schema, right: Schema) -> Schema:
        """A schema for the values in both."""

    def negate(self, schema: Schema) -> Schema:
        """A schema for the values not in ``schema``."""

    def shape(self, schema: Atom) -> Form:
        """The form of ``schema``, without references at its top."""


def is_whole(atom: Atom) -> bool:
    """Whether ``atom`` is a whole JSON type."""
    return TYPES.get(kind(atom)) == atom


def kind(atom: Atom) -> str:
    """The JSON type of an atom; "" for those that may hold values of several."""
    match atom:
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
        case Outside(excluded):
            return kind(excluded)
        case _:
            return ""


def form(atoms: Iterable[Atom]) -> Form:
    """The atoms as a form: none twice, no ``Never`` beside others, none that a whole type contains."""
    found = tuple(atoms)
    if len(found) == 1:
        return found
    possible = [atom for atom in _one_enumeration(found) if not isinstance(atom, Never)]
    if not possible:
        return found[:1] or (Never(),)
    whole = {name for atom in possible if is_whole(atom) and (name := kind(atom))}
    if len(whole) == len(TYPES) or AnyValue() in possible:
        return ANY
    return _unlike([atom for atom in possible if kind(atom) not in whole or is_whole(atom)])


def _unlike(atoms: list[Atom]) -> Form:
    """The atoms, none twice. Those alone of their type need no comparison."""
    kinds = Counter(map(kind, atoms))
    return tuple({(str(atom) if kinds[kind(atom)] > 1 else kind(atom)): atom for atom in atoms}.values())


def _one_enumeration(atoms: Form) -> Form:
    """The atoms with all enumerations in the place of the first."""
    lists = [atom for atom in atoms if isinstance(atom, Enumeration)]
    if len(lists) < 2:
        return atoms
    merged = enumeration(distinct(chain(*(one.values for one in lists))), fraction=any(one.fraction for one in lists))
    first = next(index for index, atom in enumerate(atoms) if isinstance(atom, Enumeration))
    return tuple(
        merged if index == first else atom
        for index, atom in enumerate(atoms)
        if index == first or not isinstance(atom, Enumeration)
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
