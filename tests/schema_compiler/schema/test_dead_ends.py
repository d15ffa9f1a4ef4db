"""No document is led where it cannot be completed, and what completes it is valid.

Rules are lowered without looking further than a document has come, so normalisation must not hand out anything that
has no value: ``prune``, which looks at whole grammars, finds no rule to remove.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from schema_compiler.compiler import Stages, compile_schema, schema_stages
from schema_compiler.errors import SchemaCompilerError
from schema_compiler.grammar.ir import NEVER
from schema_compiler.grammar.passes.prune import prune
from tests.schema_compiler.schema.random_schemas import schemas
from tests.vocabularies import byte_vocabulary

RULES = 500
"""So many rules of a grammar are looked at."""


def dead_rules(stages: Stages) -> list[str]:
    """The rules that derive nothing, among the first that the start rule leads to."""
    lowered = stages.lowered()
    pruned = prune(lowered)
    names = list(lowered.reachable())[:RULES]
    return [name for name in names if pruned.rules[name] is NEVER]


@settings(max_examples=300, deadline=None)
@given(schemas())
def test_random_schemas(schema: Any) -> None:
    """None of their rules is dead, and the shortest document is valid."""
    try:
        stages = schema_stages(schema)
        _ = stages.report
    except SchemaCompilerError:
        return
    assert dead_rules(stages) == []
    text = compile_schema(schema, byte_vocabulary(), eager=False).matcher().closing()
    assert Draft202012Validator(schema).is_valid(json.loads(text)), text


def test_a_sample_of_maskbench(shared_data: Path) -> None:
    path = shared_data / "data/maskbench-dev.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    dead = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for sample in list(map(json.loads, lines))[3::60]:
            if len(json.dumps(sample["schema"])) < 10_000:
                try:
                    stages = schema_stages(sample["schema"])
                    _ = stages.report
                except SchemaCompilerError:
                    continue
                dead[sample["id"]] = dead_rules(stages)
    assert {name: rules for name, rules in dead.items() if rules} == {}
