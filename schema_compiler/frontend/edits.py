"""What is said beside a generated JSON Schema: sentences, further demands, facts of a core schema as keywords.

checked({"type": "string"}, "after validator f")     {..., "x-pydantic-checked": ["after validator f"]}
demanding({"type": "string"}, {"pattern": "^a"})     {..., "allOf": [{"pattern": "^a"}]}
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema as cs

from schema_compiler.frontend.validators import title
from schema_compiler.schema.source.keywords import CHECKED, DECIMAL_PLACES, MAX_DIGITS, SPEAKING

__all__ = [
    "BOUNDS",
    "checked",
    "decimal_facts",
    "demanding",
    "described",
    "finite",
    "given_extra",
    "given_schemas",
    "is_users",
    "json_number",
    "said",
    "temporal_facts",
    "with_flags",
]

BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
"""The keywords of Pydantic's bounds."""
_TEXT_FACTS = frozenset({"pattern", "strip_whitespace", "to_lower", "to_upper", "ascii_only"})
_INLINE_FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s", re.VERBOSE: "x", re.ASCII: "a"}


def checked(made: JsonSchemaValue, *sentences: str) -> JsonSchemaValue:
    """With what is checked afterwards."""
    return {**made, CHECKED: [*made.get(CHECKED, ()), *sentences]} if sentences else made


def demanding(made: JsonSchemaValue, demanded: JsonSchemaValue) -> JsonSchemaValue:
    """With one more schema that must hold."""
    return {**made, "allOf": [*made.get("allOf", ()), demanded]}


def given_schemas(metadata: Mapping[str, Any]) -> list[str]:
    """A sentence for each function and dictionary of the type's author that makes or changes its JSON Schema."""
    functions = (*metadata.get("pydantic_js_functions", ()), *metadata.get("pydantic_js_annotation_functions", ()))
    sentences = [f"the JSON Schema that {title(made)} gives" for made in functions if is_users(made)]
    return sentences + given_extra(metadata.get("pydantic_js_extra"))


def said(made: JsonSchemaValue) -> JsonSchemaValue:
    """The keywords that can make a difference to a value."""
    return {keyword: value for keyword, value in made.items() if keyword in SPEAKING}


def given_extra(extra: Any) -> list[str]:
    """A sentence if ``json_schema_extra`` may say anything about values."""
    speaks = extra is not None and (callable(extra) or SPEAKING & extra.keys())
    return ["the JSON Schema that json_schema_extra gives"] if speaks else []


def is_users(function: Any) -> bool:
    """Whether a function is not Pydantic's own, or passes on what a user wrote."""
    return title(function).startswith("WithJsonSchema.") or not str(function.__module__).startswith("pydantic.")


def finite(made: JsonSchemaValue) -> JsonSchemaValue:
    """Without bounds that are infinite: they are no bounds."""
    vacuous = {"maximum": math.inf, "exclusiveMaximum": math.inf, "minimum": -math.inf, "exclusiveMinimum": -math.inf}
    return {keyword: value for keyword, value in made.items() if keyword not in vacuous or value != vacuous[keyword]}


def decimal_facts(schema: cs.DecimalSchema) -> dict[str, Any]:
    """Bounds, step and digits as keywords."""
    keywords = {**BOUNDS, "multiple_of": "multipleOf", "max_digits": MAX_DIGITS, "decimal_places": DECIMAL_PLACES}
    facts = {keyword: schema.get(key) for key, keyword in keywords.items()}
    return finite({keyword: json_number(value) for keyword, value in facts.items() if value is not None})


def json_number(value: Any) -> int | float | Decimal:
    """The number as plain JSON where that is exact."""
    exact = Decimal(str(value))
    if exact.is_finite() and exact == exact.to_integral_value():
        return int(exact)
    return float(exact) if Decimal(repr(float(exact))) == exact else exact


def described(core: Mapping[str, Any]) -> str:
    """The type of a core schema, and what it demands of a text."""
    return ", ".join([core["type"], *(f"{key} {value}" for key, value in core.items() if key in _TEXT_FACTS)])


def temporal_facts(schema: Mapping[str, Any], *more: str) -> list[str]:
    """A sentence for each bound, for the comparison with now, and for each of ``more`` facts."""
    return [f"{key} {schema[key]}" for key in (*BOUNDS, "now_op", *more) if key in schema]


def with_flags(pattern: re.Pattern[str]) -> str:
    """The pattern with its flags written inside."""
    letters = "".join(letter for flag, letter in _INLINE_FLAGS.items() if pattern.flags & flag)
    return f"(?{letters}){pattern.pattern}" if letters else pattern.pattern
