"""Objects as rules, where ``test_lower`` does not go: open objects, bounds on members, obligations."""

from __future__ import annotations

import pytest

from schema_compiler.grammar.printing import print_grammar
from schema_compiler.lowering.lower import lower
from schema_compiler.schema.ir import (
    Alternative,
    Boolean,
    KeyRule,
    Never,
    NormalizedSchema,
    Null,
    Object,
    Property,
    String,
)

NULL = Null()
ANY_KEY = KeyRule(String(), NULL)
FIRST = frozenset({0})

CASES: dict[str, tuple[Object, list[str]]] = {
    "nothing": (Object(), ['root ::= "{" root/members.0.0', 'root/members.0.0 ::= "}"']),
    "a forbidden property": (
        Object((Property("a", Never(), False),)),
        [
            'root ::= "{" root/members.0.0',
            "root/members.0.0 ::= root/members.1.0",
            'root/members.1.0 ::= "}"',
        ],
    ),
    "a name that has to be escaped": (
        Object((Property('a/~"', NULL, True),)),
        [
            'root ::= "{" root/members.0.0',
            r'root/members.0.0 ::= "\"a/~\\\"\": " root/a~1~0"/value.1.1',
            'root/a~1~0"/value.1.1 ::= "null" root/members.1.1',
            'root/members.1.1 ::= "}"',
        ],
    ),
    "declared and other keys": (
        Object((Property("a", NULL, True),), (ANY_KEY,)),
        [
            'root ::= "{" root/members.0.0',
            'root/members.0.0 ::= (<key but "a">! ": " root/rule.0/value.0.1) | root/declared.0.0',
            'root/rule.0/value.0.1 ::= "null" root/members.0.1',
            'root/members.0.1 ::= (", " <key but "a">! ": " root/rule.0/value.0.1) | root/declared.0.1',
            r'root/declared.0.1 ::= ", \"a\": " root/a/value.1.1',
            'root/a/value.1.1 ::= "null" root/members.1.1',
            'root/members.1.1 ::= (", " <key but "a">! ": " root/rule.0/value.1.1) | "}"',
            'root/rule.0/value.1.1 ::= "null" root/members.1.1',
            r'root/declared.0.0 ::= "\"a\": " root/a/value.1.1',
        ],
    ),
    "two members of any keys": (
        Object((), (ANY_KEY,), min_properties=2, max_properties=2),
        [
            'root ::= "{" root/members.0.0',
            'root/members.0.0 ::= <key>! ": " root/rule.0/value.0.1',
            'root/rule.0/value.0.1 ::= "null" root/members.0.1',
            'root/members.0.1 ::= ", " <key>! ": " root/rule.0/value.0.2',
            'root/rule.0/value.0.2 ::= "null" root/members.0.2',
            'root/members.0.2 ::= "}"',
        ],
    ),
    "an obligation met by absence": (
        Object(
            (Property("a", Boolean(), False),),
            alternatives=(Alternative(FIRST, "a", None),),
        ),
        [
            'root ::= "{" root/members.0.0.0',
            "root/members.0.0.0 ::= root/members.1.0",
            'root/members.1.0 ::= "}"',
        ],
    ),
    "an obligation met by one of two members": (
        Object(
            (Property("a", Boolean(), True), Property("b", Boolean(), False)),
            alternatives=(Alternative(FIRST, "a", NULL), Alternative(FIRST, "b", Boolean())),
        ),
        [
            'root ::= "{" root/members.0.0.0',
            r'root/members.0.0.0 ::= ("\"a\": " root/a/value.1.1.0) | ("\"a\": " root/a.1/value.1.1)',
            'root/a/value.1.1.0 ::= ("true" | "false") root/members.1.1.0',
            r'root/members.1.1.0 ::= ", \"b\": " root/b.0/value.2.1',
            'root/b.0/value.2.1 ::= ("true" | "false") root/members.2.1',
            'root/members.2.1 ::= "}"',
            'root/a.1/value.1.1 ::= "null" root/members.1.1',
            r'root/members.1.1 ::= (", \"b\": " root/b/value.2.1) | root/members.2.1',
            'root/b/value.2.1 ::= ("true" | "false") root/members.2.1',
        ],
    ),
    "an obligation met by an undeclared member": (
        Object((), (ANY_KEY,), alternatives=(Alternative(FIRST, String(), Boolean()),)),
        [
            'root ::= "{" root/members.0.0.0',
            'root/members.0.0.0 ::= (<key>! ": " root/rule.0/value.0.1.0) | (<key>! ": " root/rule.1/value.0.1)',
            'root/rule.0/value.0.1.0 ::= "null" root/members.0.1.0',
            'root/members.0.1.0 ::= (", " <key>! ": " root/rule.0/value.0.1.0) '
            '| (", " <key>! ": " root/rule.1/value.0.1)',
            'root/rule.1/value.0.1 ::= ("true" | "false") root/members.0.1',
            'root/members.0.1 ::= (", " <key>! ": " root/rule.0/value.0.1) | "}"',
            'root/rule.0/value.0.1 ::= "null" root/members.0.1',
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_objects(name: str) -> None:
    schema, expected = CASES[name]
    assert print_grammar(lower(NormalizedSchema(schema, {}))).splitlines()[1:] == expected
