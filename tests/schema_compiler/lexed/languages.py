"""Small languages, each with lexemes of all its terminals: behaviour as data for the masks and for the oracle."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ARITHMETIC", "JSON", "LANGUAGES", "MUNCH", "RANGES", "STATEMENTS", "Language"]


@dataclass(frozen=True, slots=True)
class Language:
    """A Lark grammar, a text of every terminal, and texts to make tokens of."""

    name: str
    grammar: str
    lexemes: tuple[str, ...]
    documents: tuple[str, ...]


JSON = Language(
    "JSON",
    r"""
    ?start: value
    ?value: object | array | STRING | NUMBER | "true" | "false" | "null"
    object: "{" [pair ("," pair)*] "}"
    pair: STRING ":" value
    array: "[" [value ("," value)*] "]"
    STRING: /"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
    NUMBER: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/
    %ignore /[ \t\n\r]+/
    """,
    ('"a"', '"\\u00e9"', "-1.5e-7", "0", "true", "false", "null", "{", "}", "[", "]", ",", ":", " "),
    ('{"a": [1, -2.5e+3, true], "b": {"c": null}}', '[[], {}, "x\\n", 0.1, false]', '{"name": "x y", "n": 12}'),
)

ARITHMETIC = Language(
    "arithmetic",
    r"""
    ?start: sum
    ?sum: product | sum ("+" | "-") product
    ?product: power | product ("*" | "/") power
    ?power: atom | atom "**" power
    ?atom: NUMBER | NAME | "-" atom | "(" sum ")"
    NUMBER: /[0-9]+(\.[0-9]+)?/
    NAME: /[a-z_][a-z0-9_]*/
    %ignore /[ \t]+/
    """,
    ("1.5", "a_1", "+", "-", "*", "/", "**", "(", ")", " "),
    ("1 + 2*(x - 3.5)**2", "(a+b)*-c/d", "-(1.25) ** y_1"),
)

STATEMENTS = Language(
    "statements",
    r"""
    start: statement*
    statement: NAME "=" test ";" | "if" test ":" statement | "print" test ";" | "{" statement* "}"
    ?test: sum | test ("==" | "<=" | "<") sum
    ?sum: atom | sum "+" atom
    ?atom: NAME | NUMBER | STRING | "(" test ")"
    NAME: /[a-z]+/
    NUMBER: /[0-9]+(\.[0-9]+)?/
    STRING: /"[^"\n]*"/
    COMMENT: /#[^\n]*/
    %ignore /[ \n]+/
    %ignore COMMENT
    """,
    ("x", "12.5", '"s"', "#c", "\n", "=", ";", "if", ":", "print", "{", "}", "==", "<=", "<", "+", "(", ")"),
    ('if iffy == 1.5: x = "a b"; # note\nprint x;', "{ printer = (a <= b) + 2; if x<3: {} }", "ifx=1;if(x):y=x;"),
)

RANGES = Language(
    "ranges",
    r"""
    start: item ("," item)*
    item: INT ".." INT | FLOAT | INT "." NAME
    INT: /[0-9]+/
    FLOAT: /[0-9]+\.[0-9]+/
    NAME: /[a-z]+/
    """,
    ("1", "1.5", "a", "..", ".", ","),
    ("1..2,3.5,4.abs", "10..20", "1.5,2..3"),
)

MUNCH = Language(
    "munch",
    r"""
    start: (A | B C | STAR | "/" STAR A)*
    A: /a+/
    B: "b"
    C: /c(ab)?/
    STAR: "*"
    COMMENT: /\/\*.*?\*\//s
    %ignore COMMENT
    """,
    ("a", "b", "c", "cab", "*", "/", "/**/", "/*x*/"),
    ("aabcab", "bca*a", "/* a */a/*", "bcaa/**/*"),
)

LANGUAGES = (JSON, ARITHMETIC, STATEMENTS, RANGES, MUNCH)
