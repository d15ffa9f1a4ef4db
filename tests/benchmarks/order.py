"""Whether an engine refuses a document for nothing but the order of its properties.

Engines generate properties in the order in which the schema declares them, which JSON Schema does not ask of
instances. If an engine takes some other order of the same data, order was the reason. Where it stopped says what to
change: the key that it would not read goes behind its siblings, and the next one is tried in its place.

    {"b": 1, "a": 2}  stops at "b"   ->   {"a": 2, "b": 1}  is taken
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["accepted_in_some_order"]

_Path: TypeAlias = tuple[str | int, ...]

_ATTEMPTS = 300


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
    tried: Counter[tuple[_Path, int]] = Counter()
    for _ in range(_ATTEMPTS):
        end = stop(json.dumps(data, ensure_ascii=False))
        if end is None:
            return True
        key = max((key for key in _keys(data, 0, ()) if key.start < end), key=lambda key: key.start, default=None)
        if key is None or tried[key.path, key.place] >= key.siblings - key.place - 1:
            return False
        tried[key.path, key.place] += 1
        data = _last(data, key.path, key.place)
    return False


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


def _last(data: Any, path: _Path, place: int) -> Any:
    """``data`` with the key at ``place`` of the object at ``path`` moved to its end."""
    if path:
        first, *others = path
        changed = {first: _last(data[first], tuple(others), place)}
        return data | changed if isinstance(data, dict) else [changed.get(i, item) for i, item in enumerate(data)]
    names = list(data)
    names.append(names.pop(place))
    return {name: data[name] for name in names}
