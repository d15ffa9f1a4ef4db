"""Where references lead."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import InvalidSchemaError, SchemaError, UnsupportedSchemaError
from schema_compiler.schema.source.document import Document

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


@pytest.mark.parametrize("base", ["", "https://example.com/root"])
@pytest.mark.parametrize("address", ["http://[", "//[x]:1/"])
def test_what_is_no_uri_reference(address: str, base: str) -> None:
    document = Document({"$id": base, "$defs": {"a": {"$id": address}}})
    with pytest.raises(InvalidSchemaError) as caught:
        document.resolve(document.root, f"{address}#/a")
    assert (caught.value.pointer, str(caught.value)) == ("", f"expected a URI reference, found {address!r} at the root")
    with pytest.raises(InvalidSchemaError, match=r"^expected a URI reference, found .* at /[$]defs/a$"):
        document.child(document.root, "$defs", "a")


def test_keywords_of_other_drafts() -> None:
    document = Document({"$schema": "https://json-schema.org/draft/2019-09/schema", "prefixItems": [], "items": []})
    known = document.without_unknown_keywords(document.root)
    assert (known.pointer, list(known.raw)) == ("", ["$schema", "items"])
    assert document.without_unknown_keywords(known) is known


def test_metaschemas_are_known() -> None:
    """Those of drafts 4 to 7, to schemas of the same draft."""
    uri = "http://json-schema.org/draft-04/schema#"
    document = Document({"$schema": uri, "$ref": f"{uri}/properties/maxLength"})
    place = document.resolve(document.root, f"{uri}/properties/maxLength")
    assert (place.pointer, place.raw) == (f"{uri}/properties/maxLength", {"$ref": "#/definitions/positiveInteger"})
    assert document.resolve(place, place.raw["$ref"]).raw == {"type": "integer", "minimum": 0}
    with pytest.raises(UnsupportedSchemaError, match="is of another draft"):
        document.resolve(document.root, "http://json-schema.org/draft-07/schema#")
