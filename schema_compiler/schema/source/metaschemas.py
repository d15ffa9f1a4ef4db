"""The metaschemas of drafts 4 to 7, which schemas that describe other schemas refer to.

    {"$schema": "http://json-schema.org/draft-04/schema#",
     "properties": {"default": {"$ref": "http://json-schema.org/draft-04/schema#/properties/default"}}}

They come with ``jsonschema``, in the package ``jsonschema_specifications``. The metaschemas of later drafts are spread
over many files each; a schema that refers to one needs them as resources.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["metaschema"]

_FOLDERS = {f"http://json-schema.org/draft-0{number}/schema": f"draft{number}" for number in (4, 6, 7)}
"""The folder of ``jsonschema_specifications`` that has the metaschema of a URI."""


@cache
def metaschema(uri: str) -> dict[str, Any] | None:
    """The metaschema with that URI, which has no fragment; ``None`` where no such metaschema is known.

    Its file is read without importing the package, which would read all metaschemas and delay a mask.
    """
    if uri not in _FOLDERS:
        return None
    package = find_spec("jsonschema_specifications")
    assert package is not None, "jsonschema depends on it"
    assert package.submodule_search_locations is not None, "it is a package"
    folder = Path(package.submodule_search_locations[0], "schemas", _FOLDERS[uri])
    schema: dict[str, Any] = json.loads((folder / "metaschema.json").read_text("utf-8"))
    return schema
