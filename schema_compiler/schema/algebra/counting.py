"""Whether what is counted in an array or an object can still come out right.

``contains`` counts items, ``minProperties`` counts members, and an object that must differ from another one has
obligations to meet. A document must never be led where the counts cannot be reached any more. So both the normaliser
("has this schema a value?") and the lowering ("may this come next?") ask here::

    [integer*]{0,3} has{2,} (number in [5, inf))     after [7]     two more items may follow, and one of them must count
                                                     after [1, 2]  no third item can complete it

What is known of the parts is only whether they have a value; all else is arithmetic on small numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.languages import has_names
from schema_compiler.schema.ir import Array, Object, Property, Schema

__all__ = ["ItemCounts", "MemberCounts"]

Possible: TypeAlias = Callable[[Schema], bool]
"""Whether a schema has a value."""
Counts: TypeAlias = tuple[int, ...]
"""How many items have been counted for each of an array's ``contains``."""
_Obligations: TypeAlias = frozenset[int]
_Range: TypeAlias = tuple[int, int]
"""The fewest and the most members."""

_BUDGET = 20_000
"""How many combinations of counts, or of unmet obligations, one search looks at.

Each ``contains`` multiplies the combinations, and each obligation doubles them, so without a limit a short schema could
take hours. A round number: so many take about a quarter of a second (measured once on one CPU core, with five
``contains`` and with sixteen obligations).
"""


class ItemCounts:
    """Answers about an array with ``item_classes``; ``possible`` says which schemas have a value.

    An array under way is described by its ``length``, the number of its items so far, and by its ``Counts``.
    """

    def __init__(self, array: Array, possible: Possible) -> None:
        self._array = array
        self._counted_sets = [
            {item_class.counts for item_class in item_classes if possible(item_class.schema)}
            for item_classes in array.item_classes
        ]
        self.start: Counts = (0,) * len(array.contains)
        self._viabilities: dict[tuple[int, Counts], bool] = {}

    def after(self, counts: Counts, counted: frozenset[int]) -> Counts | None:
        """The counts after one more item, which counts for the ``contains`` of the numbers ``counted``.

        ``None``: they are too many. A count without an upper limit stops at its minimum, as more make no difference.
        """
        following = []
        for number, (count, contained) in enumerate(zip(counts, self._array.contains, strict=True)):
            count += number in counted
            if contained.maximum is not None and count > contained.maximum:
                return None
            following.append(count if contained.maximum is not None else min(count, contained.minimum))
        return tuple(following)

    def may_end(self, length: int, counts: Counts) -> bool:
        """Whether the array may end after ``length`` items with these counts."""
        bounds = zip(counts, self._array.contains, strict=True)
        return length >= self._array.min_items and all(count >= contained.minimum for count, contained in bounds)

    def viable(self, length: int, counts: Counts) -> bool:
        """Whether an array of ``length`` items with these counts can be completed; memoised.

        Raises ``CompileBudgetError`` where it takes too long to tell.
        """
        key = (length, counts)
        if key not in self._viabilities:
            self._viabilities[key] = self._is_viable(length, counts)
        return self._viabilities[key]

    def _is_viable(self, length: int, counts: Counts) -> bool:
        if self.may_end(length, counts):
            return True
        if length >= len(self._counted_sets) - 1 and len(counts) == 1:
            return self._can_fill(length, counts[0])
        return self._search(length, counts)

    def _can_fill(self, length: int, count: int) -> bool:
        """Whether items that are all alike can complete the array, with one ``contains``: by arithmetic alone."""
        contained, counted_sets = self._array.contains[0], self._counted_sets[-1]
        least_counted = max(contained.minimum - count, 0)
        most_counted = _remaining(contained.maximum, count) if frozenset({0}) in counted_sets else 0
        most_others = None if frozenset() in counted_sets else 0
        least = max(self._array.min_items - length, least_counted)
        most = None if most_counted is None or most_others is None else most_counted + most_others
        return (
            _is_within(least_counted, most_counted)
            and _is_within(least, _remaining(self._array.max_items, length))
            and _is_within(least, most)
        )

    def _search(self, length: int, counts: Counts) -> bool:
        """Whether some end can be reached, breadth first over lengths and counts."""
        last = max(len(self._counted_sets) - 1, self._array.min_items)
        seen = {(min(length, last), counts)}
        waiting = [(length, counts)]
        for at, current in waiting:
            if self.may_end(at, current):
                return True
            if self._array.max_items is not None and at >= self._array.max_items:
                continue
            for counted in self._counted_sets[min(at, len(self._counted_sets) - 1)]:
                following = self.after(current, counted)
                key = (at + 1 if self._array.max_items is not None else min(at + 1, last), following)
                if following is not None and key not in seen:
                    seen.add((key[0], following))
                    waiting.append((at + 1, following))
            if len(seen) > _BUDGET:
                raise CompileBudgetError(f"counting what an array contains takes over {_BUDGET} steps, the limit")
        return False


