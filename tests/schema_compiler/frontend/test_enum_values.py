"""Which values of ``Literal`` and ``Enum`` are read from JSON, as values and as keys; Pydantic is the judge."""

from __future__ import annotations

import enum
import json
from typing import Any, Literal

import pydantic as p
import pytest

from schema_compiler.frontend.enum_values import readable_keys, readable_values


class Colour(enum.Enum):
    """Values of two types."""

    RED = "red"
    ONE = 1


class Level(enum.IntEnum):
    """Pydantic reads its members from strings, too, but only as keys."""

    LOW = 1


class Odd(enum.Enum):
    """Values that JSON does not have, or reads as others."""

    RAW = b"\xff"
    NOTHING = None
    PAIR = (1, 2)


class Mode(enum.Flag):
    """Its members' sums are values."""

    READ = 1
    WRITE = 2


EIGHT = enum.Flag("EIGHT", [f"BIT_{bit}" for bit in range(8)])  # type: ignore[misc]
NINE = enum.Flag("NINE", [f"BIT_{bit}" for bit in range(9)])  # type: ignore[misc]

CASES: list[tuple[Any, list[Any], list[str]]] = [
    (Literal["a", 1, True, None], ["a", 1, True, None], ["a", "1", "true"]),
    (Literal["a", b"b", Colour.RED], ["a"], ["a"]),
    (Colour, ["red", 1], ["red"]),
    (Level, [1], ["1"]),
    (Odd, [None], []),
    (Mode, [0, 1, 2, 3], []),
    (EIGHT, list(range(256)), []),
    (NINE, [1 << bit for bit in range(9)], []),
]


@pytest.mark.parametrize(("type_", "values", "keys"), CASES, ids=lambda value: str(value)[:40])
def test_values_and_keys(type_: Any, values: list[Any], keys: list[str]) -> None:
    core = p.TypeAdapter(type_).core_schema
    assert readable_values(core) == values
    assert readable_keys(core) == keys


@pytest.mark.parametrize(("type_", "values", "keys"), CASES, ids=lambda value: str(value)[:40])
def test_pydantic_reads_them(type_: Any, values: list[Any], keys: list[str]) -> None:
    for value in values:
        p.TypeAdapter(type_).validate_json(json.dumps(value))
    for key in keys:
        p.TypeAdapter(dict[type_, None]).validate_json(json.dumps({key: None}))
