"""Validator functions: constraints as keywords, functions of Pydantic's that say nothing new, and opaque ones."""

from __future__ import annotations

import collections
import json
import pathlib
import re
from collections.abc import Hashable, Sequence
from decimal import Decimal
from typing import Annotated, Any

import annotated_types as at
import pydantic as p
import pytest

from schema_compiler import Grammar
from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.frontend.frontend import json_schema_of
from schema_compiler.frontend.validators import title
from schema_compiler.schema.normalization.normalize import normalize
from schema_compiler.schema.source.keywords import CHECKED, GRAMMAR
from tests.schema_compiler.schema.evaluator import evaluate


def at_most(length: int) -> dict[str, Any]:
    """The schema of values of limited length."""
    return {"type": ["string", "array", "object"], **dict.fromkeys(("maxLength", "maxItems", "maxProperties"), length)}


EXPRESSED: list[tuple[Any, dict[str, Any]]] = [
    (Annotated[int | float, p.Field(ge=2)], {"type": "number", "minimum": 2}),
    (Annotated[int | float, p.Field(lt=2)], {"type": "number", "exclusiveMaximum": 2}),
    (Annotated[int | str, p.Field(gt=1)], {"type": "number", "exclusiveMinimum": 1}),
    (Annotated[int | str | list[int], p.Field(max_length=2)], at_most(2)),
    (Annotated[str | dict[str, int], p.Field(max_length=1)], at_most(1)),
    (Annotated[collections.defaultdict[str, int], p.Field(max_length=1)], at_most(1)),
]
"""Types with a constraint beside a core schema that has no place for it, and the conjunct that it becomes."""

VALUES = [None, True, 0, 1, 2, 2.5, "", "a", "abc", [], [1], [1, 2, 3], {}, {"a": 1}, {"a": 1, "b": 2}]


@pytest.mark.parametrize(("type_", "conjunct"), EXPRESSED, ids=str)
def test_constraints_become_keywords(type_: Any, conjunct: dict[str, Any]) -> None:
    schema = json_schema_of(type_)
    assert CHECKED not in json.dumps(schema)
    assert schema["allOf"][-1] == conjunct


@pytest.mark.parametrize("type_", [type_ for type_, _ in EXPRESSED], ids=str)
def test_constraints_admit_what_pydantic_reads_strictly(type_: Any) -> None:
    normalized = normalize(json_schema_of(type_), dialect="rust", additional_properties="closed")
    for value in VALUES:
        try:
            p.TypeAdapter(type_).validate_json(json.dumps(value), strict=True)
            valid = True
        except (p.ValidationError, TypeError):
            valid = False
        assert evaluate(normalized.schema, value) == valid, value


@pytest.mark.parametrize(
    ("type_", "checks"),
    [
        (Annotated[int | set[int], p.Field(max_length=2)], ["max_length 2"]),
        (Annotated[int | Decimal, p.Field(gt=Decimal("1.5"))], ["gt 1.5"]),
        (Annotated[int | str, p.Field(gt="a")], ["gt a"]),
        (Annotated[int | float, p.Field(multiple_of=2)], ["after validator multiple_of_validator"]),
        (Annotated[int, at.Predicate(str.isdigit)], ["after validator predicate"]),
        (Annotated[str, p.AfterValidator(len)], ["after validator len"]),
        (Annotated[str, p.BeforeValidator(len)], ["before validator len"]),
        (Annotated[str, p.PlainValidator(len)], ["plain validator len"]),
        (p.NewPath, ["after validator PathType.validate_new"]),
        (p.Base64Str, ["after validator EncodedStr.decode_str"]),
    ],
    ids=str,
)
def test_what_no_keyword_says_is_checked_afterwards(type_: Any, checks: list[str]) -> None:
    assert json_schema_of(type_)[CHECKED] == checks


@pytest.mark.parametrize(
    "type_",
    [pathlib.Path, p.SecretStr, p.SecretBytes, p.Secret[int], Sequence[int], Hashable, re.Pattern[str]],
    ids=str,
)
def test_functions_of_pydantic_that_say_nothing_new(type_: Any) -> None:
    assert CHECKED not in json.dumps(json_schema_of(type_))


def test_an_annotation_whose_keyword_says_it_all_needs_no_check() -> None:
    grammar = Grammar('start: "a"')
    assert json_schema_of(Annotated[str, grammar]) == {
        "type": "string",
        GRAMMAR: {"text": 'start: "a"', "start": "start"},
    }
    overwritten = json_schema_of(Annotated[str, grammar, p.WithJsonSchema({"type": "string"})])
    assert overwritten[CHECKED] == ["after validator Grammar.check"]
    alone = json_schema_of(Annotated[str, p.AfterValidator(grammar.check)])
    assert alone[CHECKED] == ["after validator Grammar.check"]


def test_what_reads_no_json_is_refused() -> None:
    with pytest.raises(UnsupportedSchemaError, match="pattern_bytes_validator"):
        json_schema_of(re.Pattern[bytes])


def test_titles() -> None:
    core: Any = p.TypeAdapter(Annotated[int | float, p.Field(ge=2)]).core_schema
    assert title(core["function"]["function"]) == "ge 2"
    assert title(len) == "len"
    assert title(p.AfterValidator(len)).startswith("AfterValidator(")
