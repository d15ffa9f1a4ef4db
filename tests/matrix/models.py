"""Models, dataclasses and their fields: aliases, defaults, configuration, validators, unions of models."""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import enum
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, Optional, TypeVar

import pydantic as p
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass as pydantic_dataclass

from tests.matrix.case import Case

__all__ = ["MODELS"]

T = TypeVar("T")
N = TypeVar("N", bound=int)


class Level(enum.IntEnum):
    """Integers."""

    LOW = 1


class Plain(p.BaseModel):
    """Required, optional, nested in itself."""

    a: int
    b: Optional[str] = None
    next: Optional[Plain] = None


class Open(p.BaseModel):
    """Typed extras."""

    model_config = p.ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Annotated[int, p.Field(ge=0)]]
    a: str = ""


class TypedKeys(p.BaseModel):
    """Typed extras with constrained names."""

    model_config = p.ConfigDict(extra="allow")
    __pydantic_extra__: dict[Annotated[str, p.Field(pattern="^x_")], int]


class AnyExtra(p.BaseModel):
    """Extras of any type."""

    model_config = p.ConfigDict(extra="allow")
    a: int


class Forbid(p.BaseModel):
    """No extras."""

    model_config = p.ConfigDict(extra="forbid")
    a: int = 0


class Ignore(p.BaseModel):
    """Extras are read and dropped."""

    model_config = p.ConfigDict(extra="ignore")
    a: int = 0


class Alias(p.BaseModel):
    """One name for reading and writing."""

    a: int = p.Field(alias="@a")


class TwoAliases(p.BaseModel):
    """One name for reading, another for writing."""

    a: int = p.Field(validation_alias="read", serialization_alias="write")


class ByName(p.BaseModel):
    """Both names are read; one is written."""

    model_config = p.ConfigDict(validate_by_name=True, validate_by_alias=True)
    a: int = p.Field(alias="b")


class OnlyByName(p.BaseModel):
    """The alias is not read."""

    model_config = p.ConfigDict(validate_by_name=True, validate_by_alias=False)
    a: int = p.Field(validation_alias="b")


class Populate(p.BaseModel):
    """The older spelling of ``ByName``."""

    model_config = p.ConfigDict(populate_by_name=True)
    a: int = p.Field(alias="b")


class Generated(p.BaseModel):
    """Names made by a function."""

    model_config = p.ConfigDict(alias_generator=to_camel)
    first_name: str


class GeneratedTwo(p.BaseModel):
    """Names made by two functions."""

    model_config = p.ConfigDict(
        alias_generator=p.AliasGenerator(validation_alias=lambda name: f"{name}_in", serialization_alias=str)
    )
    a: int


class Choices(p.BaseModel):
    """Several names are read."""

    a: int = p.Field(validation_alias=p.AliasChoices("b", "c"))


class ChoicesWithPath(p.BaseModel):
    """A path, or a name."""

    a: int = p.Field(validation_alias=p.AliasChoices(p.AliasPath("x", 0), "b"))


class OnlyPath(p.BaseModel):
    """A path inside another value."""

    a: int = p.Field(validation_alias=p.AliasPath("x", 0))


class LoosePath(p.BaseModel):
    """A path of one step is a name."""

    a: int = p.Field(validation_alias=p.AliasPath("x"))


class TwiceTheSame(p.BaseModel):
    """Two fields read from one name."""

    a: int = p.Field(validation_alias="x")
    b: str = p.Field(validation_alias="x")


class AliasMeetsName(p.BaseModel):
    """The alias of one field is the name of another."""

    model_config = p.ConfigDict(populate_by_name=True)
    a: int = p.Field(alias="b")
    b: str = p.Field(alias="a")


class Excluded(p.BaseModel):
    """Read, but not written."""

    a: int
    b: int = p.Field(default=1, exclude=True)


class Computed(p.BaseModel):
    """Written, but not read."""

    a: int

    @p.computed_field  # type: ignore[prop-decorator]
    @property
    def double(self) -> int:
        """Twice ``a``."""
        return 2 * self.a


