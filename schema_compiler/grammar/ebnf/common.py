r"""The terminals of Lark's ``common`` library, each as the regular language it is meant to be.

Lark's own definitions lean on its lexer where a match is not greedy: ``ESCAPED_STRING`` there also matches a text with
a bare quote inside, only never first. A language has no first match, so such definitions are written out here.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from schema_compiler.grammar.ebnf.reader import read
from schema_compiler.grammar.ebnf.syntax import Source

__all__ = ["common"]

_DEFINITIONS: Final = r"""
DIGIT: "0".."9"
HEXDIGIT: "a".."f" | "A".."F" | DIGIT
INT: DIGIT+
SIGNED_INT: ["+" | "-"] INT
DECIMAL: INT "." INT? | "." INT
_EXP: ("e" | "E") SIGNED_INT
FLOAT: INT _EXP | DECIMAL _EXP?
SIGNED_FLOAT: ["+" | "-"] FLOAT
NUMBER: FLOAT | INT
SIGNED_NUMBER: ["+" | "-"] NUMBER
ESCAPED_STRING: /"([^"\\\n]|\\[^\n])*"/
LCASE_LETTER: "a".."z"
UCASE_LETTER: "A".."Z"
LETTER: UCASE_LETTER | LCASE_LETTER
WORD: LETTER+
CNAME: ("_" | LETTER) ("_" | LETTER | DIGIT)*
WS_INLINE: /[ \t]+/
WS: /[ \t\f\r\n]+/
CR: /\r/
LF: /\n/
NEWLINE: (CR? LF)+
SH_COMMENT: /#[^\n]*/
CPP_COMMENT: /\/\/[^\n]*/
C_COMMENT: /\/\*([^*]|\*+[^*\/])*\*+\//
SQL_COMMENT: /--[^\n]*/
"""
"""The library, in Lark's notation."""


@cache
def common() -> Source:
    """The definitions of the library, by name. A name that begins with ``_`` is for the other definitions."""
    return read(_DEFINITIONS)
