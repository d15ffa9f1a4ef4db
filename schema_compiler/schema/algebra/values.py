"""Equality of JSON values, as JSON Schema defines it and Python does not.

1 and 1.0 are equal, at any size and precision; 1 and true are not::

    distinct([1, 1.0, True, [1], [1.0]])     [1, True, [1]]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from schema_compiler.schema.algebra.numbers import exact
from schema_compiler.schema.ir import Boolean, Enumeration, Never, Null, Number, Schema, Union

__all__ = ["distinct", "json_key", "single_values"]

_MOST_VALUES = 1024
"""How many values a schema may have for ``single_values`` to list them.

Each becomes a schema and, in a list without repetitions, an option of a ``Selection``. A power of two; chosen, not
measured.
"""


def json_key(value: Any) -> Hashable:
    """A key that two JSON values share exactly if they are equal."""
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
    by_key: dict[Hashable, Any] = {}
    for value in values:
        by_key.setdefault(json_key(value), value)
    return list(by_key.values())


def single_values(schema: Schema) -> tuple[Schema, ...] | None:
    """The values of ``schema``, each as a schema of its own, where they are few; ``None`` elsewhere."""
    values = _values_by_key(schema)
    return None if values is None or len(values) > _MOST_VALUES else tuple(values.values())


def _values_by_key(schema: Schema) -> dict[Hashable, Schema] | None:
    match schema:
        case Never():
            return {}
        case Null():
            return {json_key(None): schema}
        case Boolean():
            return {json_key(value): Enumeration((value,)) for value in (True, False)}
        case Enumeration(values, fraction) if len(values) <= _MOST_VALUES:
            return {json_key(value): Enumeration((value,), fraction) for value in values}
        case Number(integer=True, minimum=Decimal(), maximum=Decimal(), multiple_of=None, quoted=False, excluded=()):
            return _whole_numbers(schema)
        case Union(options):
            return _union_of_values(options)
        case _:
            return None


def _union_of_values(options: Iterable[Schema]) -> dict[Hashable, Schema] | None:
    union: dict[Hashable, Schema] = {}
    for option in options:
        values = _values_by_key(option)
        if values is None:
            return None
        union |= values
    return union


def _whole_numbers(number: Number) -> dict[Hashable, Schema] | None:
    low, high = int(number.minimum or 0), int(number.maximum or 0)
    if high - low >= _MOST_VALUES:
        return None
    return {json_key(value): Enumeration((value,), number.fraction) for value in range(low, high + 1)}
