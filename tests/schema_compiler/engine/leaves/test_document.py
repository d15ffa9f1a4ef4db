"""Leaves of one document, alone and bound in a grammar, against all pieces written out."""

from __future__ import annotations

import json
import random
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt
import pytest

from schema_compiler.engine.leaves.document import DocumentLeaf
from schema_compiler.engine.leaves.passage import Passage
from schema_compiler.engine.leaves.pieces import pieces_of
from schema_compiler.engine.matchers import GrammarMatchers
from schema_compiler.engine.tokens.token_sets import union_of
from schema_compiler.engine.tokens.trie import ROOT
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import UnboundLeafError
from schema_compiler.grammar.ir import Bound, Expression, Grammar, Literal, choice, sequence
from tests.assembly import ids_of

TEXT = 'Total: 12.50 "RM"\n\tCafé 😀 naïve, abc abc abd \\ x\x01 total'
WORDS = [b"To", b'Total"', b"abc", b"c a", b' ab"', b"\xc3", b"\xa9", b'"ab', b'"', b'"}', b'", "b": "', b"\\n", b"\\"]
VOCABULARY = Vocabulary([*(bytes((byte,)) for byte in range(256)), *WORDS, None], [256 + len(WORDS)])


def pieces(starts: npt.NDArray[np.bool_], ends: npt.NDArray[np.bool_], text: str = TEXT) -> set[bytes]:
    """Every legal string, spelled."""
    spans = combinations(range(len(text) + 1), 2)
    return {json.dumps(text[i:j], ensure_ascii=False).encode() for i, j in spans if starts[i] and ends[j]}


def leaf_of(
    text: str, starts: npt.NDArray[np.bool_] | None = None, ends: npt.NDArray[np.bool_] | None = None
) -> DocumentLeaf:
    """The leaf of a text whose pieces begin and end anywhere, or where they are said to."""
    passage = Passage(text)
    everywhere = anywhere(text)
    return DocumentLeaf(
        passage,
        pieces_of(passage, everywhere if starts is None else starts, everywhere if ends is None else ends),
    )


def anywhere(text: str = TEXT) -> npt.NDArray[np.bool_]:
    """No restriction."""
    return np.ones(len(text) + 1, np.bool_)


def word_edges() -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Where words begin, and where they end."""
    inside = [False, *(character.isalnum() for character in TEXT), False]
    edges = list(pairwise(inside))
    return np.array([not left and right for left, right in edges]), np.array(
        [left and not right for left, right in edges]
    )


@pytest.mark.parametrize("by_words", [False, True])
def test_scans_and_closings_against_all_pieces(by_words: bool) -> None:
    """In every state that a prefix of a piece reaches, over the whole vocabulary."""
    starts, ends = word_edges() if by_words else (anywhere(), anywhere())
    legal = pieces(starts, ends)
    prefixes = {piece[:count] for piece in legal for count in range(len(piece) + 1)}
    leaf = leaf_of(TEXT, starts, ends)
    for prefix in random.Random(0).sample(sorted(prefixes - legal), 80):
        state = leaf.start
        for byte in prefix:
            assert byte in leaf.bytes_from(state)
            state = leaf.step(state, byte)
        admitted = ids_of(union_of(leaf.scan(VOCABULARY.trie, ROOT, state).token_sets, VOCABULARY.trie), VOCABULARY)
        assert admitted == {i for i, token in enumerate(VOCABULARY.tokens) if token and prefix + token in prefixes}
        following = {piece[len(prefix)] for piece in prefixes if piece.startswith(prefix) and len(piece) > len(prefix)}
        assert set(leaf.bytes_from(state)) == following
        closing = leaf.closing(state)
        assert prefix + closing in legal
        assert len(closing) == min(len(piece) - len(prefix) for piece in legal if piece.startswith(prefix))


def test_no_piece_is_an_error() -> None:
    """A document without a character, or without an end after any start."""
    with pytest.raises(ValueError, match="without any"):
        leaf_of("")
    starts = np.array([False, False, True, False])
    with pytest.raises(ValueError, match="without any"):
        leaf_of("abc", starts, ~starts & np.array([True, True, False, False]))


def bound_grammar() -> Grammar:
    """Two pieces of the document, with a choice between them that does not touch it."""
    colour: Expression = choice(Literal(b'"red"'), Literal(b'"reed"'))
    piece = Bound("document")
    body = sequence(Literal(b'{"a": '), piece, Literal(b', "b": '), piece, Literal(b', "c": '), colour, Literal(b"}"))
    return Grammar("s", {"s": body})


def test_a_grammar_is_bound_to_one_document_after_another() -> None:
    """Each matcher follows its own document; what is shared between them stays right."""
    matchers = GrammarMatchers(bound_grammar, VOCABULARY)
    for text in ("ab", "xyx", "ab", 'q"r'):
        legal = pieces(anywhere(text), anywhere(text), text)
        matcher = matchers.matcher({"document": leaf_of(text)})
        source, written = random.Random(len(text)), b""
        while not matcher.is_complete():
            token = source.choice(sorted(ids_of(matcher.mask(), VOCABULARY)))
            assert matcher.accept(token)
            written += VOCABULARY.tokens[token] or b""
        value = json.loads(written)
        assert {json.dumps(value[key], ensure_ascii=False).encode() for key in "ab"} <= legal
        assert value["c"] in {"red", "reed"}


def test_masks_of_a_bound_grammar_against_every_document() -> None:
    """Mask and accept agree with the enumerated language, token by token."""
    text = "aba"
    whole = {
        b'{"a": %s, "b": %s, "c": %s}' % (first, second, colour)
        for first in pieces(anywhere(text), anywhere(text), text)
        for second in pieces(anywhere(text), anywhere(text), text)
        for colour in (b'"red"', b'"reed"')
    }
    prefixes = {document[:count] for document in whole for count in range(len(document) + 1)}
    matchers = GrammarMatchers(bound_grammar, VOCABULARY)
    for document in random.Random(1).sample(sorted(whole), 12):
        matcher = matchers.matcher({"document": leaf_of(text)})
        for index, byte in enumerate(document):
            expected = {i for i, t in enumerate(VOCABULARY.tokens) if t and document[:index] + t in prefixes}
            assert ids_of(matcher.mask(), VOCABULARY) == expected
            assert matcher.accept(byte)


def test_a_missing_leaf_is_named() -> None:
    """Not a KeyError."""
    matchers = GrammarMatchers(bound_grammar, VOCABULARY)
    matcher = matchers.matcher({"receipt": leaf_of("ab")})
    with pytest.raises(UnboundLeafError, match=r"'document'.*\['receipt'\]"):
        any(not matcher.accept(byte) for byte in b'{"a": "')
