"""The formats that are checked when a value is there, against the official suite's instances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sdk.errors import ValidationFailedError
from sdk.formats import format_checker
from sdk.target import target_of
from tests.conformance.suites import official
from tests.fakes import byte_vocabulary

NAMES = ("email", "hostname", "idn-email", "idn-hostname", "regex")


def instances() -> Iterator[tuple[str, Any, bool]]:
    for case in official():
        name = case.schema.get("format") if isinstance(case.schema, dict) else None
        if name in NAMES:
            yield from ((name, instance.value, instance.valid) for instance in case.instances)


def test_what_the_standard_allows_is_not_refused() -> None:
    found = list(instances())
    assert len(found) > 150
    assert not [(name, value) for name, value, valid in found if valid and not format_checker().conforms(value, name)]


@pytest.mark.parametrize(
    ("name", "value", "valid"),
    [
        ("hostname", "xn--nxasmq6b.example", True),
        ("hostname", "xn--hello-txk", False),
        ("email", "me@xn--nxasmq6b", True),
        ("email", "me@xn--X", False),
        ("idn-hostname", "실례.테스트", True),
        ("idn-hostname", "0a.א", False),
        ("idn-hostname", "example。", False),
        ("regex", r"\p{L}+", True),
        ("regex", r"(?<year>\d{4})-\k<year>", True),
        ("regex", r"(a)\1(?<=bc)", True),
        ("regex", r"[(?#)]\(?P", True),
        ("regex", r"(?P<year>\d{4})", False),
        ("regex", r"a\Z", False),
        ("regex", r"\\a", True),
        ("regex", "(", False),
    ],
)
def test_formats(name: str, value: str, valid: bool) -> None:
    assert format_checker().conforms(value, name) is valid


def test_schemas_are_checked_with_them() -> None:
    """Of any draft, as the grammar enforces formats in any draft."""
    draft = "http://json-schema.org/draft-04/schema#"
    target = target_of({"$schema": draft, "type": "string", "format": "regex"}, byte_vocabulary())
    assert target.parse('"[a-z]"') == "[a-z]"
    with pytest.raises(ValidationFailedError, match="is not a 'regex'"):
        target.parse('"["')
