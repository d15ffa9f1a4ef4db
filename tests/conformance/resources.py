"""The schemas that the official suite's remote references lead to, by their URIs.

The suite serves them at ``localhost:1234``; these say the same in few words. The metaschemas are those that
``jsonschema`` brings along.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it ships no types

__all__ = ["resources"]

_SERVER: Final = "http://localhost:1234/draft2020-12/"
_INTEGER: Final = {"type": "integer"}
_STRING: Final = {"type": "string"}
_LIST_OF_ELEMENTS: Final = {
    "$id": f"{_SERVER}extendible-dynamic-ref.json",
    "properties": {"elements": {"items": {"$dynamicRef": "#elements"}}},
    "required": ["elements"],
    "additionalProperties": False,
    "$defs": {"elements": {"$dynamicAnchor": "elements"}},
}
_TREE: Final = {
    "$id": f"{_SERVER}tree.json",
    "$dynamicAnchor": "node",
    "properties": {"data": True, "children": {"items": {"$dynamicRef": "#node"}}},
}
_SERVED: Final[dict[str, dict[str, Any]]] = {
    "integer.json": _INTEGER,
    "subSchemas.json": {"$defs": {"integer": _INTEGER, "refToInteger": {"$ref": "#/$defs/integer"}}},
    "locationIndependentIdentifier.json": {
        "$defs": {"refToInteger": {"$ref": "#foo"}, "named": {"$anchor": "foo", **_INTEGER}}
    },
    "baseUriChange/folderInteger.json": _INTEGER,
    "baseUriChangeFolder/folderInteger.json": _INTEGER,
    "baseUriChangeFolderInSubschema/folderInteger.json": _INTEGER,
    "name-defs.json": {**_STRING, "$defs": {"orNull": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}}},
    "ref-and-defs.json": {
        "$id": f"{_SERVER}ref-and-defs.json",
        "$ref": "#/$defs/inner",
        "$defs": {"inner": {"properties": {"bar": _STRING}}},
    },
    "nested/foo-ref-string.json": {"properties": {"foo": {"$ref": "string.json"}}},
    "nested/string.json": _STRING,
    "different-id-ref-string.json": {
        "$id": f"{_SERVER}real-id-ref-string.json",
        "$ref": "#/$defs/text",
        "$defs": {"text": _STRING},
    },
    "urn-ref-string.json": {"$id": "urn:uuid:feebdaed-ffff-0000-ffff-0000deadbeef", "$ref": "#/$defs/text"}
    | {"$defs": {"text": _STRING}},
    "nested-absolute-ref-to-string.json": {
        "$ref": f"{_SERVER}the-nested-id.json",
        "$defs": {"one": {"$id": f"{_SERVER}the-nested-id.json", "$ref": "#/$defs/text", "$defs": {"text": _STRING}}},
    },
    "detached-ref.json": {"$defs": {"foo": {"$ref": "#detached"}, "detached": {"$anchor": "detached", **_INTEGER}}},
    "detached-dynamicref.json": {
        "$defs": {"foo": {"$dynamicRef": "#detached"}, "detached": {"$dynamicAnchor": "detached", **_INTEGER}}
    },
    "tree.json": _TREE,
    "extendible-dynamic-ref.json": _LIST_OF_ELEMENTS,
}


@cache
def resources() -> dict[str, Any]:
    """Schemas by URI: those of the suite's server, and the metaschemas of draft 2020-12."""
    served = {f"{_SERVER}{name}": schema for name, schema in _SERVED.items()}
    draft = "https://json-schema.org/draft/2020-12/"
    return served | {uri: REGISTRY.contents(uri) for uri in REGISTRY if uri.startswith(draft)}
