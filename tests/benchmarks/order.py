"""Whether an engine refuses a document for nothing but the order of its properties.

Engines generate properties in the order in which the schema declares them, which JSON Schema does not ask of
instances. If an engine takes some other order of the same data, order was the reason. Where it stopped says what to
change: the key that it would not read belongs further ahead, or a sibling after it belongs in its place. The change
that gets furthest is kept, until the engine takes everything or no change gets any further.

    {"b": 1, "c": 3, "a": 2}  stops at "a"   ->   {"a": 2, "b": 1, "c": 3}  is taken
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

__all__ = ["accepted_in_some_order"]

_Path: TypeAlias = tuple[str | int, ...]

_ATTEMPTS = 500


@dataclass(frozen=True, slots=True)
class _Key:
    """A key in a text: where it starts, in characters; its object; its place among ``siblings`` keys."""

    start: int
    path: _Path
    place: int
    siblings: int


def accepted_in_some_order(data: Any, stop: Callable[[str], int | None]) -> bool:
    """Whether reordering keys makes ``data`` acceptable.

    ``stop``: the number of characters up to the end of the first token that is refused; ``None`` when none is.
    """
    best = stop(json.dumps(data, ensure_ascii=False))
    attempts = _ATTEMPTS
    while best is not None and attempts > 0:
        ends: list[tuple[int, Any]] = []
        for changed in islice(_changes(data, best), attempts):
            attempts -= 1
            end = stop(json.dumps(changed, ensure_ascii=False))
            if end is None:
                return True
            ends.append((end, changed))
        furthest, data = max(ends, key=lambda pair: pair[0], default=(0, data))
        if furthest <= best:
            return False
        best = furthest
    return best is None


def _changes(data: Any, end: int) -> Iterator[Any]:
    """``data`` with the last key that starts before ``end`` moved ahead, or a later sibling put in its place."""
    key = max((key for key in _keys(data, 0, ()) if key.start < end), key=lambda key: key.start, default=None)
    if key is not None:
        for later in range(key.place + 1, key.siblings):
            yield _moved(data, key.path, later, key.place)
        for earlier in range(key.place):
            yield _moved(data, key.path, key.place, earlier)


def _keys(data: Any, start: int, path: _Path) -> Iterator[_Key]:
    """The keys of ``data``, whose text begins at ``start``, in the spelling of ``json.dumps``."""
    if isinstance(data, dict):
        members = list(data.items())
    elif isinstance(data, list):
        members = list(enumerate(data))
    else:
        return
    start += 1
    for place, (name, value) in enumerate(members):
        if isinstance(data, dict):
            yield _Key(start, path, place, len(members))
            start += len(json.dumps(name, ensure_ascii=False)) + 2
        yield from _keys(value, start, (*path, name))
        start += len(json.dumps(value, ensure_ascii=False)) + 2


def _moved(data: Any, path: _Path, place: int, to: int) -> Any:
    """``data`` with the key at ``place`` of the object at ``path`` moved to another place."""
    if path:
        first, *others = path
        changed = {first: _moved(data[first], tuple(others), place, to)}
        return data | changed if isinstance(data, dict) else [changed.get(i, item) for i, item in enumerate(data)]
    names = list(data)
    names.insert(to, names.pop(place))
    return {name: data[name] for name in names}