class ValidDefault(p.BaseModel):
    """A default that does not validate."""

    model_config = p.ConfigDict(validate_default=True)
    a: int = p.Field(default="x", ge=0)  # type: ignore[arg-type]


class BadDefault(p.BaseModel):
    """A default that does not validate and is never looked at."""

    a: int = p.Field(default="x")  # type: ignore[arg-type]


class Factory(p.BaseModel):
    """A default made from what was read before."""

    a: int
    b: int = p.Field(default_factory=lambda data: data["a"] + 1)


class Frozen(p.BaseModel):
    """Cannot be changed; a field of a fixed value."""

    model_config = p.ConfigDict(frozen=True)
    a: Literal[1] = 1
    b: int = p.Field(default=2, frozen=True)


class Strict(p.BaseModel):
    """No value is converted."""

    model_config = p.ConfigDict(strict=True)
    a: int
    b: float
    c: bytes
    d: tuple[int, ...]
    e: set[int]


class Texts(p.BaseModel):
    """Limits for all strings."""

    model_config = p.ConfigDict(str_min_length=2, str_max_length=3)
    a: str
    b: Annotated[str, p.Field(max_length=5)]
    c: list[str]


class Stripped(p.BaseModel):
    """All strings are stripped before their length is looked at."""

    model_config = p.ConfigDict(str_strip_whitespace=True, str_min_length=1)
    a: str


class Cased(p.BaseModel):
    """All strings are converted."""

    model_config = p.ConfigDict(str_to_upper=True)
    a: Annotated[str, p.Field(pattern="^[A-Z]+$")]


class NoInfinity(p.BaseModel):
    """No number is infinite."""

    model_config = p.ConfigDict(allow_inf_nan=False)
    a: float


class PythonRegex(p.BaseModel):
    """Patterns of ``re``."""

    model_config = p.ConfigDict(regex_engine="python-re")
    a: Annotated[str, p.Field(pattern=r"^a(?=b).*$")]


class Base64(p.BaseModel):
    """Bytes are base64 in JSON."""

    model_config = p.ConfigDict(val_json_bytes="base64", ser_json_bytes="base64")
    a: bytes


class Hex(p.BaseModel):
    """Bytes are hexadecimal in JSON."""

    model_config = p.ConfigDict(val_json_bytes="hex", ser_json_bytes="hex")
    a: bytes


class FloatDelta(p.BaseModel):
    """Durations are written as numbers."""

    model_config = p.ConfigDict(ser_json_timedelta="float")
    a: dt.timedelta


class EnumValues(p.BaseModel):
    """Numbers may be read as strings."""

    model_config = p.ConfigDict(coerce_numbers_to_str=True)
    a: str


class Validated(p.BaseModel):
    """Validators of fields and of the whole."""

    a: int
    b: int = 0

    @p.field_validator("a")
    @classmethod
    def odd(cls, value: int) -> int:
        """Refuses even numbers."""
        if value % 2 == 0:
            raise ValueError("even")
        return value

    @p.model_validator(mode="after")
    def ordered(self) -> Validated:
        """Refuses pairs out of order."""
        if self.b > self.a:
            raise ValueError("out of order")
        return self


class Before(p.BaseModel):
    """A validator that sees the raw data."""

    a: int

    @p.model_validator(mode="before")
    @classmethod
    def raw(cls, data: Any) -> Any:
        """Takes all."""
        return data


class Wrapped(p.BaseModel):
    """A validator around all others."""

    a: int

    @p.model_validator(mode="wrap")
    @classmethod
    def whole(cls, data: Any, handler: Any) -> Any:
        """Takes all."""
        return handler(data)


class Narrowed(p.BaseModel):
    """Its schema is narrower than its fields."""

    model_config = p.ConfigDict(json_schema_extra={"maxProperties": 1})
    a: int
    b: int = 0


class OwnSchema(p.BaseModel):
    """Makes its own schema."""

    a: int

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> Any:
        return handler(core_schema)


class Patterns(p.BaseModel):
    """Regular expressions in Rust's dialect."""

    a: str = p.Field(pattern=r"\d+\s*$")
    b: str = p.Field(pattern=r"^\w{3}$")
    c: str = p.Field(pattern=r"^\p{Lu}+$")
    d: str = p.Field(pattern=r"\bfoo\b")


