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
from typing import TypeGuard

from schema_compiler.schema.forms import UNSTATED, Atom
from schema_compiler.schema.registry import Registry
from schema_compiler.schema.schema import Array, Never, Object, Reference, Schema

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

    def holds(self, atom: Atom) -> bool:
        """Whether ``atom`` has a value."""
        return _has_value(atom, self.include)

    def why_not(self, schema: Atom) -> str:
        """Why ``schema``, which has no value, has none."""
        return self._why_not(schema, set())

    def _why_not(self, atom: Atom, passed: set[str]) -> str:
        match atom:
            case Never(reason):
                return reason
            case Reference(name) if name in passed:
                return f"{name} requires itself without end"
            case Reference(name):
                return self._why_not(self._registry.shape(atom)[0], passed | {name})
            case Object(properties=properties):
                for item in properties:
                    if item.required and not self.include(item.schema):
                        return f"property {item.name!r} is required, but: {self._why_not(item.schema, passed)}"
                return "it cannot have as many properties as it needs"
            case Array():
                bad = next(item for item in _needed_items(atom) if not self.include(item))
                return f"an item is required, but: {self._why_not(bad, passed)}"
            case _:
                return f"nothing satisfies {atom}"

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
                if not shown[candidate] and any(_has_value(atom, include) for atom in shapes[candidate]):
                    shown[candidate] = changed = True
        self._known |= shown

    def _dependencies(self, name: str) -> Iterator[tuple[str, tuple[Atom, ...]]]:
        waiting, found = [name], {name}
        while waiting:
            current = waiting.pop()
            shape = self._registry.shape(Reference(current))
            yield current, shape
            for schema in (schema for atom in shape for schema in _needed(atom)):
                if self._is_undecided(schema) and schema.name not in found:
                    found.add(schema.name)
                    waiting.append(schema.name)

    def _is_undecided(self, schema: Schema) -> TypeGuard[Reference]:
        return isinstance(schema, Reference) and schema != UNSTATED and schema.name not in self._known


def _has_value(atom: Atom, include: Callable[[Schema], bool]) -> bool:
    match atom:
        case Never():
            return False
        case Array():
            return all(map(include, _needed_items(atom)))
        case Object(properties=properties, rules=rules, min_properties=least):
            if not all(include(item.schema) for item in properties if item.required):
                return False
            if sum(item.required for item in properties) >= least or any(include(rule.schema) for rule in rules):
                return True
            return sum(include(item.schema) for item in properties) >= least
        case _:
            return True


def _needed(atom: Atom) -> list[Schema]:
    """The schemas inside ``atom`` on which it depends whether it has a value."""
    match atom:
        case Array():
            return _needed_items(atom)
        case Object(properties=properties, rules=rules, min_properties=least):
            required = [item.schema for item in properties if item.required]
            if len(required) >= least:
                return required
            return [*(item.schema for item in properties), *(rule.schema for rule in rules)]
        case _:
            return []


def _needed_items(array: Array) -> list[Schema]:
    rest = [array.items] if array.min_items > len(array.prefix) else []
    return [*array.prefix[: array.min_items], *rest]
