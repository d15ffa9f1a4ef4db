"""Lists of different values: masks, endings and forced bytes against the naive recogniser."""

from __future__ import annotations

import json
import random
from itertools import pairwise, permutations
from typing import Any

import pytest

from schema_compiler.compiler import compile_schema
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.grammar.ir import Grammar, Leaf, Literal, Selection, choice, sequence
from schema_compiler.lowering.layout import layout_of
from schema_compiler.regular.automata.dfa import literal
from tests.assembly import ids_of, matcher_of
from tests.oracle import Oracle, TokenTree

WORDS = [
    b'["',
    b'", "',
    b'", "a',
    b'a", "ab", "',
    b'"a"',
    b'"a", "a"',
    b'", "b"]',
    b"\\u",
    b"1",
    b"12",
    b"1, 2",
    b"1, 1",
]
MORE = [b"1.0", b"1, 12, 2", b".0, 1", b'", 1', b'"] ', b" ,  ", b", 1]", b"]]", b"2, 1.0", b'\\n"', b'"a\\n", "a", ']
VOCABULARY = Vocabulary([*(bytes((byte,)) for byte in range(128)), *WORDS, *MORE, None], [128 + len(WORDS) + len(MORE)])
TREE = TokenTree(VOCABULARY.tokens)

COMMA = Leaf("comma", literal(b", "), literal(b", ").digest)
SETS: dict[str, tuple[tuple[bytes, ...], ...]] = {
    "one": ((b'"a"',),),
    "values that begin alike": ((b'"a"',), (b'"ab"',), (b'"abb"',), (b'"b"',)),
    "values that begin others": ((b"1", b"1.0"), (b"12", b"12.0"), (b"121",), (b"2", b"2.0")),
    "longer spellings": ((b"1", b"1.0"), (b"1.25",), (b"100000",)),
    "escapes": ((b'"a\\n"',), (b'"a"',), (b'"\\u001f"',), (b'"\\""',)),
    "many": tuple((b'"%o"' % number,) for number in range(200)),
}
BOUNDS = [(1, 1), (1, 2), (1, None), (2, 3), (3, None), (None, None)]
"""``None``: as many as there are values."""


def lists(
    values: tuple[tuple[bytes, ...], ...], least: int | None, most: int | None, separator: Leaf = COMMA
) -> Grammar:
    """Lists between brackets, the empty one included."""
    maximum = min(most or len(values), len(values))
    some = Selection(values, separator, min(least or len(values), maximum), maximum)
    return Grammar("list", {"list": sequence(Literal(b"["), choice(some, Literal(b"")), Literal(b"]"))})


def flexible_comma() -> Leaf:
    """A comma with any white space around it."""
    comma = layout_of("flexible").comma
    assert isinstance(comma, Leaf)
    return comma


@pytest.mark.parametrize("separator", [COMMA, flexible_comma()], ids=["spaced", "flexible"])
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_masks_along_random_lists(name: str, bounds: tuple[int | None, int | None], separator: Leaf) -> None:
    """Every bit, the forced bytes and the length of the ending are the oracle's; what is taken back is as before."""
    grammar = lists(SETS[name], *bounds, separator)
    oracle, source = Oracle(grammar), random.Random(1)
    for _ in range(2):
        matcher, state = matcher_of(grammar, VOCABULARY), oracle.start
        for _ in range(12):
            legal = ids_of(matcher.mask(), VOCABULARY)
            assert legal - VOCABULARY.eos_token_ids == oracle.mask(state, TREE)
            assert matcher.is_complete() is state.complete
            check_endings(matcher, oracle, state, short=name != "many")
            tokens = sorted(legal - VOCABULARY.eos_token_ids)
            if not tokens:
                break
            token = source.choice([token for token in tokens if token >= 128] * 4 + tokens)
            fork = matcher.fork()
            assert matcher.accept(token)
            following = oracle.read(VOCABULARY.tokens[token] or b"", state)
            assert following is not None
            assert ids_of(fork.mask(), VOCABULARY) == legal
            state = following


