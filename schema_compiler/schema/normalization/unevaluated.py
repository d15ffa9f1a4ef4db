"""Which members other keywords have evaluated, so that ``unevaluatedProperties`` and ``unevaluatedItems`` skip them.

``additionalProperties`` skips what is declared beside it. The ``unevaluated...`` keywords also skip what is declared
behind ``$ref`` and ``allOf``, and behind ``anyOf``, ``oneOf``, ``if`` and the like where such a branch is valid. Which
branches are valid depends on the value, so there are several branches, each with conditions::

    {"anyOf": [{"required": ["a"], "properties": {"a": {}}}, {"required": ["b"], "properties": {"b": {}}}],
     "unevaluatedProperties": false}

    no condition                  nothing is evaluated
    the first branch is valid     "a" is
    the second branch is valid    "b" is
    both are                      "a" and "b" are

A branch need not say which branches are *not* valid. A branch that has evaluated less admits no value that
the right one refuses, so the union of all is exact. Source: JSON Schema 2020-12 core, sections 11.2 and 11.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from schema_compiler.errors import CompileBudgetError, place_name
from schema_compiler.schema.ir import OPEN_RULES, AnyValue, Never, Object, Property, Schema
from schema_compiler.schema.normalization.context import Context, branch_places, dependencies
from schema_compiler.schema.source.document import Place

__all__ = ["Branch", "Evaluated", "seen_branches"]

_MOST_BRANCHES = 64
"""How many branches one place may have. Each branch can double them, and each is read as a schema of its own.

A power of two, reached by six branches of an ``anyOf``, which take less than 0.1 seconds to normalise; with eight of
them it is 0.6 seconds (measured once on one CPU core).
"""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The members of a value that have been evaluated.

    Of an object, those whose keys are among the ``names`` or match one of the ``patterns``, or ``all_keys``. Of an
    array, as many of the first items as ``prefix`` says, and all that satisfy a schema in ``contained``, or
    ``all_items``. ``|`` gives the members that are in either.
    """

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
    """One branch: of a value that satisfies all ``conditions``, at least the members ``seen`` are evaluated.

    ``&`` gives the branch in which both hold.
    """

    conditions: tuple[Schema, ...] = ()
    seen: Evaluated = Evaluated()

    def __and__(self, other: Branch) -> Branch:
        more = (one for one in other.conditions if one not in self.conditions)
        return Branch((*self.conditions, *more), self.seen | other.seen)

    def covers(self, other: Branch) -> bool:
        """Whether this branch admits all that ``other`` does: it has no more conditions, and no less is seen."""
        return all(one in other.conditions for one in self.conditions) and self.seen | other.seen == self.seen


_EVERYTHING_SEEN = Branch((), Evaluated(all_keys=True, all_items=True))
"""The only branch where neither keyword is used, or could refuse a member."""


def seen_branches(place: Place, context: Context) -> list[Branch]:
    """What the other keywords at ``place`` have evaluated, in all branches.

    Keys count as seen where there is no ``unevaluatedProperties`` that could refuse one, items likewise. Raises
    ``CompileBudgetError`` where there are too many branches, ``InvalidSchemaError`` where a keyword does not hold
    the subschemas that it should, and that or ``UnsupportedSchemaError`` where a subschema cannot be found.
    """
    asks_keys, asks_items = (
        place.raw.get(keyword, True) is not True for keyword in ("unevaluatedProperties", "unevaluatedItems")
    )
    if not asks_keys and not asks_items:
        return [_EVERYTHING_SEEN]
    not_asked = Branch((), Evaluated(all_keys=not asks_keys, all_items=not asks_items))
    raw = {name: value for name, value in place.raw.items() if not name.startswith("unevaluated")}
    walk = _Walk(place, context, asks_keys, asks_items)
    return walk.combine([not_asked], walk.branches_of(Place(place.pointer, raw, place.base, place.scope)))


