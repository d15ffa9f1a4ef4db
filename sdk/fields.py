"""The fields of a value: how they are named, what they hold, and what they might have held.

    {"shop": "Ace", "items": [{"price": 9.0}]}      ("shop",): "Ace"      ("items", 0, "price"): 9.0

A field is a value without parts: text, number, boolean, null, or an empty list or object. Its path has the names of
the JSON, which are a model's aliases where it has some.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["Alternative", "FieldPath", "field_values", "path_text", "scalars"]

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


_LEXEME = re.compile(
    rb'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>[{}\[\],:])|(?P<other>[^\s,:\[\]{}"]+))', re.DOTALL
)
"""A string, a mark or a number or name of JSON."""


def scalars(document: bytes) -> Iterator[tuple[FieldPath, int, int]]:
    """The path of each string, number and name of a document that is no key, its first byte, and the one behind it."""
    path: list[str | int] = []
    keys: list[bool] = []  # for each container that is open, whether a key comes next
    for lexeme in _LEXEME.finditer(document):
        text = lexeme[lexeme.lastgroup or 0]
        match text:
            case b"{" | b"[":
                path.append("" if text == b"{" else 0)
                keys.append(text == b"{")
            case b"}" | b"]":
                del path[-1], keys[-1]
            case b"," if isinstance(last := path[-1], int):
                path[-1] = last + 1
            case b",":
                keys[-1] = True
            case b":":
                keys[-1] = False
            case _ if keys and keys[-1]:
                path[-1] = json.loads(text)
            case _:
                yield tuple(path), lexeme.start(lexeme.lastgroup or 0), lexeme.end()
