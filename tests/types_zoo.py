"""Types that users write, one of every kind the compiler must know: shared by the property tests."""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar

from pydantic import BaseModel, ConfigDict, Field, RootModel, StringConstraints
from typing_extensions import TypedDict

__all__ = ["TYPES"]

T = TypeVar("T")


class Colour(enum.Enum):
    """An enum of strings."""

    RED = "red"
    GREEN = "green"
    DARK_GREEN = "dark green"


class Level(enum.IntEnum):
    """An enum of integers, some the beginning of others."""

    LOW = 1
    MIDDLE = 10
    HIGH = 100


Country = enum.Enum("Country", {f"C{number}": f"country-{number:03}" for number in range(180)})  # type: ignore[misc]


class Address(BaseModel):
    """Nested in other models."""

    street: str
    city: str = Field(max_length=40)
    zip: str = Field(pattern=r"^[0-9]{5}$")


class Person(BaseModel):
    """Required and optional fields, in both orders."""

    name: str = Field(min_length=1, max_length=20)
    age: int | None = None
    email: str | None = None
    address: Address
    tags: list[str] = []


class LineItem(BaseModel):
    """Numbers with bounds."""

    description: str
    quantity: int = Field(ge=1, le=999)
    unit_price: float = Field(gt=0, lt=100000)


class Invoice(BaseModel):
    """Dates, decimals, lists of models."""

    number: str = Field(pattern=r"^INV-\d{4,6}$")
    issued: dt.date
    due: dt.date | None = None
    items: list[LineItem] = Field(min_length=1, max_length=20)
    total: Decimal
    currency: Literal["EUR", "USD", "GBP"] = "EUR"


class Node(BaseModel):
    """A recursive model."""

    value: int
    children: list[Node] = []


class Linked(BaseModel):
    """Recursive through an optional field."""

    text: str
    next: Linked | None = None


class Folder(BaseModel):
    """Recursive through another model."""

    name: str
    entries: list[Entry] = Field(default=[], max_length=3)


class Entry(BaseModel):
    """The other half of ``Folder``."""

    label: Literal["file", "folder"]
    folder: Folder | None = None


class Cat(BaseModel):
    """A member of a discriminated union."""

    kind: Literal["cat"]
    lives: int = Field(ge=0, le=9)


class Dog(BaseModel):
    """A member of a discriminated union."""

    kind: Literal["dog"]
    good: bool = True


class Cattle(BaseModel):
    """Its tag begins like that of ``Cat``."""

    kind: Literal["cattle"]
    head: int


class Shelter(BaseModel):
    """Discriminated unions in a list."""

    pets: list[Annotated[Cat | Dog | Cattle, Field(discriminator="kind")]]


class Circle(BaseModel):
    """A member of a plain union whose members share a prefix."""

    shape_name: str
    radius: float


class Square(BaseModel):
    """Like ``Circle`` up to its second field."""

    shape_name: str
    side: float


class Drawing(BaseModel):
    """A plain union of models."""

    shape: Circle | Square | None


class Page(BaseModel, Generic[T]):
    """A generic model."""

    items: list[T]
    total: int


class Aliased(BaseModel):
    """Fields with other names in the document."""

    model_config = ConfigDict(populate_by_name=False)

    identifier: int = Field(alias="@id")
    from_: str = Field(alias="from")
    camel_case: bool = Field(alias="camelCase")


class Quoted(BaseModel):
    """Names that JSON has to escape, and names beyond ASCII."""

    quote: int = Field(alias='say "hi"')
    backslash: int = Field(alias="C:\\dir")
    tab: int = Field(alias="a\tb")
    straße: str
    日本語: bool
    emoji: None = Field(alias="😀")


class Open(BaseModel):
    """Undeclared fields are allowed."""

    model_config = ConfigDict(extra="allow")

    id: int
    idea: str | None = None


