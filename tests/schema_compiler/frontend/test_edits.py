"""What is written beside a generated schema, and which changes by a type's author are worth a note."""

from __future__ import annotations

import re
from typing import Annotated, Any

import pydantic as p
import pytest

from schema_compiler.frontend.edits import with_checks, with_conjunct
from schema_compiler.frontend.frontend import json_schema_of
from schema_compiler.schema.source.keywords import CHECKED

BY_EXTRA = ["the JSON Schema that json_schema_extra gives"]
BY_WITH = ["the JSON Schema that WithJsonSchema.__get_pydantic_json_schema__ gives"]
BY_OWN = ["the JSON Schema that Code.__get_pydantic_json_schema__ gives"]


def test_checks_are_appended() -> None:
    schema = {"type": "string", CHECKED: ["a"]}
    assert with_checks(schema, "b", "c") == {"type": "string", CHECKED: ["a", "b", "c"]}
    assert with_checks({"type": "string"}) == {"type": "string"}
    assert schema == {"type": "string", CHECKED: ["a"]}


def test_conjuncts_are_appended() -> None:
    once = with_conjunct({"type": "string"}, {"pattern": "a"})
    assert once == {"type": "string", "allOf": [{"pattern": "a"}]}
    assert with_conjunct(once, {"pattern": "b"})["allOf"] == [{"pattern": "a"}, {"pattern": "b"}]
    assert once["allOf"] == [{"pattern": "a"}]


class Code(str):
    """Its author's schema says more than Pydantic enforces."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: p.GetCoreSchemaHandler) -> Any:
        return handler(str)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: p.GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(core), "maxLength": 3}


class Noted(p.BaseModel):
    """Only annotations."""

    model_config = p.ConfigDict(json_schema_extra={"examples": [{}]})


class Narrowed(p.BaseModel):
    """A keyword that Pydantic knows nothing of."""

    model_config = p.ConfigDict(json_schema_extra={"required": ["a"]})
    a: int = 0


class Initialised(p.BaseModel):
    """Its initialisation may refuse anything."""

    def __init__(self, **data: Any) -> None:
        super().__init__(**data)

    def model_post_init(self, context: Any) -> None:
        """Does nothing, which the compiler cannot know."""


@pytest.mark.parametrize(
    ("type_", "checks"),
    [
        (Annotated[int, p.Field(json_schema_extra={"examples": [1]})], None),
        (Annotated[int, p.Field(json_schema_extra={"minimum": 3})], BY_EXTRA),
        (Annotated[int, p.WithJsonSchema({"type": "integer", "title": "n"})], None),
        (Annotated[int, p.WithJsonSchema({"type": "string"})], BY_WITH),
        (Code, BY_OWN),
        (Noted, None),
        (Narrowed, BY_EXTRA),
        (Initialised, ["Initialised.__init__", "Initialised.model_post_init"]),
    ],
)
def test_changes_by_the_author_are_noted_where_they_restrict_values(type_: Any, checks: list[str] | None) -> None:
    assert json_schema_of(type_).get(CHECKED) == checks


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        (Annotated[Any, p.Field(pattern="a")], {"allOf": [{"type": "string", "pattern": "a"}]}),
        (
            Annotated[set[int], p.Field(pattern="a")],
            {"type": "array", "items": {"type": "integer"}, CHECKED: ["then str, pattern a"]},
        ),
        (
            Annotated[re.Pattern[str], p.Field(pattern="a")],
            {"type": "string", "format": "regex", CHECKED: ["then str, pattern a"]},
        ),
    ],
)
def test_steps_of_a_chain(type_: Any, expected: dict[str, Any]) -> None:
    assert json_schema_of(type_) == expected
