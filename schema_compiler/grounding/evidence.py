"""Where the values of a finished document came from: value and schema are walked together.

    {"shop": "Ace", "total": 9.0}      ("shop",): 0:3      ("total",): 40:44, 61:65

A value that stands in the document several times has several places. Those nearest to what surrounds it come first: in
a receipt, the date of a line stands on that line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, TypeAlias, assert_never

from schema_compiler.grounding.document import Span
from schema_compiler.grounding.leaves import GroundedLeaf
from schema_compiler.schema.algebra.languages import holds
from schema_compiler.schema.algebra.numbers import contains_number, is_number
from schema_compiler.schema.algebra.values import json_key
from schema_compiler.schema.ir import (
    AnyValue,
    Array,
    Boolean,
    Enumeration,
    Never,
    NormalizedSchema,
    Null,
    Number,
    Object,
    Piece,
    Reference,
    Schema,
    Sentence,
    String,
    Union,
)

__all__ = ["Path", "evidence_of", "value_of"]

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead from the root to a value."""


def evidence_of(
    text: str | bytes, schema: NormalizedSchema, leaves: Mapping[str, GroundedLeaf]
) -> dict[Path, list[Span]]:
    """The places of each grounded value of a JSON document, by its path; see ``Grounded.evidence``."""
    walk = _Walk(schema, leaves)
    spans: dict[Path, list[Span]] = {}
    for path, found in walk.grounded(schema.root, value_of(text), ()):
        known = spans.setdefault(path, [])
        known += [span for span in found if span not in known]
    return _nearest_first(spans)


def value_of(text: str | bytes) -> Any:
    """The value of a JSON text, its numbers exact. Raises ``ValueError`` for what is no JSON."""
    return json.loads(text, parse_float=Decimal)


class _Walk:
    """Finds the grounded values of a JSON value. Of several options of a union, all that admit the value count."""

    def __init__(self, schema: NormalizedSchema, leaves: Mapping[str, GroundedLeaf]) -> None:
        self._definitions = schema.definitions
        self._leaves = leaves

    def grounded(self, schema: Schema, value: Any, path: Path) -> Iterator[tuple[Path, list[Span]]]:
        """The grounded values in ``value``, each with its path and its places."""
        match schema:
            case Piece():
                spans = self._leaves[str(schema)].spans(value)
                if spans:
                    yield path, spans
            case Reference(name):
                yield from self.grounded(self._definitions[name], value, path)
            case Union(options):
                for option in options:
                    if self.admits(option, value):
                        yield from self.grounded(option, value, path)
            case Array() if isinstance(value, list):
                for index, item in enumerate(value):
                    yield from self._item(schema, index, item, (*path, index))
            case Object() if isinstance(value, dict):
                for name, member in value.items():
                    yield from self.grounded(_member_schema(schema, name), member, (*path, name))
            case _:
                pass

    def _item(self, array: Array, index: int, item: Any, path: Path) -> Iterator[tuple[Path, list[Span]]]:
        for option in _item_schemas(array, index):
            if self.admits(option, item):
                yield from self.grounded(option, item, path)

    def admits(self, schema: Schema, value: Any) -> bool:
        """Whether ``value`` is one of the values of ``schema``; what an object must not be is not looked at."""
        match schema:
            case AnyValue():
                return True
            case Never():
                return False
            case Null():
                return value is None
            case Boolean():
                return isinstance(value, bool)
            case Number(quoted=True) | String():
                return isinstance(value, str) and holds(schema, value)
            case Number():
                return is_number(value) and contains_number(schema, value)
            case Sentence():
                return isinstance(value, str)
            case Enumeration(values):
                return json_key(value) in map(json_key, values)
            case Piece():
                return bool(self._leaves[str(schema)].spans(value))
            case Reference(name):
                return self.admits(self._definitions[name], value)
            case Union(options):
                return any(self.admits(option, value) for option in options)
            case Array():
                return isinstance(value, list) and self._admits_items(schema, value)
            case Object():
                return isinstance(value, dict) and self._admits_members(schema, value)
            case _:
                assert_never(schema)

    def _admits_items(self, array: Array, items: list[Any]) -> bool:
        return (
            array.min_items <= len(items)
            and (array.max_items is None or len(items) <= array.max_items)
            and all(
                any(self.admits(option, item) for option in _item_schemas(array, index))
                for index, item in enumerate(items)
            )
        )

    def _admits_members(self, schema: Object, members: Mapping[str, Any]) -> bool:
        return all(item.name in members for item in schema.properties if item.required) and all(
            self.admits(_member_schema(schema, name), member) for name, member in members.items()
        )


def _item_schemas(array: Array, index: int) -> list[Schema]:
    """The schemas that the item at ``index`` may be in."""
    if array.item_classes:
        return [one.schema for one in array.item_classes[min(index, len(array.item_classes) - 1)]]
    return [array.prefix[index] if index < len(array.prefix) else array.items]


def _member_schema(schema: Object, name: str) -> Schema:
    """The schema of the values under the key ``name``: as declared, by a rule, or ``Never``."""
    for item in schema.properties:
        if item.name == name:
            return item.schema
    return next((rule.schema for rule in schema.rules if holds(rule.names, name)), Never())


def _nearest_first(spans: dict[Path, list[Span]]) -> dict[Path, list[Span]]:
    """The places of each value, those nearest to the next values before and behind it with one place only first.

    Of places that are equally near, those behind the value before come first, since documents are read forwards.
    """
    listed = list(spans.items())
    following: list[Span | None] = [None] * len(listed)
    certain: Span | None = None
    for index in range(len(listed) - 1, -1, -1):
        following[index] = certain
        certain = listed[index][1][0] if len(listed[index][1]) == 1 else certain
    ordered: dict[Path, list[Span]] = {}
    certain = None
    for (path, places), after in zip(listed, following, strict=True):
        ordered[path] = _by_distance(places, certain, after)
        certain = places[0] if len(places) == 1 else certain
    return ordered


def _by_distance(places: list[Span], before: Span | None, after: Span | None) -> list[Span]:
    anchors = [anchor for anchor in (before, after) if anchor is not None]

    def order(span: Span) -> tuple[int, bool, int]:
        turned = before is not None and span.start < before.end
        return sum(_distance(span, anchor) for anchor in anchors), turned, span.start

    return sorted(places, key=order)


def _distance(left: Span, right: Span) -> int:
    """How many characters stand between two places."""
    return max(right.start - left.end, left.start - right.end, 0)
