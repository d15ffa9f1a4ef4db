"""The metaschemas of drafts 4 to 7, which schemas that describe other schemas refer to.

    {"$schema": "http://json-schema.org/draft-04/schema#",
     "properties": {"default": {"$ref": "http://json-schema.org/draft-04/schema#/properties/default"}}}

The files are those of json-schema.org. The metaschemas of later drafts lie in many files; who refers to them brings
them along as resources.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

__all__ = ["metaschema"]

_NAMES: Final = {f"http://json-schema.org/{name}/schema": name for name in ("draft-04", "draft-06", "draft-07")}


@cache
def metaschema(uri: str) -> dict[str, Any] | None:
    """The metaschema of that URI, without a fragment; ``None`` where it is no such."""
    if uri not in _NAMES:
        return None
    made: dict[str, Any] = json.loads((files(__package__) / f"{_NAMES[uri]}.json").read_text(encoding="utf-8"))
    return made
