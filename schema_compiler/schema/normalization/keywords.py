"""The keywords that restrict values of one JSON type, such as ``minLength``: one disjunct for each type.

A place without ``type`` admits values of all six types, and each keyword narrows the disjunct of its own type::

    {"properties": {"a": {}}, "required": ["b"], "patternProperties": {"^x": false}}
    null | boolean | number | string | [any*] | {"a"?: any, "b": any, string !/^x/: any}

What the place says beyond that (``enum``, ``$ref``, ``anyOf`` ...) is read by ``applicators`` and intersected with it.
"""

from __future__ import annotations

from collections.abc import Callable

from schema_compiler.errors import InvalidSchemaError
from schema_compiler.schema.algebra.disjunction import ANY, TYPES, Disjunct, Disjunction, disjunction
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
    """What ``type`` at ``place``, and the keywords that restrict values of one type, admit.

    ``seen``: the members that the ``unevaluated...`` keywords at ``place`` leave alone. Raises ``InvalidSchemaError``
    for the value of a keyword, ``UnsupportedSchemaError`` for what is not supported, and ``CompileBudgetError`` where
    ``patternProperties`` split keys too often.
    """
    if not place.raw.keys() & (ASSERTIONS - {"enum", "const"}):
        return ANY
    return disjunction(_READERS[name](place, context, seen) for name in _types(place))


def _types(place: Place) -> list[str]:
    """The types that ``type`` lists, or all; no ``integer`` beside ``number``."""
    if "type" not in place.raw:
        return list(TYPES)
    declared = place.raw["type"]
    names = declared if isinstance(declared, list) and declared else [declared]
    for name in names:
        if not isinstance(name, str) or name not in _READERS:
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
"""For each type, what reads the keywords that restrict its values."""
