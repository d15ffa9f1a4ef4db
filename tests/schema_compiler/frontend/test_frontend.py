"""Types and the normal form of what Pydantic accepts for them."""

from __future__ import annotations

import collections
import datetime as dt
import enum
import fractions
import ipaddress
import json
import pathlib
import re
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, Optional

import pydantic as p
import pydantic_core
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typing_extensions import TypedDict

from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.frontend.frontend import json_schema_of
from schema_compiler.schema.normalization.normalize import Normalized, normalize
from schema_compiler.schema.report import ReportRow
from tests.schema_compiler.schema.evaluator import evaluate

ANY_RATIO = r"/^-?(?:0|[1-9][0-9]{0,17})(?:\/[1-9][0-9]{0,17})?$/rust"
ASCII = r"/^[\x00-\x7F]*$/rust"
STRIPPED = r"/^(?:\S(?:(?s:.)*\S)?)?$/rust"


class Colour(enum.Enum):
    """Values of two types."""

    RED = "red"
    ONE = 1


class Level(enum.IntEnum):
    """Pydantic reads its members from strings, too."""

    LOW = 1


class Cat(p.BaseModel):
    """Its tag has a default, which Pydantic does not use to pick it."""

    kind: Literal["cat"] = "cat"
    lives: int


class Dog(p.BaseModel):
    """Recursive."""

    kind: Literal["dog"]
    pup: Optional[Dog] = None


class Pair(NamedTuple):
    """The second has a default."""

    x: int
    y: int = 0


class Movie(TypedDict, total=False):
    """No key is required."""

    title: str


@dataclass
class Point:
    """The constructor does not take ``norm``."""

    x: float
    norm: float = field(init=False, default=0)


TYPES: list[tuple[Any, str]] = [
    (str, "string"),
    (int, "integer"),
    (float, "number"),
    (bool, "boolean"),
    (None, "null"),
    (Any, "any"),
    (object, "any"),
    (Annotated[int, p.Field(strict=True, ge=1, multiple_of=3)], "integer in [1, inf) step 3"),
    (Annotated[float, p.Field(gt=0, le=float("inf"))], "number in (0, inf)"),
    (Annotated[str, p.Field(min_length=1, max_length=3)], "string{1,3}"),
    (Annotated[str, p.Field(pattern=r"^\d+$")], r"string /^\d+$/rust"),
    (Annotated[str, p.Field(pattern=re.compile("^a", re.IGNORECASE))], "string /(?i)^a/python"),
    (Annotated[str, p.StringConstraints(strip_whitespace=True)], "string"),
    (Annotated[str, p.StringConstraints(strip_whitespace=True, min_length=1)], f"string{{1,}} {STRIPPED}"),
    (Literal["a", 1, None, True], 'one of ["a", 1, null, true]'),
    (Colour, 'one of ["red", 1]'),
    (Optional[int], "integer | null"),
    (int | str, "integer | string"),
    (Decimal, "number digits 15 | quoted number"),
    (Annotated[Decimal, p.Field(max_digits=5, decimal_places=2, ge=0, lt=Decimal("9.99"))],
     "number in [0, 9.99) digits 5 places 2 | quoted number in [0, 9.99) digits 5 places 2"),
    (fractions.Fraction, f"number | string {ANY_RATIO}"),
    (dt.date, "string <date>"),
    (dt.time, "string <python-time>"),
    (dt.datetime, "string <python-datetime>"),
    (p.AwareDatetime, "string <python-aware-datetime>"),
    (p.NaiveDatetime, "string <python-naive-datetime>"),
    (dt.timedelta, "string <python-timedelta>"),
    (uuid.UUID, "string <python-uuid>"),
    (p.UUID4, "string <python-uuid4>"),
    (bytes, "string <binary>"),
    (Annotated[bytes, p.Field(max_length=3)], f"string{{0,3}} {ASCII} <binary>"),
    (p.Base64Bytes, "string <base64>"),
    (pathlib.Path, "string <path>"),
    (ipaddress.IPv4Address, "string <ipv4>"),
    (ipaddress.IPv6Network, "string <ipv6network>"),
    (p.IPvAnyAddress, "string <ipvanyaddress>"),
    (p.SecretStr, "string <password>"),
    (p.HttpUrl, "string{1,2083} /^(?:http|https):/rust <python-url>"),
    (p.Json[int], "quoted integer"),
    (list[int], "[integer*]"),
    (Annotated[list[str], p.Field(min_length=1, max_length=2)], "[string*]{1,2}"),
    (set[int], "[integer*]"),
    (Annotated[frozenset[int], p.Field(min_length=2)], "unique [integer*]{2,}"),
    (Annotated[collections.deque[int], p.Field(max_length=3)], "[integer*]{0,3}"),
    (Sequence[int], "[integer*]"),
    (Iterable[int], "[integer*]"),
    (tuple[int, str], "[integer, string]{2,2}"),
    (tuple[int, ...], "[integer*]"),
    (Pair, "[integer, integer]{1,2}"),
    (dict[str, int], "{string: integer}"),
    (dict, "{string: any}"),
    (Mapping[int, str], "{quoted integer: string}"),
    (dict[Annotated[int, p.Field(ge=3)], str], "{quoted integer in [3, inf): string}"),
    (dict[bool, int], '{"true"?: integer, "false"?: integer}'),
    (dict[Decimal, int], "{quoted number: integer}"),
    (dict[dt.date, int], "{string <date>: integer}"),
    (dict[Annotated[str, p.Field(pattern="^a")], int], "{string /^a/rust: integer}"),
    (dict[Colour, int], '{"red"?: integer}'),
    (dict[Level, int], '{"1"?: integer}'),
    (dict[Literal["a", "b"], int], '{"a"?: integer, "b"?: integer}'),
    (Annotated[dict[str, int], p.Field(max_length=2)], "{string: integer}{0,2}"),
    (Annotated[collections.Counter[str], p.Field(min_length=1)], "{string: integer}{1,}"),
    (Movie, '{"title"?: string}'),
    (Point, '{"x": number}'),
    (p.RootModel[list[int]], "[integer*]"),
    (Annotated[Cat | Dog, p.Field(discriminator="kind")], "@#/anyOf/0 | @#/$defs/Dog"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "expected"), TYPES, ids=lambda value: str(value)[:60])
