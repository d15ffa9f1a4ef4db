"""Which keywords exist, which of them can exclude a value, and where they hold subschemas.

JSON Schema tells a reader to ignore keywords it does not know. So there are three kinds: ``ASSERTIONS`` and
``APPLICATORS`` are enforced or checked afterwards, ``REFUSED`` keywords are known but not supported, and all others are
annotations. Source: JSON Schema 2020-12 core and validation, with the spellings of drafts 4 to 2019-09.

The ``x-pydantic-...`` keywords carry what Pydantic enforces and JSON Schema cannot express::

    {"type": "string", "x-pydantic-quoted": "number", "maximum": 9.99, "x-pydantic-decimal-places": 2}

is the text of a decimal between quotes, at most 9.99, with at most two decimal places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

__all__ = [
    "APPLICATORS",
    "ASSERTIONS",
    "CHECKED",
    "DECIMAL_PLACES",
    "DIALECT",
    "FIRST_DRAFT",
    "GRAMMAR",
    "IDENTIFIERS",
    "MAX_DIGITS",
    "QUOTED",
    "REFUSED",
    "SPEAKING",
    "UNSUPPORTED",
    "VERBATIM",
    "mentions",
    "subschemas",
]

CHECKED: Final = "x-pydantic-checked"
"""A list of sentences: what is checked afterwards of the values of this subschema."""
QUOTED: Final = "x-pydantic-quoted"
"""``"number"`` or ``"integer"``: the string's text is a number, to which the numeric keywords beside apply."""
MAX_DIGITS: Final = "x-pydantic-max-digits"
"""The most digits of a number, before and behind the point together."""
DECIMAL_PLACES: Final = "x-pydantic-decimal-places"
"""The most digits of a number behind the point."""
UNSUPPORTED: Final = "x-pydantic-unsupported"
"""Why a type has no JSON form; the message with which it is refused."""
DIALECT: Final = "x-pydantic-dialect"
"""``"ecma"``, ``"rust"`` or ``"python"``: the dialect of the ``pattern`` and the ``patternProperties`` beside."""
GRAMMAR: Final = "x-pydantic-grammar"
"""``{"text": ..., "start": ...}``: the string's text is one that a grammar in Lark's notation derives."""
VERBATIM: Final = "x-pydantic-verbatim"
"""A list of ``{"reads": ..., "within": ..., ...}``: how the value is read from a piece of the document."""

_TYPE_KEYWORDS: Final[dict[str, frozenset[str]]] = {
    "null": frozenset(),
    "boolean": frozenset(),
    "number": frozenset(
        {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", MAX_DIGITS, DECIMAL_PLACES}
    ),
    "string": frozenset({"minLength", "maxLength", "pattern", "format", DIALECT, QUOTED, GRAMMAR}),
    "array": frozenset(
        {"items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems"}
        | {"contains", "minContains", "maxContains", "unevaluatedItems"}
    ),
    "object": frozenset(
        {"properties", "patternProperties", "additionalProperties", "required", "minProperties", "maxProperties"}
        | {"propertyNames", "unevaluatedProperties"}
    ),
}
"""For each JSON type, the keywords that restrict its values and no others."""

ASSERTIONS: Final = frozenset({"type", "enum", "const"}).union(*_TYPE_KEYWORDS.values())
"""The keywords that restrict values of one type, or list values."""
APPLICATORS: Final = frozenset(
    {"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
    | {"dependentRequired", "dependentSchemas", "dependencies", CHECKED, VERBATIM}
)
"""The keywords that combine schemas for the same value, ``CHECKED`` and ``VERBATIM``."""
IDENTIFIERS: Final = frozenset(
    {"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$defs", "definitions", "$vocabulary"}
)
"""The keywords that name a schema, its draft or its definitions; they exclude no value."""
REFUSED: Final = frozenset({UNSUPPORTED, "$recursiveRef", "extends", "disallow", "divisibleBy"})
"""The keywords that can exclude a value and are not supported."""

SPEAKING: Final = ASSERTIONS | APPLICATORS | REFUSED
"""The keywords that can exclude a value; a schema without any of them admits all values."""

FIRST_DRAFT: Final[dict[str, int]] = {
    **dict.fromkeys(("const", "contains", "propertyNames"), 6),
    **dict.fromkeys(("if", "then", "else"), 7),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "minContains", "maxContains"), 2019),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties", "$recursiveRef"), 2019),
    **dict.fromkeys(("prefixItems", "$dynamicRef"), 2020),
}
"""The draft that introduced a keyword; in a schema of an older draft it is an annotation."""

_ONE_OR_LIST: Final = (
    *("additionalProperties", "propertyNames", "contains", "unevaluatedItems", "unevaluatedProperties", "not", "if"),
    *("then", "else", "items", "additionalItems", "prefixItems", "allOf", "anyOf", "oneOf"),
)
"""The keywords whose value is a schema or a list of schemas."""
_BY_NAME: Final = ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")
"""The keywords whose value has schemas by their names."""


def mentions(schema: Any, keyword: str) -> bool:
    """Whether ``keyword`` is a key anywhere in ``schema``, whatever it means there."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if keyword in part:
                return True
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return False


def subschemas(raw: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The paths from ``raw`` to all schemas directly inside it, such as ``("anyOf", "0")``.

    A path may also lead to something that is no schema, such as a list of names in ``dependencies``.
    """
    for keyword in _ONE_OR_LIST:
        value = raw.get(keyword)
        if isinstance(value, list):
            yield from ((keyword, str(index)) for index in range(len(value)))
        elif keyword in raw:
            yield (keyword,)
    for keyword in _BY_NAME:
        value = raw.get(keyword)
        if isinstance(value, dict):
            yield from ((keyword, name) for name in value)
