"""A type whose texts are all to be found in the document: its JSON Schema, with a note at each free string.

A string is free when no pattern, format, grammar or list of values says what it may be::

    {"type": "string", "maxLength": 9}      {"type": "string", "maxLength": 9, "x-pydantic-verbatim": [...]}
    {"type": "string", "format": "date"}    as it is, as are the names of members

Strings that say how they are read from the document keep that.
"""

from __future__ import annotations

from typing import Any

from schema_compiler.frontend.strings import STRIPPED
from schema_compiler.schema.source.keywords import GRAMMAR, QUOTED, UNSUPPORTED, VERBATIM, subschemas

__all__ = ["with_grounded_texts"]

_TELLING = frozenset({"pattern", "format", "enum", "const", "$ref", "not", GRAMMAR, QUOTED, UNSUPPORTED, VERBATIM})
"""The keywords that say what a string may be, beside its length."""
_CONDITIONS = frozenset({"propertyNames", "not", "if"})
"""The keywords whose schemas are about names, or ask what a value is not."""


def with_grounded_texts(json_schema: dict[str, Any]) -> dict[str, Any]:
    """``json_schema`` with a note at each free string, as ``Verbatim()`` writes it."""
    changed = dict(json_schema)
    if json_schema.get("type") == "string" and not json_schema.keys() & _TELLING and not _is_told_beside(json_schema):
        changed[VERBATIM] = [{"reads": "text"}]
    if _is_told_beside(json_schema):
        return changed
    for keyword, *rest in subschemas(json_schema):
        if keyword in _CONDITIONS:
            continue
        if not rest:
            changed[keyword] = _changed(json_schema[keyword])
        elif isinstance(json_schema[keyword], list):
            changed[keyword] = [_changed(part) for part in json_schema[keyword]]
        else:
            changed[keyword] = {name: _changed(part) for name, part in json_schema[keyword].items()}
    return changed


def _changed(part: Any) -> Any:
    return with_grounded_texts(part) if isinstance(part, dict) else part


def _is_told_beside(json_schema: dict[str, Any]) -> bool:
    """Whether a schema that must hold as well says what a string may be; that it is stripped says nothing."""
    parts = (part for part in json_schema.get("allOf", ()) if isinstance(part, dict))
    beside = [part for part in parts if part.get("pattern") != STRIPPED]
    return any(part.keys() & (_TELLING - {"$ref"}) or _is_told_beside(part) for part in beside)
