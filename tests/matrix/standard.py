"""Pydantic's page "Standard Library Types"."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import enum
import fractions
import ipaddress
import os
import pathlib
import re
import types
import uuid
import zoneinfo
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Hashable,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
    Set,
)
from decimal import Decimal
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    LiteralString,
    NamedTuple,
    Never,
    NewType,
    NotRequired,
    Optional,
    Protocol,
    Required,
    TypeVar,
)

from annotated_types import Interval, Len, LowerCase, Not, Predicate, Unit
from pydantic import AllowInfNan, ConfigDict, Field, Strict, StringConstraints, with_config
from typing_extensions import ReadOnly, TypeAliasType, TypedDict

from tests.matrix.case import Case

__all__ = ["STANDARD"]

T = TypeVar("T")
Bounded = TypeVar("Bounded", bound=int)
Limited = TypeVar("Limited", int, str)
Defaulted = NewType("Defaulted", int)


class Text(enum.Enum):
    """Strings, one the beginning of another."""

    A = "a"
    AB = "ab"


class Mixed(enum.Enum):
    """Values of every JSON type."""

    ONE = 1
    WORD = "word"
    HALF = 0.5
    YES = True
    NOTHING = None
    PAIR = (1, 2)


class Whole(enum.IntEnum):
    """Integers."""

    ONE = 1
    TEN = 10


class Word(enum.StrEnum):
    """Strings."""

    YES = "yes"


class Right(enum.Flag):
    """Combinations of bits."""

    READ = 1
    WRITE = 2


class Bits(enum.IntFlag):
    """Combinations of bits that are integers."""

    READ = 1
    WRITE = 2


class Real(float, enum.Enum):
    """Floats."""

    HALF = 0.5
    TWO = 2.0


class Lenient(enum.Enum):
    """Takes more than its members."""

    A = "a"

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return cls.A if value == "other" else None


class Raw(enum.Enum):
    """Values that are not JSON."""

    A = b"a"
    B = "b"


class Days(enum.Enum):
    """Values that are read from no JSON."""

    LEAP = dt.date(2024, 2, 29)


class Point(NamedTuple, Generic[T]):
    """Generic."""

    x: T


class Pair(NamedTuple):
    """The second has a default."""

    x: int
    y: Annotated[int, Field(ge=0)] = 0


class Movie(TypedDict):
    """Two of three keys must be there."""

    title: str
    year: ReadOnly[Annotated[int, Field(ge=1888)]]
    stars: NotRequired[float]


class Part(TypedDict, total=False):
    """One of two keys must be there."""

    a: Required[int]
    b: int


@with_config(ConfigDict(extra="allow"))
class OpenDict(TypedDict):
    """More keys may be there."""

    a: int


@with_config(ConfigDict(extra="forbid", str_max_length=2))
class ClosedDict(TypedDict):
    """No more keys may be there, and text is short."""

    a: str


class Extended(TypedDict, Generic[T]):
    """Generic."""

    item: T


class HasLength(Protocol):
    """Structural."""

    def __len__(self) -> int: ...


Json = TypeAliasType("Json", "list[Json] | dict[str, Json] | int | str | None")
Number = TypeAliasType("Number", int)
Ints = TypeAliasType("Ints", list[Annotated[int, Field(ge=0)]])
Items = TypeAliasType("Items", list[T], type_params=(T,))

NUMBERS = [
    Case("bool", "", bool, (True, False), ("maybe", 2, None)),
    Case("bool", "strict", Annotated[bool, Strict()], (True,), (1, "true")),
    Case("int", "", int, (0, -7, 10**18), (0.5, "x", None), narrower=(True, 1.0, "1")),
    Case("int", "strict", Annotated[int, Strict()], (3,), ("3", 3.5)),
    Case("int", "ge", Annotated[int, Field(ge=3)], (3, 4), (2,)),
    Case("int", "gt", Annotated[int, Field(gt=3)], (4,), (3,)),
    Case("int", "le", Annotated[int, Field(le=-3)], (-3, -4), (-2,)),
    Case("int", "lt", Annotated[int, Field(lt=-3)], (-4,), (-3,)),
    Case("int", "multiple_of", Annotated[int, Field(multiple_of=7, ge=0, le=1000)], (0, 7, 994), (1, 995)),
    Case("int", "ge beyond 64 bits", Annotated[int, Field(ge=2**64)], (2**64,), (2**64 - 1,)),
    Case("int", "le beyond 64 bits", Annotated[int, Field(ge=0, le=10**30)], (10**30,), (10**30 + 1,)),
    Case("int", "fractional bounds", Annotated[int, Field(gt=0.5, lt=2.5)], refused="Pydantic does not accept"),
    Case("int", "infinite bounds", Annotated[int, Field(le=float("inf"))], refused="Pydantic does not accept"),
    Case("int", "chain", Annotated[Annotated[int, Field(ge=0)], Field(ge=2), Field(le=3)], (2, 3), (0, 1, 4)),
    Case("float", "", float, (0.5, 1, -2.5e-7), ("x", None), narrower=("0.5", True)),
    Case("float", "strict", Annotated[float, Strict()], (0.5, 1), ("0.5",)),
    Case("float", "ge", Annotated[float, Field(ge=-1.5)], (-1.5, 0), (-1.6,)),
    Case("float", "gt", Annotated[float, Field(gt=0)], (5e-324, 1), (0, -1)),
    Case("float", "le", Annotated[float, Field(le=2.25)], (2.25,), (2.26,)),
    Case("float", "lt", Annotated[float, Field(lt=0.1)], (0.0999,), (0.1,)),
    Case("float", "multiple_of", Annotated[float, Field(multiple_of=0.5, ge=0, le=9)], (0.5, 1.0, 9), (0.3,)),
    Case("float", "multiple_of, in tenths", Annotated[float, Field(multiple_of=0.1)], (0.3, 0.7), (0.05,),
         ("multiple_of 0.1 in floating-point arithmetic",)),
    Case("float", "bounds beyond its precision", Annotated[float, Field(gt=0, lt=1)], (0.9999999999999999,),
         (0, 1)),
    Case("float", "allow_inf_nan", Annotated[float, AllowInfNan(False)], (1.5,)),
    Case("Decimal", "", Decimal, ("1.50", "-3", "1E+2"), ("x", None)),
    Case("Decimal", "strict", Annotated[Decimal, Strict()], ("1.5", 2), ("x",)),
    Case("Decimal", "ge", Annotated[Decimal, Field(ge=3)], ("3", "3.00"), ("2.99",)),
    Case("Decimal", "gt", Annotated[Decimal, Field(gt=Decimal("0.1"))], ("0.11",), ("0.1",)),
    Case("Decimal", "le", Annotated[Decimal, Field(le=3)], ("3",), ("3.01",)),
    Case("Decimal", "lt", Annotated[Decimal, Field(lt=3)], ("2.99",), ("3",)),
    Case("Decimal", "multiple_of", Annotated[Decimal, Field(multiple_of=Decimal("0.25"))], ("0.75",), ("0.3",)),
    Case("Decimal", "digits that a float has not", Annotated[Decimal, Field(max_digits=30)],
         ("0.12345678901234567890",), ("x",), narrower=(1234567890.1234567,)),
    Case("Decimal", "max_digits", Annotated[Decimal, Field(max_digits=4)], ("12.34", "0.001"), ("123.45",)),
    Case("Decimal", "decimal_places", Annotated[Decimal, Field(decimal_places=2)], ("1.25", "7"), ("1.255",)),
    Case("Decimal", "max_digits and decimal_places", Annotated[Decimal, Field(max_digits=4, decimal_places=2)],
         ("12.34", "99"), ("123.4", "1.234", "100")),
    Case("Decimal", "allow_inf_nan", Annotated[Decimal, AllowInfNan(True)], ("1.5",)),
    Case("complex", "", complex, ("1+2j", "3"), ("x",)),
    Case("Fraction", "", fractions.Fraction, ("1/3", "2"), ("1/0", "x")),
    Case("Fraction", "ge lt", Annotated[fractions.Fraction, Field(ge=0, lt=1)], (0.5,), (1, -0.5), rewritten=True,
         narrower=("1/2",)),
]  # fmt: skip

TEXTS = [
    Case("str", "", str, ("", "é \"\\\n", "😀"), (1, None)),
    Case("str", "strict", Annotated[str, Strict()], ("a",), (1,)),
    Case("str", "min_length", Annotated[str, Field(min_length=2)], ("ab", "😀😀"), ("a",)),
    Case("str", "max_length", Annotated[str, Field(max_length=2)], ("", "ab", "😀😀"), ("abc",)),
    Case("str", "pattern", Annotated[str, Field(pattern=r"^\d{2}-[a-z]+$")], ("12-ab",), ("1-ab", "12-")),
    Case("str", "pattern, anywhere", Annotated[str, Field(pattern="ab|cd")], ("xaby",), ("ac",)),
    Case("str", "pattern and max_length", Annotated[str, Field(pattern="^a+$", max_length=3)], ("aaa",), ("aaaa",)),
    Case("str", "compiled pattern", Annotated[str, Field(pattern=re.compile("^ab$", re.IGNORECASE))], ("aB",), ("b",)),
    Case("str", "two patterns", Annotated[str, Field(pattern="^a"), Field(pattern="b$")], ("ab", "b"), ("a",)),
    Case("str", "strip_whitespace", Annotated[str, StringConstraints(strip_whitespace=True)], ("a", " a ")),
    Case("str", "strip_whitespace and min_length",
         Annotated[str, StringConstraints(strip_whitespace=True, min_length=2)], ("ab",), ("a ", "  ")),
    Case("str", "strip_whitespace and max_length",
         Annotated[str, StringConstraints(strip_whitespace=True, max_length=2)], ("ab",), ("abc",)),
    Case("str", "to_upper", Annotated[str, StringConstraints(to_upper=True)], ("a",)),
    Case("str", "to_upper and pattern", Annotated[str, StringConstraints(to_upper=True, pattern="^[A-Z]+$")],
         ("AB",), ("1",)),
    Case("str", "to_lower and max_length", Annotated[str, StringConstraints(to_lower=True, max_length=2)],
         ("ab",), ("abc",)),
    Case("str", "ascii_only", Annotated[str, StringConstraints(ascii_only=True)], ("ab",), ("é",)),
    Case("LiteralString", "", LiteralString, refused="Pydantic does not accept"),
    Case("bytes", "", bytes, ("", "é"), (1,)),
    Case("bytes", "strict", Annotated[bytes, Strict()], ("a",), (1,)),
    Case("bytes", "min_length", Annotated[bytes, Field(min_length=2)], ("ab",), ("a",)),
    Case("bytes", "max_length", Annotated[bytes, Field(max_length=2)], ("ab",), ("abc", "éé")),
    Case("Pattern", "", re.Pattern, ("^a",), ("(",), checked=("format regex",)),
    Case("Pattern[bytes]", "", re.Pattern[bytes], refused="JSON form"),
    Case("UUID", "", uuid.UUID, ("6a8f0f6e-9f0e-4c62-9c05-0a4c7b6c1c1d",), ("6a8f",)),
    Case("UUID", "strict", Annotated[uuid.UUID, Strict()], ("6a8f0f6e-9f0e-4c62-9c05-0a4c7b6c1c1d",), ("6a8f",)),
    Case("Path", "", pathlib.Path, ("/tmp", "a.b"), (1,)),
    Case("PurePosixPath", "", pathlib.PurePosixPath, ("/a",), (1,)),
    Case("os.PathLike", "", os.PathLike[str], ("/a",), (1,)),
    Case("ZoneInfo", "", zoneinfo.ZoneInfo, ("Europe/Paris",), ("x",), checked=("format zoneinfo",)),
    Case("IPv4Address", "", ipaddress.IPv4Address, ("127.0.0.1",), ("127.0.0.256",)),
    Case("IPv6Address", "", ipaddress.IPv6Address, ("::1",), ("::g",), narrower=("fe80::1%eth0",)),
    Case("IPv4Network", "", ipaddress.IPv4Network, ("10.0.0.0/8", "1.2.3.4"), ("10.0.0.1/8",)),
    Case("IPv6Network", "", ipaddress.IPv6Network, ("2001:db8::/32",), ("2001:db8::1/32",)),
    Case("IPv4Interface", "", ipaddress.IPv4Interface, ("10.0.0.1/8",), ("10.0.0.1/33",)),
    Case("IPv6Interface", "", ipaddress.IPv6Interface, ("::1/64",), ("::1/129",)),
]  # fmt: skip

WHEN = dt.datetime(2024, 2, 29, 12, 30)
DAY = dt.date(2024, 2, 29)
TIMES = [
    Case("date", "", dt.date, ("2024-02-29",), ("2023-02-29",)),
    Case("date", "ge lt", Annotated[dt.date, Field(ge=dt.date(1999, 12, 31), lt=dt.date(2024, 3, 1))],
         ("1999-12-31", "2024-02-29"), ("1999-12-30", "2024-03-01")),
    Case("date", "strict", Annotated[dt.date, Strict()], ("2024-02-29",), ("2024-02-29T00:00",)),
    Case("date", "ge", Annotated[dt.date, Field(ge=DAY)], ("2024-02-29",), ("2024-02-28",)),
    Case("date", "gt", Annotated[dt.date, Field(gt=DAY)], ("2024-03-01",), ("2024-02-29",)),
    Case("date", "le", Annotated[dt.date, Field(le=DAY)], ("2024-02-29",), ("2024-03-01",)),
    Case("date", "lt", Annotated[dt.date, Field(lt=DAY)], ("2024-02-28",), ("2024-02-29",)),
    Case("time", "", dt.time, ("12:30:00", "12:30:00.25", "12:30:00+01:00"), ("25:00:00",)),
    Case("time", "strict", Annotated[dt.time, Strict()], ("12:30:00",), ("25:00:00",)),
    Case("time", "ge", Annotated[dt.time, Field(ge=dt.time(8))], ("08:00:00",), ("07:59:59",), ("ge 08:00:00",)),
    Case("time", "lt", Annotated[dt.time, Field(lt=dt.time(8))], ("07:59:59",), ("08:00:00",), ("lt 08:00:00",)),
    Case("datetime", "", dt.datetime, ("2024-02-29T12:30:00", "2024-02-29T12:30:00.5Z"), ("2024-13-01T00:00:00",)),
    Case("datetime", "strict", Annotated[dt.datetime, Strict()], ("2024-02-29T12:30:00",), ("x",), narrower=("2024",)),
    Case("datetime", "gt", Annotated[dt.datetime, Field(gt=WHEN)], ("2024-02-29T12:31:00",),
         ("2024-02-29T12:30:00",), ("gt 2024-02-29 12:30:00",)),
    Case("datetime", "le", Annotated[dt.datetime, Field(le=WHEN)], ("2024-02-29T12:30:00",),
         ("2024-02-29T12:31:00",), ("le 2024-02-29 12:30:00",)),
    Case("timedelta", "", dt.timedelta, ("P1DT2H", "-PT0.5S", "P3W"), ("1 day!",)),
    Case("timedelta", "strict", Annotated[dt.timedelta, Strict()], ("PT1S",), ("x",)),
    Case("timedelta", "ge", Annotated[dt.timedelta, Field(ge=dt.timedelta(hours=1))], ("PT1H",), ("PT59M",),
         ("ge 1:00:00",)),
    Case("timedelta", "gt lt", Annotated[dt.timedelta, Field(gt=dt.timedelta(0), lt=dt.timedelta(1))], ("PT1H",),
         ("P1D", "PT0S"), ("gt 0:00:00", "lt 1 day, 0:00:00")),
]  # fmt: skip

CHOICES = [
    Case("None", "", None, (None,), (0,)),
    Case("Literal", "", Literal["a", "ab", 1, True, None], ("a", "ab", 1, True, None), ("b", 2, False)),
    Case("Literal", "enum members", Literal[Text.A, Whole.TEN, "b"], ("b", 10), ("a", 1)),
    Case("Literal", "bytes", Literal[b"a"], refused="JSON form"),
    Case("Literal", "bool and int", Literal[1, False], (1, False), (2,)),
    Case("Enum", "str", Text, ("a", "ab"), ("b", 1)),
    Case("Enum", "mixed", Mixed, (1, "word", 0.5, None), ("x", [1, 2])),
    Case("Enum", "float", Real, (0.5, 2.0), (0.25,)),
    Case("Enum", "bytes", Raw, ("b",), ("a",)),
    Case("Enum", "strict", Annotated[Text, Strict()], ("a",), ("b",)),
    Case("Enum", "_missing_", Lenient, ("a",), ("b",)),
    Case("Enum", "no JSON", Days, refused="JSON form"),
    Case("Enum", "plain", enum.Enum, refused="Pydantic does not accept"),
    Case("IntEnum", "", Whole, (1, 10), (2,)),
    Case("StrEnum", "", Word, ("yes",), ("no",)),
    Case("Flag", "", Right, (0, 1, 2, 3), (8,)),
    Case("IntFlag", "", Bits, (0, 1, 2, 3), ("x",), narrower=(8,)),
    Case("Optional", "", Optional[int], (1, None), ("x",)),
    Case("Union", "smart", int | str, (1, "1"), (None,)),
    Case("Union", "numbers", int | float | bool, (1, 1.5, True), ("x",)),
    Case("Union", "left to right", Annotated[int | float, Field(union_mode="left_to_right")], (1, 1.5), ("x",)),
    Case("Union", "constrained", Annotated[int, Field(ge=5)] | Annotated[str, Field(max_length=2)], (5, "ab"),
         (4, "abc")),
    Case("Union", "strict members", Annotated[int, Strict()] | Annotated[bool, Strict()], (1, True), ("1",)),
    Case("Union", "ge on the union", Annotated[int | float, Field(ge=2)], (2, 2.5), (1,)),
    Case("Union", "max_length on the union", Annotated[str | list[int], Field(max_length=2)], ("ab", [1, 2]),
         ("abc", [1, 2, 3])),
    Case("Union", "pattern on the union", Annotated[str | int, Field(pattern="^a")], ("ab",), ("b",)),
    Case("Union", "dates", dt.date | dt.datetime, ("2024-02-29", "2024-02-29T00:00:00"), ("x",)),
    Case("Optional", "ge", Annotated[Optional[int], Field(ge=2)], (2, None), (1,)),
    Case("Optional", "max_length", Annotated[Optional[str], Field(max_length=2)], ("ab", None), ("abc",)),
    Case("Any", "ge", Annotated[Any, Field(ge=2)], (2,), (1,)),
    Case("Any", "max_length", Annotated[Any, Field(max_length=2)], ("ab", [1], {"a": 1}), ("abc", [1, 2, 3])),
    Case("Any", "", Any, (1, "a", [None], {"a": 1})),
    Case("object", "", object, (1, "a", [None])),
    Case("Hashable", "", Hashable, ("a", 1), ([1],)),
    Case("TypeVar", "", T, (1, "a")),
    Case("TypeVar", "bound", Bounded, (1,), ("x",)),
    Case("TypeVar", "constraints", Limited, (1, "a"), (None,)),
    Case("NewType", "", Defaulted, (1,), ("x",)),
    Case("Final", "", Final[int], (1,), ("x",)),
    Case("TypeAliasType", "", Ints, ([0, 1],), ([-1],)),
    Case("TypeAliasType", "recursive", Json, ([1, {"a": [None]}],), ([0.5],)),
    Case("TypeAliasType", "generic", Items[int], ([1],), (["x"],)),
    Case("Annotated", "min_length on an alias", Annotated[Ints, Field(min_length=1)], ([1],), ([],)),
    Case("Annotated", "Interval", Annotated[int, Interval(ge=1, lt=5)], (1, 4), (0, 5)),
    Case("Annotated", "Len", Annotated[list[int], Len(1, 2)], ([1],), ([], [1, 2, 3])),
    Case("Annotated", "Predicate", Annotated[int, Predicate(bool)], (1,), (0,), ("after validator predicate",)),
    Case("Annotated", "Not", Annotated[int, Not(bool)], (0,), (1,), ("after validator predicate",)),
    Case("Annotated", "LowerCase", LowerCase[str], ("a",), ("A",), ("after validator predicate",)),
    Case("Annotated", "Unit", Annotated[int, Unit("m")], (1,), ("x",)),
    Case("Callable", "", Callable[[int], int], refused="JSON form"),
    Case("type", "", type, refused="JSON form"),
    Case("type[int]", "", type[int], refused="JSON form"),
    Case("Never", "", Never, refused="Pydantic does not accept"),
    Case("Protocol", "", HasLength, refused="Pydantic does not accept"),
    Case("ModuleType", "", types.ModuleType, refused="Pydantic does not accept"),
    Case("Context", "", decimal.Context, refused="Pydantic does not accept"),
]  # fmt: skip

COLLECTIONS = [
    Case("list", "", list, ([], [1, "a"]), (1, {})),
    Case("list[T]", "", list[int], ([], [1]), (["x"],)),
    Case("list[T]", "strict", Annotated[list[int], Strict()], ([1],), ("x",)),
    Case("list[T]", "min_length", Annotated[list[int], Field(min_length=2)], ([1, 2],), ([1],)),
    Case("list[T]", "max_length", Annotated[list[int], Field(max_length=2)], ([], [1, 2]), ([1, 2, 3],)),
    Case("list[T]", "of constrained items", list[Annotated[int, Field(gt=0)]], ([1],), ([0],)),
    Case("tuple", "", tuple, ([], [1, "a"]), (1,)),
    Case("tuple[T, ...]", "", tuple[int, ...], ([], [1, 2]), (["x"],)),
    Case("tuple[T, ...]", "max_length", Annotated[tuple[int, ...], Field(min_length=1, max_length=2)], ([1],),
         ([], [1, 2, 3])),
    Case("tuple[T, U]", "", tuple[int, str], ([1, "a"],), ([1], [1, "a", 2])),
    Case("tuple[T, U]", "strict", Annotated[tuple[int, str], Strict()], ([1, "a"],), ([1],)),
    Case("tuple[()]", "", tuple[()], ([],), ([1],)),
    Case("NamedTuple", "", Pair, ([1, 2], [1]), ([1, -1], [], [1, 2, 3])),
    Case("NamedTuple", "generic", Point[int], ([1],), (["x"],)),
    Case("namedtuple", "", collections.namedtuple("Point", "x y"), ([1, 2],), ([1],)),
    Case("set", "", set[int], ([1, 2], [1, 1]), (["x"],)),
    Case("set", "min_length", Annotated[set[bool], Field(min_length=2)], ([True, False],), ([True, True], [True])),
    Case("set", "min_length, endless items", Annotated[set[int], Field(min_length=2)], ([1, 2],), ([1, 1],),
         ("uniqueItems",)),
    Case("set", "max_length", Annotated[set[int], Field(max_length=2)], ([1, 2],), ([1, 2, 3],)),
    Case("frozenset", "", frozenset[str], (["a", "b"],), ([1],)),
    Case("frozenset", "max_length", Annotated[frozenset[str], Field(max_length=2)], (["a", "b"],), (["a", "b", "c"],)),
    Case("deque", "", collections.deque[int], ([1],), (["x"],)),
    Case("deque", "min_length", Annotated[collections.deque[int], Field(min_length=2)], ([1, 2],), ([1],)),
    Case("deque", "max_length", Annotated[collections.deque[int], Field(max_length=2)], ([1, 2],)),
    Case("Sequence", "", Sequence[int], ([1],), (["x"], "ab")),
    Case("Sequence", "min_length", Annotated[Sequence[int], Field(min_length=2)], ([1, 2],), ([1],)),
    Case("Sequence", "max_length", Annotated[Sequence[int], Field(max_length=2)], ([1, 2],), ([1, 2, 3],)),
    Case("MutableSequence", "", MutableSequence[int], ([1],), (["x"],)),
    Case("Collection", "", Collection[int], refused="Pydantic does not accept"),
    Case("Set", "", Set[int], ([1],), (["x"],)),
    Case("MutableSet", "", MutableSet[int], ([1],), (["x"],)),
    Case("Iterable", "", Iterable[int], ([1],), (1,), narrower=(["x"],), rewritten=True),
    Case("Iterable", "min_length", Annotated[Iterable[int], Field(min_length=2)], ([1, 2],), (1,), narrower=([1],)),
    Case("Iterable", "max_length", Annotated[Iterable[int], Field(max_length=2)], ([1, 2],), (1,),
         narrower=([1, 2, 3],)),
    Case("Generator", "", Generator[int, None, None], ([1],), (1,), narrower=(["x"],)),
    Case("dict", "", dict, ({}, {"a": [1]}), ([],)),
    Case("dict[K, V]", "", dict[str, int], ({"a": 1},), ({"a": "x"},)),
    Case("dict[K, V]", "strict", Annotated[dict[str, int], Strict()], ({"a": 1},), ([],)),
    Case("dict[K, V]", "min_length", Annotated[dict[str, int], Field(min_length=1)], ({"a": 1},), ({},)),
    Case("dict[K, V]", "max_length", Annotated[dict[str, int], Field(max_length=1)], ({"a": 1},), ({"a": 1, "b": 2},)),
    Case("dict[K, V]", "keys with a pattern", dict[Annotated[str, Field(pattern="^a")], int], ({"ab": 1},),
         ({"b": 1},)),
    Case("dict[K, V]", "keys with a length", dict[Annotated[str, Field(max_length=2)], int], ({"ab": 1},),
         ({"abc": 1},)),
    Case("dict[K, V]", "int keys", dict[int, int], ({"1": 1, "-2": 2},), ({"x": 1},)),
    Case("dict[K, V]", "int keys with bounds", dict[Annotated[int, Field(ge=3, lt=12)], int], ({"3": 1},),
         ({"12": 1},)),
    Case("dict[K, V]", "float keys", dict[Annotated[float, Field(gt=0)], int], ({"0.5": 1},), ({"-0.5": 1},)),
    Case("dict[K, V]", "bool keys", dict[bool, int], ({"true": 1},), ({"maybe": 1},)),
    Case("dict[K, V]", "Decimal keys", dict[Annotated[Decimal, Field(max_digits=3)], int], ({"1.5": 1},),
         ({"1.555": 1},)),
    Case("dict[K, V]", "date keys", dict[dt.date, int], ({"2024-02-29": 1},), ({"2023-02-29": 1},)),
    Case("dict[K, V]", "datetime keys", dict[dt.datetime, int], ({"2024-02-29T00:00:00": 1},), ({"x": 1},)),
    Case("dict[K, V]", "UUID keys", dict[uuid.UUID, int], ({"6a8f0f6e-9f0e-4c62-9c05-0a4c7b6c1c1d": 1},), ({"x": 1},)),
    Case("dict[K, V]", "bytes keys", dict[bytes, int], ({"a": 1},)),
    Case("dict[K, V]", "Enum keys", dict[Text, int], ({"a": 1},), ({"b": 1},)),
    Case("dict[K, V]", "IntEnum keys", dict[Whole, int], ({"10": 1},), ({"2": 1},)),
    Case("dict[K, V]", "mixed Enum keys", dict[Mixed, int], ({"word": 1},), ({"other": 1},)),
    Case("dict[K, V]", "float Enum keys", dict[Real, int], ({"0.5": 1},), ({"0.25": 1},)),
    Case("dict[K, V]", "Literal keys", dict[Literal["a", "b"], int], ({"a": 1},), ({"c": 1},)),
    Case("dict[K, V]", "Union keys", dict[int | str, int], ({"1": 1, "a": 1},)),
    Case("dict[K, V]", "Optional keys", dict[Optional[int], int], ({"1": 1},), ({"x": 1},)),
    Case("dict[K, V]", "Any keys", dict[Any, int], ({"a": 1},), ({"a": "x"},)),
    Case("dict[K, V]", "time keys", dict[dt.time, int], ({"12:00:00": 1},), ({"x": 1},)),
    Case("dict[K, V]", "timedelta keys", dict[dt.timedelta, int], ({"PT1S": 1},), ({"x": 1},)),
    Case("dict[K, V]", "IPv4Address keys", dict[ipaddress.IPv4Address, int], ({"10.0.0.1": 1},), ({"x": 1},)),
    Case("dict[K, V]", "Path keys", dict[pathlib.Path, int], ({"a": 1},), ({"a": "x"},)),
    Case("dict[K, V]", "complex keys", dict[complex, int], ({"1+2j": 1},), ({"x": 1},)),
    Case("dict[K, V]", "keys by an alias", dict[Number, int], ({"1": 1},), ({"x": 1},)),
    Case("dict[K, V]", "date keys with a bound", dict[Annotated[dt.date, Field(gt=DAY)], int], ({"2024-03-01": 1},),
         ({"2024-02-29": 1},)),
    Case("dict[K, V]", "Union of date and UUID keys", dict[dt.date | uuid.UUID, int], ({"2024-02-29": 1},),
         ({"x": 1},)),
    Case("dict[K, V]", "int or float keys", dict[int | float, int], ({"1": 1, "0.5": 1, "-2.0": 1},), ({"x": 1},)),
    Case("dict[K, V]", "int or bounded float keys", dict[int | Annotated[float, Field(lt=2.5)], int],
         ({"1.5": 1, "3": 1, "-2.0": 1},), ({"3.5": 1},)),
    Case("dict[K, V]", "Literal[1] keys", dict[Literal[1], int], refused="keys of a mapping"),
    Case("dict[K, V]", "Fraction keys", dict[fractions.Fraction, int], refused="keys of a mapping"),
    Case("dict[K, V]", "None keys", dict[None, int], refused="keys of a mapping"),
    Case("dict[K, V]", "tuple keys", dict[tuple[int, int], int], refused="keys of a mapping"),
    Case("Mapping", "", Mapping[str, int], ({"a": 1},), ({"a": "x"},)),
    Case("Mapping", "max_length", Annotated[Mapping[str, int], Field(max_length=1)], ({"a": 1},), ({"a": 1, "b": 2},)),
    Case("MutableMapping", "", MutableMapping[str, int], ({"a": 1},), ({"a": "x"},)),
    Case("OrderedDict", "", collections.OrderedDict[str, int], ({"a": 1},), ({"a": "x"},)),
    Case("OrderedDict", "max_length", Annotated[collections.OrderedDict[str, int], Field(max_length=1)], ({"a": 1},),
         ({"a": 1, "b": 2},)),
    Case("defaultdict", "", collections.defaultdict[str, list[int]], ({"a": [1]},), ({"a": ["x"]},)),
    Case("defaultdict", "max_length", Annotated[collections.defaultdict[str, int], Field(max_length=1)], ({"a": 1},),
         ({"a": 1, "b": 2},)),
    Case("Counter", "", collections.Counter[str], ({"a": 1},), ({"a": "x"},)),
    Case("Counter", "min_length", Annotated[collections.Counter[str], Field(min_length=1)], ({"a": 1},), ({},)),
    Case("Counter", "max_length", Annotated[collections.Counter[str], Field(max_length=1)], ({"a": 1},),
         ({"a": 1, "b": 2},)),
    Case("MappingProxyType", "", types.MappingProxyType[str, int], refused="Pydantic does not accept"),
    Case("TypedDict", "", Movie, ({"title": "a", "year": 1999}, {"title": "a", "year": 1999, "stars": 0.5}),
         ({"title": "a"}, {"title": "a", "year": 1})),
    Case("TypedDict", "total=False", Part, ({"a": 1}, {"a": 1, "b": 2}), ({}, {"b": 2})),
    Case("TypedDict", "extra=allow", OpenDict, ({"a": 1, "z": "x"},), ({"a": "x"},)),
    Case("TypedDict", "extra=forbid, str_max_length", ClosedDict, ({"a": "xy"},), ({"a": "xyz"}, {"a": "", "b": 1})),
    Case("TypedDict", "generic", Extended[int], ({"item": 1},), ({"item": "x"},)),
]  # fmt: skip

STANDARD = [*NUMBERS, *TEXTS, *TIMES, *CHOICES, *COLLECTIONS]
"""All cases of the page."""
