"""Which keywords count: by draft, by metaschema, and by the resource that they stand in."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.errors import InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.normalization.normalize import normalize
from schema_compiler.schema.source.drafts import Draft, draft_of

LATEST = "https://json-schema.org/draft/2020-12/schema"
VOCABULARY = "https://json-schema.org/draft/2020-12/vocab/"
MINE = "https://example.com/mine"


def metaschema(**vocabularies: bool) -> dict[str, Any]:
    listed = {VOCABULARY + name.replace("_", "-"): required for name, required in vocabularies.items()}
    return {"$schema": LATEST, "$vocabulary": listed}


@pytest.mark.parametrize(
    ("declared", "year"),
    [
        (None, 2020),
        ("http://json-schema.org/draft-04/schema#", 4),
        ("http://json-schema.org/draft-07/schema", 7),
        ("https://json-schema.org/draft/2019-09/schema", 2019),
        (LATEST, 2020),
    ],
)
def test_drafts(declared: str | None, year: int) -> None:
    assert draft_of({"$schema": declared} if declared else {}, {}) == Draft(year)


def test_keywords_of_absent_vocabularies_are_annotations() -> None:
    raw = {"$schema": MINE, "properties": {"a": {"minimum": 3, "format": "date"}, "b": False}}
    made = normalize(raw, resources={MINE: metaschema(core=True, applicator=True)})
    assert {(row.constraint, row.status) for row in made.report()} == {
        ("properties", "enforced"),
        ("minimum", "ignored annotation"),
        ("format", "ignored annotation"),
    }


@pytest.mark.parametrize("assertion", [True, False])
def test_formats_are_enforced_by_whichever_vocabulary(assertion: bool) -> None:
    raw = {"$schema": MINE, "format": "date", "type": "array"}
    made = normalize(raw, resources={MINE: metaschema(core=True, format_assertion=assertion)})
    assert {(row.constraint, row.status) for row in made.report()} == {
        ("format", "enforced"),
        ("type", "ignored annotation"),
    }


def test_vocabularies_that_are_not_known() -> None:
    """Must be optional."""
    known = metaschema(core=True, validation=True)
    optional = {**known, "$vocabulary": known["$vocabulary"] | {"https://example.com/vocab/units": False}}
    assert draft_of({"$schema": MINE}, {MINE: optional}) == draft_of({"$schema": MINE}, {MINE: known})
    required = {**known, "$vocabulary": {"https://example.com/vocab/validation": True}}
    with pytest.raises(UnsupportedSchemaError, match=r"vocabulary '\S+validation' is required"):
        draft_of({"$schema": MINE}, {MINE: required})


@pytest.mark.parametrize("vocabularies", [3, None, ["core"]], ids=str)
def test_malformed_vocabularies(vocabularies: Any) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        draft_of({"$schema": MINE}, {MINE: {"$schema": LATEST, "$vocabulary": vocabularies}})
    assert caught.value.pointer == f"{MINE}#"
    assert str(caught.value) == f"expected $vocabulary to be a dict, found {vocabularies!r} at {MINE}#"


@pytest.mark.parametrize("resources", [{}, {MINE: {"$schema": MINE}}, {MINE: True}])
def test_dialects_that_are_not_known(resources: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedSchemaError, match=f"the dialect '{MINE}' is not known"):
        draft_of({"$schema": MINE}, resources)


def test_a_resource_has_its_own_draft() -> None:
    """And so has what is nested in it."""
    old = {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "prefixItems": [False],
        "items": {"$ref": "#/$defs/inner"},
        "$defs": {"inner": {"$id": "https://example.com/inner", "prefixItems": [False]}},
    }
    raw = {"type": "array", "prefixItems": [{"$ref": MINE}]}
    rows = [row for row in normalize(raw, resources={MINE: old}).report() if row.constraint == "prefixItems"]
    assert [(row.path, row.status) for row in rows] == [
        ("", "enforced"),
        (f"{MINE}#", "ignored annotation"),
        (f"{MINE}#/$defs/inner", "ignored annotation"),
    ]


def test_a_resource_that_reads_references_otherwise_is_refused() -> None:
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "string"}
    with pytest.raises(UnsupportedSchemaError, match="is of another draft"):
        normalize({"$ref": MINE}, resources={MINE: old})
