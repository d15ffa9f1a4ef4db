"""Sound and complete, seen from the ends: what masks let through validates, what Pydantic writes is let through."""

from __future__ import annotations

import json
import random
import re
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for
from pydantic import TypeAdapter, ValidationError

from schema_compiler.compiler import CompiledSchema, compile_schema, compile_type
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.tokens.trie import NOWHERE, ROOT
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import SchemaCompilerError
from schema_compiler.lowering.layout import Whitespace
from tests.assembly import ids_in
from tests.conformance.suites import bug_reports, official
from tests.conformance.verdicts import Case
from tests.properties.instances import values
from tests.types_zoo import TYPES
from tests.vocabularies import made_up_vocabulary, smollm2

COMPLETIONS = 17
"""Walks per type: a thousand over all types."""
UNSPELLABLE = frozenset(b"\x04\x06\x13\x14\x16\x1d\xf1\xf2")
"""Bytes of JSON that no token of SmolLM2 has."""
LONGEST = 50
"""Tokens after which a walk takes the shortest way out."""


def random_document(matcher: Matcher, vocabulary: Vocabulary, source: random.Random) -> bytes:
    """Sample with uniformly random logits under the mask until EOS; close the document when it gets long."""
    text = bytearray()
    for _ in range(LONGEST):
        token_id = source.choice(ids_in(matcher.mask(), vocabulary))
        assert matcher.accept(token_id)
        if token_id in vocabulary.eos_token_ids:
            return bytes(text)
        text += vocabulary.tokens[token_id] or b""
    rest = matcher.closing()
    assert all(map(matcher.accept, vocabulary.tokenize(rest)))
    assert matcher.is_complete()
    return bytes(text + rest)


@pytest.mark.parametrize("name", TYPES)
def test_random_walks_validate(name: str) -> None:
    """Every completion is a document of the type: for Pydantic, and for jsonschema what the report does not except."""
    vocabulary, adapter, source = smollm2(), TypeAdapter(TYPES[name]), random.Random(name)
    grammar = compiled(name, vocabulary)
    afterwards = {row.constraint for row in grammar.report.with_status("checked afterwards")}
    afterwards.add("uniqueItems")  # Pydantic takes repeated items where it makes a set of them
    validator = Draft202012Validator(adapter.json_schema())
    for _ in range(COMPLETIONS):
        text = random_document(grammar.matcher(), vocabulary, source)
        adapter.validate_json(text)
        assert {error.validator for error in validator.iter_errors(json.loads(text))} <= afterwards


def python_reads(case: Case) -> bool:
    """Whether ``jsonschema`` can read the case's patterns, with ``re``."""
    return not case.name.startswith("optional/") and "\\p{" not in json.dumps(case.schema)


def exact(text: str | bytes) -> Any:
    """With decimals for fractions: as floats, 0.0075 is no multiple of 0.0001 for ``jsonschema``."""
    return json.loads(text, parse_float=lambda number: int(f) if (f := float(number)).is_integer() else Decimal(number))


def test_random_walks_through_schemas_validate() -> None:
    """The same in schema mode, for the schemas of the suites that compile."""
    vocabulary, source, count = made_up_vocabulary(), random.Random(0), 0
    for case in filter(python_reads, [*bug_reports(), *official()]):
        try:
            grammar = compile_schema(case.schema, vocabulary)
        except SchemaCompilerError:
            continue
        afterwards = {row.constraint.split()[0] for row in grammar.report.with_status("checked afterwards")}
        validator = validator_for(case.schema, Draft202012Validator)(exact(json.dumps(case.schema)))
        for _ in range(3):
            text, count = random_document(grammar.matcher(), vocabulary, source), count + 1
            faults = {error.validator for error in validator.iter_errors(exact(text))}
            assert faults <= afterwards, (case.name, case.schema, text.decode(), faults)
    assert count > 900


def random_tokens(text: bytes, vocabulary: Vocabulary, source: random.Random) -> list[int]:
    """Tokens that spell ``text``, cut at random; the vocabulary has all single bytes."""
    ids: list[int] = []
    while text:
        trie, position, choices = vocabulary.trie, ROOT, list[int]()
        for byte in text:
            following = trie.child(position, byte)
            if following == NOWHERE:
                break
            position = following
            choices.extend(trie.tokens(position))
        ids.append(source.choice(choices))
        text = text[len(vocabulary.tokens[ids[-1]] or b"") :]
    return ids


def accepts(matcher: Matcher, ids: list[int], vocabulary: Vocabulary) -> bool:
    """Whether the tokens are legal one after the other, by mask and by ``accept``, with EOS at the end."""
    for token_id in [*ids, min(vocabulary.eos_token_ids)]:
        bit = int(matcher.mask()[token_id >> 5]) >> (token_id & 31) & 1
        if not (matcher.accept(token_id) and bit):
            return False
    return matcher.is_ended()


@pytest.mark.parametrize("name", TYPES)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(data=st.data(), seed=st.integers(0, 1 << 20))
def test_what_pydantic_writes_is_accepted(name: str, data: st.DataObject, seed: int) -> None:
    """Random instances, dumped by Pydantic, in the tokenizer's own tokens and in random ones."""
    adapter = TypeAdapter(TYPES[name])
    instance = instance_of(adapter, data.draw(values(adapter.json_schema())))
    made_up = made_up_vocabulary()
    text = spaced(adapter, instance)
    assert accepts(compiled(name, made_up).matcher(), random_tokens(text, made_up, random.Random(seed)), made_up)
    if UNSPELLABLE.isdisjoint(text):
        assert accepts(compiled(name, smollm2()).matcher(), smollm2().tokenize(text), smollm2())
    text = adapter.dump_json(instance, by_alias=True)
    matcher = compiled(name, made_up, "compact").matcher()
    assert accepts(matcher, random_tokens(text, made_up, random.Random(seed)), made_up)


@cache
def compiled(name: str, vocabulary: Vocabulary, whitespace: Whitespace = "spaced") -> CompiledSchema:
    """One compilation serves all examples."""
    return compile_type(TYPES[name], vocabulary, whitespace=whitespace)


def instance_of(adapter: TypeAdapter[Any], value: Any) -> Any:
    """The instance; the example is dropped where the type takes no such value, or one of too many digits."""
    try:
        instance = adapter.validate_python(value)
    except ValidationError:
        instance = None
        assume(False)
    assume(not re.search(rb"\d{20}", spaced(adapter, instance)))
    return instance


def spaced(adapter: TypeAdapter[Any], instance: Any) -> bytes:
    """How Pydantic writes the instance, with the separators of ``json.dumps``."""
    return json.dumps(adapter.dump_python(instance, mode="json", by_alias=True), ensure_ascii=False).encode()
