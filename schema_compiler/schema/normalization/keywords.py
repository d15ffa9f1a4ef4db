"""What the keywords of one place say about values of each JSON type, before anything is intersected.

A place without ``type`` speaks about all six types, and each keyword narrows only its own::

    {"properties": {"a": {}}, "required": ["b"], "patternProperties": {"^x": false}}
    null | boolean | number | string | [any*] | {"a"?: any, "b": any, string !/^x/: any}

Object keys that are not declared fall into cells, one for each combination of key patterns that some key can
match, so that a key belongs to exactly one rule.
"""

from __future__ import annotations

from collections.abc import Callable

from schema_compiler.errors import (
    InvalidSchemaError,
)
from schema_compiler.schema.algebra.disjunction import (
    ANY,
    TYPES,
    Disjunct,
    Disjunction,
    disjunction,
)
from schema_compiler.schema.normalization.arrays import read_array
from schema_compiler.schema.normalization.context import Context
from schema_compiler.schema.normalization.numbers import read_number
from schema_compiler.schema.normalization.objects import read_object
from schema_compiler.schema.normalization.strings import read_string
from schema_compiler.schema.normalization.unevaluated import Evaluated
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import ASSERTIONS

__all__ = ["typed_disjunction"]


def typed_disjunction(place: Place, context: Context, seen: Evaluated) -> Disjunction:
    """What the typed keywords of ``place`` admit, each type for itself; ``unevaluated...`` see what is not ``seen``."""
    if not place.raw.keys() & (ASSERTIONS - {"enum", "const"}):
        return ANY
    return disjunction(_READERS[name](place, context, seen) for name in _types(place))


def _types(place: Place) -> list[str]:
    if "type" not in place.raw:
        return list(TYPES)
    declared = place.raw["type"]
    names = declared if isinstance(declared, list) else [declared]
    for name in names:
        if name not in _READERS:
            raise InvalidSchemaError(f"expected a type ({', '.join(_READERS)}), found {name!r}", place.pointer)
    return [name for name in dict.fromkeys(names) if name != "integer" or "number" not in names]


_READERS: dict[str, Callable[[Place, Context, Evaluated], Disjunct]] = {
    "null": lambda _place, _context, _seen: TYPES["null"],
    "boolean": lambda _place, _context, _seen: TYPES["boolean"],
    "integer": lambda place, context, _seen: read_number(place, context, integer=True),
    "number": lambda place, context, _seen: read_number(place, context),
    "string": lambda place, context, _seen: read_string(place, context),
    "array": read_array,
    "object": read_object,
}
