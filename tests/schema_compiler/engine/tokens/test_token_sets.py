"""Token sets in each of their forms, against plain sets."""

from __future__ import annotations

import random

import numpy as np
import pytest

from schema_compiler.engine.tokens.token_sets import (
    SparseMask,
    flatten,
    nbytes_of,
    token_set_of,
    token_sets_at,
    unflatten,
    union_of,
    without,
)
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from tests.assembly import ids_of

VOCABULARY = Vocabulary([f"{number:04}".encode() for number in range(5000)], [0])
TRIE = VOCABULARY.trie
FORMS = {"a few ids": (5, tuple), "words": (15, SparseMask), "a mask": (900, np.ndarray)}


def ids(size: int) -> np.ndarray:
    return np.array(random.Random(size).sample(range(5000), size), np.int32)


@pytest.mark.parametrize(("size", "form"), FORMS.values(), ids=FORMS)
def test_the_form_suits_the_size_and_holds_the_set(size: int, form: type) -> None:
    token_set = token_set_of(np.concatenate([ids(size), ids(size)[:3]]), TRIE)
    assert isinstance(token_set, form)
    assert ids_of(union_of([token_set], TRIE), VOCABULARY) == set(ids(size).tolist())
    (again,) = unflatten(flatten(token_set), TRIE)
    assert ids_of(union_of([again], TRIE), VOCABULARY) == set(ids(size).tolist())


def test_an_empty_set_is_stored_as_no_set() -> None:
    assert unflatten(np.empty(0, np.int32), TRIE) == ()
    assert token_sets_at(np.array([0], np.int32), TRIE) == ()


@pytest.mark.parametrize("sizes", [(5, 15), (15, 900), (900, 901, 3), (5, 6), (15, 16), (5,), (900,), ()])
def test_unions_are_those_of_sets_and_change_nothing(sizes: tuple[int, ...]) -> None:
    sets = [token_set_of(ids(size), TRIE) for size in sizes]
    before = [flatten(one).tolist() for one in sets]
    assert ids_of(union_of(sets, TRIE), VOCABULARY) == {token for size in sizes for token in ids(size).tolist()}
    assert [flatten(one).tolist() for one in sets] == before


@pytest.mark.parametrize(("size", "form"), FORMS.values(), ids=FORMS)
def test_a_set_less_a_few_tokens(size: int, form: type) -> None:
    """Tokens that are not in it do not matter, and the set itself stays."""
    token_set, absent = token_set_of(ids(size), TRIE), next(n for n in range(5000) if n not in ids(size))
    lost = [*ids(size)[:2].tolist(), absent]
    less = without(token_set, lost)
    assert isinstance(less, form)
    assert ids_of(union_of([less], TRIE), VOCABULARY) == set(ids(size).tolist()) - set(lost)
    assert ids_of(union_of([token_set], TRIE), VOCABULARY) == set(ids(size).tolist())
    assert without(token_set, []) is token_set


def test_larger_sets_take_more_memory_but_never_more_than_a_mask_and_its_share() -> None:
    sizes = [nbytes_of(token_set_of(ids(size), TRIE)) for size in (1, 5, 12)]
    assert sizes == sorted(set(sizes))
    assert nbytes_of(token_set_of(ids(4999), TRIE)) == 4 * TRIE.words
