"""Operations on automata, against the same operations on finite sets of texts."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import Dfa, crawl, empty, literal
from schema_compiler.regular.automata.literals import from_literals
from schema_compiler.regular.automata.operations import concatenate, difference, intersect, optional, union

BYTES = b"a\x00\xff"
texts = st.frozensets(st.lists(st.sampled_from(BYTES), max_size=4).map(bytes), max_size=8)


def language(dfa: Dfa, longest: int = 8) -> set[bytes]:
    """All accepted texts over ``BYTES``."""
    found, paths = set(), {b"": 0}
    for _ in range(longest + 1):
        found |= {text for text, state in paths.items() if dfa.accepting[state]}
        paths = {
            text + bytes((byte,)): int(dfa.table[state, byte])
            for text, state in paths.items()
            for byte in BYTES
            if dfa.table[state, byte] >= 0
        }
    return found


def residuals(members: frozenset[bytes]) -> int:
    """How many states the minimal automaton of a finite set has (Myhill and Nerode), the dead one left out."""
    prefixes = {text[:length] for text in members for length in range(len(text) + 1)} | {b""}
    ways = {frozenset(text[len(prefix) :] for text in members if text.startswith(prefix)) for prefix in prefixes}
    return len(ways)


@given(texts, texts)
@settings(max_examples=80, deadline=None)
def test_operations_are_those_of_sets(left: frozenset[bytes], right: frozenset[bytes]) -> None:
    a, b = from_literals(left), from_literals(right)
    assert language(union(a, b)) == left | right
    assert language(intersect(a, b)) == left & right
    assert language(difference(a, b)) == left - right
    assert language(concatenate(a, b)) == {x + y for x, y in product(left, right)}
    assert language(optional(a)) == left | {b""}


@given(texts)
@settings(max_examples=80, deadline=None)
def test_automata_are_minimal_and_canonical(members: frozenset[bytes]) -> None:
    direct = from_literals(members)
    stepwise = union(empty(), *(literal(text) for text in sorted(members, reverse=True)))
    assert len(direct) == residuals(members)
    assert direct.digest == stepwise.digest
    assert direct.is_empty == (not members)
    if members:
        assert direct.shortest() == min(members, key=lambda text: (len(text), text))


def test_infinite_languages_with_equal_tails_are_merged() -> None:
    # (a|b)a* written with a loop of its own behind each first byte
    dfa = crawl("", lambda at: [(b"a", at or "x"), (b"b", at or "y")] if not at else [(b"a", at)], bool)
    assert len(dfa) == 2


def test_long_cyclic_chains_are_not_merged() -> None:
    # a* of multiples of 500: all states look alike until a whole turn is made
    dfa = crawl(0, lambda count: [(b"a", (count + 1) % 500)], lambda count: count == 0)
    assert len(dfa) == 500


def test_the_empty_language() -> None:
    dfa = intersect(literal(b"a"), literal(b"b"))
    assert dfa.is_empty
    assert len(dfa) == 1
    assert not dfa.accepts(b"")
    assert concatenate(dfa, literal(b"a")).is_empty
    assert concatenate().accepts(b"")
    assert union().is_empty
    with pytest.raises(ValueError, match="no shortest text"):
        dfa.shortest()


def test_boundaries_are_kept_apart() -> None:
    marked = crawl(0, lambda at: [(b"a", 1 - at)], lambda _: True, boundary=lambda at: at == 1)
    plain = crawl(0, lambda at: [(b"a", 1 - at)], lambda _: True)
    assert (len(marked), len(plain)) == (2, 1)
    assert marked.digest != plain.digest
    assert intersect(plain, marked).digest == marked.digest


def test_the_state_budget_is_enforced() -> None:
    with pytest.raises(CompileBudgetError, match="more than 10 states"):
        crawl(0, lambda at: [(b"a", at + 1)], lambda _: True, limit=10)
    with pytest.raises(CompileBudgetError, match="the limit is 10"):
        from_literals([b"a" * 30, b"b"], limit=10)
