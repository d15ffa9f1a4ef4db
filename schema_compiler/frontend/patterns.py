r"""Patterns for texts that Pydantic parses: addresses of given schemes, dates within bounds.

    addresses(["redis"], many=False)              ^(?:redis)://(?:[user]@)?(?:[host](?::[port])?)?...
    date_bounds({"ge": date(2024, 2, 29)})        ^(?:2024-02-29|[3456789][0-9]{3}-...|2[123456789]...)$

The addresses are a part of what the URL parser reads that needs no knowledge of schemes: hosts are names or IPv4
addresses. Dates are compared digit by digit, as ISO 8601 sorts like time itself. All patterns are in Rust's dialect, in
which ``\d`` has the digits of every script; so digits are written out.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any

from schema_compiler.regular.formats import IPV4, PORT

__all__ = ["addresses", "date_bounds"]

_DIGITS = "0123456789"

# RFC 3986: unreserved, sub-delims without the comma that separates hosts, pct-encoded
_USER = r"[A-Za-z0-9\-._~!$&'()*+;=]|%[0-9A-Fa-f]{2}"
_NAME = r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
_HOST = rf"(?:{_NAME}(?:\.{_NAME})*|{IPV4})(?::{PORT})?"


def addresses(schemes: Iterable[str], *, many: bool) -> str:
    """A pattern for URLs with one of the ``schemes``; with ``many`` hosts, separated by commas."""
    authority = rf"(?:(?:{_USER})*(?::(?:{_USER})*)?@)?{_HOST}" + (f"(?:,{_HOST})*" if many else "")
    path = rf"(?:/(?:{_USER}|[,:@/])*)?(?:\?(?:{_USER}|[,:@/?])*)?"
    beginnings = [f"{re.escape(scheme)}://{'' if scheme == 'file' else authority}" for scheme in schemes]
    return f"^(?:{'|'.join(beginnings)}){path}$"


def date_bounds(facts: Mapping[str, Any]) -> dict[str, str]:
    """A pattern for each bound (``ge``, ``gt``, ``le``, ``lt``) that is a date, by the bound's name."""
    return {
        name: _dates_beyond(facts[name], above=name[0] == "g", inclusive=name[1] == "e")
        for name in ("ge", "gt", "le", "lt")
        if type(facts.get(name)) is dt.date
    }


def _dates_beyond(bound: dt.date, *, above: bool, inclusive: bool) -> str:
    """The dates above ``bound`` or below: those that begin like it and differ from it in one digit, then in any."""
    text = bound.isoformat()
    alternatives = [text] if inclusive else []
    for index, digit in enumerate(text):
        others = _DIGITS.partition(digit)[2 if above else 0] if digit in _DIGITS else ""
        if others:
            rest = re.sub("[0-9]", "[0-9]", text[index + 1 :])
            alternatives.append(f"{text[:index]}[{others}]{rest}")
    return f"^(?:{'|'.join(alternatives)})$"
