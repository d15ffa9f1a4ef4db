"""The keyword of values that are read from pieces of a document: where pieces begin and end, and how they are read.

For example::

    {"x-pydantic-verbatim": [{"reads": "number", "within": "word"}], "type": "integer", "minimum": 1}
    piece (integer in [1, inf); number within word)

What stands beside the keyword narrows the values; see ``intersection``.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from schema_compiler.errors import InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.schema.algebra.disjunction import Disjunction
from schema_compiler.schema.ir import Number, Piece, Reading, ReadingKind, Schema, String, Within
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import VERBATIM

__all__ = ["read_pieces"]

_TYPES = frozenset({"string", "number", "integer"})
"""The JSON types of values that are read from pieces."""

_BASES: dict[ReadingKind, tuple[Schema, ...]] = {
    "text": (String(),),
    "date": (String(),),
    "datetime": (String(),),
    "number": (Number(),),
    "choice": (Number(), String()),
}
"""What may be read in each way, as far as the reading alone says."""

_ITEM = re.compile(r"/items(?:/allOf/\d+)*$")
"""How the pointer of the items of a list ends."""

_OPTIONS: dict[str, type | tuple[type, ...]] = {
    "reads": str,
    "within": str,
    "min_chars": int,
    "unique": bool,
    "day_first": (bool, type(None)),
}
"""The options of a reading, and the Python types of their values."""


def read_pieces(place: Place) -> Disjunction:
    """The values that the keyword at ``place`` admits, whatever stands beside it.

    Raises ``InvalidSchemaError`` for the keyword's value, and ``UnsupportedSchemaError`` beside a type whose values are
    read from no piece.
    """
    declared = place.raw.get("type", [])
    others = {name for name in (declared if isinstance(declared, list) else [declared]) if name not in _TYPES}
    if others:
        raise UnsupportedSchemaError(
            f"{VERBATIM} beside the type {', '.join(sorted(others))} is not supported", place.pointer
        )
    listed = place.raw[VERBATIM]
    if not isinstance(listed, list) or not listed:
        raise InvalidSchemaError(f"expected {VERBATIM} to be a list of readings, found {listed!r}", place.pointer)
    readings = tuple(dict.fromkeys(_reading(one, place) for one in listed))
    if any(reading.unique for reading in readings) and not _ITEM.search(place.pointer):
        raise UnsupportedSchemaError("unique pieces are supported as the only items of a list", place.pointer)
    kinds = [_BASES[reading.kind] for reading in readings]
    return tuple(Piece(base, readings) for base in kinds[0] if all(base in bases for bases in kinds))


def _reading(raw: Any, place: Place) -> Reading:
    if not isinstance(raw, dict) or not raw.keys() <= _OPTIONS.keys():
        raise InvalidSchemaError(
            f"expected a reading of {VERBATIM} with {', '.join(_OPTIONS)}, found {raw!r}", place.pointer
        )
    for option, value in raw.items():
        if not isinstance(value, _OPTIONS[option]) or (isinstance(value, bool) and option == "min_chars"):
            raise InvalidSchemaError(
                f"expected another value of {option} in {VERBATIM}, found {value!r}", place.pointer
            )
    reading = Reading(
        raw.get("reads", "text"),
        raw.get("within", "word"),
        raw.get("min_chars", 1),
        raw.get("unique", False),
        raw.get("day_first"),
    )
    for option, value, values in (
        ("reads", reading.kind, get_args(ReadingKind)),
        ("within", reading.within, get_args(Within)),
    ):
        if value not in values:
            raise InvalidSchemaError(
                f"expected {option} of {VERBATIM} to be one of {values}, found {value!r}", place.pointer
            )
    if reading.min_chars < 1:
        raise InvalidSchemaError(f"expected min_chars of {VERBATIM} to be at least 1, found {raw!r}", place.pointer)
    return reading