class OpenTyped(BaseModel):
    """Undeclared fields are allowed, and have a type."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, int]

    name: str


class Forbidden(BaseModel):
    """Undeclared fields are forbidden."""

    model_config = ConfigDict(extra="forbid")

    a: int = 0
    b: int = 0
    c: int = 0


class AllOptional(BaseModel):
    """Every subset of the fields is legal."""

    a: str | None = None
    b: int | None = None
    c: bool | None = None
    d: float | None = None
    e: list[int] | None = None
    f: dt.date | None = None


@dataclass
class Point:
    """A dataclass."""

    x: float
    y: float
    label: str = ""
    history: list[int] = field(default_factory=list)


class Movie(TypedDict):
    """A TypedDict."""

    title: str
    year: int


class PartialMovie(TypedDict, total=False):
    """A TypedDict of optional keys."""

    title: str
    year: int


class Range(NamedTuple):
    """A named tuple."""

    low: int
    high: int = 10


class Tags(RootModel[list[Annotated[str, Field(min_length=1, max_length=8)]]]):
    """A root model."""


class Scores(RootModel[dict[str, float]]):
    """A root model of a mapping."""


class Event(BaseModel):
    """Dates and times."""

    id: uuid.UUID
    at: dt.datetime
    day: dt.date
    clock: dt.time


class Bounds(BaseModel):
    """Bounds of every kind."""

    a: int = Field(gt=-5, lt=5)
    b: int = Field(ge=100)
    c: float = Field(ge=-1.5, le=2.25)
    d: Annotated[str, StringConstraints(min_length=3, max_length=3)]
    e: Annotated[list[bool], Field(min_length=2, max_length=3)]
    f: int = Field(multiple_of=7, ge=0, le=1000)


class Money(BaseModel):
    """Decimals by digits."""

    amount: Decimal = Field(max_digits=6, decimal_places=2, ge=0)


class Wide(BaseModel):
    """A union of everything that is short."""

    value: int | bool | str | list[int] | dict[str, int] | Literal["auto"] | None


class Meeting(BaseModel):
    """A description of each field, defaults, nested lists."""

    title: str = Field(description="What it is about.", max_length=60)
    attendees: list[Person] = Field(description="Who came.", max_length=2)
    minutes: list[list[str]] = []


TYPES: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "None": type(None),
    "Literal": Literal["a", "ab", "abc", 1, 12, True, None, 'q"\\'],
    "Colour": Colour,
    "Level": Level,
    "Country": Country,
    "Optional[int]": Optional[int],
    "int|str|None": int | str | None,
    "list[str]": list[str],
    "list[list[int]]": list[list[int]],
    "list[int]{2,12}": Annotated[list[int], Field(min_length=2, max_length=12)],
    "set[Literal]": frozenset[Literal["x", "y"]],
    "tuple[int,str,bool]": tuple[int, str, bool],
    "tuple[int,...]": tuple[int, ...],
    "dict[str,int]": dict[str, int],
    "dict[int,str]": dict[int, str],
    "Mapping[Colour,bool]": Mapping[Colour, bool],
    "str{2,5}": Annotated[str, Field(min_length=2, max_length=5)],
    "str{,300}": Annotated[str, Field(max_length=300)],
    "str /[a-z]+é/": Annotated[str, Field(pattern=r"^[a-z]+é$", max_length=12)],
    "int[-20,300]": Annotated[int, Field(ge=-20, le=300)],
    "float(0,1]": Annotated[float, Field(gt=0, le=1)],
    "date": dt.date,
    "time": dt.time,
    "datetime": dt.datetime,
    "UUID": uuid.UUID,
    "Decimal": Decimal,
    "Address": Address,
    "Person": Person,
    "Invoice": Invoice,
    "Node": Node,
    "Linked": Linked,
    "Folder": Folder,
    "Shelter": Shelter,
    "Cat|Dog": Annotated[Cat | Dog, Field(discriminator="kind")],
    "Drawing": Drawing,
    "Page[Person]": Page[Person],
    "Page[int]": Page[int],
    "Aliased": Aliased,
    "Quoted": Quoted,
    "Open": Open,
    "OpenTyped": OpenTyped,
    "Forbidden": Forbidden,
    "AllOptional": AllOptional,
    "Point": Point,
    "Movie": Movie,
    "PartialMovie": PartialMovie,
    "Range": Range,
    "Tags": Tags,
    "Scores": Scores,
    "Event": Event,
    "Bounds": Bounds,
    "Money": Money,
    "Wide": Wide,
    "Meeting": Meeting,
    "list[Point]": list[Point],
}
"""Types by the name to show."""
