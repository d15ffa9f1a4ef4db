"""The outline: what a model is told about the shape of its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address
from itertools import islice
from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

import pytest
from pydantic import AnyUrl, BaseModel, Field, TypeAdapter
from typing_extensions import TypeAliasType, TypedDict

from schema_compiler.frontend.frontend import json_schema_of
from sdk.prompting import outline
from tests.benchmarks.cases import read_lines
from tests.benchmarks.end_to_end import Receipt
from tests.benchmarks.outlines import bfcl_functions, call_schema, tool_of
from tests.vocabularies import SHARED


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
    """A pet that purrs."""

    kind: Literal["cat"]
    lives: int = Field(9, ge=1, le=9)


class Dog(BaseModel):
    kind: Literal["dog"] = Field("dog", description="of the larger ones")
    owner: str | None


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class House(BaseModel):
    pets: list[Pet]
    favourite: Pet | None = Field(description="of the children")
    address: Address
    rooms: list[Room]


class Address(BaseModel):
    """Where it stands."""

    street: str


class Room(BaseModel):
    windows: int


class Leaf(BaseModel):
    value: float


class Sum(BaseModel):
    """Two terms."""

    left: Leaf | Sum
    right: Leaf | Sum


class Colour(Enum):
    FIRE_ENGINE = "fire engine"
    VERY_DARK_GREEN = "very dark green"


class Painting(BaseModel):
    frame: Colour
    sky: Colour
    sea: list[Colour]


class Absent(BaseModel):
    required: str
    nullable: str | None
    optional: str = "no"
    both: str | None = None
    fallback: int | None = 3
    made: list[str] = Field(default_factory=list)
    lengthy: str = "x" * 100


class Keys(TypedDict):
    here: int
    maybe: NotRequired[int]


@dataclass
class Aliased:
    shown: Annotated[str, Field(alias="Shown as")]


Json = TypeAliasType("Json", "dict[str, Json] | list[Json] | str")

type_outlines = [
    (
        Receipt,
        """\
object: A receipt.
- company (text): name of the company that issued the receipt
- date (text): date of the receipt
- address (text): address of the company
- total (text): total amount paid""",
    ),
    (
        Order,
        """\
object: One order of a shop.
- number (whole number)
- placed (date, YYYY-MM-DD)
- items (list of Item): What was bought.
  - name (text)
  - price (number): with tax
- gift (Item or null)
- status ("open" or "paid")
- codes (object of names to whole number)
- pair (list of text then true or false)
What is not stated is null if allowed.""",
    ),
    (Node, "Node\n- label (text)\n- children (list of Node)"),
    (
        Pet,
        """\
one of these by kind
- Cat, kind "cat": A pet that purrs.
  - lives (whole number from 1 to 9, optional, default 9)
- Dog, kind "dog": of the larger ones
  - owner (text or null)
What is not stated is null if allowed, or left out if optional.""",
    ),
    (
        House,
        """\
object
- pets (list of one of these by kind)
  - Cat, kind "cat": A pet that purrs.
    - lives (whole number from 1 to 9, optional, default 9)
  - Dog, kind "dog": of the larger ones
    - owner (text or null)
- favourite (Cat, Dog or null): of the children
- address (object): Where it stands.
  - street (text)
- rooms (list of Room)
  - windows (whole number)
What is not stated is null if allowed, or left out if optional.""",
    ),
    (
        Leaf | Sum,
        """\
Leaf or Sum
- Leaf
  - value (number)
- Sum: Two terms.
  - left (Leaf or Sum)
  - right (Leaf or Sum)""",
    ),
    (
        Painting,
        """\
object
- frame (Colour: "fire engine" or "very dark green")
- sky (Colour)
- sea (list of Colour)""",
    ),
    (
        Absent,
        """\
