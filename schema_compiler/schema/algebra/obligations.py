"""What an item or a member must be to satisfy several schemas at once: its own, and those it is counted for.

An array with ``contains`` sorts its items into cells, an object with demands gets its ways of meeting them, each with
the schema that the place itself demands joined in::

    [integer*] has{1,} (5 or more)          items: integer and (5 or more), counted; integer, not counted

Only an item that may be too many must be known not to count, so the negation is needed for an upper limit only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.disjunction import Names
from schema_compiler.schema.algebra.intersection import meet_keys
from schema_compiler.schema.ir import AnyValue, Array, Cell, Contains, Never, Number, Object, Schema, String, Way

__all__ = ["with_cells", "with_joined_ways"]

_MOST_CONTAINS = 5
"""So many ``contains`` may meet in one array; their combinations double with each."""
_MOST_WAYS = 256
"""So many combinations of demands one member may meet."""


def with_cells(array: Array, names: Names) -> Array:
    """``array`` with its ``cells``; its prefix is as long as the longest of its ``contains``."""
    _limit(len(array.contains), "contains", _MOST_CONTAINS)
    length = max(len(array.prefix), *(len(contained.prefix) for contained in array.contains))
    prefix = (*array.prefix, *(array.items,) * (length - len(array.prefix)))
    places = ((schema, place) for place, schema in enumerate((*prefix, array.items)))
    cells = tuple(tuple(_cells(schema, place, array.contains, names)) for schema, place in places)
    return replace(array, prefix=prefix, cells=cells)


def _cells(schema: Schema, place: int, contained: tuple[Contains, ...], names: Names) -> Iterator[Cell]:
    for counted in _subsets(len(contained)):
        inside = schema
        for number, one in enumerate(contained):
            wanted = one.prefix[place] if place < len(one.prefix) else one.items
            if number in counted:
                inside = names.join(inside, wanted)
            elif one.maximum is not None:
                inside = names.join(inside, names.negate(wanted))
        if not isinstance(inside, Never):
            yield Cell(inside, frozenset(counted))


def with_joined_ways(made: Object, names: Names) -> Object:
    """``made`` with all ways of meeting demands, several with one member among them."""
    members = chain.from_iterable(_member_ways(made, item.name, item.schema, names) for item in made.properties)
    undeclared = chain.from_iterable(_key_ways(made, rule.names, rule.schema, names) for rule in made.rules)
    return replace(made, ways=(*_absences(made), *members, *undeclared))


def _absences(made: Object) -> Iterator[Way]:
    for item in made.properties:
        demands = [way.demands for way in made.ways if way.schema is None and way.names == item.name]
        if demands:
            yield Way(frozenset().union(*demands), item.name, None)


def _member_ways(made: Object, name: str, schema: Schema, names: Names) -> Iterator[Way]:
    ways = [way for way in made.ways if way.names == name and way.schema is not None]
    yield from _joined(name, ways, schema, names)


def _key_ways(made: Object, keys: String | Number, schema: Schema, names: Names) -> Iterator[Way]:
    ways = [way for way in made.ways if not isinstance(way.names, str)]
    yield from _joined(keys, ways, schema, names)


def _joined(keys: str | String | Number, ways: Sequence[Way], schema: Schema, names: Names) -> list[Way]:
    """Each choice of ``ways``, one for a demand at most, as one way for members of ``keys`` and ``schema``."""
    choices = [Way(frozenset(), keys, schema)]
    for demand in sorted(frozenset().union(*(way.demands for way in ways))):
        own = [way for way in ways if demand in way.demands]
        choices += [both for one in choices for way in own if (both := _both(one, way, names)) is not None]
        _limit(len(choices), "combinations of demands", _MOST_WAYS)
    return choices[1:]


def _both(left: Way, right: Way, names: Names) -> Way | None:
    """A member that is a way of either; ``right`` may speak of fewer keys."""
    schema = names.join(left.schema or AnyValue(), right.schema or AnyValue())
    keys = left.names
    if not isinstance(keys, str) and not isinstance(right.names, str):
        shared = meet_keys(keys, right.names)
        if isinstance(shared, Never):
            return None
        keys = shared
    return None if isinstance(schema, Never) else Way(left.demands | right.demands, keys, schema)


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(count), size) for size in range(count + 1))


def _limit(count: int, what: str, most: int) -> None:
    if count > most:
        raise CompileBudgetError(f"{count} {what} in one place: the limit is {most}")