class StrictMany(p.BaseModel):
    """Strict types that JSON writes in other types."""

    model_config = p.ConfigDict(strict=True)
    a: dt.date
    b: Decimal
    c: Level
    d: frozenset[int]
    e: collections.defaultdict[int, int]
    f: dt.timedelta
    g: p.SecretStr
    h: tuple[int, str]


class PostInit(p.BaseModel):
    """Code after reading."""

    a: int

    def model_post_init(self, _context: Any) -> None:
        """Refuses zero."""
        if self.a == 0:
            raise ValueError("zero")


class OwnInit(p.BaseModel):
    """Its own constructor."""

    a: int

    def __init__(self, **data: Any) -> None:
        super().__init__(**data)


class Private(p.BaseModel):
    """Attributes that are not fields."""

    a: int
    _b: int = 0


class WithCallable(p.BaseModel):
    """A field without JSON form, and its default."""

    a: int
    f: Callable[[], int] = int


class NeedsCallable(p.BaseModel):
    """A field without JSON form."""

    f: list[Callable[[], int]]


class Box(p.BaseModel, Generic[T]):
    """Generic."""

    item: T


class Bounded(p.BaseModel, Generic[N]):
    """Generic, with a bound."""

    item: N


class Cat(p.BaseModel):
    """One of a union."""

    kind: Literal["cat", "tiger"]
    lives: int


class Dog(p.BaseModel):
    """The other, which may hold one of either."""

    kind: Literal["dog"] = "dog"
    friend: Optional[Annotated[Cat | Dog, p.Field(discriminator="kind")]] = None


class AliasedTag(p.BaseModel):
    """Its tag has an alias."""

    kind: Literal["bird"] = p.Field(alias="type")


class AliasedTagTwo(p.BaseModel):
    """Its tag has the same alias."""

    kind: Literal["fish"] = p.Field(alias="type")
    wet: bool


class NumberTag(p.BaseModel):
    """Its tag is a number."""

    kind: Literal[1]


def tag_of(value: Any) -> str:
    """``int`` or ``text``, from JSON data or an instance."""
    return "int" if isinstance(value, int) else "text"


class Small(p.BaseModel):
    """A part of ``Large``."""

    a: int


class Large(p.BaseModel):
    """More than ``Small``."""

    a: int
    b: int


class Loop(p.RootModel["list[Loop] | int"]):
    """A recursive root model."""


class RootDict(p.RootModel[dict[str, Small]]):
    """A root model of a mapping."""


class RootText(p.RootModel[Annotated[str, p.Field(max_length=2)]]):
    """A root model of text."""


class RootDefault(p.RootModel[int]):
    """A root model with a default."""

    root: int = 3


class RootUnion(p.RootModel[Annotated[Cat | Dog, p.Field(discriminator="kind")]]):
    """A root model of a union."""


@dataclasses.dataclass
class Standard:
    """Of the standard library."""

    a: int
    b: list[int] = dataclasses.field(default_factory=list)
    c: int = dataclasses.field(default=0, init=False)


@pydantic_dataclass(config=p.ConfigDict(extra="forbid"))
class Validating:
    """Pydantic's."""

    a: Annotated[int, p.Field(ge=1)]
    _: dataclasses.KW_ONLY
    b: str = p.Field(default="", max_length=2)


@pydantic_dataclass
class Initialised:
    """A value for the constructor only, which is not written."""

    a: int
    seed: dataclasses.InitVar[int]

    def __post_init__(self, seed: int) -> None:
        """Refuses a seed of zero."""
        if seed == 0:
            raise ValueError("zero")


@pydantic_dataclass(kw_only=True, slots=True, frozen=True)
class Slotted:
    """All options."""

    a: int
    b: Optional[Slotted] = None


@pydantic_dataclass(config=p.ConfigDict(extra="allow"))
class OpenData:
    """Extras are allowed."""

    a: int


