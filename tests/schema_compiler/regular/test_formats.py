"""Formats, against Pydantic and the standard library: random texts must be read, written texts must be accepted."""

from __future__ import annotations

import base64
import calendar
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta, timezone
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
    ip_interface,
    ip_network,
)
from pathlib import Path
from typing import Any
from uuid import UUID

import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from pydantic.networks import IPvAnyAddress, IPvAnyInterface, IPvAnyNetwork

from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.regular.formats import FORMATS, format_string, max_length
from schema_compiler.regular.text.json_strings import any_string, string_literal
from tests.schema_compiler.regular.walks import random_texts
from tests.vocabularies import SHARED

SUITE = SHARED / "data" / "json-schema-test-suite-2020-12.jsonl.gz"
PYDANTIC: dict[str, Any] = {
    "base64": pydantic.Base64Bytes,
    "base64url": pydantic.Base64UrlBytes,
    "binary": bytes,
    "date": date,
    "ipv4": IPv4Address,
    "ipv4interface": IPv4Interface,
    "ipv4network": IPv4Network,
    "ipv6": IPv6Address,
    "ipv6interface": IPv6Interface,
    "ipv6network": IPv6Network,
    "ipvanyaddress": IPvAnyAddress,
    "ipvanyinterface": IPvAnyInterface,
    "ipvanynetwork": IPvAnyNetwork,
    "json-pointer": str,
    "password": pydantic.SecretStr,
    "path": Path,
    "python-aware-datetime": pydantic.AwareDatetime,
    "python-datetime": datetime,
    "python-naive-datetime": pydantic.NaiveDatetime,
    "python-time": time,
    "python-timedelta": timedelta,
    "python-url": pydantic.HttpUrl,
    "python-uuid": UUID,
    "python-uuid1": pydantic.UUID1,
    "python-uuid3": pydantic.UUID3,
    "python-uuid4": pydantic.UUID4,
    "python-uuid5": pydantic.UUID5,
    "python-uuid6": pydantic.UUID6,
    "python-uuid7": pydantic.UUID7,
    "python-uuid8": pydantic.UUID8,
    "uuid": UUID,
}


def test_every_pydantic_type_is_matched_with_a_format() -> None:
    assert set(PYDANTIC) <= FORMATS
    assert {name for name in FORMATS if name.startswith("python-")} - set(PYDANTIC) == {"python-email", "python-uuid2"}


@pytest.mark.parametrize("name", sorted(PYDANTIC))
def test_pydantic_reads_every_random_text(name: str) -> None:
    check = TypeAdapter(PYDANTIC[name])
    for text in random_texts(format_string(name), 300):
        check.validate_json(text)


offsets = st.none() | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
aware = st.datetimes(timezones=offsets.filter(bool))
addresses4, addresses6 = st.ip_addresses(v=4), st.ip_addresses(v=6)


def networks(kind: Callable[[str], Any], addresses: st.SearchStrategy[Any], bits: int) -> st.SearchStrategy[Any]:
    return st.builds(lambda address, prefix: kind(f"{address}/{prefix}"), addresses, st.integers(0, bits))


WRITTEN: dict[str, st.SearchStrategy[Any]] = {
    "base64": st.binary(max_size=9).map(base64.b64encode),
    "base64url": st.binary(max_size=9).map(base64.urlsafe_b64encode),
    "date": st.dates(),
    "ipv4": addresses4,
    "ipv4interface": networks(IPv4Interface, addresses4, 32),
    "ipv4network": networks(lambda text: ip_interface(text).network, addresses4, 32),
    "ipv6": addresses6,
    "ipv6interface": networks(IPv6Interface, addresses6, 128),
    "ipvanyaddress": addresses4 | addresses6,
    "path": st.builds(Path, st.text(st.characters(exclude_categories=["Cs"]), max_size=9)),
    "python-aware-datetime": aware,
    "python-datetime": st.datetimes(timezones=offsets),
    "python-naive-datetime": st.datetimes(),
    "python-time": st.times(timezones=offsets),
    "python-timedelta": st.timedeltas(timedelta(days=-900_000_000), timedelta(days=900_000_000)),
    "python-uuid": st.uuids(),
    "python-uuid1": st.uuids(version=1),
    "python-uuid4": st.uuids(version=4),
    "uuid": st.uuids(),
}


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_everything_pydantic_writes_is_accepted(name: str) -> None:
    kind = bytes if name.startswith("base64") else PYDANTIC[name]
    adapter, dfa = TypeAdapter(kind), format_string(name)

    @given(WRITTEN[name])
    @settings(max_examples=60, deadline=None)
    def check(value: Any) -> None:
        text = adapter.dump_json(value)
        assert dfa.accepts(text), text

    check()


def test_dates_are_those_of_the_calendar() -> None:
    dfa = format_string("date")
    for year in (1, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 2100, 9999):
        for month in range(14):
            for day in range(33):
                real = 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
                assert dfa.accepts(f'"{year:04}-{month:02}-{day:02}"'.encode()) == real
    assert not dfa.accepts(b'"0000-01-01"')


def judged(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


near_addresses = st.lists(
    st.sampled_from(["::", ":", ".", "0", "1", "ffff", "12", "255", "256", "g", "01"]), max_size=14
)


@given(near_addresses.map("".join) | st.ip_addresses().map(str) | st.ip_addresses(v=6).map(lambda ip: ip.exploded))
@settings(max_examples=400, deadline=None)
def test_addresses_are_those_of_ipaddress(text: str) -> None:
    assert format_string("ipv4").accepts(string_literal(text)) == judged(IPv4Address, text)
    assert format_string("ipv6").accepts(string_literal(text)) == judged(IPv6Address, text)


@pytest.mark.parametrize("name", ["ipv4", "ipv6"])
def test_networks_have_no_host_bits(name: str) -> None:
    for text in random_texts(format_string(f"{name}network"), 200):
        ip_network(json.loads(text))


# How many valid texts of the suite a format leaves out, because its language is a part of the standard: long counts.
LEFT_OUT = {"duration": 1}


def official() -> Iterator[tuple[str, str, str, bool]]:
    """The official suite's tests of formats that are known here: format, text, description, valid."""
    with gzip.open(SUITE, "rt", encoding="utf-8") as lines:
        for group in map(json.loads, lines):
            name = group["schema"].get("format", "") if group["keyword"].startswith("optional/format/") else ""
            if name in FORMATS:
                for test in group["tests"]:
                    if isinstance(test["data"], str):
                        yield name, test["data"], test["description"], test["valid"]


@pytest.mark.skipif(not SUITE.is_file(), reason="the JSON-Schema-Test-Suite is not beside the checkout")
def test_the_official_suite() -> None:
    left_out: Counter[str] = Counter()
    wrong = []
    for name, text, description, valid in official():
        limit = max_length(name)
        accepted = format_string(name).accepts(string_literal(text)) and (limit is None or len(text) <= limit)
        if accepted and not valid and "xn--" not in text.lower():  # how such labels decode is checked afterwards
            wrong.append((name, description))
        left_out[name] += valid and not accepted
    assert wrong == []
    assert +left_out == LEFT_OUT


def test_any_text() -> None:
    assert format_string("password").digest == any_string().digest


def test_unknown_formats_are_named() -> None:
    assert "idn-hostname" not in FORMATS
    with pytest.raises(UnsupportedSchemaError, match="format 'color' is not known"):
        format_string("color")