class MemberCounts:
    """Answers about an object; ``possible`` says which schemas have a value.

    An object under way is described by the ``index`` of the next declared property, the ``count`` of its members so far
    and the numbers of the ``unmet`` obligations.
    """

    def __init__(self, made: Object, possible: Possible) -> None:
        self._schema = made
        self._possible = possible
        self._is_limited = made.min_properties > 0 or made.max_properties is not None
        self._absences = {one.names: one.obligations for one in made.alternatives if one.schema is None}
        self._viabilities: dict[tuple[int, int, _Obligations], bool] = {}
        self._undeclared: list[_Obligations] | None = None

    def absence(self, item: Property) -> frozenset[int]:
        """The obligations that are met when ``item`` is left out."""
        return self._absences.get(item.name, frozenset())

    def may_end(self, count: int, unmet: frozenset[int]) -> bool:
        """Whether the object may end with ``count`` members and these ``unmet`` obligations."""
        return count >= self._schema.min_properties and not unmet

    def viable(self, index: int, count: int, unmet: frozenset[int]) -> bool:
        """Whether an object of ``count`` members can be completed, from the property ``index`` on; memoised.

        Raises ``CompileBudgetError`` where it takes too long to tell.
        """
        key = (index, count, unmet)
        if key not in self._viabilities:
            self._viabilities[key] = self._is_viable(index, count, unmet)
        return self._viabilities[key]

    def _is_viable(self, index: int, count: int, unmet: _Obligations) -> bool:
        most = _remaining(self._schema.max_properties, count)
        if most is not None and most < 0:
            return False
        least = max(self._schema.min_properties - count, 0)
        return any(
            _is_within(fewest, most) and (most_members is None or least <= most_members)
            for fewest, most_members in self._completions(index, unmet, least)
        )

    def _completions(self, index: int, unmet: _Obligations, least: int) -> Iterator[tuple[int, int | None]]:
        """The fewest and the most further members, once for each way of meeting the obligations; ``None``: no limit."""
        ranges = {unmet: (0, 0)}
        for item in self._schema.properties[index:]:
            ranges = self._ranges_after(item, ranges)
            if not self._is_limited:
                ranges = _minimal(ranges)
            if len(ranges) > _BUDGET:
                raise CompileBudgetError(f"meeting the obligations of an object takes over {_BUDGET} steps, the limit")
        undeclared = self._most_undeclared(least - min((most for _, most in ranges.values()), default=0))
        for remaining, (fewest, most) in ranges.items():
            needed = self._fewest_undeclared(remaining)
            if needed is not None and (needed == 0 or undeclared is None or needed <= undeclared):
                yield fewest + needed, None if undeclared is None else most + undeclared

    def _ranges_after(self, item: Property, ranges: dict[_Obligations, _Range]) -> dict[_Obligations, _Range]:
        """``ranges``, by the obligations that are unmet, after ``item`` has been left out or become a member."""
        after: dict[_Obligations, _Range] = {}
        for unmet, (fewest, most) in ranges.items():
            options = [] if item.required else [(unmet - self.absence(item), fewest, most)]
            if self._possible(item.schema):
                options.append((unmet, fewest + 1, most + 1))
                options += [(unmet - met, fewest + 1, most + 1) for met in self._met_by(item.name) if met & unmet]
            for remaining, low, high in options:
                known = after.get(remaining, (low, high))
                after[remaining] = (min(low, known[0]), max(high, known[1]))
        return after

    def _met_by(self, name: str) -> list[_Obligations]:
        """The obligations that a member ``name`` can meet, for each of its possible alternatives."""
        return [
            one.obligations
            for one in self._schema.alternatives
            if one.names == name and one.schema is not None and self._possible(one.schema)
        ]

    def _fewest_undeclared(self, unmet: _Obligations) -> int | None:
        """How many undeclared members it takes to meet ``unmet``; ``None``: they cannot."""
        alternatives = self._met_by_undeclared()
        if not unmet <= frozenset().union(*alternatives):
            return None
        waiting = {unmet}
        for count in range(len(unmet) + 1):
            if frozenset() in waiting:
                return count
            waiting = {remaining - met for remaining in waiting for met in alternatives if min(remaining) in met}
        return None

    def _met_by_undeclared(self) -> list[_Obligations]:
        """The obligations that an undeclared member can meet, for each of its possible alternatives."""
        if self._undeclared is None:
            declared = self._declared_names()
            self._undeclared = [
                one.obligations
                for one in self._schema.alternatives
                if not (one.schema is None or isinstance(one.names, str))
                and self._possible(one.schema)
                and has_names(one.names, declared, 1)
            ]
        return self._undeclared

    def _most_undeclared(self, wanted: int) -> int | None:
        """How many undeclared keys there are; ``None``: as many as are ``wanted``, or more."""
        rules = [rule for rule in self._schema.rules if self._possible(rule.schema)]
        if wanted <= 0:
            return None if rules else 0
        declared = self._declared_names()
        total = 0
        for rule in rules:
            size = next((count for count in range(wanted) if not has_names(rule.names, declared, count + 1)), None)
            if size is None:
                return None
            total += size
        return None if total >= wanted else total

    def _declared_names(self) -> frozenset[str]:
        return frozenset(item.name for item in self._schema.properties)


def _minimal(ranges: dict[_Obligations, _Range]) -> dict[_Obligations, _Range]:
    """``ranges`` without the sets of unmet obligations that contain another one: the smaller is met more easily."""
    minimal: list[_Obligations] = []
    for unmet in sorted(ranges, key=len):
        if not any(other <= unmet for other in minimal):
            minimal.append(unmet)
    return {unmet: ranges[unmet] for unmet in minimal}


def _remaining(maximum: int | None, count: int) -> int | None:
    return None if maximum is None else maximum - count


def _is_within(count: int, maximum: int | None) -> bool:
    return maximum is None or count <= maximum
