r"""The formats of JSON Schema that no grammar describes in full, for the last check of a value.

``jsonschema`` checks most formats; here is what it leaves out: labels of host names that are spelled in ASCII but mean
other characters must decode (RFC 5891), a name with a right-to-left label must obey the rules for such names (RFC
5893), and regular expressions are those of ECMA-262, not of Python:

    xn--hello-txk      begins with a combining mark, so it is no host name
    (?P<year>\d{4})    is Python's notation only;  \p{L}+  is ECMA's only
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any
from unicodedata import bidirectional

from schema_compiler import is_regular

if TYPE_CHECKING:
    from jsonschema import FormatChecker

__all__ = ["format_checker"]

_PYTHON_ONLY = re.compile(r"\\[aAZ]|\(\?[P#(]|\(\?[a-zA-Z]+\)")
r"""Python's notation only: the escapes ``\a``, ``\A`` and ``\Z``, named and conditional groups, comments, flags."""

_ELEMENT = re.compile(r"\[(?:\\.|[^\]\\])*\]|" + _PYTHON_ONLY.pattern + r"|\\.|.", re.DOTALL)
"""One element of a pattern, so that what stands in brackets or is escaped is not taken for notation."""

_FULL_STOPS = re.compile("[.\u3002\uff0e\uff61]")
"""What separates the labels of an international host name (RFC 3490, section 3.1)."""

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
"""The bidirectional classes that make a label a right-to-left one (RFC 5893, section 1.4)."""


@cache
def format_checker() -> FormatChecker:
    """A checker of the formats that ``jsonschema`` knows, some of them corrected here."""
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
    """Raises ``IDNAError`` when a label that begins with ``xn--`` does not decode; the grammar checks the rest."""
    from idna import ulabel

    if isinstance(value, str):
        for label in value.split("."):
            if label[:4].lower() == "xn--":
                ulabel(label)
    return True


def _is_international(value: Any) -> bool:
    """Whether a host name may hold the characters it has; raises ``IDNAError`` or ``UnicodeError`` for most reasons."""
    from idna import check_bidi, encode

    if not isinstance(value, str):
        return True
    encode(value)
    labels = _FULL_STOPS.split(value)
    if any(bidirectional(char) in _RIGHT_TO_LEFT for char in value):
        return all(check_bidi(label, check_ltr=True) for label in labels)
    return bool(labels[-1])


def _is_regex(value: Any) -> bool:
    """Whether a pattern is well-formed in ECMA-262; raises ``re.error`` for most reasons."""
    if not isinstance(value, str):
        return True
    if any(_PYTHON_ONLY.fullmatch(element[0]) for element in _ELEMENT.finditer(value)):
        return False
    if not is_regular(value):  # it may have back references, which Python can read
        re.compile(_in_python_notation(value))
    return True


def _in_python_notation(pattern: str) -> str:
    """ECMA's groups and back references as Python writes them.

    Look-behind becomes look-ahead, since Python allows it for a fixed length only, and what is well-formed is the same.
    """
    pattern = re.sub(r"\(\?<([=!])", r"(?\1", pattern)
    pattern = re.sub(r"\(\?<", "(?P<", pattern)
    return re.sub(r"\\k<(\w+)>", r"(?P=\1)", pattern)
