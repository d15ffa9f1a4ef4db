"""The schemas that the official suite's remote references lead to, by their URIs.

The suite serves them at ``localhost:1234``; these say the same in few words. The metaschemas are those that
``jsonschema`` brings along.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final
from urllib.parse import urljoin

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it ships no types

__all__ = ["resources"]

_SERVER: Final = "http://localhost:1234/draft2020-12/"
_DRAFT: Final = "https://json-schema.org/draft/2020-12/"
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


def _metaschema(vocabularies: dict[str, bool]) -> dict[str, Any]:
    """Of schemas with these vocabularies, those of the draft by the last part of their names."""
    listed = {urljoin(f"{_DRAFT}vocab/", name): required for name, required in vocabularies.items()}
    return {"$schema": f"{_DRAFT}schema", "$vocabulary": listed}


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
    "../draft2019-09/ignore-prefixItems.json": {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "type": "array",
        "prefixItems": [_STRING],
    },
    "metaschema-no-validation.json": _metaschema({"core": True, "applicator": True}),
    "metaschema-optional-vocabulary.json": _metaschema(
        {"core": True, "validation": True, "http://localhost:1234/draft/2020-12/vocab/custom": False}
    ),
    "format-assertion-false.json": _metaschema({"core": True, "format-assertion": False}),
    "format-assertion-true.json": _metaschema({"core": True, "format-assertion": True}),
}


@cache
def resources() -> dict[str, Any]:
    """Schemas by URI: those of the suite's server, and the metaschemas of draft 2020-12."""
    served = {urljoin(_SERVER, name): schema for name, schema in _SERVED.items()}
    return served | {uri: REGISTRY.contents(uri) for uri in REGISTRY if uri.startswith(_DRAFT)}
