"""Where references lead."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import SchemaError
from schema_compiler.schema.document import Document

DOCUMENT: dict[str, Any] = {
    "$id": "https://example.com/root",
    "$defs": {
        "a/b~c%": {"$anchor": "here"},
        "inner": {"$id": "inner", "$defs": {"x": {"$anchor": "there"}}, "items": {"$ref": "#/$defs/x"}},
    },
    "enum": [{"$anchor": "not-a-schema"}],
}


@pytest.mark.parametrize(
    ("start", "reference", "pointer"),
    [
        ("", "#", ""),
        ("", "#/$defs/a~1b~0c%25", "/$defs/a~1b~0c%"),
        ("", "#here", "/$defs/a~1b~0c%"),
        ("", "root#here", "/$defs/a~1b~0c%"),
        ("", "https://example.com/inner", "/$defs/inner"),
        ("", "inner#/$defs/x", "/$defs/inner/$defs/x"),
        ("", "inner#there", "/$defs/inner/$defs/x"),
        ("/$defs/inner/items", "#/$defs/x", "/$defs/inner/$defs/x"),
        ("/$defs/inner/items", "root", ""),
        ("", "#/enum/0", "/enum/0"),
    ],
)
def test_references_lead_to_places(start: str, reference: str, pointer: str) -> None:
    document = Document(DOCUMENT)
    place = document.child(document.root, *start.split("/")[1:])
    assert document.resolve(place, reference).pointer == pointer


@pytest.mark.parametrize("reference", ["#/nowhere", "#nowhere", "other", "#not-a-schema", "#/enum/1", "inner#here"])
def test_references_that_lead_nowhere(reference: str) -> None:
    document = Document(DOCUMENT)
    with pytest.raises(SchemaError, match="reference"):
        document.resolve(document.root, reference)
