"""Which metaschemas are at hand, and what refers to them."""

from __future__ import annotations

import pytest
from jsonschema import Draft4Validator, Draft6Validator, Draft7Validator

from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.schema.normalization.normalize import normalize
from schema_compiler.schema.source.metaschemas import metaschema

KNOWN = {
    "http://json-schema.org/draft-04/schema": Draft4Validator,
    "http://json-schema.org/draft-06/schema": Draft6Validator,
    "http://json-schema.org/draft-07/schema": Draft7Validator,
}


@pytest.mark.parametrize("uri", KNOWN)
def test_a_known_metaschema_is_the_one_of_its_draft(uri: str) -> None:
    found = metaschema(uri)
    assert found == KNOWN[uri].META_SCHEMA
    assert found is not None
    assert found.get("$id", found.get("id")) == f"{uri}#"
    assert metaschema(uri) is found


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "http://json-schema.org/draft-04/schema#",
        "https://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-03/schema",
        "http://json-schema.org/draft-05/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/schema",
    ],
)
def test_what_is_no_known_metaschema(uri: str) -> None:
    assert metaschema(uri) is None


@pytest.mark.parametrize("uri", KNOWN)
def test_schemas_refer_to_the_metaschema_of_their_draft(uri: str) -> None:
    limits = "nonNegativeInteger" if "draft-04" not in uri else "positiveInteger"
    raw = {"$schema": f"{uri}#", "$ref": f"{uri}#/definitions/{limits}"}
    assert str(normalize(raw)) == "integer in [0, inf)"
    names = {"$schema": f"{uri}#", "$ref": f"{uri}#/definitions/stringArray"}
    assert "unique [string*]" in str(normalize(names))


@pytest.mark.parametrize("uri", KNOWN)
def test_a_whole_metaschema_can_be_read(uri: str) -> None:
    normalized = normalize({"$schema": f"{uri}#", "$ref": f"{uri}#"})
    statuses = {row.status for row in normalized.report() if row.constraint == "$ref"}
    assert statuses == {"enforced"}
    root = normalized.schema.definitions[f"#{uri}#"]
    assert '"maxLength"?: integer in [0, inf)' in str(root)


def test_metaschemas_of_later_drafts_are_not_at_hand() -> None:
    uri = "https://json-schema.org/draft/2020-12/schema"
    with pytest.raises(UnsupportedSchemaError) as caught:
        normalize({"items": {"$ref": uri}}).report()
    assert str(caught.value) == f"the remote reference {uri!r} is not fetched at /items"
