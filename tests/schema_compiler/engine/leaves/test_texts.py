"""Leaves that are lists of texts, alone and as lists of different ones, against their languages written out."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest

from schema_compiler.engine.leaves.distinct_pieces import DistinctPieces
from schema_compiler.engine.leaves.document import DocumentLeaf
from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.leaves.passage import Passage
from schema_compiler.engine.leaves.pieces import pieces_of
from schema_compiler.engine.leaves.texts import TextsLeaf
from schema_compiler.engine.tokens.token_sets import union_of
from schema_compiler.engine.tokens.trie import ROOT
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.regular.automata.dfa import literal
from tests.assembly import ids_of

WORDS = [
    b"12",
    b"1, ",
    b", 1",
    b"2, 3",
    b'"a',
    b'a"',
    b'"a", "',
    b'b", "a',
    b'", "ab"',
    b'"]',
    b"3]",
    b"12, 1",
    b'"a", "a"',
]
VOCABULARY = Vocabulary([*(bytes((byte,)) for byte in range(128)), *WORDS, None], [128 + len(WORDS)])
NUMBERS = (b"1", b"12", b"123", b"3.5", b"-1", b"2")


def check(leaf: LeafLanguage, language: set[bytes], prefix: bytes) -> None:
    """Step, scan and closing behind ``prefix``; a token that the leaf ends inside is for its callers."""
    state = leaf.start
    for byte in prefix:
        assert byte in leaf.bytes_from(state)
        state = leaf.step(state, byte)
    begun = {text[:count] for text in language for count in range(len(text) + 1)}
    expected = {i for i, token in enumerate(VOCABULARY.tokens) if token and prefix + token in begun}
    scan = leaf.scan(VOCABULARY.trie, ROOT, state)
    assert ids_of(union_of(scan.token_sets, VOCABULARY.trie), VOCABULARY) == expected
    exits = {VOCABULARY.trie.spell(node) for node in scan.apart}
    going_on = [token for token in VOCABULARY.tokens if token]
    assert exits == {
        token[:count] for token in going_on for count in range(1, len(token)) if prefix + token[:count] in language
    }
    assert set(leaf.bytes_from(state)) == {text[len(prefix)] for text in begun if text[:-1] == prefix and text}
    assert leaf.accepting(state) == scan.nullable == (prefix in language)
    assert prefix + leaf.closing(state) in language


@pytest.mark.parametrize("texts", [NUMBERS, (b'"a"', b'"ab"', b'"b"'), (b'"a"',)])
def test_a_list_of_texts(texts: tuple[bytes, ...]) -> None:
    leaf = TextsLeaf(texts)
    for prefix in {text[:count] for text in texts for count in range(len(text) + 1)}:
        check(leaf, set(texts), prefix)
        state = leaf.start
        for byte in prefix:
            state = leaf.step(state, byte)
        endings = {text[len(prefix) :] for text in texts if text.startswith(prefix)}
        assert set(leaf.endings(state, 10)) == endings
        assert len(min(leaf.endings(state, 1), key=len)) == min(map(len, endings))


def test_a_list_without_texts_is_an_error() -> None:
    for texts in ([], [b""]):
        with pytest.raises(ValueError, match="none of them empty"):
            TextsLeaf(texts)


def lists(texts: list[bytes], minimum: int, maximum: int | None) -> set[bytes]:
    """All lists of different texts."""
    counts = range(minimum, min(maximum or len(texts), len(texts)) + 1)
    return {b", ".join(one) for count in counts for one in permutations(texts, count)}


def document_leaf(text: str) -> tuple[DocumentLeaf, list[bytes]]:
    """The leaf of all pieces of a text, and these."""
    passage, everywhere = Passage(text), np.ones(len(text) + 1, np.bool_)
    size = len(text)
    texts = {b'"%s"' % text[a:b].encode() for a in range(size) for b in range(a + 1, size + 1)}
    return DocumentLeaf(passage, pieces_of(passage, everywhere, everywhere)), sorted(texts)


@pytest.mark.parametrize(("minimum", "maximum"), [(1, None), (2, 2), (1, 3), (3, 3)])
@pytest.mark.parametrize("texts", [NUMBERS[:4], (b'"a"', b'"ab"', b'"b"'), "ab", "aab"])
def test_a_list_of_different_texts(texts: tuple[bytes, ...] | str, minimum: int, maximum: int | None) -> None:
    if isinstance(texts, str):
        inner, listed = document_leaf(texts)
    else:
        inner, listed = TextsLeaf(texts), list(texts)
    comma = literal(b", ")
    leaf = DistinctPieces(inner, VOCABULARY.leaves.plain(comma.digest, comma), minimum, maximum)
    language = lists(listed, minimum, maximum)
    prefixes = sorted({text[:count] for text in language for count in range(len(text) + 1)})
    for prefix in random.Random(2).sample(prefixes, min(len(prefixes), 60)):
        check(leaf, language, prefix)
