"""Validator functions: which of Pydantic's own say nothing new, and which are constraints that a schema can express.

A constraint that does not fit a core schema becomes a function that looks at the value afterwards::

    Annotated[int | float, Field(ge=2)]         function-after(greater_than_or_equal_validator, ge=2)
                                                {"type": "number", "minimum": 2}

As these functions raise for values that they cannot compare or measure, so do the schemas: no ``null`` is at least 2.
What users wrote is opaque, and so are constraints on values that a function has made.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import NoneType
from typing import Any

from schema_compiler.schema.source.keywords import GRAMMAR

__all__ = [
    "MEASURES",
    "instances",
    "is_total",
    "is_transparent",
    "is_unreadable",
    "keywords_of",
    "measure",
    "text_constraint",
    "title",
]

_TOTAL = frozenset({"path_validator", "wrap_val", "defaultdict_validator", "SecretStr", "SecretBytes"})
_TOTAL_SECRETS = frozenset({"<lambda>", "validate_secret_value"})
_MORE_THAN_FORMAT = frozenset({"PathType.validate_new", "PathType.validate_socket", "EncodedStr.decode_str"})
_AS_TEXT = "apply_known_metadata.<locals>._apply_constraint_with_incompatibility_info"
_PREDICATE = "apply_known_metadata.<locals>.val_func"
_VALIDATORS = "pydantic._internal._validators"

MEASURES = frozenset({"ge", "gt", "le", "lt", "minItems", "maxItems", "minLength", "maxLength", "multiple_of"})
"""What Pydantic writes beside such a function, whatever the type of the value."""

_NUMBERS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
_LENGTHS = {
    "min_length": ("minLength", "minItems", "minProperties"),
    "max_length": ("maxLength", "maxItems", "maxProperties"),
}
_TRANSPARENT = frozenset({"any", "none", "int", "float", "list", "tuple", "deque", "dict", "frozendict", "counter"})
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "null": (NoneType,),
    "boolean": (bool,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


def title(function: Any) -> str:
    """The name of a function, or what a constraint demands."""
    if measure(function):
        return ", ".join(f"{name} {value}" for name, value in function.keywords.items())
    inner = function.func if isinstance(function, partial) else function
    name = str(getattr(inner, "__qualname__", repr(inner)))
    return "predicate" if name == _PREDICATE else name


def text_constraint(core: Any) -> Any:
    """The schema of the text that the step of a chain demands; ``None`` where it is no such step."""
    demands = core["type"] == "function-wrap" and title(core["function"]["function"]) == _AS_TEXT
    return core["schema"] if demands else None


def is_total(function: Any, made: Mapping[str, Any]) -> bool:
    """Whether the function is Pydantic's own, and refuses nothing that ``made``, the schema beside it, admits."""
    inner = function.func if isinstance(function, partial) else function
    module = str(getattr(inner, "__module__", ""))
    if GRAMMAR in made and module == "schema_compiler.annotations":
        return True
    if not module.startswith("pydantic."):
        return False
    name = title(function)
    if name.startswith("Secret.") and name.rpartition(".")[2] in _TOTAL_SECRETS:
        return True
    return name.rpartition(".")[2] in _TOTAL or ("format" in made and name not in _MORE_THAN_FORMAT)


def is_unreadable(function: Any) -> bool:
    """Whether the function is one of Pydantic's that reads no JSON at all."""
    return getattr(function, "__module__", None) == _VALIDATORS and function.__name__ == "pattern_bytes_validator"


def measure(function: Any) -> Mapping[str, Any]:
    """The constraint that the function stands for (empty: it stands for none)."""
    if isinstance(function, partial) and function.func.__module__ == _VALIDATORS:
        return {name: value for name, value in function.keywords.items() if name in _NUMBERS | _LENGTHS}
    return {}


def keywords_of(constraint: Mapping[str, Any], core: Any, definitions: Mapping[str, Any]) -> dict[str, Any] | None:
    """JSON Schema for a constraint on what ``core`` reads; ``None`` where none says exactly that."""
    if not constraint or not is_transparent(core, definitions):
        return None
    made: dict[str, Any] = {}
    for name, value in constraint.items():
        if name in _LENGTHS:
            made |= {"type": ["string", "array", "object"], **dict.fromkeys(_LENGTHS[name], value)}
        elif name in _NUMBERS and isinstance(value, int | float):
            made |= {"type": "number", _NUMBERS[name]: value}
        else:
            return None
    return made


def instances(cls: Any) -> list[str]:
    """The JSON types whose Python values are all instances of ``cls``."""
    return [name for name, types in _PYTHON_TYPES.items() if all(issubclass(type_, cls) for type_ in types)]


def is_transparent(core: Any, definitions: Mapping[str, Any]) -> bool:
    """Whether the Python value of ``core`` has the size and the length of its JSON."""
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
        case "function-after" if measure(core["function"]["function"]):
            return is_transparent(core["schema"], definitions)
        case "function-wrap" if title(core["function"]["function"]) == "defaultdict_validator":
            return is_transparent(core["schema"], definitions)
        case "definition-ref" if core["schema_ref"] in definitions:
            return is_transparent(definitions[core["schema_ref"]], definitions)
        case "str":
            return not core.get("strip_whitespace")
        case name:
            return name in _TRANSPARENT
