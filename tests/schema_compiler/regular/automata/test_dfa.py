"""Single automata: reading, shortest texts, minimality, what identifies them."""

from __future__ import annotations

import numpy as np
import pytest

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.automata.dfa import canonical, crawl, empty, literal
from schema_compiler.regular.automata.operations import concatenate, intersect
from tests.schema_compiler.regular.walks import accepted_texts


def test_the_example_of_the_module() -> None:
    by_hand = crawl(0, lambda at: [(b"ab"[at : at + 1], at + 1)] if at < 2 else [], lambda at: at == 2)
    assert by_hand.digest == literal(b"ab").digest
    assert accepted_texts(by_hand, b"abc", 4) == {b"ab"}


@pytest.mark.parametrize("text", [b"", b"a", b"aa", b"\x00\xff\x00"])
def test_one_text(text: bytes) -> None:
    assert accepted_texts(literal(text), b"a\x00\xff", 4) == {text}
    assert len(literal(text)) == len(text) + 1
    assert literal(text).shortest() == text


def test_long_texts_are_within_the_limit() -> None:
    assert literal(b"a" * 30_000).accepts(b"a" * 30_000)


def test_infinite_languages_with_equal_tails_are_merged() -> None:
    # (a|b)a* written with a loop of its own behind each first byte
    dfa = crawl("", lambda at: [(b"a", at or "x"), (b"b", at or "y")] if not at else [(b"a", at)], bool)
    assert len(dfa) == 2


def test_long_cyclic_chains_are_not_merged() -> None:
    # a* of multiples of 500: all states look alike until a whole turn is made
    dfa = crawl(0, lambda count: [(b"a", (count + 1) % 500)], lambda count: count == 0)
    assert len(dfa) == 500


def test_of_the_shortest_texts_the_first() -> None:
    dfa = crawl(
        "", lambda text: [((byte,), text + chr(byte)) for byte in b"bac" if len(text) < 3], lambda text: len(text) >= 2
    )
    assert dfa.shortest() == b"aa"


def test_the_empty_language() -> None:
    dfa = intersect(literal(b"a"), literal(b"b"))
    assert dfa.is_empty
    assert dfa.digest == empty().digest
    assert len(dfa) == 1
    assert not dfa.accepts(b"")
    assert concatenate(dfa, literal(b"a")).is_empty
    assert not literal(b"").is_empty
    with pytest.raises(ValueError, match="no shortest text"):
        dfa.shortest()


def test_boundaries_are_kept_apart() -> None:
    marked = crawl(0, lambda at: [(b"a", 1 - at)], lambda _: True, boundary=lambda at: at == 1)
    plain = crawl(0, lambda at: [(b"a", 1 - at)], lambda _: True)
    assert (len(marked), len(plain)) == (2, 1)
    assert marked.digest != plain.digest


def test_tables_with_a_column_for_each_class_of_bytes() -> None:
    """As with a column for every byte."""
    classes = np.array([chr(byte).isdigit() for byte in range(256)], np.intp)
    narrow = np.array([[-1, 1], [-1, 2], [-1, 1]], np.int32)
    accepting, boundary = np.array([False, True, False]), np.zeros(3, np.bool_)
    dfa = canonical(narrow, accepting, boundary, classes)
    assert dfa.digest == canonical(narrow[:, classes], accepting, boundary).digest
    assert [dfa.accepts(text) for text in (b"", b"1", b"12", b"123", b"a", b"1a1")] == [False, True, False, True] + [
        False
    ] * 2


def test_the_state_budget_is_enforced() -> None:
    with pytest.raises(CompileBudgetError, match="more than 10 states"):
        crawl(0, lambda at: [(b"a", at + 1)], lambda _: True, limit=10)
