"""Engines are bounded, requests bring leaves of their own, and tokens mean what their texts do."""

from __future__ import annotations

import gc

import pytest

from schema_compiler import UnboundLeafError, compile_regex, compile_schema
from schema_compiler.engine.matchers import BoundedEngine, GrammarMatchers
from schema_compiler.engine.vocabulary.token_steps import after_token
from schema_compiler.grammar.ir import Bound, Grammar, Literal, sequence
from tests.assembly import matcher_of
from tests.fakes import EOS, byte_vocabulary


class Growing:
    """Remembers how large it has become."""

    size = 0


def test_an_engine_is_made_anew_once_it_has_outgrown_its_budget() -> None:
    engines = BoundedEngine(Growing, budget=10)
    first = engines.current()
    first.size = 10
    assert engines.current() is first
    first.size = 11
    assert engines.current() is not first
    assert engines.current() is engines.current()


def test_a_grammar_without_users_is_freed_at_once() -> None:
    """Nothing waits for the garbage collector, whose pauses would fall into masks."""

    def use() -> None:
        schema = {
            "type": "object",
            "properties": {"a": {"$ref": "#"}, "b": {"type": "array", "items": {"enum": [1, 2]}}},
        }
        matcher = compile_schema(schema, byte_vocabulary()).matcher()
        for byte in b'{"a": {"b": [1, 2]}, "b": [1], "c": {"d": "e"}}':
            matcher.mask()
            assert matcher.accept(byte)
        assert matcher.closing() == b""

    use()  # what belongs to the vocabulary and to caches of tables stays
    gc.collect()
    gc.disable()
    try:
        use()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_leaf_that_no_request_supplies_is_named() -> None:
    """Only once a document gets there."""
    grammar = Grammar("s", {"s": sequence(Literal(b"[" * 100), Bound("document"))})
    matcher = GrammarMatchers(lambda: grammar, byte_vocabulary()).matcher()
    assert all(map(matcher.accept, b"[" * 90))
    with pytest.raises(UnboundLeafError, match=r"asks for a leaf named 'document', found \[\]"):
        [matcher.accept(byte) and matcher.mask() for byte in b"[" * 10]


def test_an_index_refuses_leaves_that_nothing_asks_for() -> None:
    compiled = compile_regex("a", byte_vocabulary(), index=True)
    assert compiled.matcher({}).accept(ord("a"))
    with pytest.raises(ValueError, match=r"expected no leaves.*found \['document'\]"):
        compiled.matcher({"document": compiled._matchers._language})


@pytest.mark.parametrize("token", [-1, EOS + 1, 10**9])
def test_numbers_that_are_no_tokens_are_illegal(token: int) -> None:
    matcher = matcher_of(Grammar("s", {"s": Literal(b"a")}), byte_vocabulary())
    assert not matcher.accept(token)


def test_the_end_is_legal_once_and_only_when_the_document_is_complete() -> None:
    engine = matcher_of(Grammar("s", {"s": Literal(b"a")}), byte_vocabulary())._engine
    assert after_token(engine, engine.start, EOS) is None
    complete = after_token(engine, engine.start, ord("a"))
    assert after_token(engine, complete, EOS) is engine.ended
    assert after_token(engine, engine.ended, EOS) is None
