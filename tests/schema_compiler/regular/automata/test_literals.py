"""Automata of lists of texts, against the lists."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import empty, literal
from schema_compiler.regular.automata.literals import from_literals
from schema_compiler.regular.automata.operations import union
from tests.schema_compiler.regular.walks import accepted_texts

BYTES = b"a\x00\xff"
texts = st.frozensets(st.lists(st.sampled_from(BYTES), max_size=4).map(bytes), max_size=8)


def residuals(members: frozenset[bytes]) -> int:
    """How many states the minimal automaton of a finite set has (Myhill and Nerode), the dead one left out."""
    prefixes = {text[:length] for text in members for length in range(len(text) + 1)} | {b""}
    return len({frozenset(text[len(prefix) :] for text in members if text.startswith(prefix)) for prefix in prefixes})


@given(texts)
@settings(max_examples=80, deadline=None)
def test_automata_are_minimal_and_canonical(members: frozenset[bytes]) -> None:
    direct = from_literals(members)
    stepwise = union(empty(), *(literal(text) for text in sorted(members, reverse=True)))
    assert accepted_texts(direct, BYTES, 8) == members
    assert len(direct) == residuals(members)
    assert direct.digest == stepwise.digest
    assert direct.is_empty == (not members)
    if members:
        assert direct.shortest() == min(members, key=lambda text: (len(text), text))


def test_order_and_repetitions_do_not_matter() -> None:
    numbers = [str(number).encode() for number in range(300)]
    shuffled = numbers + numbers[:50]
    Random(0).shuffle(shuffled)
    assert from_literals(shuffled).digest == from_literals(numbers).digest


def test_branches_that_end_alike_are_shared() -> None:
    assert len(from_literals([b"bat", b"cat"])) == 4
    assert len(from_literals(f"{left}{right}".encode() for left in range(10) for right in range(10))) == 3


def test_the_limit_on_states() -> None:
    assert len(from_literals([b"a" * 9, b"b"], limit=10)) == 10
    with pytest.raises(CompileBudgetError, match="the limit is 10"):
        from_literals([b"a" * 30, b"b"], limit=10)
