r"""The formats of JSON Schema that a grammar cannot hold, or not wholly, as the last check of a value sees them.

``jsonschema`` brings most; here is what it leaves out: labels of host names that are spelled in ASCII but mean other
characters must decode (RFC 5891), a name with any right-to-left label must be one throughout (RFC 5893), and regular
expressions are those of ECMA-262, not of Python::

    xn--hello-txk      begins with a combining mark, so it is no host name
    (?P<year>\d{4})    is Python's notation only;  \p{L}+  is ECMA's only
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any
from unicodedata import bidirectional

from schema_compiler.errors import PatternError
from schema_compiler.regular.regex.parser import parse

if TYPE_CHECKING:
    from jsonschema import FormatChecker

__all__ = ["format_checker"]

_PYTHON_ONLY = re.compile(r"\\[aAZ]|\(\?[P#(]|\(\?[a-zA-Z]+\)")
_PIECE = re.compile(r"\[(?:\\.|[^\]\\])*\]|" + _PYTHON_ONLY.pattern + r"|\\.|.", re.DOTALL)
_FULL_STOPS = re.compile("[.\u3002\uff0e\uff61]")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


@cache
def format_checker() -> FormatChecker:
    """What ``jsonschema`` checks, and the above."""
    from idna import IDNAError
    from jsonschema import FormatChecker

    checker = FormatChecker()
    email = checker.checkers["email"][0]
    checker.checks("hostname", raises=IDNAError)(_is_host_name)
    checker.checks("email", raises=IDNAError)(lambda value: email(value) and _is_host_name(_domain(value)))
    checker.checks("idn-hostname", raises=(IDNAError, UnicodeError))(_is_international)
    checker.checks("regex", raises=re.error)(_is_regex)
    return checker


def _domain(address: Any) -> Any:
    return address.rpartition("@")[2] if isinstance(address, str) else address


def _is_host_name(value: Any) -> bool:
    """Whether the labels that begin with ``xn--`` decode; the grammar sees to all else."""
    from idna import ulabel

    if isinstance(value, str):
        for label in value.split("."):
            if label[:4].lower() == "xn--":
                ulabel(label)
    return True


def _is_international(value: Any) -> bool:
    from idna import check_bidi, encode

    if not isinstance(value, str):
        return True
    encode(value)
    labels = _FULL_STOPS.split(value)
    if any(bidirectional(char) in _RIGHT_TO_LEFT for char in value):
        return all(check_bidi(label, check_ltr=True) for label in labels)
    return bool(labels[-1])


def _is_regex(value: Any) -> bool:
    if not isinstance(value, str):
        return True
    if any(_PYTHON_ONLY.fullmatch(piece[0]) for piece in _PIECE.finditer(value)):
        return False
    try:
        parse(value, "ecma")
    except PatternError:  # it may still be one that is not regular
        re.compile(_for_python(value))
    return True


def _for_python(pattern: str) -> str:
    """ECMA's groups and references in Python's notation, conditions of any length on what stands before as if after."""
    pattern = re.sub(r"\(\?<([=!])", r"(?\1", pattern)
    pattern = re.sub(r"\(\?<", "(?P<", pattern)
    return re.sub(r"\\k<(\w+)>", r"(?P=\1)", pattern)
