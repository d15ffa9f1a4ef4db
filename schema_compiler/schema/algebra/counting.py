"""Whether what is counted in an array or an object can still come out right.

``contains`` counts items, ``minProperties`` members, and an object that must differ from another has demands to meet.
A document must never be led where the counts cannot be reached any more, so both the normaliser ("has this schema a
value?") and the lowering ("may this come next?") ask here::

    [integer, integer*] has{2,} (0 or more)  {,3}      after [1] and with one counted: two more items, one must count

What is known of the parts is only whether they are possible; all else is arithmetic on small numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.languages import has_names
from schema_compiler.schema.ir import Array, Object, Property, Schema

__all__ = ["ItemCounts", "MemberCounts"]

Possible: TypeAlias = Callable[[Schema], bool]
Counts: TypeAlias = tuple[int, ...]
_Obligations: TypeAlias = frozenset[int]
_Range: TypeAlias = tuple[int, int]

_BUDGET = 20_000
"""How many combinations of counts are looked at where several ``contains`` meet."""


class ItemCounts:
    """Answers about an array with ``item_classes``; ``possible`` says which schemas have a value."""

    def __init__(self, array: Array, possible: Possible) -> None:
        self._array = array
        self._kinds = [
            {item_class.counts for item_class in item_classes if possible(item_class.schema)}
            for item_classes in array.item_classes
        ]
        self.start: Counts = (0,) * len(array.contains)
        self._viabilities: dict[tuple[int, Counts], bool] = {}

    def after(self, counts: Counts, counted: frozenset[int]) -> Counts | None:
        """The counts after an item that counts for ``counted``, kept no further than they matter; None: too many."""
        following = []
        for number, (count, contained) in enumerate(zip(counts, self._array.contains, strict=True)):
            count += number in counted
            if contained.maximum is not None and count > contained.maximum:
                return None
            following.append(count if contained.maximum is not None else min(count, contained.minimum))
        return tuple(following)

    def may_end(self, place: int, counts: Counts) -> bool:
        """Whether the array may end after ``place`` items."""
        bounds = zip(counts, self._array.contains, strict=True)
        return place >= self._array.min_items and all(count >= contained.minimum for count, contained in bounds)

    def viable(self, place: int, counts: Counts) -> bool:
        """Whether an array of ``place`` items with these counts can be completed; memoised."""
        key = (place, counts)
        if key not in self._viabilities:
            self._viabilities[key] = self._viable(place, counts)
        return self._viabilities[key]

    def _viable(self, place: int, counts: Counts) -> bool:
        if self.may_end(place, counts):
            return True
        if place >= len(self._kinds) - 1 and len(counts) == 1:
            return self._can_fill(place, counts[0])
        return self._search(place, counts)

    def _can_fill(self, place: int, count: int) -> bool:
        """With one ``contains`` and all further items alike: how many must and may be inside, and outside."""
        contained, kinds = self._array.contains[0], self._kinds[-1]
        least, most = max(self._array.min_items - place, 0), _left(self._array.max_items, place)
        inside = max(contained.minimum - count, 0)
        most_inside = _left(contained.maximum, count) if frozenset({0}) in kinds else 0
        most_outside = None if frozenset() in kinds else 0
        reachable = None if most_inside is None or most_outside is None else most_inside + most_outside
        return (
            _within(inside, most_inside)
            and _within(max(inside, least), most)
            and _within(max(inside, least), reachable)
        )

    def _search(self, place: int, counts: Counts) -> bool:
        """Breadth first over places and counts."""
        last = max(len(self._kinds) - 1, self._array.min_items)
        seen = {(min(place, last), counts)}
        waiting = [(place, counts)]
        for at, current in waiting:
            if self.may_end(at, current):
                return True
            if self._array.max_items is not None and at >= self._array.max_items:
                continue
            for counted in self._kinds[min(at, len(self._kinds) - 1)]:
                following = self.after(current, counted)
                key = (at + 1 if self._array.max_items is not None else min(at + 1, last), following)
                if following is not None and key not in seen:
                    seen.add((key[0], following))
                    waiting.append((at + 1, following))
            if len(seen) > _BUDGET:
                raise CompileBudgetError(f"counting what an array contains takes over {_BUDGET} steps, the limit")
        return False


class MemberCounts:
    """Answers about an object; ``possible`` says which schemas have a value."""

    def __init__(self, made: Object, possible: Possible) -> None:
        self._made = made
        self._possible = possible
        self._is_limited = made.min_properties > 0 or made.max_properties is not None
        self._absences = {
            alternative.names: alternative.obligations
            for alternative in made.alternatives
            if alternative.schema is None
        }
        self._viabilities: dict[tuple[int, int, frozenset[int]], bool] = {}
        self._known_ways: list[frozenset[int]] | None = None

    def absence(self, item: Property) -> frozenset[int]:
        """The demands that are met when ``item`` is left out."""
        return self._absences.get(item.name, frozenset())

    def may_end(self, count: int, unmet: frozenset[int]) -> bool:
        """Whether the object may end with ``count`` members."""
        return count >= self._made.min_properties and not unmet

    def viable(self, index: int, count: int, unmet: frozenset[int]) -> bool:
        """Whether an object of ``count`` members can be completed, from the property ``index`` on; memoised."""
        key = (index, count, unmet)
        if key not in self._viabilities:
            self._viabilities[key] = self._viable(index, count, unmet)
        return self._viabilities[key]

    def _viable(self, index: int, count: int, unmet: frozenset[int]) -> bool:
        most = _left(self._made.max_properties, count)
        if most is not None and most < 0:
            return False
        least = max(self._made.min_properties - count, 0)
        return any(
            _within(fewest, most) and (most_members is None or least <= most_members)
            for fewest, most_members in self._endings(index, unmet, least)
        )

    def _endings(self, index: int, unmet: frozenset[int], least: int) -> Iterable[tuple[int, int | None]]:
        """How few and how many more members there may be, once for each way of meeting the demands."""
        ranges = {unmet: (0, 0)}
        for item in self._made.properties[index:]:
            ranges = self._passed(item, ranges)
            if not self._is_limited:
                ranges = _least(ranges)
            if len(ranges) > _BUDGET:
                raise CompileBudgetError(f"meeting the demands on an object takes over {_BUDGET} steps, the limit")
        more = self._most_undeclared(least - max((most for _, most in ranges.values()), default=0))
        for left, (fewest, most) in ranges.items():
            needed = self._needed(left)
            if needed is not None and (needed == 0 or more is None or needed <= more):
                yield fewest + needed, None if more is None else most + more

    def _passed(self, item: Property, ranges: dict[_Obligations, _Range]) -> dict[_Obligations, _Range]:
        found: dict[_Obligations, _Range] = {}
        for unmet, (fewest, most) in ranges.items():
            options = [] if item.required else [(unmet - self.absence(item), fewest, most)]
            if self._possible(item.schema):
                options.append((unmet, fewest + 1, most + 1))
                options += [
                    (unmet - alternative, fewest + 1, most + 1)
                    for alternative in self._members(item.name)
                    if alternative & unmet
                ]
            for left, low, high in options:
                known = found.get(left, (low, high))
                found[left] = (min(low, known[0]), max(high, known[1]))
        return found

    def _members(self, name: str) -> list[frozenset[int]]:
        return [
            alternative.obligations
            for alternative in self._made.alternatives
            if alternative.names == name and alternative.schema is not None and self._possible(alternative.schema)
        ]

    def _needed(self, unmet: frozenset[int]) -> int | None:
        """How many undeclared members it takes to meet what is left; None: they cannot."""
        if not unmet <= frozenset().union(*self._undeclared_ways()):
            return None
        waiting = {unmet}
        for count in range(len(unmet) + 1):
            if frozenset() in waiting:
                return count
            waiting = {
                left - alternative
                for left in waiting
                for alternative in self._undeclared_ways()
                if min(left) in alternative
            }
        return None

    def _undeclared_ways(self) -> list[frozenset[int]]:
        if self._known_ways is None:
            names = self._declared()
            self._known_ways = [
                alternative.obligations
                for alternative in self._made.alternatives
                if not (alternative.schema is None or isinstance(alternative.names, str))
                and self._possible(alternative.schema)
                and has_names(alternative.names, names, 1)
            ]
        return self._known_ways

    def _most_undeclared(self, wanted: int) -> int | None:
        """How many undeclared keys there are; None: as many as are ``wanted``, or more."""
        rules = [rule for rule in self._made.rules if self._possible(rule.schema)]
        if wanted <= 0:
            return None if rules else 0
        total = 0
        for rule in rules:
            found = next((n for n in range(wanted) if not has_names(rule.names, self._declared(), n + 1)), None)
            if found is None:
                return None
            total += found
        return None if total >= wanted else total

    def _declared(self) -> frozenset[str]:
        return frozenset(item.name for item in self._made.properties)


def _least(ranges: dict[_Obligations, _Range]) -> dict[_Obligations, _Range]:
    """Only the sets of demands of which none that is reached, too, is a part: they are met more easily."""
    least: list[_Obligations] = []
    for unmet in sorted(ranges, key=len):
        if not any(other <= unmet for other in least):
            least.append(unmet)
    return {unmet: ranges[unmet] for unmet in least}


def _left(maximum: int | None, count: int) -> int | None:
    return None if maximum is None else maximum - count


def _within(count: int, maximum: int | None) -> bool:
    return maximum is None or count <= maximum
