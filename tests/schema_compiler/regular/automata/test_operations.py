"""Operations on automata, against the same operations on finite sets of texts."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa, crawl, empty, literal
from schema_compiler.regular.automata.literals import from_literals
from schema_compiler.regular.automata.operations import (
    any_of_all,
    concatenate,
    difference,
    intersect,
    optional,
    union,
)
from tests.schema_compiler.regular.walks import accepted_texts

BYTES = b"a\x00\xff"
texts = st.frozensets(st.lists(st.sampled_from(BYTES), max_size=4).map(bytes), max_size=8)


def language(dfa: Dfa) -> set[bytes]:
    return accepted_texts(dfa, BYTES, 8)


def multiples(count: int) -> Dfa:
    """Texts of ``a`` alone, of a length that ``count`` divides."""
    return crawl(0, lambda length: [(b"a", (length + 1) % count)], lambda length: length == 0)


@given(texts, texts)
@settings(max_examples=80, deadline=None)
def test_operations_are_those_of_sets(left: frozenset[bytes], right: frozenset[bytes]) -> None:
    a, b = from_literals(left), from_literals(right)
    assert language(union(a, b)) == left | right
    assert language(intersect(a, b)) == left & right
    assert language(difference(a, b)) == left - right
    assert language(concatenate(a, b)) == {x + y for x, y in product(left, right)}
    assert language(optional(a)) == left | {b""}


@given(st.lists(st.lists(texts, min_size=1, max_size=3), min_size=1, max_size=3))
@settings(max_examples=80, deadline=None)
def test_any_of_all_is_a_union_of_intersections(groups: list[list[frozenset[bytes]]]) -> None:
    expected = frozenset.union(*(frozenset.intersection(*group) for group in groups))
    assert language(any_of_all([[from_literals(part) for part in group] for group in groups])) == expected


@pytest.mark.parametrize(("left", "right"), [(2, 3), (4, 6), (5, 5), (1, 7)])
def test_operations_on_endless_languages(left: int, right: int) -> None:
    """Against the lengths that the numbers divide."""
    a, b = multiples(left), multiples(right)
    for length in range(3 * left * right):
        text = b"a" * length
        in_left, in_right = length % left == 0, length % right == 0
        assert union(a, b).accepts(text) == (in_left or in_right)
        assert intersect(a, b).accepts(text) == (in_left and in_right)
        assert difference(a, b).accepts(text) == (in_left and not in_right)
        assert concatenate(a, b).accepts(text) == any((length - x) % right == 0 for x in range(0, length + 1, left))


def test_without_parts() -> None:
    assert concatenate().digest == literal(b"").digest
    assert union().is_empty
    assert concatenate(empty(), literal(b"a")).is_empty
    assert concatenate(literal(b"a"), empty()).is_empty


def test_boundaries_are_those_of_any_part() -> None:
    """But what is taken away marks nothing."""
    marked = crawl(0, lambda at: [(b"a", 1 - at)], lambda _: True, boundary=lambda at: at == 1)
    plain = crawl(0, lambda at: [(b"a", 1 - at)], lambda _: True)
    assert intersect(plain, marked).digest == marked.digest
    assert union(plain, marked).digest == marked.digest
    assert not difference(plain, intersect(marked, literal(b"a"))).boundary.any()
    assert concatenate(literal(b"b"), marked).boundary.tolist() == [False, False, True]


def test_the_budget_of_products() -> None:
    """447 and 449 have no common divisor, so the product has 200,703 states."""
    with pytest.raises(CompileBudgetError, match="more than 200000 states"):
        intersect(multiples(447), multiples(449))
