"""Masks, token by token over whole vocabularies, against the naive oracle; bounded look-ahead against exact masks."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from schema_compiler import Vocabulary
from schema_compiler.engine.matcher import Matcher
from schema_compiler.lexed.compile import CompiledLexed, compile_lexed
from tests.schema_compiler.lexed.languages import LANGUAGES, Language
from tests.schema_compiler.lexed.oracle import Oracle

EOS = 0


@cache
def vocabulary(language: Language) -> Vocabulary:
    """All ASCII characters that printable text has, and pieces of the language's documents."""
    source = random.Random(language.name)
    pieces = set()
    for document in (*language.documents, "".join(language.lexemes)):
        for _ in range(40):
            start = source.randrange(len(document))
            pieces.add(document[start : start + source.randint(2, 7)])
    characters = ["\t", "\n", *map(chr, range(32, 127))]
    return Vocabulary([None, *(text.encode() for text in [*characters, *sorted(pieces)])], [EOS])


@cache
def oracle(language: Language) -> Oracle:
    return Oracle(language.grammar, language.lexemes)


@cache
def compiled(language: Language, lookahead: int | None = None) -> CompiledLexed:
    return compile_lexed(language.grammar, vocabulary(language), lookahead=lookahead)


def admitted(matcher: Matcher) -> set[int]:
    return set(np.flatnonzero(np.unpackbits(matcher.mask().view(np.uint8), bitorder="little")).tolist())


def walk(language: Language, seed: int, steps: int) -> list[int]:
    """Random legal tokens, longer ones preferred."""
    source = random.Random(seed)
    tokens = vocabulary(language).tokens
    matcher = compiled(language).matcher()
    taken: list[int] = []
    for _ in range(steps):
        choices = sorted(admitted(matcher) - {EOS})
        if not choices:
            break
        taken.append(source.choices(choices, weights=[len(tokens[choice] or b"") ** 2 for choice in choices])[0])
        assert matcher.accept(taken[-1])
    return taken


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_exact_masks_equal_the_oracle(language: Language, seed: int):
    """Over all tokens, or as many as the oracle has time for: it tries every completion for each illegal one."""
    tokens = vocabulary(language).tokens
    source = random.Random(seed)
    matcher = compiled(language).matcher()
    text = ""
    for token_id in [*walk(language, seed, 4), None]:
        asked = set(source.sample(range(1, len(tokens)), min(len(tokens) - 1, 2500 // len(language.lexemes)))) | {EOS}
        legal = {number for number in asked - {EOS} if oracle(language).legal(text + tokens[number].decode())}
        legal |= {EOS} if oracle(language).complete(text) else set()
        assert admitted(matcher) & asked == legal, repr(text)
        assert {number for number in asked if matcher.fork().accept(number)} == legal
        if token_id is not None:
            matcher.accept(token_id)
            text += tokens[token_id].decode()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_documents_are_accepted_whole_and_by_every_split(language: Language):
    tokens = vocabulary(language).tokens
    for document in language.documents:
        assert oracle(language).complete(document) == _completes(
            language, [bytes((byte,)) for byte in document.encode()]
        )
        source = random.Random(document)
        for _ in range(10):
            rest, parts = document.encode(), []
            while rest:
                parts.append(source.choice([token for token in tokens if token and rest.startswith(token)]))
                rest = rest[len(parts[-1]) :]
            assert _completes(language, parts) == oracle(language).complete(document)


def _completes(language: Language, parts: list[bytes]) -> bool:
    matcher = compiled(language).matcher()
    ids = {token: number for number, token in enumerate(vocabulary(language).tokens)}
    return all(matcher.accept(ids[part]) for part in parts) and matcher.is_complete()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_bounded_lookahead_drops_nothing_and_keeps_less_the_farther_it_looks(language: Language):
    matchers = [compiled(language, lookahead).matcher() for lookahead in (1, 2, 3, None)]
    for token_id in walk(language, 7, 15):
        masks = [admitted(matcher) for matcher in matchers]
        assert masks[0] >= masks[1] >= masks[2] >= masks[3]
        assert all(matcher.accept(token_id) for matcher in matchers)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_closings_complete_the_document(language: Language, seed: int):
    matcher = compiled(language).matcher()
    for token_id in walk(language, seed, 12):
        matcher.accept(token_id)
        closed = matcher.fork()
        ids = {token: number for number, token in enumerate(vocabulary(language).tokens)}
        assert all(closed.accept(ids[bytes((byte,))]) for byte in matcher.closing())
        assert closed.is_complete()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_rollback_and_fork_equal_replay(language: Language):
    tokens = walk(language, 3, 12)
    matcher = compiled(language).matcher()
    states = [matcher.state_id]
    for token_id in tokens:
        assert matcher.accept(token_id)
        states.append(matcher.state_id)
    twin = matcher.fork()
    for count in range(1, len(tokens) + 1):
        matcher.rollback(1)
        assert matcher.state_id == states[-1 - count]
    assert twin.state_id == states[-1]
    assert all(matcher.accept(token_id) for token_id in tokens)
    assert matcher.state_id == states[-1]
