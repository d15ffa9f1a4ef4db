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
from schema_compiler.schema.normalize import Normalized, normalize
from tests.schema_compiler.schema.evaluator import evaluate

REFUSED_GROUPS = 55
REFUSED_SAMPLES = 1

NOT_JUDGED = (
    "optional/format",  # formats are enforced here, and judged by the tests of the grammar room
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


_values = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 2, 1.5, 3, -1, "", "a", "ab", "b", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "x1"]), inner, max_size=3),
    max_leaves=4,
)
_numbers = st.sampled_from([-1, 0, 1, 1.5, 2, 3])
_sizes = st.integers(0, 3)
_leaves = st.one_of(
    st.booleans(),
    st.fixed_dictionaries({}, optional={"type": st.sampled_from(["null", "boolean", "integer", "number", "string"]),
                                        "minimum": _numbers, "exclusiveMaximum": _numbers, "minLength": _sizes}),
    st.fixed_dictionaries({}, optional={"type": st.just(["string", "array", "object"]), "maxLength": _sizes,
                                        "pattern": st.sampled_from(["^a", "b$", "1"]), "maxItems": _sizes,
                                        "minProperties": _sizes}),
    st.fixed_dictionaries({"enum": st.lists(_values, min_size=1, max_size=3)}),
    st.fixed_dictionaries({"const": _values}),
    st.fixed_dictionaries({"type": st.just("integer"), "multipleOf": st.sampled_from([1, 2, 1.5])}),
)  # fmt: skip


def _schemas_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(st.sampled_from(["a", "b", "x1"]), inner, max_size=2)
    several = st.lists(inner, min_size=1, max_size=3)
    required = st.lists(st.sampled_from(["a", "b"]), max_size=2, unique=True)
    return st.one_of(
        st.fixed_dictionaries({"properties": named}, optional={
            "required": required, "additionalProperties": inner, "type": st.just("object"),
            "patternProperties": st.dictionaries(st.sampled_from(["^x", "1$", "a"]), inner, max_size=2)}),
        st.fixed_dictionaries({}, optional={
            "prefixItems": several, "items": inner, "minItems": _sizes, "uniqueItems": st.booleans()}),
        st.fixed_dictionaries({}, optional={
            "anyOf": several, "oneOf": several, "allOf": several, "not": inner, "required": required}),
        st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner}),
        st.fixed_dictionaries({}, optional={
            "dependentRequired": st.dictionaries(st.sampled_from(["a", "b"]), required, max_size=2),
            "dependentSchemas": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=1),
            "propertyNames": st.sampled_from([{"maxLength": 1}, {"enum": ["a", "b"]}, {"pattern": "^[ab]"}])}),
    )  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.recursive(_leaves, _schemas_of, max_leaves=6), st.lists(_values, min_size=5, max_size=15))
def test_random_schemas_mean_what_jsonschema_says(schema: Any, values: list[Any]) -> None:
    meaning = _meaning(schema)
    if meaning is not None:
        validator = Draft202012Validator(schema)
        for value in values:
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
    return isinstance(meaning, Normalized) and evaluate(meaning, value)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
