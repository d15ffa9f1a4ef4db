"""The metaschemas of drafts 4 to 7, which schemas that describe other schemas refer to.

    {"$schema": "http://json-schema.org/draft-04/schema#",
     "properties": {"default": {"$ref": "http://json-schema.org/draft-04/schema#/properties/default"}}}

They come with ``jsonschema``, in a package of their own. The metaschemas of later drafts lie in many files; who refers
to them brings them along as resources.
"""

from __future__ import annotations

from typing import Any

__all__ = ["metaschema"]

_KNOWN = frozenset(f"http://json-schema.org/draft-0{number}/schema" for number in (4, 6, 7))


def metaschema(uri: str) -> dict[str, Any] | None:
    """The metaschema of that URI, without a fragment; ``None`` where it is no such."""
    if uri not in _KNOWN:
        return None
    from jsonschema_specifications import REGISTRY  # reads all metaschemas, which few schemas refer to

    made: dict[str, Any] = REGISTRY.contents(uri)
    return made
