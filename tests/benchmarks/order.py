"""Properties in the order of their declaration.

Engines generate properties in the order in which the schema declares them, which JSON Schema does not ask of
instances. When an engine refuses a valid instance, the same instance in declaration order tells whether that was
the reason:

    {"properties": {"a": {}, "b": {}}}  with  {"b": 1, "a": 2}  ->  {"a": 2, "b": 1}

The walk follows every subschema that may describe a value, whether or not it does: names are only ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["in_declared_order"]

_BRANCHES = ("allOf", "anyOf", "oneOf")
_SINGLE = ("if", "then", "else")
_ITEM_KEYWORDS = ("prefixItems", "items", "additionalItems", "unevaluatedItems", "contains")
_VALUE_KEYWORDS = ("additionalProperties", "unevaluatedProperties")


def in_declared_order(schema: Any, data: Any) -> Any:
    """``data`` with the keys of every object in the order in which ``schema`` declares them, others after them."""
    return _Reordering(schema).value([schema], data)


class _Reordering:
    def __init__(self, root: Any) -> None:
        self._root = root

    def value(self, schemas: list[Any], data: Any) -> Any:
        described = self._applicable(schemas)
        if isinstance(data, dict):
            ranks: dict[str, int] = {}
            for schema in described:
                for name in schema.get("properties", {}):
                    ranks.setdefault(name, len(ranks))
            names = sorted(data, key=lambda name: ranks.get(name, len(ranks)))
            return {name: self.value(list(_members(described, name)), data[name]) for name in names}
        if isinstance(data, list):
            return [self.value(list(_items(described, index)), item) for index, item in enumerate(data)]
        return data

    def _applicable(self, schemas: list[Any]) -> list[dict[str, Any]]:
        """The schemas and everything they apply to the same value, each once, in order."""
        found: dict[int, dict[str, Any]] = {}
        waiting = list(reversed(schemas))
        while waiting:
            schema = waiting.pop()
            if isinstance(schema, dict) and id(schema) not in found:
                found[id(schema)] = schema
                waiting.extend(reversed(list(self._applied(schema))))
        return list(found.values())

    def _applied(self, schema: dict[str, Any]) -> Iterator[Any]:
        if isinstance(schema.get("$ref"), str):
            yield self._target(schema["$ref"])
        for keyword in _BRANCHES:
            yield from schema.get(keyword, ())
        for keyword in _SINGLE:
            yield schema.get(keyword)
        yield from schema.get("dependentSchemas", {}).values()

    def _target(self, reference: str) -> Any:
        """What a local JSON pointer leads to; ``None`` for other references, which rank nothing."""
        if not reference.startswith("#"):
            return None
        place = self._root
        for step in reference[1:].split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(place, list) and key.isdigit() and int(key) < len(place):
                place = place[int(key)]
            elif isinstance(place, dict) and key in place:
                place = place[key]
            else:
                return None
        return place


def _members(schemas: list[dict[str, Any]], name: str) -> Iterator[Any]:
    for schema in schemas:
        yield schema.get("properties", {}).get(name)
        yield from schema.get("patternProperties", {}).values()
        yield from (schema.get(keyword) for keyword in _VALUE_KEYWORDS)


def _items(schemas: list[dict[str, Any]], index: int) -> Iterator[Any]:
    for schema in schemas:
        for keyword in _ITEM_KEYWORDS:
            value = schema.get(keyword)
            if isinstance(value, list):
                yield from value[index : index + 1]
            else:
                yield value
