"""The keys of undeclared members: as text, and which keys they are."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from schema_compiler.grammar.ir import Counted, Difference, Leaf
from schema_compiler.grammar.printing import print_expression
from schema_compiler.lowering.keys import undeclared_key
from schema_compiler.schema.ir import Number, Pattern, String

BEGINS_WITH_X = String(patterns=(Pattern("^x"),))


@pytest.mark.parametrize(
    ("names", "declared", "expected"),
    [
        (String(), [], "<key>"),
        (String(), ["a", "b"], '<key but "a", "b">'),
        (BEGINS_WITH_X, ["a"], "</^x/>"),
        (BEGINS_WITH_X, ["xa", "a"], '</^x/ but "xa">'),
        (String(patterns=(Pattern("^q$", negated=True),)), ["a"], '<key but "a", "q">'),
        (String(max_length=2), ["a"], "<key>{0,2}"),
        (String(patterns=(Pattern("^(a|b)$"),)), ["a", "b"], "<never>"),
        (Number(integer=True, quoted=True), ["1"], "<key>"),
    ],
)
def test_keys_as_text(names: String | Number, declared: list[str], expected: str) -> None:
    """Where every beginning goes on without end, the leaf is that of all keys."""
    assert print_expression(undeclared_key(names, frozenset(declared))) == expected


@pytest.mark.parametrize(
    ("names", "declared", "keys", "others"),
    [
        (String(max_length=2), ["a"], ["", "b", "ab"], ["a"]),
        (Number(integer=True, minimum=Decimal(1), quoted=True), ["2"], ["1", "22"], ["2", "0"]),
        (String(), ["a\x1f"], ["a", "a\x1e"], ["a\x1f"]),
    ],
)
def test_keys_with_a_table_of_their_own(
    names: String | Number, declared: list[str], keys: list[str], others: list[str]
) -> None:
    leaf = undeclared_key(names, frozenset(declared))
    assert isinstance(leaf, Leaf | Counted)
    assert not isinstance(leaf, Difference)
    assert all(leaf.dfa.accepts(json.dumps(key).encode()) for key in keys)
    assert not any(leaf.dfa.accepts(json.dumps(key).encode()) for key in others)


def test_no_spelling_of_a_declared_name_is_left() -> None:
    leaf = undeclared_key(String(), frozenset(["\x1f"]))
    assert isinstance(leaf, Leaf)
    assert not any(map(leaf.dfa.accepts, (b'"\\u001f"', b'"\\u001F"')))
