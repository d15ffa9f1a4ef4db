"""The suites as cases: the official test suite, MaskBench's sample, public bug reports of other engines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.resources import resources
from tests.conformance.verdicts import Case, Instance
from tests.vocabularies import SHARED

__all__ = ["SKIPS", "SUITES", "bug_reports", "maskbench", "official"]

SKIPS = {
    "only an annotation by default": "formats are asserted, as the suite's optional/format groups want",
    "bignum is a": "numbers have at most 19 digits unless bounds ask for more, so that no model writes digits for ever",
    "valid if optional overflow handling": "numbers have at most 19 digits unless bounds ask for more",
    "a component with many digits is valid": "components of durations have few digits, for the same reason",
}
"""Tests of the official suite that are left out: a part of their description, and why."""


def official() -> Iterator[Case]:
    """JSON-Schema-Test-Suite, draft 2020-12, a case per group."""
    for group in _lines(SHARED / "data" / "json-schema-test-suite-2020-12.jsonl.gz"):
        tests = [test for test in group["tests"] if not any(part in test["description"] for part in SKIPS)]
        if tests:
            yield Case(f"{group['keyword']}: {group['description']}", group["schema"], _instances(tests), resources())


def maskbench(limit: int | None = None, stride: int = 1, offset: int = 0) -> Iterator[Case]:
    """Schemas of the real world, every ``stride``-th of them."""
    lines = _lines(SHARED / "data" / "maskbench-dev.jsonl.gz")
    chosen = islice(islice(lines, offset, None, stride), limit)
    return (Case(line["id"], line["schema"], _instances(line["tests"])) for line in chosen)


def bug_reports() -> Iterator[Case]:
    """What went wrong elsewhere."""
    for line in _lines(SHARED / "cases" / "schema-cases.jsonl"):
        yield Case(
            line["id"],
            line["schema"],
            (
                *(Instance(True, value) for value in line.get("accept_values", ())),
                *(Instance(False, value) for value in line.get("reject_values", ())),
                *(Instance(True, raw=text) for text in line.get("accept_texts", ())),
                *(Instance(False, raw=text) for text in line.get("reject_texts", ())),
            ),
        )


SUITES: dict[str, Callable[[], Iterator[Case]]] = {"official": official, "bug-reports": bug_reports}
"""The suites that are run as a whole."""


def _instances(tests: list[dict[str, Any]]) -> tuple[Instance, ...]:
    return tuple(Instance(test["valid"], test["data"], description=test["description"]) for test in tests)


def _lines(path: Path) -> Iterator[Any]:
    if not path.exists():
        pytest.skip(f"{path.name} is not in the data folder")
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        yield from map(json.loads, lines)
