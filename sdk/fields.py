"""The fields of a value: how they are named, what they hold, and what they might have held.

    {"shop": "Ace", "items": [{"price": 9.0}]}      ("shop",): "Ace"      ("items", 0, "price"): 9.0

A field is a value without parts: text, number, boolean, null, or an empty list or object. Its path has the names of
the JSON, which are a model's aliases where it has some.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["Alternative", "FieldPath", "field_values", "path_text"]

FieldPath: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value: ``("items", 2, "price")``."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A value that a field might have had: the JSON of the value, and its probability in [0, 1]."""

    text: str
    probability: float


def path_text(path: FieldPath) -> str:
    """A path as it is written in Python: ``items[2].price``; ``$`` is the whole value.

    A key that is no identifier stands in brackets: ``items[2]["unit price"]``.
    """
    steps = "".join(
        f".{step}" if isinstance(step, str) and step.isidentifier() else f"[{json.dumps(step, ensure_ascii=False)}]"
        for step in path
    )
    return steps.removeprefix(".") or "$"


def field_values(value: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    """The fields of plain data, in order, each with its path."""
    if isinstance(value, Mapping) and value:
        for key, member in value.items():
            yield from field_values(member, (*path, key))
    elif isinstance(value, list | tuple) and value:
        for index, item in enumerate(value):
            yield from field_values(item, (*path, index))
    else:
        yield path, value
