"""The schema of the texts that may be the keys of ``dict[K, None]``."""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from decimal import Decimal
from typing import Annotated, Any, Literal

import pydantic as p
import pytest
from typing_extensions import TypeAliasType

from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.frontend.frontend import json_schema_of
from schema_compiler.schema.source.keywords import QUOTED


class Colour(enum.Enum):
    """The member with a number is read from no key."""

    RED = "red"
    ONE = 1


Named = TypeAliasType("Named", Annotated[int, p.Field(ge=3)])

INTEGER = {"type": "string", QUOTED: "integer"}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (str, None),
        (Any, None),
        (Annotated[str, p.Field(max_length=2)], {"type": "string", "maxLength": 2}),
        (int, INTEGER),
        (Annotated[int, p.Field(ge=3)], {**INTEGER, "minimum": 3}),
        (float, {"type": "string", QUOTED: "number"}),
        (Decimal, {"type": "string", QUOTED: "number"}),
        (bool, {"enum": ["true", "false"]}),
        (int | None, INTEGER),
        (int | Literal["x"], {"anyOf": [INTEGER, {"enum": ["x"]}]}),
        (Literal["a", 1, True, None], {"enum": ["a", "1", "true"]}),
        (Colour, {"enum": ["red"]}),
        (dt.date, {"type": "string", "format": "date"}),
        (uuid.UUID, {"type": "string", "format": "python-uuid"}),
    ],
    ids=str,
)
def test_keys(key: Any, expected: dict[str, Any] | None) -> None:
    assert json_schema_of(dict[key, None]).get("propertyNames") == expected


def test_a_named_key_is_written_out_where_its_value_is_referred_to() -> None:
    schema = json_schema_of(tuple[dict[Named, Named], Named])  # type: ignore[valid-type]
    mapping = schema["prefixItems"][0]
    assert mapping["additionalProperties"] == {"$ref": "#/$defs/Named"}
    assert mapping["propertyNames"] == {**INTEGER, "minimum": 3}


@pytest.mark.parametrize("key", [None, tuple[int, int], frozenset[int], Literal[b"a"]], ids=str)
def test_keys_that_are_no_strings_are_refused(key: Any) -> None:
    with pytest.raises(UnsupportedSchemaError):
        json_schema_of(dict[key, None])
