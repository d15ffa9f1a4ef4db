"""Which value of a document a validator refuses, so that this one alone is chosen anew.

loc ("items", 1, "price")     the price of the second item
loc ("items", 1)              the last value in the second item
loc ()                        the last value of all: what a validator of the whole model has read last
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sdk.fields import FieldPath, scalars

__all__ = ["refused_value"]


def refused_value(document: bytes, errors: Sequence[Mapping[str, Any]]) -> tuple[FieldPath, int, int] | None:
    """The path of the first refused value, its first byte and the one behind it; ``None`` where there is no value.

    ``errors``: Pydantic's, or dictionaries with a ``"loc"``; parts of it that name no place in JSON, such as members of
    a union, are passed over.
    """
    value, places = json.loads(document), list(scalars(document))
    found = []
    for error in errors:
        path = _path(value, error["loc"])
        inside = [place for place in places if place[0][: len(path)] == path]
        found += inside[-1:]
    return min(found, key=lambda place: place[1], default=None)


def _path(value: Any, loc: Sequence[str | int]) -> FieldPath:
    """As much of ``loc`` as leads somewhere."""
    path: list[str | int] = []
    for part in loc:
        inside = part in value if isinstance(value, dict) else isinstance(value, list) and part in range(len(value))
        if inside:
            value = value[part]
            path.append(part)
    return tuple(path)
