"""What ``unevaluatedProperties`` and ``unevaluatedItems`` do not see: all that other keywords have looked at.

Unlike ``additionalProperties`` they take into account what stands behind ``$ref`` and ``allOf``, and behind ``anyOf``,
``if`` and the like wherever such a branch holds. So what they see comes in alternatives, each with its conditions::

    {"anyOf": [{"properties": {"a": {}}}, ...], "unevaluatedProperties": false}
    no key at all, or the first branch holds and no key but "a", or ...

An alternative need not say which branches do *not* hold: to have looked at more only admits more. Source: JSON Schema
2020-12 core, sections 11.2 and 11.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from schema_compiler.errors import CompileBudgetError, place_name
from schema_compiler.schema.ir import AnyValue, KeyRule, Never, Object, Property, Schema, String
from schema_compiler.schema.normalization.context import Context
from schema_compiler.schema.source.document import Place

__all__ = ["Branch", "Evaluated", "alternatives"]

_MOST = 64
"""So many alternatives of what has been looked at are told apart."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Members that are looked at: keys by name and pattern, the first items and those ``contained``; or all."""

    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    all_keys: bool = False
    prefix: int = 0
    contained: tuple[Schema, ...] = ()
    all_items: bool = False

    def __or__(self, other: Evaluated) -> Evaluated:
        return Evaluated(
            self.names | other.names,
            self.patterns | other.patterns,
            self.all_keys or other.all_keys,
            max(self.prefix, other.prefix),
            (*self.contained, *(one for one in other.contained if one not in self.contained)),
            self.all_items or other.all_items,
        )


@dataclass(frozen=True, slots=True)
class Branch:
    """Where the ``conditions`` hold, at least this much has been ``seen``."""

    conditions: tuple[Schema, ...] = ()
    seen: Evaluated = Evaluated()

    def __and__(self, other: Branch) -> Branch:
        more = (one for one in other.conditions if one not in self.conditions)
        return Branch((*self.conditions, *more), self.seen | other.seen)

    def covers(self, other: Branch) -> bool:
        """Whether this alternative admits all that the other does."""
        return all(one in other.conditions for one in self.conditions) and self.seen | other.seen == self.seen


_NOTHING_ASKED = Branch((), Evaluated(all_keys=True, all_items=True))


def alternatives(place: Place, context: Context) -> list[Branch]:
    """What the keywords at ``place`` have looked at, as far as its ``unevaluated...`` keywords ask.

    Raises ``CompileBudgetError`` where there are too many alternatives.
    """
    asks_keys, asks_items = (
        place.raw.get(keyword, True) is not True for keyword in ("unevaluatedProperties", "unevaluatedItems")
    )
    if not asks_keys and not asks_items:
        return [_NOTHING_ASKED]
    unasked = Branch((), Evaluated(all_keys=not asks_keys, all_items=not asks_items))
    raw = {name: value for name, value in place.raw.items() if not name.startswith("unevaluated")}
    walk = _Walk(place, context, asks_keys, asks_items)
    return walk.both([unasked], walk.inside(Place(place.pointer, raw, place.base, place.scope)))


