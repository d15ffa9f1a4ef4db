"""Texts that may not come twice: masks and endings against reading every token."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.matchers import GrammarMatchers
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.grammar.ir import Distinct, Expression, Grammar, Leaf, Literal, Reference, choice, sequence
from schema_compiler.grammar.leaves import distinct, leaf
from schema_compiler.regular.automata.properties import is_endless
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.regular.regex.language import pattern_string
from schema_compiler.regular.text.json_strings import any_string
from tests.assembly import ids_of
from tests.oracle import Oracle, TokenTree

WORDS = [
    b'{"',
    b'": 1',
    b'": 1, "',
    b'a"',
    b'"a"',
    b'"a": ',
    b'{"a": 1, "',
    b'b": 1, "a": 1',
    b', "ab',
    b"}",
    b'b"',
    b'"}',
    b'": {"a"',
]
VOCABULARY = Vocabulary([*(bytes((byte,)) for byte in range(128)), *WORDS, None], [128 + len(WORDS)])


def maps(*, least: int = 0) -> Grammar:
    """Objects of any keys, whose values are 1 or such an object; at least ``least`` members."""
    key = distinct(leaf("key", any_string()))
    assert isinstance(key, Distinct)
    member = sequence(key, Literal(b": "), choice(Literal(b"1"), Reference("map")))
    rules: dict[str, Expression] = {"start": Reference("map")}
    for count in range(least + 2):
        more = Reference(f"rest.{min(count + 1, least + 1)}")
        comma = Literal(b", " if count else b"")
        end = [Literal(b"}")] if count >= least else []
        rules[f"rest.{count}"] = choice(sequence(comma, member, more), *end)
    rules["map"] = sequence(Literal(b"{"), Reference("rest.0"))
    return Grammar("start", rules)


def repeats(document: bytes) -> bool:
    """Whether an object of the document has a key twice."""
    found = False

    def look(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal found
        found |= len({name for name, _ in pairs}) < len(pairs)
        return dict(pairs)

    json.loads(document, object_pairs_hook=look)
    return found


def walk(matcher: Matcher, seed: int, steps: int = 30) -> Iterator[bytes]:
    """Random legal tokens, the text so far after each."""
    source, written = random.Random(seed), b""
    for _ in range(steps):
        legal = sorted(ids_of(matcher.mask(), VOCABULARY) - VOCABULARY.eos_token_ids)
        if not legal:
            return
        likely = [token for token in legal if token >= 128] or legal
        token = source.choice(likely if source.random() < 0.8 else legal)
        assert matcher.accept(token)
        written += VOCABULARY.tokens[token] or b""
        yield written


@pytest.mark.parametrize("seed", range(12))
def test_masks_are_what_can_be_accepted(seed: int) -> None:
    """Over the whole vocabulary in every state of a walk, and no document on the way repeats a key."""
    matcher = GrammarMatchers(maps, VOCABULARY).matcher()
    for written in walk(matcher, seed):
        legal = ids_of(matcher.mask(), VOCABULARY)
        for token in range(len(VOCABULARY)):
            accepted = matcher.accept(token)
            assert accepted is (token in legal), (written, VOCABULARY.tokens[token])
            if accepted:
                matcher.rollback(1)
        closing = matcher.closing()
        assert not repeats(written + closing), written
        assert all(matcher.accept(byte) for byte in closing)
        assert matcher.is_complete()
        matcher.rollback(len(closing))


WITHIN = {
    b'{"a": {"a": 1}, "b": {"a": 1}}': True,
    b'{"a": 1, "ab": 1, "": 1}': True,
    b'{"a": 1, "a': True,
    b'{"a": 1, "a"': False,
    b'{"a": {"a": 1, "a"': False,
    b'{"": 1, ""': False,
}
"""The inner object may use the outer one's keys, and a key may begin like another."""

ESCAPED = {
    rb'{"\u001f": 1, "\u001e": 1}': True,
    rb'{"\u001f": 1, "\u001f"': False,
    rb'{"\u001f": 1, "\u001F"': False,
    rb'{"\u001F": 1, "\u001f"': False,
    rb'{"\\u001f": 1, "\\u001F": 1}': True,
}
"""Control characters in either case are the same text; a backslash that is itself escaped begins no escape."""


@pytest.mark.parametrize(("text", "legal"), [*WITHIN.items(), *ESCAPED.items()])
def test_keys_are_compared_decoded_within_their_object(text: bytes, legal: bool) -> None:
    matcher = GrammarMatchers(maps, VOCABULARY).matcher()
    assert all(matcher.accept(byte) for byte in text) is legal
    if not legal:
        assert text[-1] not in ids_of(matcher.mask(), VOCABULARY)


def test_endings_find_keys_that_are_new() -> None:
    """Three members are asked for, so the shortest ending cannot use one key thrice."""
    matcher = GrammarMatchers(lambda: maps(least=3), VOCABULARY).matcher()
    closing = matcher.closing()
    assert not repeats(closing)
    assert len(json.loads(closing)) == 3
    assert all(matcher.accept(byte) for byte in closing)
    assert matcher.is_complete()


@pytest.mark.parametrize(
    ("pattern", "endless"), [("^x-", True), ("^[a-z]+$", True), ("^(ab|x.*)$", False), ("^[a-f]$", False)]
)
def test_only_endless_leaves_are_made_distinct(pattern: str, endless: bool) -> None:
    """Elsewhere a used text could leave what has been begun without a way on."""
    dfa = pattern_string(Pattern(pattern))
    assert is_endless(dfa) is endless
    assert isinstance(distinct(Leaf("key", dfa, dfa.digest)), Distinct) is endless


@pytest.mark.parametrize("seed", range(6))
def test_masks_against_the_oracle(seed: int) -> None:
    """Maps of one required member at least, their keys tracked by the naive recogniser in its own way."""
    oracle, tree = Oracle(maps(least=1)), TokenTree(VOCABULARY.tokens)
    matcher = GrammarMatchers(lambda: maps(least=1), VOCABULARY).matcher()
    for written in walk(matcher, 100 + seed):
        state = oracle.read(written)
        assert state is not None
        assert ids_of(matcher.mask(), VOCABULARY) - VOCABULARY.eos_token_ids == oracle.mask(state, tree), written
        assert matcher.is_complete() is state.complete
