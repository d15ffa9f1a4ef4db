"""Equality of JSON values, as JSON Schema defines it and Python does not: 1 and 1.0 are equal, 1 and true are not."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from schema_compiler.schema.algebra.numbers import exact
from schema_compiler.schema.ir import Boolean, Enumeration, Never, Null, Number, Schema, Union

__all__ = ["distinct", "json_key", "single_values"]

_MANY = 1024
"""Sets of values up to this size are told apart one by one."""


def json_key(value: Any) -> Hashable:
    """A key that two values share exactly if they are equal."""
    match value:
        case bool() | None | str():
            return (type(value).__name__, value)
        case list():
            return ("list", tuple(map(json_key, value)))
        case dict():
            return ("dict", frozenset((name, json_key(member)) for name, member in value.items()))
        case _:
            return ("number", Fraction(exact(value)))


def distinct(values: Iterable[Any]) -> list[Any]:
    """The values without those equal to an earlier one."""
    found: dict[Hashable, Any] = {}
    for value in values:
        found.setdefault(json_key(value), value)
    return list(found.values())


def single_values(schema: Schema) -> tuple[Schema, ...] | None:
    """The values of ``schema``, each as a schema of its own, where they are few; ``None`` elsewhere."""
    found = _values(schema)
    return None if found is None or len(found) > _MANY else tuple(found.values())


def _values(schema: Schema) -> dict[Hashable, Schema] | None:
    match schema:
        case Never():
            return {}
        case Null():
            return {json_key(None): schema}
        case Boolean():
            return {json_key(value): Enumeration((value,)) for value in (True, False)}
        case Enumeration(values, fraction) if len(values) <= _MANY:
            return {json_key(value): Enumeration((value,), fraction) for value in values}
        case Number(integer=True, minimum=Decimal(), maximum=Decimal(), multiple_of=None, quoted=False, excluded=()):
            return _whole_numbers(schema)
        case Union(options):
            parts = [_values(option) for option in options]
            found = [part for part in parts if part is not None]
            return {key: one for part in found for key, one in part.items()} if len(found) == len(parts) else None
        case _:
            return None


def _whole_numbers(number: Number) -> dict[Hashable, Schema] | None:
    low, high = int(number.minimum or 0), int(number.maximum or 0)
    if high - low >= _MANY:
        return None
    return {json_key(value): Enumeration((value,), number.fraction) for value in range(low, high + 1)}
