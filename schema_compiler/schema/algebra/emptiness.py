"""Which schemas have any value at all: a document that follows an impossible one could never be finished.

An object has a value if all its required properties have one. So a model that requires itself has none, although no
keyword contradicts another. That is a least fixpoint: nothing has a value until shown otherwise::

    Node = {"next": Node}             never shown: impossible
    Node = {"next": Node | null}      shown by null

Only what a value cannot do without is looked at, and each answer about a name is kept. Source: the productive symbols
of a context-free grammar (Hopcroft and Ullman, Introduction to Automata Theory, 1979, section 4.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeGuard

from schema_compiler.schema.algebra.counting import ItemCounts, MemberCounts
from schema_compiler.schema.algebra.disjunction import UNSTATED, Complement, Disjunct, Disjunction, SchemaAlgebra
from schema_compiler.schema.algebra.obligations import with_item_classes, with_joined_alternatives
from schema_compiler.schema.algebra.values import single_values
from schema_compiler.schema.ir import Array, Never, Object, Reference, Schema, Union

__all__ = ["Inhabitants", "required_items"]


class Inhabitants:
    """Answers whether schemas have a value; ``algebra`` says what the names in them stand for.

    All answers may raise ``CompileBudgetError`` where counting takes too long, and what ``algebra.shape`` raises.
    """

    def __init__(self, algebra: SchemaAlgebra) -> None:
        self._algebra = algebra
        self._known: dict[str, bool] = {}

    def include(self, schema: Schema) -> bool:
        """Whether ``schema`` has a value."""
        if isinstance(schema, Reference) and schema != UNSTATED:
            if schema.name not in self._known:
                self._settle(schema.name)
            return self._known[schema.name]
        return self.holds(schema)

    def holds(self, disjunct: Disjunct) -> bool:
        """Whether ``disjunct`` has a value; a reference, or a union, is taken to have one."""
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
                return self._why_not(self._algebra.shape(disjunct)[0], passed | {name})
            case Object(properties=properties):
                for item in properties:
                    if item.required and not self.include(item.schema):
                        return f"property {item.name!r} is required, but: {self._why_not(item.schema, passed)}"
                return "it cannot have as many properties as it needs"
            case Array():
                bad = next((item for item in required_items(disjunct) if not self.include(item)), None)
                if bad is None:
                    return "it cannot have as many items as it needs"
                return f"an item is required, but: {self._why_not(bad, passed)}"
            case _:
                return f"nothing satisfies {disjunct}"

    def _settle(self, name: str) -> None:
        """Decides ``name`` and all it depends on: goes round until nothing new is shown to have a value."""
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

    def _dependencies(self, name: str) -> Iterator[tuple[str, Disjunction]]:
        """``name`` and the undecided names on which it depends whether it has a value, each with its disjunction."""
        waiting, seen = [name], {name}
        while waiting:
            current = waiting.pop()
            shape = self._algebra.shape(Reference(current))
            yield current, shape
            for schema in chain.from_iterable(map(self._parts_that_decide, shape)):
                if self._is_undecided(schema) and schema.name not in seen:
                    seen.add(schema.name)
                    waiting.append(schema.name)

    def _is_undecided(self, schema: Schema) -> TypeGuard[Reference]:
        return isinstance(schema, Reference) and schema != UNSTATED and schema.name not in self._known

    def _has_value(self, disjunct: Disjunct, include: Callable[[Schema], bool]) -> bool:
        """Whether ``disjunct`` has a value, where ``include`` says which of its parts have one."""
        match disjunct:
            case Never():
                return False
            case Array(contains=contained):
                if not all(map(include, required_items(disjunct))) or not self._has_enough_values(disjunct):
                    return False
                if not contained:
                    return True
                counts = ItemCounts(with_item_classes(disjunct, self._algebra), include)
                return counts.viable(0, counts.start)
            case Object(properties=properties):
                if not all(include(item.schema) for item in properties if item.required):
                    return False
                if _do_required_suffice(disjunct):
                    return True
                return MemberCounts(self._with_alternatives(disjunct), include).viable(0, 0, disjunct.obligations)
            case _:
                return True

    def _has_enough_values(self, array: Array) -> bool:
        """Whether there are ``min_items`` different values for the items, where all are alike and must differ."""
        if not array.unique or array.prefix or array.min_items < 2:
            return True
        shape = self._algebra.shape(array.items)
        options = tuple(disjunct for disjunct in shape if not isinstance(disjunct, Complement))
        values = single_values(Union(options)) if len(options) == len(shape) else None
        return values is None or array.min_items <= len(values)

    def _parts_that_decide(self, disjunct: Disjunct) -> list[Schema]:
        """The schemas inside ``disjunct`` on which it depends whether it has a value."""
        match disjunct:
            case Array(contains=contained):
                classes = with_item_classes(disjunct, self._algebra).item_classes if contained else ()
                return [*required_items(disjunct), *(one.schema for one in chain.from_iterable(classes))]
            case Object(properties=properties, rules=rules):
                if _do_required_suffice(disjunct):
                    return [item.schema for item in properties if item.required]
                alternatives = self._with_alternatives(disjunct).alternatives
                members = [one.schema for one in alternatives if one.schema is not None]
                return [*(item.schema for item in properties), *(rule.schema for rule in rules), *members]
            case _:
                return []

    def _with_alternatives(self, schema: Object) -> Object:
        return with_joined_alternatives(schema, self._algebra) if schema.alternatives else schema


def _do_required_suffice(schema: Object) -> bool:
    """Whether it has a value if its required properties have: no obligation, and no ``minProperties`` beyond them."""
    return not schema.alternatives and schema.min_properties <= sum(item.required for item in schema.properties)


def required_items(array: Array) -> list[Schema]:
    """The schemas of the items that ``array`` cannot do without; that of the items after its prefix once."""
    rest = [array.items] if array.min_items > len(array.prefix) else []
    return [*array.prefix[: array.min_items], *rest]
