"""Trie, positions and vocabularies against lists of strings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.engine.tokens.trie import NOWHERE, ROOT, NodeSet, Trie
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import VocabularyError
from tests.assembly import ids_in
from tests.vocabularies import made_up_vocabulary

TEXTS = st.lists(st.one_of(st.none(), st.binary(max_size=4), st.text("ab", max_size=4).map(str.encode)), max_size=30)


def walk(trie: Trie, start: NodeSet, text: bytes) -> NodeSet:
    """The position after ``text``."""
    for byte in text:
        start = trie.child(start, byte) if start != NOWHERE else NOWHERE
    return start


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_trie_finds_every_token(tokens: list[bytes | None]) -> None:
    """By walking its text, and no other token on the way."""
    trie = Trie.of(tokens)
    texts = {text for text in tokens if text}
    assert trie.size == 1 + len({text[:length] for text in texts for length in range(1, len(text) + 1)})
    for text in texts:
        node_set = walk(trie, ROOT, text)
        assert node_set != NOWHERE
        assert sorted(trie.tokens(node_set)) == [number for number, other in enumerate(tokens) if other == text]


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.lists(st.binary(min_size=1, max_size=2), min_size=1, max_size=4), st.binary(min_size=1, max_size=2))
def test_union_positions_are_sets_of_places(tokens: list[bytes | None], prefixes: list[bytes], rest: bytes) -> None:
    """A union goes on with whatever any of its members goes on with, and equal unions are one number."""
    trie = Trie.of(tokens)
    places = [place for prefix in prefixes if (place := walk(trie, ROOT, prefix)) != NOWHERE]
    union = trie.union(places)
    assert union == trie.union([*reversed(places), *places])
    after = walk(trie, union, rest)
    expected = {number for number, text in enumerate(tokens) for prefix in prefixes if text and text == prefix + rest}
    assert set(() if after == NOWHERE else trie.tokens(after)) == expected


def test_children_and_tokens_of_many_nodes() -> None:
    """The vectorised gathers against one node at a time."""
    trie = Trie.of([b"a", b"ab", b"b", b"ba", b"bb", b"b"])
    nodes = np.array([0, 1, 2], np.int32)
    children, owner = trie.children(nodes)
    assert [(int(nodes[o]), int(c)) for c, o in zip(children, owner, strict=True)] == [
        (node, child) for node in nodes.tolist() for child in range(trie.first_child[node], trie.first_child[node + 1])
    ]
    ids, where = trie.tokens_at(nodes)
    assert sorted(zip(where.tolist(), ids.tolist(), strict=True)) == [(1, 0), (2, 2), (2, 5)]


@pytest.mark.parametrize("size", [1, 31, 32, 33, 64, 100])
def test_rows_are_packed_little_endian(size: int) -> None:
    """Bit ``t % 32`` of word ``t // 32``, nothing beyond the last token."""
    vocabulary = Vocabulary([b"x"] * size, [0] if size == 1 else [size - 1]) if size > 1 else None
    if vocabulary is None:
        vocabulary = Vocabulary([b"x", None], [1])
    row = vocabulary.trie.row([len(vocabulary) - 1, 0])
    assert ids_in(row, vocabulary) == [0, len(vocabulary) - 1]
    assert int(row[0]) & 1 == 1


def test_vocabulary_checks_its_arguments() -> None:
    """Errors say what was expected and what was found."""
    for tokens, eos, message in (
        ([b"a"], [], "at least one EOS"),
        ([b"a"], [1], "EOS token id 1 is outside the vocabulary of 1 tokens"),
        ([b"a"], [-1], "EOS token id -1 is outside"),
        ([None, b""], [0], "none of the 2 tokens stands for text"),
        ([b"</s>"], [0], "none of the 1 tokens stands for text"),
    ):
        with pytest.raises(VocabularyError, match=message):
            Vocabulary(tokens, eos)


def test_fingerprint_tells_vocabularies_apart() -> None:
    """By text, by place, by EOS; not by how they were made."""
    vocabularies = [
        Vocabulary([b"a", b"b", None], [2]),
        Vocabulary([b"b", b"a", None], [2]),
        Vocabulary([b"ab", b"", None], [2]),
        Vocabulary([b"a", b"b", None], [1]),
        Vocabulary([b"a", b"b", None, None], [2]),
        Vocabulary([b"a", b"b", None], [1, 2]),
    ]
    assert len({vocabulary.fingerprint for vocabulary in vocabularies}) == len(vocabularies)
    assert Vocabulary((b"a", b"b", b"</s>"), {2}).fingerprint == vocabularies[0].fingerprint


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_tokenize_spells_the_text(text: str) -> None:
    """Whatever the text, and with few tokens."""
    vocabulary = made_up_vocabulary()
    ids = vocabulary.tokenize(text.encode())
    assert b"".join(vocabulary.tokens[token_id] or b"" for token_id in ids) == text.encode()


def test_tokenize_backs_off() -> None:
    """The longest match first, unless that strands."""
    vocabulary = Vocabulary([b"a", b"ab", b"bc", b"abc", b"abcd", None], [5])
    assert vocabulary.tokenize(b"abc") == [3]
    assert vocabulary.tokenize(b"abbc") == [1, 2]
    assert vocabulary.tokenize(b"abcbc") == [3, 2]
    with pytest.raises(VocabularyError, match="no sequence of tokens spells b'abcx'"):
        vocabulary.tokenize(b"abcx")
