"""Nothing grows for ever: engines and leaves that have outgrown their budgets are replaced."""

from __future__ import annotations

import itertools

import pytest

from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.matchers import GrammarMatchers
from schema_compiler.engine.vocabulary import vocabulary as vocabulary_module
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.grammar.ir import Grammar, Literal, Reference, choice, sequence
from schema_compiler.grammar.leaves import counted, leaf
from schema_compiler.regular.text.json_strings import any_string, exclude

VOCABULARY = Vocabulary([*(bytes((byte,)) for byte in range(256)), None], [256])


def nested() -> Grammar:
    """Brackets around brackets, and a counted string in the middle."""
    text = counted("text", any_string(), 0, 100_000)
    return Grammar("s", {"s": choice(text, sequence(Literal(b"["), Reference("s"), Literal(b"]")))})


def write(matcher: Matcher, text: bytes) -> bool:
    """Ask for every mask on the way."""
    for byte in text:
        matcher.mask()
        if not matcher.accept(byte):
            return False
    return matcher.is_complete()


def test_engines_are_replaced_when_they_have_outgrown_their_budget() -> None:
    """Documents of ever new depth and length, one after the other, on engines that stay small."""
    matchers = GrammarMatchers(nested, VOCABULARY, budget=1 << 20)
    sizes, numbers = [], set()
    for depth in range(60):
        matcher = matchers.matcher()
        assert write(matcher, b"[" * depth + b'"' + b"a" * (5 * depth) + b'"' + b"]" * depth)
        sizes.append(matchers._engines.current().size)
        numbers.add(matcher.state_id)
    assert sum(sizes) / len(sizes) < 2 << 20
    assert max(sizes) < 4 << 20
    assert any(later < earlier for earlier, later in itertools.pairwise(sizes)), "never replaced"


def test_a_matcher_under_way_outlives_its_engine() -> None:
    """Its masks, steps and endings are those of an engine that was never replaced."""
    matchers = GrammarMatchers(nested, VOCABULARY, budget=0)
    under_way, fresh = matchers.matcher(), GrammarMatchers(nested, VOCABULARY).matcher()
    for byte in b'[["abc"':
        matchers.matcher()
        assert under_way.mask().tolist() == fresh.mask().tolist()
        assert under_way.accept(byte)
        assert fresh.accept(byte)
    assert under_way.closing() == fresh.closing() == b"]]"


def test_states_of_successive_engines_have_different_numbers() -> None:
    """So that whoever files masks by number never finds another engine's."""
    matchers = GrammarMatchers(nested, VOCABULARY, budget=0)
    assert len({matchers.matcher().state_id for _ in range(3)}) == 3


def test_leaves_are_replaced_when_they_have_outgrown_their_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each grammar brings a language of its own; grammars compiled before go on as they were."""
    monkeypatch.setattr(vocabulary_module, "LEAF_BUDGET", 200_000)
    vocabulary = Vocabulary(VOCABULARY.tokens, [256])
    first = GrammarMatchers(lambda: Grammar("s", {"s": leaf("text", exclude(["first"]))}), vocabulary)
    leaves = {id(vocabulary.leaves): vocabulary.leaves}
    for number in range(12):
        body = leaf("text", exclude([f"name{number}"]))
        matchers = GrammarMatchers(lambda body=body: Grammar("s", {"s": body}), vocabulary)
        assert write(matchers.matcher(), b'"other"')
        assert not write(matchers.matcher(), f'"name{number}"'.encode())
        leaves[id(vocabulary.leaves)] = vocabulary.leaves
    assert len(leaves) > 1
    assert all(found.trie.grown < 400_000 for found in leaves.values())
    assert write(first.matcher(), b'"other"')
    assert not write(first.matcher(), b'"first"')
