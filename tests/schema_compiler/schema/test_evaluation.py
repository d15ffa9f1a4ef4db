"""Normalised schemas against JSON Schema validators: what they mean must not have changed.

``evaluate`` judges instances by the normal form; the official suite, the verdicts of MaskBench and the ``jsonschema``
package judge them by the raw schema. Refusals are counted as ratchets: their number may only fall.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from schema_compiler.errors import CompileBudgetError, ImpossibleSchemaError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.normalization.normalize import Normalized, normalize
from tests.schema_compiler.schema.evaluator import evaluate
from tests.schema_compiler.schema.random_schemas import schemas, values

REFUSED_GROUPS = 25
REFUSED_SAMPLES = 1

NOT_JUDGED = (
    "optional/format",  # formats are enforced here, and judged by the tests of the package of regular languages
    "format",
    "optional/ecmascript-regex",  # the evaluator has Python's regular expressions
    "optional/non-bmp-regex",
    "optional/float-overflow",
)


def test_the_official_suite(shared_data: Path) -> None:
    wrong, refused = [], 0
    for group in _lines(shared_data / "data/json-schema-test-suite-2020-12.jsonl.gz"):
        if group["keyword"].startswith(NOT_JUDGED) or r"\p" in json.dumps(group["schema"]):
            continue
        meaning = _meaning(group["schema"])
        refused += meaning is None
        wrong += [
            f"{group['keyword']}: {group['description']}: {test['description']}"
            for test in group["tests"]
            if meaning is not None and _admits(meaning, test["data"]) != test["valid"]
        ]
    assert wrong == []
    assert refused == REFUSED_GROUPS


def test_a_sample_of_maskbench(shared_data: Path) -> None:
    wrong, refused = [], 0
    for sample in list(_lines(shared_data / "data/maskbench-dev.jsonl.gz"))[::7]:
        if len(json.dumps(sample["schema"])) > 20_000:
            continue
        meaning = _meaning(sample["schema"])
        refused += meaning is None
        wrong += [
            f"{sample['id']}: {test['description']}"
            for test in sample["tests"]
            if meaning is not None and not (test["valid"] is False and '"format"' in json.dumps(sample["schema"]))
            if _admits(meaning, test["data"]) != test["valid"]
        ]
    assert wrong == []
    assert refused == REFUSED_SAMPLES


@settings(max_examples=400, deadline=None)
@given(schemas(), st.lists(values(), min_size=5, max_size=15))
def test_random_schemas_mean_what_jsonschema_says(schema: Any, instances: list[Any]) -> None:
    meaning = _meaning(schema)
    if meaning is not None:
        validator = Draft202012Validator(schema)
        for value in instances:
            assert _admits(meaning, value) == validator.is_valid(value), (value, str(meaning))


def _meaning(schema: Any) -> Normalized | bool | None:
    """The normalised schema, ``False`` if nothing satisfies it, ``None`` if it is refused."""
    try:
        normalized = normalize(schema, integer_fraction=True)
        normalized.report()
    except ImpossibleSchemaError:
        return False
    except (UnsupportedSchemaError, InvalidSchemaError, CompileBudgetError):
        return None
    return normalized


def _admits(meaning: Normalized | bool, value: Any) -> bool:
    return isinstance(meaning, Normalized) and evaluate(meaning.schema, value)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
