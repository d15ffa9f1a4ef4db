"""JSON pointers, which name a place in a document: a path of member names and indexes, a slash before each.

A name may itself contain a slash, or the tilde that escapes it, so both are escaped::

    {"$defs": {"a/b": true}}        escape_token("a/b") == "a~1b", and "/$defs/a~1b" leads to true

Source: RFC 6901, sections 3 and 4.
"""

from __future__ import annotations

__all__ = ["escape_token", "unescape_token"]


def escape_token(name: str) -> str:
    """``name``, a member name or an index, as it is written in a pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def unescape_token(token: str) -> str:
    """The member name or index that ``token``, the part of a pointer between two slashes, stands for."""
    return token.replace("~1", "/").replace("~0", "~")