object
- required (text)
- nullable (text or null)
- optional (text, optional, default "no")
- both (text or null)
- fallback (whole number or null, default 3)
- made (list of text, optional)
- lengthy (text, optional)
What is not stated is null if allowed, or left out if optional.""",
    ),
    (
        Keys,
        "object\n- here (whole number)\n- maybe (whole number, optional)\nWhat is not stated is left out if optional.",
    ),
    (
        tuple[Item, Room],
        "list of Item then Room\n- Item: What was bought.\n  - name (text)\n  - price (number): with tax\n"
        "- Room\n  - windows (whole number)",
    ),
    (list[Item], "list of Item: What was bought.\n- name (text)\n- price (number): with tax"),
    (dict[str, Room], "object of names to Room\n- windows (whole number)"),
    (list[int | None], "list of (whole number or null)"),
    (list[int] | None, "list of whole number or null"),
    (Json, "Json: object of names to Json, list of Json or text"),
    (Json | None, "Json: object of names to Json, list of Json or text or null"),
    (Aliased, "object\n- Shown as (text)"),
    (int | None, "whole number or null"),
    (Any, "any value"),
    (UUID, "UUID"),
    (AnyUrl, "URL, like https://example.org/"),
    (IPv4Address, "IPv4 address"),
    (Decimal, "number"),
    (Annotated[Decimal, Field(gt=0, decimal_places=2)], "number above 0 with at most 2 decimals"),
    (Annotated[str, Field(pattern="^a+$", max_length=3)], "text matching ^a+$"),
    (Annotated[list[str], Field(min_length=1, max_length=3)], "list of 1 to 3 text"),
]


@pytest.mark.parametrize(("wanted", "expected"), type_outlines, ids=lambda value: str(value)[:30])
def test_outlines_of_types(wanted, expected):
    assert outline(json_schema_of(wanted)) == expected


@pytest.mark.parametrize("wanted", [Receipt, Pet, House, Absent, Painting, Keys], ids=str)
def test_pydantics_own_schemas_have_the_same_outlines(wanted):
    assert outline(TypeAdapter(wanted).json_schema()) == outline(json_schema_of(wanted))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["string", "null"]}, "text or null"),
        ({"allOf": [{"type": "object", "properties": {"a": {"const": 1}}}, {"required": ["a"]}]}, "object\n- a (1)"),
        (
            {
                "allOf": [{"properties": {"b": {}, "a": {}}}, {"properties": {"c": {}, "b": {"const": 1}}}],
                "required": list("abc"),
            },
            "object\n- b (any value)\n- a (any value)\n- c (any value)",
        ),
        ({"type": "string", "allOf": [{"pattern": "^a"}]}, "text"),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"enum": [1, None, "x"]}}}, '1, null or "x"'),
        ({"$ref": "#/$defs/t", "$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}}, "t: list of t"),
        ({"$ref": "other.json"}, "any value"),
        ({"type": "array"}, "list of any value"),
        (
            {"type": "array", "items": {"type": "null"}, "minItems": 2, "uniqueItems": True},
            "list of at least 2 different null",
        ),
        ({"type": "string", "format": "email"}, "e-mail address"),
        ({"type": "string", "format": "unheard-of", "minLength": 2, "maxLength": 2}, "text of 2 characters"),
        ({"type": "string", "x-pydantic-quoted": "number"}, "number"),
        ({"type": "integer", "minimum": 0}, "whole number at least 0"),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, "number above 0"),
        (
            {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "multipleOf": 0.5},
            "number at least 0 and below 1 in steps of 0.5",
        ),
        ({"enum": [1, 2], "x-enum-varnames": ["OPEN", "PAID"]}, "1 = OPEN or 2 = PAID"),
        ({"enum": ["fire-engine", "b"], "x-enum-varnames": ["FIRE_ENGINE", "BLUE"]}, '"fire-engine" or "b" = BLUE'),
        ({"oneOf": [{"const": 1, "title": "open"}, {"const": 2, "title": "paid"}]}, "1 = open or 2 = paid"),
        ({"anyOf": []}, "nothing"),
        (
            {
                "$defs": {"tree": {"type": "array", "items": {"properties": {"inner": {"$ref": "#/$defs/tree"}}}}},
                "$ref": "#/$defs/tree",
            },
            "tree: list of object\n- inner (tree, optional)\nWhat is not stated is left out if optional.",
        ),
        ({"anyOf": [True, {"type": "null"}]}, "any value or null"),
        (
            {
                "$defs": {
                    name: {"title": "Same", "type": "object", "properties": {name: {"type": "null"}}} for name in "ab"
                },
                "type": "array",
                "prefixItems": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}],
            },
            "list of Same then b\n- Same\n  - a (null)\n- b\n  - b (null)\nWhat is not stated is null if allowed.",
        ),
    ],
    ids=str,
)
def test_outlines_of_schemas(schema, expected):
    assert outline(schema) == expected


def test_each_tool_is_told_once():
    """Its name, its description, its parameters and theirs; the functions of BFCL have them all."""
    if not (SHARED / "data" / "bfcl-dev.jsonl.gz").exists():
        pytest.skip("needs the functions of BFCL")
    functions = list(islice(bfcl_functions(), 60))
    tools = [tool_of(function) for function in functions]
    told = outline(call_schema(tools)).split("\n")
    for function, tool in zip(functions, tools, strict=True):
        (start,) = (index for index, line in enumerate(told) if f'"{tool.name}"' in line)
        assert told[start] == f'- tool "{tool.name}": {tool.description}'
        assert told[start + 1] == "  - arguments (object)"
        for name, parameter in function["parameters"]["properties"].items():
            line = next(line for line in told[start:] if line.startswith(f"    - {name} ("))
            assert line.endswith(": " + " ".join(parameter["description"].split()))


def test_outlines_of_real_schemas_end():
    """Those of MaskBench, which refer to themselves in all ways; a few of them are large."""
    path = SHARED / "data" / "maskbench-dev.jsonl.gz"
    if not path.exists():
        pytest.skip("needs the schemas of MaskBench")
    for line in read_lines(path, limit=600, offset=5, stride=5):
        assert outline(json.loads(line)["schema"])
