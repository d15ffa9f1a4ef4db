"""Lowering: schemas and the grammars they become, as text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from schema_compiler.grammar.printing import print_grammar
from schema_compiler.lowering.lower import lower
from schema_compiler.schema import ir as s

NULL, INTEGER = s.Null(), s.Number(integer=True)


CASES: dict[str, tuple[s.Schema, str]] = {
    "null": (NULL, 'document ::= "null"'),
    "boolean": (s.Boolean(), 'document ::= "true" | "false"'),
    "string": (s.String(), "document ::= <string>"),
    "string with lengths": (s.String(1, 3), "document ::= <string>{1,3}"),
    "number": (s.Number(minimum=Decimal(1)), "document ::= <number >=1>"),
    "constants": (
        s.Enumeration((1, "a", None, {"a": [1, 2]})),
        'document ::= "1" | "\\"a\\"" | "null" | "{\\"a\\": [1, 2]}"',
    ),
    "many constants": (s.Enumeration(tuple(range(40))), "document ::= <enum>"),
    "never": (s.Never(), "document ::= <never>"),
    "array": (
        s.Array(items=NULL),
        'document ::= root\nroot ::= "[" (("null" ", null"* "]") | "]")',
    ),
    "array with bounds": (
        s.Array(items=INTEGER, min_items=1, max_items=3),
        'document ::= root\nroot ::= "[" <integer> (", " <integer>){0,2} "]"',
    ),
    "tuple": (
        s.Array(prefix=(NULL, INTEGER), items=s.Never(), min_items=2, max_items=2),
        'document ::= root\nroot ::= "[null" root/items.1\nroot/items.1 ::= ", " <integer> root/items.2\n'
        'root/items.2 ::= "]"',
    ),
    "optional properties": (
        s.Object((s.Property("a", NULL, False), s.Property("b", NULL, True))),
        'document ::= root\nroot ::= "{" root/members.0.0\n'
        'root/members.0.0 ::= ("\\"a\\": " root/a/value.1.1) | root/members.1.0\n'
        'root/a/value.1.1 ::= "null" root/members.1.1\n'
        'root/members.1.1 ::= ", \\"b\\": " root/b/value.2.1\n'
        'root/b/value.2.1 ::= "null" root/members.2.1\nroot/members.2.1 ::= "}"\n'
        'root/members.1.0 ::= "\\"b\\": " root/b/value.2.1',
    ),
    "at most one property": (
        s.Object((s.Property("a", NULL, False), s.Property("b", NULL, False)), min_properties=1, max_properties=1),
        'document ::= root\nroot ::= "{" root/members.0.0\n'
        'root/members.0.0 ::= ("\\"a\\": " root/a/value.1.1) | root/members.1.0\n'
        'root/a/value.1.1 ::= "null" root/members.1.1\n'
        'root/members.1.1 ::= root/members.2.1\nroot/members.2.1 ::= "}"\n'
        'root/members.1.0 ::= "\\"b\\": " root/b/value.2.1\n'
        'root/b/value.2.1 ::= "null" root/members.2.1',
    ),
    "at least one item that counts": (
        s.Array(
            items=NULL,
            contains=(s.Contains(items=NULL),),
            item_classes=((s.ItemClass(s.Boolean(), frozenset()), s.ItemClass(NULL, frozenset({0}))),),
            max_items=2,
        ),
        "document ::= root\n"
        'root ::= "[" ((("true" | "false") root/items.1.0) | ("null" root/items.1.1))\n'
        'root/items.1.0 ::= ", null" root/items.2.1\nroot/items.2.1 ::= "]"\n'
        'root/items.1.1 ::= (", " ("true" | "false") root/items.2.1) | (", null" root/items.2.1) | "]"',
    ),
    "an object that is not another": (
        s.Object(
            (s.Property("a", NULL, False),),
            alternatives=(s.Alternative(frozenset({0}), "a", NULL),),
        ),
        'document ::= root\nroot ::= "{" root/members.0.0.0\n'
        'root/members.0.0.0 ::= "\\"a\\": " root/a.0/value.1.1\n'
        'root/a.0/value.1.1 ::= "null" root/members.1.1\nroot/members.1.1 ::= "}"',
    ),
    "whole numbers in both spellings": (
        s.Enumeration((1, 2.5, [3.0, True]), fraction=True),
        'document ::= "1" | "1.0" | "2.5" | "[3.0, true]" | "[3, true]"',
    ),
    "undeclared keys": (
        s.Object((), (s.KeyRule(s.String(max_length=2), NULL),)),
        'document ::= root\nroot ::= "{" root/members.0.0\n'
        'root/members.0.0 ::= (<key>{0,2} ": " root/rule.0/value.0.1) | "}"\n'
        'root/rule.0/value.0.1 ::= "null" root/members.0.1\n'
        'root/members.0.1 ::= (", " <key>{0,2} ": " root/rule.0/value.0.1) | "}"',
    ),
    "keys of a pattern, which one of two forbidden names has": (
        s.Object(
            (s.Property("xy", s.Never(), False), s.Property("z", s.Never(), False)),
            (s.KeyRule(s.String(patterns=(s.Pattern("^x"),)), NULL),),
        ),
        'document ::= root\nroot ::= "{" root/members.0.0\n'
        'root/members.0.0 ::= (</^x/ but "xy">! ": " root/rule.0/value.0.1) | root/declared.0.0\n'
        'root/rule.0/value.0.1 ::= "null" root/members.0.1\n'
        'root/members.0.1 ::= (", " </^x/ but "xy">! ": " root/rule.0/value.0.1) | root/declared.0.1\n'
        "root/declared.0.1 ::= root/declared.1.1\nroot/declared.1.1 ::= root/declared.2.1\n"
        'root/declared.2.1 ::= "}"\n'
        "root/declared.0.0 ::= root/declared.1.0\nroot/declared.1.0 ::= root/declared.2.0\n"
        'root/declared.2.0 ::= "}"',
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_lower(name: str) -> None:
    """Spaced, as by default."""
    schema, expected = CASES[name]
    assert print_grammar(lower(s.NormalizedSchema(schema, {}))) == expected


def test_recursion_goes_through_rules() -> None:
    """A definition is one rule, lowered when asked for."""
    person = s.Object((s.Property("next", s.Union((s.Reference("P"), NULL)), True),))
    grammar = lower(s.NormalizedSchema(s.Reference("P"), {"P": person}))
    assert len(grammar.rules) == 0
    assert print_grammar(grammar) == (
        'document ::= $P\n$P ::= P\nP ::= "{" P/members.0.0\nP/members.0.0 ::= "\\"next\\": " P/next/value.1.1\n'
        'P/next/value.1.1 ::= P/next P/members.1.1\nP/next ::= $P | "null"\nP/members.1.1 ::= "}"'
    )


def test_compact_white_space() -> None:
    """Punctuation without any white space."""
    pair = (s.Property("a", s.Array(items=NULL), True), s.Property("b", s.Enumeration(({"c": [1, 2]},)), True))
    assert print_grammar(lower(s.NormalizedSchema(s.Object(pair), {}), "compact")) == (
        'document ::= root\nroot ::= "{" root/members.0.0\n'
        'root/members.0.0 ::= "\\"a\\":" root/a/value.1.1\n'
        "root/a/value.1.1 ::= root/a root/members.1.1\n"
        'root/a ::= "[" (("null" ",null"* "]") | "]")\n'
        'root/members.1.1 ::= ",\\"b\\":" root/b/value.2.1\n'
        'root/b/value.2.1 ::= "{\\"c\\":[1,2]}" root/members.2.1\n'
        'root/members.2.1 ::= "}"'
    )


def test_flexible_white_space() -> None:
    """Each mark is a leaf with the white space that JSON allows around it."""
    assert print_grammar(lower(s.NormalizedSchema(s.Array(items=NULL), {}), "flexible")) == (
        'document ::= <ws> root <ws>\nroot ::= <[ws> (("null" (<ws,ws> "null")* <ws]>) | <ws]>)'
    )


def test_bounds_cost_no_rules() -> None:
    """Thirty thousand items are not thirty thousand rules."""
    grammar = lower(s.NormalizedSchema(s.Array(items=NULL, min_items=20_000, max_items=30_000), {}))
    assert print_grammar(grammar) == 'document ::= root\nroot ::= "[null" ", null"{19999,29999} "]"'
