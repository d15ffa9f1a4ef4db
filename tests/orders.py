"""Whether an engine refuses a document for nothing but the order of its members.

Engines generate members in the order in which the schema declares them, which JSON Schema does not ask of instances.
If an engine takes some other order of the same data, order was the reason. The document is written member by member:
each next one is any of those that are left and that the engine reads, first in the order of the declarations, then in
that of everything the schema mentions::

    {"b": 1, "c": 3, "a": 2}   reads  {"a": 2  then  , "b": 1  then  , "c": 3}

A member after which another one can no longer come is only taken when nothing else leads to the end. Of each nested
value, the first order that works is kept, which keeps the search short; ``STEPS`` bounds it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, Self

__all__ = ["Reader", "accepted_in_some_order"]

STEPS = 50_000
"""How many members are tried, before a document counts as refused in every order."""


class Reader(Protocol):
    """A place in a document that an engine reads."""

    def read(self, text: str, /) -> Self | None:
        """The place after ``text``; ``None`` when the engine refuses it. This one stays where it is."""

    def is_complete(self) -> bool:
        """Whether the document may end here."""


def accepted_in_some_order(start: Reader, data: Any, schema: Any) -> bool:
    """Whether ``data`` is accepted from ``start`` on, its members in some order; ``schema`` says which to try first."""
    ends = (_Writer().write(start, _in_order(data, names(schema))) for names in (_declared, _mentioned))
    return any(end is not None and end.is_complete() for end in ends)


def _in_order(value: Any, names: Iterable[str]) -> Any:
    """``value`` with its members in the order of ``names``."""
    rank = {name: number for number, name in enumerate(dict.fromkeys(names))}

    def sort(part: Any) -> Any:
        if isinstance(part, list):
            return [sort(item) for item in part]
        if not isinstance(part, dict):
            return part
        return {name: sort(part[name]) for name in sorted(part, key=lambda name: rank.get(name, len(rank)))}

    return sort(value)


def _declared(schema: Any) -> Iterator[str]:
    """Names of properties, in the order in which they are declared."""
    for part in _parts(schema):
        if isinstance(part.get("properties"), dict):
            yield from part["properties"]


def _mentioned(schema: Any) -> Iterator[str]:
    """All names, definitions and keywords too, in the order of the document."""
    for part in _parts(schema):
        yield from part


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _parts(part)


class _Writer:
    """Writes one value in the first order that an engine admits."""

    def __init__(self) -> None:
        self._steps = 0

    def write(self, reader: Reader | None, value: Any) -> Reader | None:
        """The place after the value; ``None`` when no order of it is read."""
        if reader is None:
            return None
        match value:
            case dict():
                return self._members(reader.read("{"), value, "")
            case list():
                after = reader.read("[")
                for number, item in enumerate(value):
                    after = self.write(after and after.read(", " if number else ""), item)
                return after and after.read("]")
            case _:
                return reader.read(json.dumps(value, ensure_ascii=False))

    def _members(self, reader: Reader | None, left: dict[str, Any], comma: str) -> Reader | None:
        if reader is None or not left:
            return reader and reader.read("}")
        for key, after in self._candidates(reader, left, comma):
            end = self._members(after, {name: left[name] for name in left if name != key}, ", ")
            if end is not None:
                return end
        return None

    def _candidates(self, reader: Reader, left: dict[str, Any], comma: str) -> Iterator[tuple[str, Reader]]:
        """The members that may come next; last those that shut out another one."""
        named = {key: after for key in left if (after := reader.read(_key(key, comma))) is not None}
        postponed = []
        for key, after_key in named.items():
            self._steps += 1
            after = self.write(after_key, left[key]) if self._steps <= STEPS else None
            if after is None:
                continue
            if all(other == key or after.read(_key(other, ", ")) is not None for other in named):
                yield key, after
            else:
                postponed.append((key, after))
        yield from postponed


def _key(name: str, comma: str) -> str:
    return f"{comma}{json.dumps(name, ensure_ascii=False)}: "
