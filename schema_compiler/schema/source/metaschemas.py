"""The metaschemas of drafts 4 to 7, which schemas that describe other schemas refer to.

    {"$schema": "http://json-schema.org/draft-04/schema#",
     "properties": {"default": {"$ref": "http://json-schema.org/draft-04/schema#/properties/default"}}}

They come with ``jsonschema``, in a package of their own. The metaschemas of later drafts lie in many files; who refers
to them brings them along as resources.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["metaschema"]

_FOLDERS = {f"http://json-schema.org/draft-0{number}/schema": f"draft{number}" for number in (4, 6, 7)}


@cache
def metaschema(uri: str) -> dict[str, Any] | None:
    """The metaschema of that URI, without a fragment; ``None`` where it is no such.

    Its file is read as it lies there: importing its package reads all metaschemas, which takes longer than a mask may.
    """
    if uri not in _FOLDERS:
        return None
    package = find_spec("jsonschema_specifications")
    assert package is not None, "jsonschema depends on it"
    assert package.submodule_search_locations is not None, "it is a package"
    folder = Path(package.submodule_search_locations[0], "schemas", _FOLDERS[uri])
    made: dict[str, Any] = json.loads((folder / "metaschema.json").read_text("utf-8"))
    return made
