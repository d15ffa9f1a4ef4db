"""Tables computed ahead: that they are there when a document comes, and that nothing is refused on their account."""

from __future__ import annotations

from typing import Any

import pytest

from schema_compiler.compiler import compile_schema
from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.regular.formats import format_string
from schema_compiler.regular.regex import language as pattern
from tests.vocabularies import made_up_vocabulary

SCHEMA: dict[str, Any] = {
    "properties": {
        "plate": {"type": "string", "pattern": "^[A-Z]{2}-\\d{2,4}$"},
        "pattern": {"type": "string", "format": "ipv4"},
        "rest": {"anyOf": [{"items": {"type": "string", "pattern": "a(b|cc|ddd|eeee|fffff)+c"}}, {"type": "null"}]},
    }
}


def count_computed() -> int:
    """How many tables have been computed so far."""
    return pattern._strings.cache_info().misses + format_string.cache_info().misses


def test_documents_find_the_tables_computed() -> None:
    pattern._strings.cache_clear()
    format_string.cache_clear()
    vocabulary = made_up_vocabulary()
    compiled = compile_schema(SCHEMA, vocabulary, eager=False)
    before = count_computed()
    assert before >= 3
    for document in (b'{"plate": "AB-123"}', b'{"pattern": "10.0.0.1"}', b'{"rest": ["abbcc"]}'):
        matcher = compiled.matcher()
        for token in vocabulary.tokenize(document):
            matcher.mask()
            assert matcher.accept(token)
        assert matcher.is_complete()
    assert count_computed() == before


def test_refused_where_a_document_gets_there() -> None:
    vocabulary = made_up_vocabulary()
    schema = {"type": "object", "properties": {"a": {"const": 1}, "b": {"pattern": "("}}, "default": {"pattern": "["}}
    with pytest.raises(UnsupportedSchemaError, match="group without a closing"):
        compile_schema(schema, vocabulary)
    with pytest.raises(UnsupportedSchemaError, match="group without a closing"):
        compile_schema(schema, vocabulary, eager=False).matcher().mask()
    matcher = compile_schema(schema | {"properties": {"a": True}}, vocabulary, eager=False).matcher()
    for token in vocabulary.tokenize(b'{"a": 1}'):
        assert matcher.accept(token)


def test_large_tables_are_not_all_computed() -> None:
    """A schema of forty large patterns compiles with the time of a few."""
    schema = {"properties": {f"p{k}": {"type": "string", "pattern": rf"^(\S+\s){{{k + 100}}}$"} for k in range(40)}}
    before = pattern._strings.cache_info().misses
    compile_schema(schema, made_up_vocabulary(), eager=False)
    assert 2 < pattern._strings.cache_info().misses - before < 40
