"""Small languages, each with lexemes of all its terminals: behaviour as data for the masks and for the oracle."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ARITHMETIC", "JSON", "LANGUAGES", "MUNCH", "PYTHON", "RANGES", "STATEMENTS", "Language"]


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

PYTHON = Language(
    "Python lines",
    r"""
    start: (_NEWLINE | simple _NEWLINE | compound _NEWLINE)*
    compound: "if" test ":" simple | "while" test ":" simple | "for" NAME "in" test ":" simple
        | "def" NAME "(" [parameters] ")" ":" simple
    simple: statement (";" statement)*
    ?statement: test | test ("=" | "+=" | "-=") test | "return" [test] | "pass" | "break" | "del" test
        | "import" NAME ("." NAME)* ["as" NAME] | "assert" test
    parameters: parameter ("," parameter)*
    parameter: NAME [":" test] ["=" test]
    ?test: or_test | or_test "if" or_test "else" test | "lambda" [NAME ("," NAME)*] ":" test
    ?or_test: and_test | or_test "or" and_test
    ?and_test: not_test | and_test "and" not_test
    ?not_test: comparison | "not" not_test
    ?comparison: sum | comparison _comparator sum
    _comparator: "<" | ">" | "==" | "!=" | "<=" | ">=" | "in" | "not" "in" | "is" | "is" "not"
    ?sum: product | sum ("+" | "-") product
    ?product: factor | product ("*" | "/" | "//" | "%" | "@") factor
    ?factor: power | ("-" | "~") factor
    ?power: primary | primary "**" factor
    ?primary: atom | primary "." NAME | primary "(" [argument ("," argument)*] ")" | primary "[" test [":" test] "]"
    argument: test | NAME "=" test
    ?atom: NAME | NUMBER | STRING | "None" | "True" | "False" | "..."
        | "(" [list] ")" | "[" [list] "]" | "{" [pairs] "}"
    list: test ("," test)* [","]
    pairs: test ":" test ("," test ":" test)* [","]
    NAME: /[^\W\d]\w*/
    NUMBER: /0x[0-9a-fA-F]+|[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?|\.[0-9]+([eE][-+]?[0-9]+)?/
    STRING: /[rbf]?("([^"\\\n]|\\.)*"|'([^'\\\n]|\\.)*')/
    COMMENT: /#[^\n]*/
    _NEWLINE: /\r?\n/
    %ignore /[ \t\f]+/
    %ignore COMMENT
    """,
    (
        *(
            "x",
            "0x1f",
            "1.5e-7",
            ".5",
            '"a\\n"',
            "f'x'",
            "#c",
            "\n",
            " ",
            "...",
            "**",
            "//",
            "+=",
            "-=",
            "not",
            "lambda",
        ),
        *("if", "else", "while", "for", "in", "def", "return", "pass", "break", "del", "import", "as", "assert", "or"),
        *("and", "is", "None", "True", "False", "(", ")", "[", "]", "{", "}", ":", ";", ",", ".", "=", "+", "-", "*"),
        *("/", "%", "@", "~", "<", ">", "==", "!=", "<=", ">="),
    ),
    (
        "def area(r: float, k=3.14): return k * r ** 2 if r >= 0 else None  # square\n",
        "for item in sorted(names, key=lambda n: n.lower()): total += prices[item] - 0x1F; print(f'{item}')\n",
        'import os.path as path\nassert not notes and x is not None or iffy in {"a": [1, .5e3], "b": (...)}\n',
    ),
)

LANGUAGES = (PYTHON, JSON, ARITHMETIC, STATEMENTS, RANGES, MUNCH)