def test_the_ending_leaves_short_values_for_later() -> None:
    """After ``1.``, two values are ``1.25, 1`` rather than ``1.0, 1.25``."""
    matcher = matcher_of(lists(SETS["longer spellings"], 2, 2), VOCABULARY)
    assert all(map(matcher.accept, b"[1."))
    assert matcher.closing() == b"25, 1]"


def check_endings(matcher: Matcher, oracle: Oracle, state: Any, *, short: bool) -> None:
    forced = matcher.forced()
    here = oracle.read(forced, state)
    assert here is not None
    assert here.complete or len(oracle.next_bytes(here)) != 1
    closing = matcher.closing()
    ended = oracle.read(closing, state)
    assert ended is not None
    assert ended.complete
    if short:
        assert len(closing) == oracle.shortest_completion(state)
    before = ids_of(matcher.mask(), VOCABULARY)
    assert all(map(matcher.accept, closing))
    matcher.rollback(len(closing))
    assert ids_of(matcher.mask(), VOCABULARY) == before


def test_all_lists_of_a_small_set() -> None:
    """Exactly the arrangements of two or three of four values, one of them spelled in two ways."""
    values: list[list[str]] = [['"a"'], ['"ab"'], ["1", "1.0"], ["12"]]
    legal = {
        "[" + ", ".join(texts) + "]"
        for count in (2, 3)
        for chosen in permutations(values, count)
        for texts in spelled(chosen)
    } | {"[]"}
    matcher = matcher_of(lists(tuple(tuple(t.encode() for t in each) for each in values), 2, 3), VOCABULARY)
    assert set(written(matcher, b"")) == legal


def spelled(chosen: tuple[list[str], ...]) -> list[list[str]]:
    if not chosen:
        return [[]]
    return [[text, *rest] for text in chosen[0] for rest in spelled(chosen[1:])]


def written(matcher: Matcher, text: bytes) -> list[str]:
    """All documents, by single bytes."""
    found = [text.decode()] if matcher.is_complete() else []
    for byte in sorted(ids_of(matcher.mask(), VOCABULARY)):
        if byte < 128:
            assert matcher.accept(byte)
            found += written(matcher, text + bytes((byte,)))
            matcher.rollback(1)
    return found


@pytest.mark.parametrize(
    ("limits", "items", "valid"),
    [
        ({"minItems": 3}, ["a", "ab", 1], True),
        ({"minItems": 3}, ["a", "ab"], False),
        ({"minItems": 3}, ["a", "ab", "a"], False),
        ({"minItems": 4}, ["a", "ab", 1, 1], False),
        ({"maxItems": 0}, [], True),
        ({"maxItems": 9}, [1, "ab", "a"], True),
        ({"maxItems": 2}, [1, "ab", "a"], False),
    ],
)
def test_numbers_of_items(limits: dict[str, int], items: list[Any], valid: bool) -> None:
    schema = {"type": "array", "items": {"enum": ["a", "ab", 1]}, "uniqueItems": True, **limits}
    if limits.get("minItems", 0) > 3:
        schema = {"anyOf": [schema, {"const": 0}]}
    matcher = compile_schema(schema, VOCABULARY).matcher()
    assert (all(map(matcher.accept, json.dumps(items).encode())) and matcher.is_complete()) is valid


def test_states_recur() -> None:
    """What has been used matters, not its order."""
    matcher = matcher_of(lists(SETS["values that begin alike"], 1, None), VOCABULARY)
    other = matcher.fork()
    assert all(map(matcher.accept, b'["a", "b", "'))
    assert all(map(other.accept, b'["b", "a", "'))
    assert matcher.state_id == other.state_id


def test_work_does_not_grow_with_what_is_used() -> None:
    """After every item of a thousand, a few states and nodes more."""
    values = tuple((b'"%04d"' % number,) for number in range(1000))
    matcher = matcher_of(lists(values, 1, None), VOCABULARY)
    engine = matcher._engine
    assert all(map(matcher.accept, b'["0000"'))
    sizes = []
    for number in range(1, 1000):
        assert all(map(matcher.accept, b', "%04d"' % number))
        matcher.mask()
        sizes.append(engine.size)  # type: ignore[attr-defined]
    growth = [after - before for before, after in pairwise(sizes)]
    assert max(growth) == min(growth)
    assert not matcher.accept(ord(","))
