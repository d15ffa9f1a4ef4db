"""The pipeline as a whole."""

from __future__ import annotations

import gc

import pytest

from schema_compiler import compile_schema
from tests.fakes import byte_vocabulary

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]+$"},
        "tags": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True},
        "counts": {"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 5}},
        "children": {"type": "array", "items": {"$ref": "#"}, "minItems": 1},
    },
    "required": ["name"],
    "minProperties": 2,
}


@pytest.mark.parametrize("eager", [True, False])
def test_a_grammar_that_is_no_longer_used_needs_no_garbage_collector(eager: bool) -> None:
    vocabulary = byte_vocabulary()

    def use() -> None:
        matcher = compile_schema(SCHEMA, vocabulary, eager=eager).matcher()
        for byte in b'{"name": "ann", "tags": ["b", "a"], "counts": [1, 7], "children": [{"name": "bo", "tags": []}]}':
            assert matcher.accept(byte)
            matcher.mask()
        assert matcher.is_complete()

    use()
    gc.collect()
    gc.disable()
    try:
        use()
        assert gc.collect() == 0
    finally:
        gc.enable()
