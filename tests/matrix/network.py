"""Pydantic's page "Network Types"."""

from __future__ import annotations

from typing import Annotated

import pydantic as p

from tests.matrix.case import Case

__all__ = ["NETWORK"]

NETWORK = [
    Case("AnyUrl", "", p.AnyUrl, ("https://example.com/a?b=c#d", "http://a.b"), ("no url",)),
    Case("AnyHttpUrl", "", p.AnyHttpUrl, ("http://example.com:8080/",), ("ftp://example.com",)),
    Case("HttpUrl", "", p.HttpUrl, ("https://example.com",), ("ftp://example.com", "x")),
    Case("HttpUrl", "max_length", Annotated[p.HttpUrl, p.UrlConstraints(max_length=20)], ("https://a.com/",),
         ("https://example.com/abc",), rewritten=True),
    Case("HttpUrl", "host_required", Annotated[p.AnyUrl, p.UrlConstraints(host_required=True)], ("https://a.com/",),
         ("x",)),
    Case("HttpUrl", "allowed_schemes", Annotated[p.AnyUrl, p.UrlConstraints(allowed_schemes=["https"])],
         ("https://a.com/",), ("http://a.com/",)),
    Case("HttpUrl", "default_host", Annotated[p.HttpUrl, p.UrlConstraints(default_port=81, default_path="/x")],
         ("https://a.com/",), ("x",)),
    Case("HttpUrl", "preserve_empty_path", Annotated[p.HttpUrl, p.UrlConstraints(preserve_empty_path=True)],
         ("https://a.com",), ("x",)),
    Case("AnyWebsocketUrl", "", p.AnyWebsocketUrl, ("wss://a.com/",), ("http://a.com",)),
    Case("WebsocketUrl", "", p.WebsocketUrl, ("wss://a.com/",), ("http://a.com",)),
    Case("FileUrl", "", p.FileUrl, ("file:///etc/hosts",), ("http://a.com",)),
    Case("FtpUrl", "", p.FtpUrl, ("ftp://a.com/b",), ("http://a.com",)),
    Case("PostgresDsn", "", p.PostgresDsn, ("postgres://u:p@h:5432/db", "postgresql://h1,h2/db"),
         ("http://a.com",)),
    Case("CockroachDsn", "", p.CockroachDsn, ("cockroachdb://u@h/db",), ("http://a.com",)),
    Case("AmqpDsn", "", p.AmqpDsn, ("amqp://u:p@h/",), ("http://a.com",)),
    Case("RedisDsn", "", p.RedisDsn, ("redis://:p@h:6379/1",), ("http://a.com",)),
    Case("MongoDsn", "", p.MongoDsn, ("mongodb://u:p@h1:1,h2:2/db",), ("http://a.com",)),
    Case("KafkaDsn", "", p.KafkaDsn, ("kafka://h:9092",), ("http://a.com",)),
    Case("NatsDsn", "", p.NatsDsn, ("nats://h:4222",), ("http://a.com",)),
    Case("MySQLDsn", "", p.MySQLDsn, ("mysql://u:p@h:3306/db",), ("http://a.com",)),
    Case("MariaDBDsn", "", p.MariaDBDsn, ("mariadb://u:p@h:3306/db",), ("http://a.com",)),
    Case("ClickHouseDsn", "", p.ClickHouseDsn, ("clickhouse://u:p@h:9000/db",), ("http://a.com",)),
    Case("SnowflakeDsn", "", p.SnowflakeDsn, ("snowflake://u:p@account/db",), ("http://a.com",)),
    Case("EmailStr", "", p.EmailStr, ("ann@company.com",), ("ann", "ann@")),
    Case("EmailStr", "max_length", Annotated[p.EmailStr, p.Field(max_length=12)], ("a@b.com",), ("ann@company.com",),
         ("max_length 12",)),
    Case("NameEmail", "", p.NameEmail, ("ann@company.com", "Ann <ann@company.com>"), ("ann",),
         ("format name-email",)),
    Case("IPvAnyAddress", "", p.IPvAnyAddress, ("10.0.0.1", "::1"), ("10.0.0.256",)),
    Case("IPvAnyInterface", "", p.IPvAnyInterface, ("10.0.0.1/8", "::1/64"), ("10.0.0.1/33",)),
    Case("IPvAnyNetwork", "", p.IPvAnyNetwork, ("10.0.0.0/8", "::/0"), ("10.0.0.1/8",)),
]  # fmt: skip
"""All cases of the page."""
