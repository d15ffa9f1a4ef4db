"""Arrays as rules, where ``test_lower`` does not go: prefixes, different values, counted items."""

from __future__ import annotations

import pytest

from schema_compiler.grammar.ir import Choice, Reference
from schema_compiler.grammar.printing import print_grammar
from schema_compiler.lowering.layout import Whitespace
from schema_compiler.lowering.lower import lower
from schema_compiler.schema.ir import (
    Array,
    Boolean,
    Contains,
    Enumeration,
    ItemClass,
    Never,
    NormalizedSchema,
    Null,
    Number,
    Schema,
    String,
)

NULL, INTEGER = Null(), Number(integer=True)
COUNTED, OTHER = ItemClass(NULL, frozenset({0})), ItemClass(Boolean(), frozenset())


def rules(schema: Schema, whitespace: Whitespace = "spaced") -> list[str]:
    """All rules but the start rule."""
    return print_grammar(lower(NormalizedSchema(schema, {}), whitespace)).splitlines()[1:]


CASES: dict[str, tuple[Array, list[str]]] = {
    "a prefix, then alike items": (
        Array(prefix=(NULL,), items=INTEGER, min_items=2),
        [
            'root ::= "[null" root/items.1',
            'root/items.1 ::= (", " <integer>)+ "]"',
        ],
    ),
    "a prefix that may end early": (
        Array(prefix=(NULL, INTEGER), items=Never()),
        [
            'root ::= "[" (("null" root/items.1) | "]")',
            'root/items.1 ::= (", " <integer> root/items.2) | "]"',
            'root/items.2 ::= "]"',
        ],
    ),
    "no items": (Array(items=NULL, max_items=0), ['root ::= "[]"']),
    "no item is possible": (Array(items=Never()), ['root ::= "[]"']),
    "an item is required, and none is possible": (Array(items=Never(), min_items=1), ["root ::= <never>"]),
    "different strings": (
        Array(items=String(), unique=True),
        ['root ::= "[" ((<string>! (", " <string>!)* "]") | "]")'],
    ),
    "different strings behind a prefix are not told apart": (
        Array(prefix=(NULL,), items=String(), unique=True, min_items=1),
        ['root ::= "[null" root/items.1', 'root/items.1 ::= (", " <string>)* "]"'],
    ),
    "different constants": (
        Array(items=Enumeration(("a", 1), fraction=True), unique=True),
        [r'root ::= "[" ((("\"a\"" | "1" | "1.0")!{1,2} by <comma> "]") | "]")'],
    ),
    "different constants, so many at least": (
        Array(items=Boolean(), unique=True, min_items=2, max_items=7),
        ['root ::= "[" ("true" | "false")!{2,2} by <comma> "]"'],
    ),
    "more different constants than there are": (
        Array(items=Boolean(), unique=True, min_items=3),
        ["root ::= <never>"],
    ),
    "no more than one that counts": (
        Array(items=NULL, contains=(Contains(items=NULL, maximum=1),), item_classes=((OTHER, COUNTED),), max_items=2),
        [
            'root ::= "[" ((("true" | "false") root/items.1.0) | ("null" root/items.1.1))',
            'root/items.1.0 ::= ", null" root/items.2.1',
            'root/items.2.1 ::= "]"',
            'root/items.1.1 ::= (", " ("true" | "false") root/items.2.1) | "]"',
        ],
    ),
    "a class that has no values": (
        Array(
            items=NULL,
            contains=(Contains(items=NULL),),
            item_classes=((ItemClass(Never(), frozenset()), COUNTED),),
        ),
        ['root ::= "[null" root/items.1.1', 'root/items.1.1 ::= (", null" root/items.1.1) | "]"'],
    ),
    "classes by index": (
        Array(
            prefix=(Boolean(),),
            items=NULL,
            contains=(Contains(items=NULL),),
            item_classes=((OTHER,), (COUNTED,)),
        ),
        [
            'root ::= "[" ("true" | "false") root/items.1.0',
            'root/items.1.0 ::= ", null" root/items.1.1',
            'root/items.1.1 ::= (", null" root/items.1.1) | "]"',
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_arrays(name: str) -> None:
    array, expected = CASES[name]
    assert rules(array) == expected


def test_different_values_that_are_no_literals() -> None:
    """A rule is named by the values that are used, the bits of a hexadecimal number."""
    assert rules(Array(items=Enumeration(([1], 2)), unique=True, max_items=2), "flexible") == [
        "root ::= <[ws> (<ws]> | root/without.0.from.0)",
        'root/without.0.from.0 ::= (<[ws> "1" <ws]> root/without.1) | ("2" root/without.2)',
        "root/without.1 ::= <ws]> | root/without.1.from.0",
        'root/without.1.from.0 ::= <ws,ws> "2" root/without.3',
        "root/without.3 ::= <ws]>",
        "root/without.2 ::= <ws]> | root/without.2.from.0",
        'root/without.2.from.0 ::= <ws,ws> <[ws> "1" <ws]> root/without.3',
    ]


def test_many_different_values_are_offered_a_few_in_each_rule() -> None:
    values = Enumeration(tuple([number] for number in range(40)))
    grammar = lower(NormalizedSchema(Array(items=values, unique=True), {}), "flexible")
    for name in ("document", "root"):  # rules are named by those that refer to them
        grammar.rules[name]
    sizes = {}
    following: str | None = "root/without.0.from.0"
    while following:
        body = grammar.rules[following]
        assert isinstance(body, Choice)
        last = body.options[-1]
        sizes[following] = len(body.options)
        following = last.rule if isinstance(last, Reference) else None
    assert sizes == {"root/without.0.from.0": 17, "root/without.0.from.16": 17, "root/without.0.from.32": 8}
