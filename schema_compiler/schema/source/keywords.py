"""Which keywords exist, where they hold subschemas, and which of them never say anything about a value.

JSON Schema tells a reader to ignore keywords it does not know, so three sets decide a keyword's fate: what is
understood is enforced (or checked afterwards), what is known but not understood is refused by name, and all
else is an annotation. Source: JSON Schema 2020-12 core and validation, with the spellings of drafts 4 to 2019-09.

The ``x-pydantic-...`` keywords carry what Pydantic enforces and JSON Schema cannot say::

    {"type": "string", "x-pydantic-quoted": "number", "maximum": 9.99, "x-pydantic-decimal-places": 2}

is the text of a decimal between quotes, at most 9.99, with at most two places.
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
    "subschemas",
]

CHECKED: Final = "x-pydantic-checked"
"""A list of sentences: what is checked afterwards at this place."""
QUOTED: Final = "x-pydantic-quoted"
"""``"number"`` or ``"integer"``: the string's text is a number, to which the numeric keywords beside apply."""
MAX_DIGITS: Final = "x-pydantic-max-digits"
DECIMAL_PLACES: Final = "x-pydantic-decimal-places"
UNSUPPORTED: Final = "x-pydantic-unsupported"
"""Why a field that must be there has no JSON form."""
DIALECT: Final = "x-pydantic-dialect"
"""``"rust"`` or ``"python"``: the dialect of the ``pattern`` beside."""
GRAMMAR: Final = "x-pydantic-grammar"
"""``{"text": ..., "start": ...}``: the string's text is one that a grammar in Lark's notation derives."""

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
"""The keywords that speak about values of one type only, and hold for all others."""

ASSERTIONS: Final = frozenset({"type", "enum", "const"}).union(*_TYPE_KEYWORDS.values())
APPLICATORS: Final = frozenset(
    {"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
    | {"dependentRequired", "dependentSchemas", "dependencies", CHECKED}
)
IDENTIFIERS: Final = frozenset(
    {"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$defs", "definitions", "$vocabulary"}
)
REFUSED: Final = frozenset({UNSUPPORTED, "$recursiveRef", "extends", "disallow", "divisibleBy"})

SPEAKING: Final = ASSERTIONS | APPLICATORS | REFUSED
"""The keywords that can make a difference to a value."""

FIRST_DRAFT: Final[dict[str, int]] = {
    **dict.fromkeys(("const", "contains", "propertyNames"), 6),
    **dict.fromkeys(("if", "then", "else"), 7),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "minContains", "maxContains"), 2019),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties", "$recursiveRef"), 2019),
    **dict.fromkeys(("prefixItems", "$dynamicRef"), 2020),
}
"""The draft that introduced a keyword; a schema that declares an older one does not mean it."""

_ONE = ("additionalProperties", "propertyNames", "contains", "unevaluatedItems", "unevaluatedProperties", "not", "if")
_ONE_OR_MORE = (*_ONE, "then", "else", "items", "additionalItems", "prefixItems", "allOf", "anyOf", "oneOf")
_NAMED = ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")


def subschemas(raw: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The paths, relative to ``raw``, of every place directly inside it that JSON Schema reads as a schema."""
    for keyword in _ONE_OR_MORE:
        value = raw.get(keyword)
        if isinstance(value, list):
            yield from ((keyword, str(index)) for index in range(len(value)))
        elif keyword in raw:
            yield (keyword,)
    for keyword in _NAMED:
        value = raw.get(keyword)
        if isinstance(value, dict):
            yield from ((keyword, name) for name in value)