class Child(Plain):
    """Inherits and narrows."""

    a: Annotated[int, p.Field(ge=5)]
    c: bool


class WithUnder(p.BaseModel):
    """Deprecated, described, with examples."""

    a: int = p.Field(deprecated=True, examples=[1], json_schema_extra={"maximum": 3}, title="A")


class ExtraSchema(p.BaseModel):
    """Own keywords in its schema."""

    model_config = p.ConfigDict(json_schema_extra={"examples": [{"a": 1}]}, title="Title")
    a: int


class Required(p.BaseModel):
    """A default that serialization requires."""

    model_config = p.ConfigDict(json_schema_serialization_defaults_required=True)
    a: int = 0


class Revalidating(p.BaseModel):
    """Instances are looked at again."""

    model_config = p.ConfigDict(revalidate_instances="always", from_attributes=True, use_enum_values=True)
    a: Plain


class Deferred(p.BaseModel):
    """Built when first used."""

    model_config = p.ConfigDict(defer_build=True)
    a: int


class Empty(p.BaseModel):
    """No field."""


TaggedModels = Annotated[
    Annotated[Small, p.Tag("small")] | Annotated[Large, p.Tag("large")],
    p.Discriminator(lambda value: "large" if isinstance(value, Large) or "b" in value else "small"),
]
Tagged = Annotated[
    Annotated[int, p.Tag("int")] | Annotated[str, p.Tag("text")],
    p.Discriminator(tag_of),
]

