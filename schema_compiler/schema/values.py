"""Equality of JSON values, as JSON Schema defines it and Python does not: 1 and 1.0 are equal, 1 and true are not."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any

from schema_compiler.schema.numbers import exact

__all__ = ["distinct", "json_key"]


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
