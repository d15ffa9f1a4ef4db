"""The outline: what a model is told about the shape of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, TypeAdapter

from sdk.prompting import outline


class Status(Enum):
    OPEN = "open"
    PAID = "paid"


class Item(BaseModel):
    """What was bought."""

    name: str
    price: float = Field(description="with\n  tax")


class Order(BaseModel):
    """One order of a shop."""

    number: int
    placed: date
    items: list[Item]
    gift: Item | None = None
    status: Status
    codes: dict[str, int]
    pair: tuple[str, bool]


class Node(BaseModel):
    label: str
    children: list[Node]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]


@dataclass
class Aliased:
    shown: Annotated[str, Field(alias="Shown as")]


type_outlines = [
    (
        Order,
        """\
object: One order of a shop.
- number (whole number)
- placed (date, YYYY-MM-DD)
- items (list of Item)
  - name (text)
  - price (number): with tax
- gift (Item or null, optional)
- status ("open" or "paid")
- codes (object of names to whole number)
- pair (list of text then true or false)""",
    ),
    (Node, "Node\n- label (text)\n- children (list of Node)"),
    (
        Annotated[Cat | Dog, Field(discriminator="kind")],
        'Cat or Dog\n- kind ("cat")\n- lives (whole number)\n- kind ("dog")',
    ),
    (list[Item], "list of Item\n- name (text)\n- price (number): with tax"),
    (Aliased, "object\n- Shown as (text)"),
    (int | None, "whole number or null"),
    (Any, "any value"),
]


@pytest.mark.parametrize(("wanted", "expected"), type_outlines, ids=lambda value: str(value)[:30])
def test_outlines_of_types(wanted, expected):
    assert outline(TypeAdapter(wanted).json_schema()) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["string", "null"]}, "text or null"),
        (
            {"allOf": [{"type": "object", "properties": {"a": {"const": 1}}}, {"required": ["a"]}]},
            "object and any value\n- a (1, optional)",
        ),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"enum": [1, None, "x"]}}}, '1, null or "x"'),
        ({"$ref": "#/$defs/t", "$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}}, "list of t"),
        ({"$ref": "other.json"}, "any value"),
        ({"type": "array"}, "list of any value"),
        ({"type": "string", "format": "email"}, "e-mail address"),
        ({"type": "string", "x-pydantic-quoted": "number"}, "number"),
        ({"anyOf": []}, "nothing"),
    ],
    ids=str,
)
def test_outlines_of_schemas(schema, expected):
    assert outline(schema) == expected
