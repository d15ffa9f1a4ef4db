"""Which schemas have any value at all: a document that follows an impossible one could never be finished.

An object has a value if all its required properties do; so a model that requires itself has none, although no
keyword contradicts another. That is a least fixpoint: nothing has a value until shown otherwise::

    Node = {"next": Node}             never shown: impossible
    Node = {"next": Node | null}      shown by null

Only what a value cannot do without is looked at, and each answer is kept. Source: the productive symbols of a
context-free grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import TypeGuard

from schema_compiler.schema.algebra.counting import ItemCounts, MemberCounts
from schema_compiler.schema.algebra.disjunction import UNSTATED, Complement, Disjunct
from schema_compiler.schema.algebra.obligations import with_item_classes, with_joined_alternatives
from schema_compiler.schema.algebra.values import single_values
from schema_compiler.schema.ir import Array, Never, Object, Reference, Schema, Union
from schema_compiler.schema.normalization.registry import Registry

__all__ = ["Inhabitants"]


class Inhabitants:
    """Answers, for the names of one registry, whether they have a value."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: dict[str, bool] = {}

    def include(self, schema: Schema) -> bool:
        """Whether ``schema`` has a value."""
        if isinstance(schema, Reference) and schema != UNSTATED:
            if schema.name not in self._known:
                self._settle(schema.name)
            return self._known[schema.name]
        return self.holds(schema)

    def holds(self, disjunct: Disjunct) -> bool:
        """Whether ``disjunct`` has a value."""
        return self._has_value(disjunct, self.include)

    def why_not(self, schema: Disjunct) -> str:
        """Why ``schema``, which has no value, has none."""
        return self._why_not(schema, set())

    def _why_not(self, disjunct: Disjunct, passed: set[str]) -> str:
        match disjunct:
            case Never(reason):
                return reason
            case Reference(name) if name in passed:
                return f"{name} requires itself without end"
            case Reference(name):
                return self._why_not(self._registry.shape(disjunct)[0], passed | {name})
            case Object(properties=properties):
                for item in properties:
                    if item.required and not self.include(item.schema):
                        return f"property {item.name!r} is required, but: {self._why_not(item.schema, passed)}"
                return "it cannot have as many properties as it needs"
            case Array():
                bad = next((item for item in _needed_items(disjunct) if not self.include(item)), None)
                if bad is None:
                    return "it cannot have as many items as it needs"
                return f"an item is required, but: {self._why_not(bad, passed)}"
            case _:
                return f"nothing satisfies {disjunct}"

    def _settle(self, name: str) -> None:
        """Decides ``name`` and all it depends on, by going round until nothing new is shown to have a value."""
        shapes = dict(self._dependencies(name))
        shown = dict.fromkeys(shapes, False)

        def include(schema: Schema) -> bool:
            if isinstance(schema, Reference) and schema.name in shown:
                return shown[schema.name]
            return self.include(schema)

        changed = True
        while changed:
            changed = False
            for candidate in reversed(shapes):
                if not shown[candidate] and any(self._has_value(disjunct, include) for disjunct in shapes[candidate]):
                    shown[candidate] = changed = True
        self._known |= shown

    def _dependencies(self, name: str) -> Iterator[tuple[str, tuple[Disjunct, ...]]]:
        waiting, found = [name], {name}
        while waiting:
            current = waiting.pop()
            shape = self._registry.shape(Reference(current))
            yield current, shape
            for schema in (schema for disjunct in shape for schema in self._needed(disjunct)):
                if self._is_undecided(schema) and schema.name not in found:
                    found.add(schema.name)
                    waiting.append(schema.name)

    def _is_undecided(self, schema: Schema) -> TypeGuard[Reference]:
        return isinstance(schema, Reference) and schema != UNSTATED and schema.name not in self._known

    def _has_value(self, disjunct: Disjunct, include: Callable[[Schema], bool]) -> bool:
        match disjunct:
            case Never():
                return False
            case Array(contains=contained):
                if (
                    not all(map(include, _needed_items(disjunct)))
                    or self._distinct_items(disjunct) < disjunct.min_items
                ):
                    return False
                if not contained:
                    return True
                counts = ItemCounts(with_item_classes(disjunct, self._registry), include)
                return counts.viable(0, counts.start)
            case Object(properties=properties):
                if not all(include(item.schema) for item in properties if item.required):
                    return False
                return not _is_counted(disjunct) or self._members(disjunct, include).viable(0, 0, disjunct.obligations)
            case _:
                return True

    def _members(self, made: Object, include: Callable[[Schema], bool]) -> MemberCounts:
        return MemberCounts(with_joined_alternatives(made, self._registry) if made.alternatives else made, include)

    def _distinct_items(self, array: Array) -> float:
        """How many different items there can be at most, where items must differ."""
        if not array.unique or array.prefix or array.min_items < 2:
            return inf
        shape = self._registry.shape(array.items)
        values = single_values(Union(tuple(disjunct for disjunct in shape if not isinstance(disjunct, Complement))))
        return inf if values is None or any(isinstance(disjunct, Complement) for disjunct in shape) else len(values)

    def _needed(self, disjunct: Disjunct) -> list[Schema]:
        """The schemas inside ``disjunct`` on which it depends whether it has a value."""
        match disjunct:
            case Array(contains=contained):
                item_classes = with_item_classes(disjunct, self._registry).item_classes if contained else ()
                return [
                    *_needed_items(disjunct),
                    *(item_class.schema for place in item_classes for item_class in place),
                ]
            case Object(properties=properties, rules=rules):
                if not _is_counted(disjunct):
                    return [item.schema for item in properties if item.required]
                alternatives = (
                    with_joined_alternatives(disjunct, self._registry).alternatives if disjunct.alternatives else ()
                )
                optional = [alternative.schema for alternative in alternatives if alternative.schema is not None]
                return [*(item.schema for item in properties), *(rule.schema for rule in rules), *optional]
            case _:
                return []


def _is_counted(made: Object) -> bool:
    """Whether it takes more than its required properties to have a value."""
    return bool(made.alternatives) or made.min_properties > sum(item.required for item in made.properties)


def _needed_items(array: Array) -> list[Schema]:
    rest = [array.items] if array.min_items > len(array.prefix) else []
    return [*array.prefix[: array.min_items], *rest]