class _Walk:
    """Goes through all schemas that apply to the same value as the place ``start``.

    ``asks_keys`` and ``asks_items`` say whether evaluated keys and items are of interest.
    """

    def __init__(self, start: Place, context: Context, asks_keys: bool, asks_items: bool) -> None:
        self._start = start
        self._context = context
        self._asks_keys = asks_keys
        self._asks_items = asks_items
        self._passed: set[Place] = set()

    def branches_of(self, place: Place) -> list[Branch]:
        """What ``place`` evaluates where it is valid; nothing more if it is inside itself."""
        place = self._context.document.without_unknown_keywords(place)
        if not isinstance(place.raw, dict) or place in self._passed:
            return [Branch()]
        self._passed.add(place)
        branches = [Branch((), self._own(place))]
        for added in self._applicators(place):
            branches = self.combine(branches, added)
        self._passed.discard(place)
        return branches

    def combine(self, left: list[Branch], right: list[Branch]) -> list[Branch]:
        """All combinations of one in ``left`` and one in ``right``, without those that another one covers."""
        combinations: list[Branch] = []
        for branch in (one & other for one in left for other in right):
            if not any(other.covers(branch) for other in combinations):
                combinations = [other for other in combinations if not branch.covers(other)] + [branch]
            if len(combinations) > _MOST_BRANCHES:
                what = f"over {_MOST_BRANCHES} branches of what unevaluated members are"
                raise CompileBudgetError(f"there are {what} at {place_name(self._start.pointer)}")
        return combinations

    def _applicators(self, place: Place) -> Iterator[list[Branch]]:
        """What each applicator of ``place`` adds to what the place itself evaluates."""
        for branch in branch_places(place, "allOf", self._context):
            yield self.branches_of(branch)
        for target in self._targets(place):
            yield self.branches_of(target)
        for branch in branch_places(place, "anyOf", self._context):
            yield self._nothing_or([self._where_valid(branch)])
        if "oneOf" in place.raw:
            yield self._nothing_or(map(self._where_valid, branch_places(place, "oneOf", self._context)))
        if "if" in place.raw:
            yield self._nothing_or(self._conditional(place))
        for name, dependency in dependencies(place, self._context):
            if isinstance(dependency, Place):
                yield self._nothing_or([self.combine([_with_key(name)], self.branches_of(dependency))])

    def _targets(self, place: Place) -> Iterator[Place]:
        """The places that the references at ``place`` lead to."""
        if "$ref" in place.raw:
            yield self._context.document.resolve(place, place.raw["$ref"])
        if "$dynamicRef" in place.raw:
            yield self._context.document.resolve_dynamic(place, place.raw["$dynamicRef"])

    def _conditional(self, place: Place) -> Iterator[list[Branch]]:
        """What ``if`` and ``then`` evaluate together, and what ``else`` does."""
        child = self._context.document.child
        condition = child(place, "if")
        holds = self._where_valid(condition)
        yield self.combine(holds, self.branches_of(child(place, "then"))) if "then" in place.raw else holds
        if "else" in place.raw:
            fails = Branch((self._context.negate(self._context.child(condition)),))
            yield self.combine([fails], self.branches_of(child(place, "else")))

    def _where_valid(self, place: Place) -> list[Branch]:
        """What ``place`` evaluates, under the condition that it is valid."""
        return self.combine([Branch((self._context.child(place),))], self.branches_of(place))

    def _nothing_or(self, options: Iterable[list[Branch]]) -> list[Branch]:
        """Nothing, or what one of ``options`` evaluates; without what cannot be, or evaluates nothing."""
        branches = [Branch()]
        for one in chain.from_iterable(options):
            conditions = tuple(condition for condition in one.conditions if not isinstance(condition, AnyValue))
            if not any(isinstance(condition, Never) for condition in conditions):
                branches = self.combine([Branch()], [*branches, Branch(conditions, one.seen)])
        return branches

    def _own(self, place: Place) -> Evaluated:
        """What the keywords of ``place`` that have subschemas for members evaluate."""
        raw = place.raw
        names, patterns, items = raw.get("properties"), raw.get("patternProperties"), raw.get("items")
        prefix = items if isinstance(items, list) else raw.get("prefixItems")
        has_others = isinstance(items, list) and "additionalItems" in raw  # which says nothing elsewhere
        counts = self._asks_items and "contains" in raw and self._context.document.draft_at(place).year >= 2020
        contained = (self._context.child(self._context.document.child(place, "contains")),) if counts else ()
        keys_seen = Evaluated(
            names=frozenset(names) if isinstance(names, dict) else frozenset(),
            patterns=frozenset(patterns) if isinstance(patterns, dict) else frozenset(),
            all_keys="additionalProperties" in raw or "unevaluatedProperties" in raw,
        )
        items_seen = Evaluated(
            prefix=len(prefix) if isinstance(prefix, list) else 0,
            contained=contained,
            all_items=isinstance(items, dict | bool) or "unevaluatedItems" in raw or has_others,
        )
        return (keys_seen if self._asks_keys else Evaluated()) | (items_seen if self._asks_items else Evaluated())


def _with_key(name: str) -> Branch:
    """The condition that an object has the key."""
    present = Property(name, AnyValue(), required=True)
    return Branch((Object((present,), OPEN_RULES),))
