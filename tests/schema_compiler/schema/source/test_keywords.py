"""The sets of keywords, against the metaschemas of all drafts; and where subschemas are."""

from __future__ import annotations

from typing import Any

import jsonschema_specifications
import pytest

from schema_compiler.schema.source.keywords import (
    APPLICATORS,
    ASSERTIONS,
    FIRST_DRAFT,
    IDENTIFIERS,
    REFUSED,
    SPEAKING,
    subschemas,
)

DRAFTS = {
    4: ["http://json-schema.org/draft-04/schema"],
    6: ["http://json-schema.org/draft-06/schema"],
    7: ["http://json-schema.org/draft-07/schema"],
    2019: [
        "https://json-schema.org/draft/2019-09/schema",
        *(
            f"https://json-schema.org/draft/2019-09/meta/{name}"
            for name in ("applicator", "content", "core", "format", "meta-data", "validation")
        ),
    ],
    2020: [
        "https://json-schema.org/draft/2020-12/schema",
        *(
            f"https://json-schema.org/draft/2020-12/meta/{name}"
            for name in (
                *("applicator", "content", "core", "format-annotation", "meta-data", "unevaluated", "validation"),
            )
        ),
    ],
}
ANNOTATIONS = {
    *("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"),
    *("contentEncoding", "contentMediaType", "contentSchema"),
}

PLACES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no keyword": ({}, []),
    "annotations hold none": ({"default": {"not": {}}, "examples": [{}], "x-any": {}}, []),
    "listed values are none": ({"enum": [{"not": {}}], "const": {"items": {}}}, []),
    "required and dependentRequired hold none": ({"required": ["a"], "dependentRequired": {"a": ["b"]}}, []),
    **{
        keyword: ({keyword: {"title": "A"}}, [keyword])
        for keyword in (
            *("additionalProperties", "propertyNames", "contains", "unevaluatedItems", "unevaluatedProperties"),
            *("not", "if", "then", "else", "items", "additionalItems"),
        )
    },
    "booleans are schemas": ({"items": False, "not": True}, ["not", "items"]),
    **{
        keyword: ({keyword: [{}, {}]}, [f"{keyword}/0", f"{keyword}/1"])
        for keyword in ("items", "prefixItems", "allOf", "anyOf", "oneOf")
    },
    **{
        keyword: ({keyword: {"b": {}, "a/b": True}}, [f"{keyword}/b", f"{keyword}/a/b"])
        for keyword in ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")
    },
    "a property may have the name of a keyword": ({"properties": {"not": {"items": {}}}}, ["properties/not"]),
    "a list of properties holds none": ({"properties": [{}]}, []),
    "no deeper ones": ({"not": {"not": {}}, "allOf": [{"items": {}}]}, ["not", "allOf/0"]),
}


def keywords_of(uris: list[str]) -> set[str]:
    return {name for uri in uris for name in jsonschema_specifications.REGISTRY.contents(uri)["properties"]}


@pytest.mark.parametrize("year", DRAFTS)
def test_every_keyword_of_a_draft_has_a_place_in_the_sets(year: int) -> None:
    assert keywords_of(DRAFTS[year]) <= SPEAKING | IDENTIFIERS | ANNOTATIONS


def test_each_keyword_is_in_one_set() -> None:
    sets = [ASSERTIONS, APPLICATORS, REFUSED, IDENTIFIERS, ANNOTATIONS]
    assert sum(map(len, sets)) == len(set().union(*sets))
    assert SPEAKING == ASSERTIONS | APPLICATORS | REFUSED


def test_each_keyword_has_its_first_draft() -> None:
    """``$ref`` is older than the metaschema that lists it first."""
    first: dict[str, int] = {}
    for year, uris in DRAFTS.items():
        for keyword in keywords_of(uris) & SPEAKING:
            first.setdefault(keyword, year)
    assert {keyword: year for keyword, year in first.items() if year > 4 and keyword != "$ref"} == FIRST_DRAFT


def test_keywords_of_pydantic_are_of_no_draft() -> None:
    own = {keyword for keyword in SPEAKING if keyword.startswith("x-")}
    assert own == {
        f"x-pydantic-{name}"
        for name in (
            "checked",
            "quoted",
            "max-digits",
            "decimal-places",
            "unsupported",
            "dialect",
            "grammar",
            "verbatim",
        )
    }
    assert not own & FIRST_DRAFT.keys()


@pytest.mark.parametrize(("raw", "expected"), PLACES.values(), ids=PLACES)
def test_where_subschemas_are(raw: dict[str, Any], expected: list[str]) -> None:
    assert ["/".join(path) for path in subschemas(raw)] == expected


def test_the_path_of_a_name_is_not_split() -> None:
    assert list(subschemas({"properties": {"a/b~": {}}})) == [("properties", "a/b~")]
