"""Validator functions: which of Pydantic's own refuse nothing more, and which are constraints that schemas express.

A constraint that does not fit a core schema becomes a function that looks at the value afterwards::

    Annotated[int | float, Field(ge=2)]         function-after(greater_than_or_equal_validator, ge=2)
                                                {"type": "number", "minimum": 2}

As these functions raise for values that they cannot compare or measure, so do the schemas: no ``null`` is at least 2.
What users wrote is opaque, and so are constraints on values that a function has made.

Pydantic's functions are recognised by their qualified names: they are private, most are local to the function that
makes the core schema, and nothing else tells what they do. A name that is not known here counts as opaque.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import NoneType
from typing import Any

from schema_compiler.frontend.markers import KeywordAnnotation

__all__ = [
    "BOUNDS",
    "CONSTRAINT_UPDATES",
    "constraint_keywords",
    "constraint_of",
    "instance_types",
    "is_redundant",
    "is_transparent",
    "reads_no_json",
    "text_constraint",
    "title",
]

BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
"""The keywords of Pydantic's bounds."""

CONSTRAINT_UPDATES = frozenset(
    {"ge", "gt", "le", "lt", "minItems", "maxItems", "minLength", "maxLength", "multiple_of"}
)
"""What Pydantic writes into the JSON Schema beside a constraint's function, whatever the type of the value."""

_LENGTHS = {
    "min_length": ("minLength", "minItems", "minProperties"),
    "max_length": ("maxLength", "maxItems", "maxProperties"),
}
"""The keywords of Pydantic's lengths: of strings, arrays and objects."""

_REDUNDANT = frozenset({"path_validator", "wrap_val", "defaultdict_validator", "SecretStr", "SecretBytes"})
"""Functions of Pydantic's that convert what the schema beside them admits, and refuse none of it."""
_REDUNDANT_IN_SECRET = frozenset({"<lambda>", "validate_secret_value"})
"""The same, where they are made by the class ``Secret``."""
_NARROWER_THAN_FORMAT = frozenset({"PathType.validate_new", "PathType.validate_socket", "EncodedStr.decode_str"})
"""Functions of Pydantic's that refuse more than the ``format`` beside them; other functions beside one do not."""
_TEXT_CONSTRAINT = "apply_known_metadata.<locals>._apply_constraint_with_incompatibility_info"
"""The function by which a chain applies a constraint of ``str`` to the text that an earlier step has read."""
_PREDICATE = "apply_known_metadata.<locals>.val_func"
"""The function for ``annotated_types.Predicate`` and ``Not``."""
_VALIDATORS_MODULE = "pydantic._internal._validators"
"""Where Pydantic keeps the functions that constraints become."""

_TRANSPARENT = frozenset({"any", "none", "int", "float", "list", "tuple", "deque", "dict", "frozendict", "counter"})
"""The types of core schemas whose values have the size and length of their JSON; see ``is_transparent``."""
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "null": (NoneType,),
    "boolean": (bool,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}
"""The Python types of each JSON type's values, as ``Any`` reads them."""


def title(function: Any) -> str:
    """The name of a function, or the constraint that it stands for (``ge 2``)."""
    if constraint_of(function):
        return ", ".join(f"{name} {value}" for name, value in function.keywords.items())
    name = str(getattr(_unwrapped(function), "__qualname__", repr(_unwrapped(function))))
    return "predicate" if name == _PREDICATE else name


def text_constraint(step: Any) -> Any:
    """The core schema of the text that a chain's step demands; ``None`` where it is no such step."""
    demands = step["type"] == "function-wrap" and title(step["function"]["function"]) == _TEXT_CONSTRAINT
    return step["schema"] if demands else None


def is_redundant(function: Any, json_schema: Mapping[str, Any]) -> bool:
    """Whether the function is known to refuse nothing that ``json_schema``, the schema beside it, admits."""
    annotation = getattr(function, "__self__", None)
    if isinstance(annotation, KeywordAnnotation):
        return annotation.keyword in json_schema
    if not str(getattr(_unwrapped(function), "__module__", "")).startswith("pydantic."):
        return False
    qualified = title(function)
    name = qualified.rpartition(".")[2]
    if qualified.startswith("Secret.") and name in _REDUNDANT_IN_SECRET:
        return True
    return name in _REDUNDANT or ("format" in json_schema and qualified not in _NARROWER_THAN_FORMAT)


def reads_no_json(function: Any) -> bool:
    """Whether the function is one of Pydantic's that reads no JSON at all (``re.Pattern[bytes]``)."""
    module = getattr(function, "__module__", None)
    return module == _VALIDATORS_MODULE and function.__name__ == "pattern_bytes_validator"


def constraint_of(function: Any) -> Mapping[str, Any]:
    """The bounds and lengths that the function stands for, such as ``{"ge": 2}``; empty if it stands for none."""
    if isinstance(function, partial) and function.func.__module__ == _VALIDATORS_MODULE:
        return {name: value for name, value in function.keywords.items() if name in BOUNDS or name in _LENGTHS}
    return {}


def constraint_keywords(
    constraint: Mapping[str, Any], core: Any, definitions: Mapping[str, Any]
) -> dict[str, Any] | None:
    """JSON Schema for a constraint on what ``core`` reads; ``None`` where none says exactly that.

    ``definitions`` are core schemas by reference.
    """
    if not constraint or not is_transparent(core, definitions):
        return None
    json_schema: dict[str, Any] = {}
    for name, value in constraint.items():
        if name in _LENGTHS:
            json_schema |= {"type": ["string", "array", "object"], **dict.fromkeys(_LENGTHS[name], value)}
        elif name in BOUNDS and isinstance(value, int | float):
            json_schema |= {"type": "number", BOUNDS[name]: value}
        else:
            return None
    return json_schema


def instance_types(cls: Any) -> list[str]:
    """The JSON types whose Python values are all instances of ``cls``."""
    return [name for name, types in _PYTHON_TYPES.items() if all(issubclass(type_, cls) for type_ in types)]


def is_transparent(core: Any, definitions: Mapping[str, Any]) -> bool:
    """Whether the Python value that ``core`` reads has the size, length and text of its JSON.

    Then a constraint on the value is one on the JSON: of a ``list``, but not of a ``set``, whose items fall together.
    ``definitions`` are core schemas by reference.
    """
    match core["type"]:
        case "union":
            members = (member[0] if isinstance(member, tuple) else member for member in core["choices"])
            return all(is_transparent(member, definitions) for member in members)
        case "nullable" | "default":
            return is_transparent(core["schema"], definitions)
        case "json-or-python":
            return is_transparent(core["json_schema"], definitions)
        case "lax-or-strict":
            return is_transparent(core["lax_schema"], definitions)
        case "function-after" if constraint_of(core["function"]["function"]):
            return is_transparent(core["schema"], definitions)
        case "function-wrap" if title(core["function"]["function"]) == "defaultdict_validator":
            return is_transparent(core["schema"], definitions)
        case "definition-ref" if core["schema_ref"] in definitions:
            return is_transparent(definitions[core["schema_ref"]], definitions)
        case "str":
            return not core.get("strip_whitespace")
        case name:
            return name in _TRANSPARENT


def _unwrapped(function: Any) -> Any:
    return function.func if isinstance(function, partial) else function