MODELS = [
    Case("BaseModel", "", Plain, ({"a": 1}, {"a": 1, "b": "x", "next": {"a": 2}}), ({}, {"a": "x"})),
    Case("BaseModel", "empty", Empty, ({},), (1,)),
    Case("BaseModel", "inherited", Child, ({"a": 5, "c": True},), ({"a": 4, "c": True},)),
    Case("BaseModel", "extra=allow, typed", Open, ({"a": "x", "z": 1},), ({"a": "x", "z": -1}, {"a": 1})),
    Case("BaseModel", "extra=allow, typed names", TypedKeys, ({"x_a": 1},), ({"y": 1},)),
    Case("BaseModel", "extra=allow", AnyExtra, ({"a": 1, "z": [None]},), ({"a": "x"},)),
    Case("BaseModel", "extra=forbid", Forbid, ({"a": 1}, {}), ({"b": 1},)),
    Case("BaseModel", "extra=ignore", Ignore, ({"a": 1},), ({"a": "x"},), narrower=({"b": 1},)),
    Case("BaseModel", "frozen", Frozen, ({"a": 1}, {}), ({"a": 2},)),
    Case("BaseModel", "strict", Strict, ({"a": 1, "b": 1, "c": "x", "d": [1], "e": [1]},),
         ({"a": "1", "b": 1, "c": "x", "d": [1], "e": [1]},)),
    Case("BaseModel", "str_min_length, str_max_length", Texts, ({"a": "xy", "b": "vwxyz", "c": ["xyz"]},),
         ({"a": "x", "b": "xy", "c": []}, {"a": "xy", "b": "uvwxyz", "c": []}, {"a": "xy", "b": "xy", "c": ["wxyz"]})),
    Case("BaseModel", "str_strip_whitespace", Stripped, ({"a": "x"},), ({"a": " "},)),
    Case("BaseModel", "str_to_upper", Cased, ({"a": "X"},), ({"a": "1"},)),
    Case("BaseModel", "allow_inf_nan", NoInfinity, ({"a": 1},), ({"a": "x"},)),
    Case("BaseModel", "regex_engine", PythonRegex, ({"a": "ab"},), ({"a": "a"},)),
    Case("BaseModel", "val_json_bytes=base64", Base64, ({"a": "YQ=="},), ({"a": "%"},)),
    Case("BaseModel", "val_json_bytes=hex", Hex, ({"a": "61"},), ({"a": "6"},)),
    Case("BaseModel", "ser_json_timedelta", FloatDelta, ({"a": "PT1S"},), ({"a": "x"},), rewritten=True),
    Case("BaseModel", "coerce_numbers_to_str", EnumValues, ({"a": "x"},), ({"a": None},), narrower=({"a": 1},)),
    Case("BaseModel", "revalidate_instances", Revalidating, ({"a": {"a": 1}},), ({"a": 1},)),
    Case("BaseModel", "defer_build", Deferred, ({"a": 1},), ({},)),
    Case("BaseModel", "json_schema_extra", ExtraSchema, ({"a": 1},), ({},)),
    Case("BaseModel", "generic", Box[Annotated[int, p.Field(ge=2)]], ({"item": 2},), ({"item": 1},)),
    Case("BaseModel", "generic without argument", Box, ({"item": "x"},), ({},)),
    Case("BaseModel", "generic with a bound", Bounded, ({"item": 1},), ({"item": "x"},)),
    Case("BaseModel", "private attributes", Private, ({"a": 1},), ({},)),
    Case("BaseModel", "field_validator, model_validator", Validated, ({"a": 3, "b": 1},), ({"a": 2}, {"a": 1, "b": 2}),
         ("after validator Validated.odd", "after validator Validated.ordered")),
    Case("BaseModel", "model_validator before", Before, ({"a": 1},), ({},), ("before validator Before.raw",)),
    Case("BaseModel", "model_post_init", PostInit, ({"a": 1},), ({"a": 0},), ("PostInit.model_post_init",)),
    Case("BaseModel", "__init__", OwnInit, ({"a": 1},), ({},), ("OwnInit.__init__",)),
    Case("BaseModel", "strict, many types", StrictMany, (
        {"a": "2024-02-29", "b": "1.5", "c": 1, "d": [1], "e": {"1": 1}, "f": "PT1S", "g": "x", "h": [1, "x"]},),
         ({},)),
    Case("BaseModel", "model_validator wrap", Wrapped, ({"a": 1},), ({},), ("wrap validator Wrapped.whole",)),
    Case("BaseModel", "json_schema_extra of the model", Narrowed, ({"a": 1},), ({},),
         ("the JSON Schema that json_schema_extra gives",), narrower=({"a": 1, "b": 0},), rewritten=True),
    Case("BaseModel", "__get_pydantic_json_schema__", OwnSchema, ({"a": 1},), ({},)),
    Case("BaseModel", "patterns", Patterns, ({"a": "x1 ", "b": "äbc", "c": "É", "d": "a foo"},),
         ({"a": "x", "b": "abc", "c": "É", "d": "foo"}, {"a": "1", "b": "ab", "c": "É", "d": "foo"},
          {"a": "1", "b": "abc", "c": "1", "d": "foo"}, {"a": "1", "b": "abc", "c": "É", "d": "afoo"})),
    Case("RootModel", "recursive", Loop, ([1, [2, []]],), (["x"],)),
    Case("RootModel", "dict", RootDict, ({"x": {"a": 1}},), ({"x": 1},)),
    Case("RootModel", "constrained", RootText, ("xy",), ("xyz",)),
    Case("RootModel", "default", RootDefault, (1,), ("x",)),
    Case("RootModel", "union", RootUnion, ({"kind": "tiger", "lives": 1},), ({"kind": "cow"},)),
    Case("Field", "alias", Alias, ({"@a": 1},), ({"a": 1},)),
    Case("Field", "validation_alias", TwoAliases, ({"read": 1},), ({"write": 1},), rewritten=True),
    Case("Field", "alias, validate_by_name", ByName, ({"b": 1},), ({},), narrower=({"a": 1},)),
    Case("Field", "alias, not by alias", OnlyByName, ({"a": 1},), ({"b": 1},)),
    Case("Field", "alias, populate_by_name", Populate, ({"b": 1},), ({},), narrower=({"a": 1},)),
    Case("Field", "alias_generator", Generated, ({"firstName": "x"},), ({"first_name": "x"},)),
    Case("Field", "AliasGenerator", GeneratedTwo, ({"a_in": 1},), ({"a": 1},), rewritten=True),
    Case("Field", "AliasChoices", Choices, ({"b": 1},), ({"a": 1},), narrower=({"c": 1},), rewritten=True),
    Case("Field", "AliasChoices with a path", ChoicesWithPath, ({"b": 1},), ({},), rewritten=True),
    Case("Field", "AliasPath", OnlyPath, refused="alias path", pointer="/properties/a"),
    Case("Field", "AliasPath of one step", LoosePath, refused="alias path", pointer="/properties/a"),
    Case("Field", "alias of two fields", TwiceTheSame, refused="read from the same name"),
    Case("Field", "alias that is another's name", AliasMeetsName, ({"b": 1, "a": "x"},), ({"b": "x", "a": "x"},)),
    Case("Field", "exclude", Excluded, ({"a": 1, "b": 2}, {"a": 1}), ({"b": 1},)),
    Case("Field", "validate_default", ValidDefault, ({"a": 1},), ({}, {"a": -1})),
    Case("Field", "invalid default", BadDefault, ({"a": 1}, {}), ({"a": "x"},), rewritten=True),
    Case("Field", "default_factory", Factory, ({"a": 1}, {"a": 1, "b": 3}), ({"b": 1},)),
    Case("Field", "deprecated, json_schema_extra", WithUnder, ({"a": 1},), ({"a": "x"},),
         ("the JSON Schema that json_schema_extra gives",), narrower=({"a": 4},)),
    Case("Field", "defaults required in serialization", Required, ({}, {"a": 1}), ({"a": "x"},)),
    Case("Field", "without JSON form, with default", WithCallable, ({"a": 1},), ({},), rewritten=True),
    Case("Field", "without JSON form", NeedsCallable, refused="CallableSchema", pointer="/properties/f"),
    Case("computed_field", "", Computed, ({"a": 1},), ({},)),
    Case("dataclass", "", Standard, ({"a": 1, "b": [1]}, {"a": 1}), ({},), rewritten=True,
         narrower=({"a": 1, "c": 1},)),
    Case("dataclass", "KW_ONLY, constraints", Validating, ({"a": 1, "b": "xy"},),
         ({"a": 0}, {"a": 1, "b": "xyz"}, {"a": 1, "c": 1})),
    Case("dataclass", "InitVar", Initialised, ({"a": 1, "seed": 1},), ({"a": 1}, {"a": 1, "seed": 0}),
         ("Initialised.__post_init__",), rewritten=True),
    Case("dataclass", "kw_only, slots, frozen, recursive", Slotted, ({"a": 1, "b": {"a": 2}},), ({"b": None},)),
    Case("dataclass", "extra=allow", OpenData, ({"a": 1},), ({"a": "x"},)),
    Case("Union", "of models", Small | Large, ({"a": 1}, {"a": 1, "b": 2}), ({"b": 1},)),
    Case("Union", "discriminated", Annotated[Cat | Dog, p.Field(discriminator="kind")],
         ({"kind": "cat", "lives": 1}, {"kind": "dog", "friend": {"kind": "tiger", "lives": 2}}),
         ({"lives": 1}, {"kind": "cow"}, {"kind": "dog", "friend": {"lives": 2}})),
    Case("Union", "discriminated by an alias", Annotated[AliasedTag | AliasedTagTwo, p.Field(discriminator="kind")],
         ({"type": "bird"}, {"type": "fish", "wet": True}), ({"type": "fish"}, {"kind": "bird"})),
    Case("Union", "discriminated by numbers", Annotated[NumberTag | Cat, p.Field(discriminator="kind")],
         ({"kind": 1}, {"kind": "cat", "lives": 1}), ({"kind": 2},)),
    Case("Union", "nested discriminated", Annotated[
        Annotated[Cat | Dog, p.Field(discriminator="kind")] | NumberTag, p.Field(discriminator="kind")],
         ({"kind": 1}, {"kind": "cat", "lives": 1}), ({"kind": 2},)),
    Case("Union", "models discriminated by a function", TaggedModels, ({"a": 1}, {"a": 1, "b": 2}), ({"b": 1},),
         ("the discriminator must pick the choice written",)),
    Case("Union", "discriminated by a function", Tagged, (1, "x"), (None,),
         ("the discriminator must pick the choice written",)),
]  # fmt: skip
"""All cases."""
