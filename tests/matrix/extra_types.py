"""The package pydantic-extra-types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic_extra_types.color import Color
from pydantic_extra_types.coordinate import Coordinate, Latitude, Longitude
from pydantic_extra_types.country import CountryAlpha2, CountryAlpha3, CountryNumericCode, CountryShortName
from pydantic_extra_types.cron import CronStr
from pydantic_extra_types.currency_code import ISO4217, Currency
from pydantic_extra_types.domain import DomainStr
from pydantic_extra_types.dsn import MongoDsn, PostgresDsn, RedisDsn
from pydantic_extra_types.epoch import Integer, Number
from pydantic_extra_types.iban import IBAN
from pydantic_extra_types.isbn import ISBN
from pydantic_extra_types.language_code import ISO639_3, ISO639_5, LanguageAlpha2, LanguageName
from pydantic_extra_types.mac_address import MacAddress
from pydantic_extra_types.mime_types import MimeType
from pydantic_extra_types.mongo_object_id import MongoObjectId
from pydantic_extra_types.path import ExistingPath, ResolvedDirectoryPath, ResolvedFilePath, ResolvedNewPath
from pydantic_extra_types.payment import PaymentCardNumber
from pydantic_extra_types.pendulum_dt import Date, DateTime, Duration, Time
from pydantic_extra_types.phone_numbers import PhoneNumber, PhoneNumberValidator
from pydantic_extra_types.routing_number import ABARoutingNumber
from pydantic_extra_types.s3 import S3Path
from pydantic_extra_types.script_code import ISO_15924
from pydantic_extra_types.semantic_version import SemanticVersion
from pydantic_extra_types.semver import ManifestVersion
from pydantic_extra_types.timezone_name import TimeZoneName
from pydantic_extra_types.ulid import ULID
from pydantic_extra_types.uuid_types import UUID6, UUID7, UUID8

from tests.matrix.case import Case

__all__ = ["EXTRA"]

OWN_SCHEMA = "the JSON Schema that {}.__get_pydantic_json_schema__ gives"
COORDINATE = (
    *(OWN_SCHEMA.format(name) for name in ("Latitude", "Longitude", *["_FloatDecimalAnnotation"] * 2)),
    *("then dataclass", "then dataclass", "then function-wrap"),
    *(f"wrap validator Coordinate.{name}" for name in ("_parse_args", "_parse_str", "_parse_tuple")),
)

EXTRA = [
    Case("Color", "", Color, ("red", "#0f0"), ("no colour",), ("format color", "plain validator Color._validate")),
    Case("Latitude", "", Latitude, (48.5, -90), (90.5,),
         (OWN_SCHEMA.format("Latitude"),)),
    Case("Longitude", "", Longitude, (148.5, -180), (180.5,),
         (OWN_SCHEMA.format("Longitude"),)),
    Case("Coordinate", "", Coordinate, ("48.5,2.3", {"latitude": 48.5, "longitude": 2}), ("x", [100, 0]),
         COORDINATE),
    Case("CountryAlpha2", "", CountryAlpha2, ("FR",), ("XX",), ("after validator CountryAlpha2._validate",)),
    Case("CountryAlpha3", "", CountryAlpha3, ("FRA",), ("XXX",), ("after validator CountryAlpha3._validate",)),
    Case("CountryNumericCode", "", CountryNumericCode, ("250",), ("000",),
         ("after validator CountryNumericCode._validate",)),
    Case("CountryShortName", "", CountryShortName, ("France",), ("Nowhere",),
         ("after validator CountryShortName._validate",)),
    Case("CronStr", "", CronStr, ("*/5 * * * *",), ("x",), ("after validator CronStr.validate",)),
    Case("Currency", "", Currency, ("EUR",), ("XXX",), ("after validator Currency._validate",)),
    Case("ISO4217", "", ISO4217, ("EUR",), ("AAA",), ("after validator ISO4217._validate",)),
    Case("DomainStr", "", DomainStr, ("example.com",), ("-",), ("before validator DomainStr.validate",)),
    Case("epoch.Number", "", Number, (0.5,), ("x",), ("after validator _Base._validate",)),
    Case("epoch.Integer", "", Integer, (5,), ("x",), ("after validator _Base._validate",)),
    Case("IBAN", "", IBAN, ("DE89370400440532013000",), ("DE00",), ("before validator IBAN._validate",)),
    Case("ISBN", "", ISBN, ("9780306406157",), ("9780306406158",), ("before validator ISBN._validate",)),
    Case("LanguageAlpha2", "", LanguageAlpha2, ("fr",), ("xx",), ("after validator LanguageAlpha2._validate",)),
    Case("LanguageName", "", LanguageName, ("French",), ("Nonsense",), ("after validator LanguageName._validate",)),
    Case("ISO639_3", "", ISO639_3, ("fra",), ("xxx",), ("after validator ISO639_3._validate",)),
    Case("ISO639_5", "", ISO639_5, ("gem",), ("xxx",), ("after validator ISO639_5._validate",)),
    Case("MacAddress", "", MacAddress, ("00:00:5e:00:53:01",), ("00",), ("before validator MacAddress._validate",)),
    Case("MongoObjectId", "", MongoObjectId, ("5f9f1b9b9c9d440000a1b2c3",), ("5f9f",)),
    Case("ManifestVersion", "", ManifestVersion, ("1.2.3",), ("1",),
         (OWN_SCHEMA.format("_VersionPydanticAnnotation"),)),
    *(
        Case(f"UUID{version}", "", type_, (f"6a8f0f6e-9f0e-{version}c62-9c05-0a4c7b6c1c1d",),
             ("6a8f0f6e-9f0e-4c62-9c05-0a4c7b6c1c1d",))
        for version, type_ in ((6, UUID6), (7, UUID7), (8, UUID8))
    ),
    Case("PostgresDsn", "", PostgresDsn, ("postgres://u:p@h1:1,h2/db",), ("http://a.com",)),
    Case("MongoDsn", "", MongoDsn, ("mongodb://h:27017/db",), ("http://a.com",)),
    Case("RedisDsn", "", RedisDsn, ("redis://h:6379/0",), ("http://a.com",)),
    Case("MimeType", "", MimeType, ("text/html",), ("no",), ("after validator MimeType._validate",)),
    Case("ResolvedFilePath", "", ResolvedFilePath, (), ("/no/such",),
         ("after validator ResolvedPathType.validate_file", "format file-path")),
    Case("ResolvedDirectoryPath", "", ResolvedDirectoryPath, ("/",), ("/no/such",),
         ("after validator ResolvedPathType.validate_directory", "format directory-path")),
    Case("ResolvedNewPath", "", ResolvedNewPath, ("/no-such",), ("/",),
         ("after validator ResolvedPathType.validate_new",)),
    Case("ExistingPath", "", ExistingPath, ("/",), ("/no-such",), ("format directory-path", "format file-path")),
    Case("PaymentCardNumber", "", PaymentCardNumber, ("4000000000000002",), ("4000000000000003",),
         ("after validator PaymentCardNumber.validate",)),
    Case("pendulum.Date", "", Date, ("2024-02-29",), ("x",), ("wrap validator Date._validate",)),
    Case("pendulum.DateTime", "", DateTime, ("2024-02-29T00:00:00Z",), ("x",), ("wrap validator DateTime._validate",)),
    Case("pendulum.Duration", "", Duration, ("P1D",), ("x",), ("wrap validator Duration._validate",), rewritten=True),
    Case("pendulum.Time", "", Time, ("12:00:00",), ("x",), ("wrap validator Time._validate",)),
    Case("PhoneNumber", "", PhoneNumber, ("+33 1 42 68 53 00",), ("1",),
         ("after validator PhoneNumber._validate", "format phone")),
    Case("PhoneNumberValidator", "", Annotated[str, PhoneNumberValidator(default_region="FR")], ("+33142685300",),
         ("1",), ("before validator PhoneNumberValidator._parse", "format phone")),
    Case("ABARoutingNumber", "", ABARoutingNumber, ("122105155",), ("122105156",),
         ("after validator ABARoutingNumber._validate",)),
    Case("S3Path", "", S3Path, ("s3://bucket/key",), ("x",), ("after validator S3Path._validate",)),
    Case("ISO_15924", "", ISO_15924, ("Latn",), ("Xxxx",), ("after validator ISO_15924._validate",)),
    Case("SemanticVersion", "", SemanticVersion, ("1.2.3-rc1",), ("1",),
         (OWN_SCHEMA.format("SemanticVersion"),)),
    Case("TimeZoneName", "", TimeZoneName, ("Europe/Paris",), ("Nowhere",),
         ("after validator TimeZoneName._validate",)),
    Case("ULID", "", ULID, ("01BTGNYV6HRNK8K8VKZASZCFPE",), ("x",),
         ("never written: Cannot generate a JsonSchema for core_schema.IsInstanceSchema (<class 'ulid.ULID'>)",
          'wrap validator ULID._validate_ulid'), rewritten=True),
    Case("Latitude", "ge", Annotated[Latitude, Field(ge=0)], (48.5,), (-1,),
         ("ge 0", OWN_SCHEMA.format("Latitude"))),
]  # fmt: skip
"""All cases of the package."""
