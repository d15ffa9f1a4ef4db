"""The index against the main engine: the same masks in every state that tokens reach, over a whole vocabulary."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import numpy as np
import pytest

from schema_compiler import CompileBudgetError, PatternError, Vocabulary, compile_regex
from schema_compiler.engine.index import Index
from schema_compiler.engine.matcher import Matcher
from schema_compiler.grammar.ir import Leaf
from schema_compiler.regular.regex.language import regex_text
from tests.assembly import ids_in
from tests.benchmarks.grammars.index import PATTERNS, measured
from tests.vocabularies import LARGE, byte_vocabulary, made_up_vocabulary


def index_of(pattern: str, vocabulary: Vocabulary, budget: int = 1 << 28) -> Index:
    dfa = regex_text(pattern)
    return Index(Leaf(pattern, dfa, dfa.digest), vocabulary, budget=budget)


def every_state(pattern: str, vocabulary: Vocabulary, source: random.Random, most: int) -> tuple[int, int]:
    """Compare both matchers breadth first, by a few tokens to each new state; how many states, and of how many."""
    compiled = compile_regex(pattern, vocabulary), compile_regex(pattern, vocabulary, index=True)
    waiting: list[tuple[Matcher, Matcher]] = [(compiled[0].matcher(), compiled[1].matcher())]
    seen = {waiting[0][1].state_id}
    for main, indexed in waiting:
        assert np.array_equal(main.mask(), indexed.mask())
        assert main.is_complete() == indexed.is_complete()
        assert main.forced() == indexed.forced()
        assert len(main.closing()) == len(indexed.closing())
        ids = [token for token in ids_in(main.mask(), vocabulary) if token not in vocabulary.eos_token_ids]
        for token in source.sample(ids, min(20, len(ids))):
            pair = main.fork(), indexed.fork()
            assert all(matcher.accept(token) for matcher in pair)
            if pair[1].state_id not in seen and len(seen) < most:
                seen.add(pair[1].state_id)
                waiting.append(pair)
    return len(seen), len(waiting)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_same_masks_as_the_main_engine(pattern: str):
    states, compared = every_state(pattern, made_up_vocabulary(), random.Random(pattern), most=60)
    assert states == compared


@pytest.mark.parametrize("vocabulary", LARGE.values(), ids=LARGE)
def test_the_same_masks_over_a_large_vocabulary(vocabulary: Callable[[], Vocabulary]):
    for pattern in PATTERNS[::5]:
        every_state(pattern, vocabulary(), random.Random(pattern), most=12)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_language_is_that_of_the_re_module(pattern: str):
    index, source = index_of(pattern, byte_vocabulary()), random.Random(pattern)
    for _ in range(30):
        matcher, text = index.matcher(), b""
        for _ in range(source.randint(0, 12)):
            ids = [token for token in ids_in(matcher.mask(), byte_vocabulary()) if token < 256]
            if not ids:
                break
            text += bytes((source.choice(ids),))
            matcher.accept(text[-1])
        assert re.fullmatch(pattern, (text + matcher.closing()).decode()), text
        if _decodes(text):
            assert matcher.is_complete() == bool(re.fullmatch(pattern, text.decode()))


def _decodes(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_a_matcher_moves_back_and_ends():
    vocabulary = made_up_vocabulary()
    matcher = compile_regex("(a|b)+", vocabulary, index=True).matcher()
    a = vocabulary.tokens.index(b"a")
    start, twin = matcher.state_id, matcher.fork()
    assert not matcher.accept(0)
    assert matcher.accept(a)
    assert not matcher.accept(vocabulary.tokens.index(b"1"))
    assert matcher.accept(0)
    assert matcher.is_ended()
    assert not matcher.mask().any()
    assert not matcher.accept(a)
    assert matcher.forced() == matcher.closing() == b""
    matcher.rollback(2)
    assert matcher.state_id == start == twin.state_id


def test_tables_are_as_documented():
    index = index_of("(ab)*", made_up_vocabulary())
    first, last = index.first[:2]
    texts = [made_up_vocabulary().tokens[token] for token in index.token_ids[first:last]]
    assert set(texts) >= {b"a"}
    assert all(re.fullmatch(rb"(ab)*a?", text or b"") for text in texts)
    assert index.first[-1] == index.token_ids.size == index.following.size
    assert index.size == sum(part.nbytes for part in (index.first, index.token_ids, index.following, index.rows))
    assert index.seconds > 0


def test_an_index_that_would_be_too_large_is_refused():
    with pytest.raises(CompileBudgetError, match="more than 100000 bytes"):
        index_of("[a-z]{0,200}", made_up_vocabulary(), budget=100_000)


def test_a_pattern_without_texts_is_refused():
    with pytest.raises(PatternError, match="matches none"):
        compile_regex("[^\\s\\S]", byte_vocabulary())


def test_dialects():
    for dialect, texts in (("python", {"1": True, "٣": True}), ("ecma", {"1": True, "٣": False})):
        for text, legal in texts.items():
            matcher = compile_regex(r"\d", byte_vocabulary(), dialect=dialect).matcher()
            assert all(map(matcher.accept, text.encode())) == legal


def test_the_benchmark_compares_masks():
    row = measured("-?[0-9]{1,3}", made_up_vocabulary(), texts=3, longest=4)
    assert row.equal
    assert 0 < row.states <= 5
    assert len(row.indexed) == len(row.cold) == len(row.warm) > 0
