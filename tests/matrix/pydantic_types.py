"""Pydantic's page "Pydantic Types", with strictness, annotated validators and JSON inside strings."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any

import pydantic as p
from pydantic.color import Color

from tests.matrix.case import Case

__all__ = ["PYDANTIC"]

DECODED = ("after validator EncodedStr.decode_str",)
FAR_PAST, FAR_FUTURE = "1999-12-31", "9000-01-01"


def double(value: int) -> int:
    """Refuses nothing, but nobody can know."""
    return 2 * value


class Custom:
    """Brings its own core schema."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return handler(Annotated[int, p.Field(ge=1)])


PYDANTIC = [
    Case("StrictBool", "", p.StrictBool, (True,), ("true",)),
    Case("StrictInt", "", p.StrictInt, (1,), ("1", 1.5)),
    Case("StrictFloat", "", p.StrictFloat, (1.5, 1), ("1.5",)),
    Case("StrictStr", "", p.StrictStr, ("a",), (1,)),
    Case("StrictBytes", "", p.StrictBytes, ("a",), (1,)),
    Case("PositiveInt", "", p.PositiveInt, (1,), (0,)),
    Case("NegativeInt", "", p.NegativeInt, (-1,), (0,)),
    Case("NonPositiveInt", "", p.NonPositiveInt, (0,), (1,)),
    Case("NonNegativeInt", "", p.NonNegativeInt, (0,), (-1,)),
    Case("PositiveFloat", "", p.PositiveFloat, (0.5,), (0,)),
    Case("NegativeFloat", "", p.NegativeFloat, (-0.5,), (0,)),
    Case("NonPositiveFloat", "", p.NonPositiveFloat, (0,), (0.5,)),
    Case("NonNegativeFloat", "", p.NonNegativeFloat, (0,), (-0.5,)),
    Case("FiniteFloat", "", p.FiniteFloat, (0.5,), ("x",)),
    Case("conint", "", p.conint(gt=1, multiple_of=3), (3,), (0, 4)),
    Case("confloat", "", p.confloat(ge=0, allow_inf_nan=False), (0.5,), (-1,)),
    Case("condecimal", "", p.condecimal(max_digits=3, decimal_places=1), ("12.3",), ("1.23",)),
    Case("constr", "", p.constr(pattern="^a", max_length=2, strict=True), ("ab",), ("abc", "b")),
    Case("conbytes", "", p.conbytes(max_length=2), ("ab",), ("abc",)),
    Case("conlist", "", p.conlist(int, min_length=1, max_length=2), ([1],), ([], [1, 2, 3])),
    Case("conset", "", p.conset(int, max_length=2), ([1, 2],), ([1, 2, 3],)),
    Case("confrozenset", "", p.confrozenset(int, min_length=1), ([1],), ([],)),
    Case("condate", "", p.condate(gt=None), ("2024-02-29",), ("x",)),
    Case("PastDate", "", p.PastDate, (FAR_PAST,), (FAR_FUTURE,), ("now_op past",)),
    Case("FutureDate", "", p.FutureDate, (FAR_FUTURE,), (FAR_PAST,), ("now_op future",)),
    Case("PastDatetime", "", p.PastDatetime, (f"{FAR_PAST}T00:00:00",), (f"{FAR_FUTURE}T00:00:00",), ("now_op past",)),
    Case("FutureDatetime", "", p.FutureDatetime, (f"{FAR_FUTURE}T00:00:00",), (f"{FAR_PAST}T00:00:00",),
         ("now_op future",)),
    Case("AwareDatetime", "", p.AwareDatetime, ("2024-02-29T12:00:00Z",), ("2024-02-29T12:00:00",)),
    Case("NaiveDatetime", "", p.NaiveDatetime, ("2024-02-29T12:00:00",), ("2024-02-29T12:00:00Z",)),
    *(
        Case(f"UUID{version}", "", getattr(p, f"UUID{version}"),
             (f"6a8f0f6e-9f0e-{version}c62-9c05-0a4c7b6c1c1d",),
             (f"6a8f0f6e-9f0e-{9 - version}c62-9c05-0a4c7b6c1c1d",))
        for version in (1, 3, 4, 5, 6, 7, 8)
    ),
    Case("FilePath", "", p.FilePath, ("/etc/hostname",), ("/no/such/file",), ("format file-path",)),
    Case("DirectoryPath", "", p.DirectoryPath, ("/",), ("/no/such/folder",), ("format directory-path",)),
    Case("NewPath", "", p.NewPath, ("/no-such-file",), ("/etc",), ("after validator PathType.validate_new",)),
    Case("SocketPath", "", p.SocketPath, (), ("/etc",), ("after validator PathType.validate_socket",)),
    Case("Base64Bytes", "", p.Base64Bytes, ("YQ==",), ("a",)),
    Case("Base64Str", "", p.Base64Str, ("YQ==",), ("a", "/w=="), DECODED),
    Case("Base64UrlBytes", "", p.Base64UrlBytes, ("YQ==", "-_8="), ("a",)),
    Case("Base64UrlStr", "", p.Base64UrlStr, ("YQ==",), ("a",), DECODED),
    Case("Base64Str", "max_length", Annotated[p.Base64Str, p.Field(max_length=2)], ("YQ==",), ("YWJj",),
         ("max_length 2", *DECODED)),
    Case("Json", "", p.Json, ("1", '{"a": [null]}'), ("{",), ("the text must be JSON of the content schema",)),
    Case("Json[T]", "int", p.Json[int], ("1",), ("x", 1)),
    Case("Json[T]", "constrained int", p.Json[Annotated[int, p.Field(ge=3, le=5)]], ("3",), ("2",)),
    Case("Json[T]", "list[int]", p.Json[list[int]], ("[1]",), ('["x"]',),
         ("the text must be JSON of the content schema",)),
    Case("ImportString", "", p.ImportString, ("math.pi",), ("no.such.name",), ("plain validator import_string",),
         rewritten=True),
    Case("SecretStr", "", p.SecretStr, ("a",), (1,)),
    Case("SecretStr", "max_length", Annotated[p.SecretStr, p.Field(min_length=1, max_length=2)], ("ab",), ("", "abc"),
         ("max_length 2", "min_length 1"), rewritten=True),
    Case("SecretBytes", "", p.SecretBytes, ("a",), (1,)),
    Case("SecretBytes", "max_length", Annotated[p.SecretBytes, p.Field(max_length=2)], ("ab",), ("abc",),
         ("max_length 2",),
         rewritten=True),
    Case("Secret[T]", "", p.Secret[int], (1,), ("x",), rewritten=True),
    Case("Secret[T]", "of constrained values", p.Secret[Annotated[int, p.Field(ge=3)]], (3,), (2,), rewritten=True),
    Case("PaymentCardNumber", "", p.PaymentCardNumber, ("4000000000000002",), ("4000000000000003",),
         ("after validator PaymentCardNumber.validate",)),
    Case("ByteSize", "", p.ByteSize, (10, "1.5 GiB"), ("x", -1), ("after validator ByteSize._validate",)),
    Case("ByteSize", "ge", Annotated[p.ByteSize, p.Field(ge=10)], (10,), (9,),
         ("after validator ByteSize._validate", "ge 10")),
    Case("Color", "", Color, ("red", "#0f0"), ("no colour",), ("format color",)),
    Case("JsonValue", "", p.JsonValue, (1, [None, {"a": 0.5}])),
    Case("OnErrorOmit", "", list[p.OnErrorOmit[int]], ([1],), (1,)),
    Case("FailFast", "", Annotated[list[int], p.FailFast()], ([1],), (["x"],)),
    Case("InstanceOf", "", p.InstanceOf[int], (1,), ("x",)),
    Case("InstanceOf", "Sequence", p.InstanceOf[Sequence[int]], ([1],), (1,)),
    Case("SkipValidation", "", p.SkipValidation[int], (1,), narrower=("x",)),
    Case("EncodedStr", "", Annotated[str, p.EncodedStr(encoder=p.Base64Encoder)], ("YQ==",), ("a",), DECODED),
    Case("GetPydanticSchema", "", Annotated[int, p.GetPydanticSchema(lambda _source, handler: handler(str))],
         ("a",), (1,)),
    Case("__get_pydantic_core_schema__", "", Custom, (1,), (0,)),
    Case("AfterValidator", "", Annotated[int, p.AfterValidator(double)], (1,), ("x",),
         ("after validator double",), rewritten=True),
    Case("BeforeValidator", "", Annotated[int, p.BeforeValidator(double)], (1,), ("x",),
         ("before validator double",), rewritten=True),
    Case("PlainValidator", "", Annotated[int, p.PlainValidator(str)], (1,), (), ("plain validator str",)),
    Case("WrapValidator", "", Annotated[int, p.WrapValidator(lambda value, handler: handler(value))], (1,), ("x",),
         ("wrap validator <lambda>",)),
    Case("AfterValidator", "then ge", Annotated[int, p.AfterValidator(double), p.Field(ge=4)], (2,), (1,),
         ("after validator double", "ge 4"), rewritten=True),
    Case("PlainSerializer", "", Annotated[int, p.PlainSerializer(str, return_type=str)], (1,), ("x",), rewritten=True),
    Case("WithJsonSchema", "", Annotated[int, p.WithJsonSchema({"type": "integer", "minimum": 5})], (5,), ("x",),
         ("the JSON Schema that WithJsonSchema.__get_pydantic_json_schema__ gives",), narrower=(4,)),
    Case("Field", "title, description", Annotated[Decimal, p.Field(ge=0, title="t", description="d")], ("1",),
         ("-1",)),
]  # fmt: skip
"""All cases of the page."""
