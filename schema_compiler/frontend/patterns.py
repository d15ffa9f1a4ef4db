r"""Patterns for texts that Pydantic parses: addresses of given schemes, dates within bounds.

    addresses(["redis"], many=False)     ^(?:redis)://(?:[user]@)?(?:[host](?::[port])?)?...
    dates(ge=date(2024, 2, 29))          ^(?:[3-9]\d\d\d-\d\d-\d\d|2[1-9]\d\d-...|2024-02-29)$

The addresses are a part of what the URL parser reads that needs no knowledge of schemes: hosts are names or IPv4
addresses. Dates are compared digit by digit, as ISO 8601 sorts like time itself.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["addresses", "date_bounds"]

_USER = r"[A-Za-z0-9\-._~!$&'()*+;=]|%[0-9A-Fa-f]{2}"
_DIGITS = "0123456789"
_NAME = r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_PORT = "(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
_HOST = rf"(?:{_NAME}(?:\.{_NAME})*|{_BYTE}(?:\.{_BYTE}){{3}})(?::{_PORT})?"


def addresses(schemes: Iterable[str], *, many: bool) -> str:
    """A pattern for URLs with one of the ``schemes``; with ``many`` hosts, separated by commas."""
    authority = rf"(?:(?:{_USER})*(?::(?:{_USER})*)?@)?{_HOST}" + (f"(?:,{_HOST})*" if many else "")
    path = rf"(?:/(?:{_USER}|[,:@/])*)?(?:\?(?:{_USER}|[,:@/?])*)?"
    named = [f"{re.escape(scheme)}://{'' if scheme == 'file' else authority}" for scheme in schemes]
    return f"^(?:{'|'.join(named)}){path}$"


def date_bounds(facts: Mapping[str, Any]) -> dict[str, str]:
    """A pattern for each bound (``ge``, ``gt``, ``le``, ``lt``) that is a date, by the bound's name."""
    return {
        name: _beyond(facts[name], above=name[0] == "g", itself=name[1] == "e")
        for name in ("ge", "gt", "le", "lt")
        if type(facts.get(name)) is dt.date
    }


def _beyond(bound: dt.date, *, above: bool, itself: bool) -> str:
    text = bound.isoformat()
    ways = [text] if itself else []
    for index, digit in enumerate(text):
        others = _DIGITS.partition(digit)[2 if above else 0] if digit in _DIGITS else ""
        if others:
            rest = re.sub("[0-9]", "[0-9]", text[index + 1 :])
            ways.append(f"{text[:index]}[{others}]{rest}")
    return f"^(?:{'|'.join(ways)})$"