def test_types(type_: Any, expected: str) -> None:
    assert _root_text(_normalized(type_)) == expected


UNGENERATED = (Any, object, Point, fractions.Fraction, p.IPvAnyAddress, p.HttpUrl, p.RootModel[list[int]])
"""Types that Hypothesis does not know, or whose instances have more than their constructor takes."""
WRITTEN = [type_ for type_, form in TYPES if type_ not in UNGENERATED and ASCII not in form]
"""Bytes of limited length are kept to ASCII on purpose: there, characters are bytes."""


@pytest.mark.parametrize("type_", WRITTEN, ids=lambda t: str(t)[:60])
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_pydantic_writes_is_admitted(type_: Any, data: st.DataObject) -> None:
    adapter: p.TypeAdapter[Any] = p.TypeAdapter(type_)
    value = data.draw(st.none() if type_ is None else st.from_type(type_))
    try:
        text = adapter.dump_json(adapter.validate_python(value), by_alias=True)
        adapter.validate_json(text)
    except (p.ValidationError, pydantic_core.PydanticSerializationError):
        return
    assert evaluate(_normalized(type_).schema, json.loads(text)), text


def test_a_tag_is_required_even_with_a_default() -> None:
    normalized = _normalized(Annotated[Cat | Dog, p.Field(discriminator="kind")])
    assert str(normalized.schema.definitions["#/anyOf/0"]) == '{"kind": one of ["cat"], "lives": integer}'


def test_models_by_alias_with_extras_and_defaults() -> None:
    class Model(p.BaseModel):
        model_config = p.ConfigDict(extra="allow", str_max_length=9)
        __pydantic_extra__: dict[str, int]
        a: str = p.Field(alias="from")
        b: int = p.Field(default=1, validation_alias=p.AliasChoices("bee", p.AliasPath("x", 0)))
        c: Callable[[], int] = int

        @p.computed_field  # type: ignore[prop-decorator]
        @property
        def computed(self) -> int:
            return 1

    assert _root_text(_normalized(Model)) == ('{"from": string{0,9}, "bee"?: integer, "c"?: never, string: integer}')


def test_names_where_aliases_are_not_read() -> None:
    class Model(p.BaseModel):
        model_config = p.ConfigDict(validate_by_alias=False, validate_by_name=True)
        a: int = p.Field(alias="b")

    assert _root_text(_normalized(Model)) == '{"a": integer}'


def test_members_of_a_union_without_json_form_are_named() -> None:
    (row,) = _checked(int | str | Callable[[], int])
    assert row.constraint.startswith("never written: Cannot generate a JsonSchema")


def test_what_no_schema_can_say_is_reported() -> None:
    def odd(value: int) -> int:
        return value

    class Model(p.BaseModel):
        a: Annotated[int, p.AfterValidator(odd)]
        b: p.PastDate
        c: str
        d: p.FilePath

        @p.field_validator("c", mode="before")
        @classmethod
        def clean(cls, value: Any) -> Any:
            return value

        @p.model_validator(mode="after")
        def whole(self) -> Model:
            return self

    checked = {(row.path.rpartition("/")[2], row.constraint.rpartition(".")[2]) for row in _checked(Model)}
    assert checked == {
        ("", "whole"),
        ("a", "odd"),
        ("b", "now_op past"),
        ("c", "clean"),
        ("d", "format file-path"),
    }


@pytest.mark.parametrize("type_", [type_ for type_, _ in TYPES if type_ not in (pathlib.Path,)][:30])
def test_plain_types_have_nothing_to_check(type_: Any) -> None:
    assert _checked(type_) == []


class _Opaque:
    pass


class _NeedsCallable(p.BaseModel):
    inner: list[Callable[[], int]]


class _Path(p.BaseModel):
    a: int = p.Field(validation_alias=p.AliasPath("x", 0))


@pytest.mark.parametrize(
    ("type_", "pointer", "words"),
    [
        (_Opaque, "", "does not accept type _Opaque"),
        (Callable, "", "no JSON form"),
        (dict[tuple[int, int], int], "", "the keys of a mapping (tuple)"),
        (_NeedsCallable, "/properties/inner", "CallableSchema"),
        (_Path, "/properties/a", "alias path ['x', 0]"),
    ],
)
def test_types_without_json_are_refused_by_name(type_: Any, pointer: str, words: str) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        _normalized(type_).report()
    assert (caught.value.pointer, words in str(caught.value)) == (pointer, True)


def _normalized(type_: Any) -> Normalized:
    return normalize(json_schema_of(type_), dialect="rust", additional_properties="closed")


def _root_text(normalized: Normalized) -> str:
    return str(normalized).partition("\n")[0].removeprefix("@# = ")


def _checked(type_: Any) -> list[ReportRow]:
    return list(_normalized(type_).report().with_status("checked afterwards"))
