"""What is written beside a generated JSON Schema: checks that no keyword expresses, and schemas that must hold, too.

    with_checks({"type": "string"}, "after validator f")       {..., "x-pydantic-checked": ["after validator f"]}
    with_conjunct({"type": "string"}, {"pattern": "^a"})       {..., "allOf": [{"pattern": "^a"}]}

A check is a sentence for the report. It names what Pydantic does to the values that the grammar lets through, such as
a function of the type's author, or a JSON Schema that the author has put in the place of the generated one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic.json_schema import JsonSchemaValue

from schema_compiler.frontend.validators import title
from schema_compiler.schema.source.keywords import CHECKED, SPEAKING

__all__ = [
    "is_authors",
    "json_schema_extra_checks",
    "json_schema_function_checks",
    "restrictions",
    "step_check",
    "with_checks",
    "with_conjunct",
]

_TEXT_OPTIONS = frozenset({"pattern", "strip_whitespace", "to_lower", "to_upper", "ascii_only"})
"""The options of the core schema ``str`` that are worth naming where it is a step of a chain."""


def with_checks(json_schema: JsonSchemaValue, *checks: str) -> JsonSchemaValue:
    """``json_schema`` with more sentences about what is checked afterwards."""
    return {**json_schema, CHECKED: [*json_schema.get(CHECKED, ()), *checks]} if checks else json_schema


def with_conjunct(json_schema: JsonSchemaValue, conjunct: JsonSchemaValue) -> JsonSchemaValue:
    """``json_schema`` with one more schema that must hold."""
    return {**json_schema, "allOf": [*json_schema.get("allOf", ()), conjunct]}


def restrictions(json_schema: JsonSchemaValue) -> JsonSchemaValue:
    """The keywords that can exclude a value, without titles, examples and other annotations."""
    return {keyword: value for keyword, value in json_schema.items() if keyword in SPEAKING}


def json_schema_function_checks(metadata: Mapping[str, Any]) -> list[str]:
    """A sentence for each function of the type's author that changes its JSON Schema, and for such a dictionary.

    ``metadata`` is that of a core schema, where Pydantic keeps the functions.
    """
    functions = (*metadata.get("pydantic_js_functions", ()), *metadata.get("pydantic_js_annotation_functions", ()))
    checks = [f"the JSON Schema that {title(function)} gives" for function in functions if is_authors(function)]
    return checks + json_schema_extra_checks(metadata.get("pydantic_js_extra"))


def json_schema_extra_checks(extra: Any) -> list[str]:
    """A sentence if ``json_schema_extra``, a dictionary or a function, may restrict values."""
    restricts = extra is not None and (callable(extra) or SPEAKING & extra.keys())
    return ["the JSON Schema that json_schema_extra gives"] if restricts else []


def is_authors(function: Any) -> bool:
    """Whether the type's author wrote the function, or what it passes on (``WithJsonSchema``); else Pydantic did."""
    return title(function).startswith("WithJsonSchema.") or not str(function.__module__).startswith("pydantic.")


def step_check(core: Mapping[str, Any]) -> str:
    """A sentence for a step of a chain: the type of its core schema, and what it demands of a text."""
    options = (f"{option} {value}" for option, value in core.items() if option in _TEXT_OPTIONS)
    return "then " + ", ".join([core["type"], *options])