class _Walk:
    def __init__(self, start: Place, context: Context, asks_keys: bool, asks_items: bool) -> None:
        self._start = start
        self._context = context
        self._asks_keys = asks_keys
        self._asks_items = asks_items
        self._passed: set[Place] = set()

    def inside(self, place: Place) -> list[Branch]:
        if not isinstance(place.raw, dict) or place in self._passed:
            return [Branch()]
        self._passed.add(place)
        found = [Branch((), self._own(place))]
        for part in self._parts(place):
            found = self.both(found, part)
        self._passed.discard(place)
        return found

    def both(self, left: list[Branch], right: list[Branch]) -> list[Branch]:
        """All combinations, without those that another one covers."""
        found: list[Branch] = []
        for made in (one & other for one in left for other in right):
            if not any(other.covers(made) for other in found):
                found = [other for other in found if not made.covers(other)] + [made]
            if len(found) > _MOST:
                what = f"over {_MOST} alternatives of what unevaluated members are"
                raise CompileBudgetError(f"there are {what} at {place_name(self._start.pointer)}")
        return found

    def _parts(self, place: Place) -> Iterator[list[Branch]]:
        """What each applicator of ``place`` adds."""
        child, raw = self._context.document.child, place.raw
        for index in range(len(raw.get("allOf", ()))):
            yield self.inside(child(place, "allOf", str(index)))
        for target in self._targets(place):
            yield self.inside(target)
        for index in range(len(raw.get("anyOf", ()))):
            branch = child(place, "anyOf", str(index))
            yield self._perhaps([self._if_holds(branch)])
        if "oneOf" in raw:
            branches = (child(place, "oneOf", str(index)) for index in range(len(raw["oneOf"])))
            yield self._perhaps(map(self._if_holds, branches))
        if "if" in raw:
            yield self._perhaps(self._conditional(place))
        for keyword in ("dependentSchemas", "dependencies"):
            for name in raw.get(keyword, ()):
                yield self._perhaps([self.both([_with_key(name)], self.inside(child(place, keyword, name)))])

    def _targets(self, place: Place) -> Iterator[Place]:
        if "$ref" in place.raw:
            yield self._context.document.resolve(place, place.raw["$ref"])
        if "$dynamicRef" in place.raw:
            yield self._context.document.resolve_dynamic(place, place.raw["$dynamicRef"])

    def _conditional(self, place: Place) -> Iterator[list[Branch]]:
        child = self._context.document.child
        condition = child(place, "if")
        holds = self._if_holds(condition)
        yield self.both(holds, self.inside(child(place, "then"))) if "then" in place.raw else holds
        if "else" in place.raw:
            fails = Branch((self._context.negate(self._context.child(condition)),))
            yield self.both([fails], self.inside(child(place, "else")))

    def _if_holds(self, branch: Place) -> list[Branch]:
        return self.both([Branch((self._context.child(branch),))], self.inside(branch))

    def _perhaps(self, options: Iterable[list[Branch]]) -> list[Branch]:
        """Nothing is added, or one of ``options``, as far as it is possible and adds something."""
        found = [Branch()]
        for one in (one for option in options for one in option):
            conditions = tuple(condition for condition in one.conditions if not isinstance(condition, AnyValue))
            if not any(isinstance(condition, Never) for condition in conditions):
                found = self.both([Branch()], [*found, Branch(conditions, one.seen)])
        return found

    def _own(self, place: Place) -> Evaluated:
        """What the keywords of ``place`` itself look at."""
        raw = place.raw
        names, patterns, items = raw.get("properties"), raw.get("patternProperties"), raw.get("items")
        prefix = items if isinstance(items, list) else raw.get("prefixItems")
        counts = self._asks_items and "contains" in raw and self._context.document.draft_at(place).year >= 2020
        contained = (self._context.child(self._context.document.child(place, "contains")),) if counts else ()
        keys = Evaluated(
            names=frozenset(names) if isinstance(names, dict) else frozenset(),
            patterns=frozenset(patterns) if isinstance(patterns, dict) else frozenset(),
            all_keys="additionalProperties" in raw or "unevaluatedProperties" in raw,
        )
        listed = Evaluated(
            prefix=len(prefix) if isinstance(prefix, list) else 0,
            contained=contained,
            all_items=isinstance(items, dict | bool) or "unevaluatedItems" in raw or "additionalItems" in raw,
        )
        return (keys if self._asks_keys else Evaluated()) | (listed if self._asks_items else Evaluated())


def _with_key(name: str) -> Branch:
    """The condition that an object has the key."""
    present = Property(name, AnyValue(), required=True)
    return Branch((Object((present,), (KeyRule(String(), AnyValue()),)),))
