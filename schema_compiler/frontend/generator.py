"""Pydantic's JSON Schema generator, corrected where its schema says less, or other, than Pydantic enforces.

``GenerateJsonSchema`` has a method for each kind of core schema, and overriding them is its documented extension
point. The corrections are of three sorts::

    Decimal(max_digits=5)      number | string      number or quoted number, of 5 digits
    datetime                   RFC 3339             what Pydantic reads (offset optional)
    AfterValidator(check)      nothing              "x-pydantic-checked": ["after validator check"]

The methods lie in ``numbers``, ``strings``, ``containers`` and ``fields``; here they come together, with those for
functions, which may stand around any type. The names of the added keywords stand in ``schema.source.keywords``.
"""

from __future__ import annotations

from typing import Any

from pydantic import PydanticInvalidForJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema as cs

from schema_compiler.frontend.containers import ContainerSchemas
from schema_compiler.frontend.edits import (
    json_schema_function_checks,
    restrictions,
    step_check,
    with_checks,
    with_conjunct,
)
from schema_compiler.frontend.fields import FieldSchemas
from schema_compiler.frontend.numbers import NumberSchemas
from schema_compiler.frontend.strings import StringSchemas
from schema_compiler.frontend.validators import (
    CONSTRAINT_UPDATES,
    constraint_keywords,
    constraint_of,
    instance_types,
    is_redundant,
    is_transparent,
    reads_no_json,
    text_constraint,
    title,
)
from schema_compiler.schema.source.keywords import CHECKED

__all__ = ["ExactJsonSchema"]

_FORMATS = {"email": "python-email", **{f"uuid{version}": f"python-uuid{version}" for version in range(1, 9)}}
"""Formats as Pydantic names them, and the names of the texts that it reads for them."""


class ExactJsonSchema(NumberSchemas, StringSchemas, ContainerSchemas, FieldSchemas):
    """Generates what Pydantic accepts as JSON, for validation."""

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        """Any schema; formats get the names of what Pydantic reads, functions are noted."""
        kind, _, mode = schema["type"].partition("-")
        if kind == "function" and reads_no_json(schema["function"]["function"]):
            return self.handle_invalid_for_json_schema(schema, title(schema["function"]["function"]))
        json_schema = super().generate_inner(schema)
        if json_schema.get("format") in _FORMATS:
            json_schema = {**json_schema, "format": _FORMATS[json_schema["format"]]}
        if kind == "function":
            json_schema = self._with_function(mode, schema, json_schema)
        return json_schema if CHECKED in json_schema else self._with_authors_changes(schema, json_schema)

    def _with_authors_changes(self, schema: Any, json_schema: JsonSchemaValue) -> JsonSchemaValue:
        """``json_schema`` with a note of what the type's author has changed in it, if that restricts other values."""
        checks = json_schema_function_checks(schema.get("metadata", {}))
        if not checks:
            return json_schema
        unchanged = {key: value for key, value in schema.items() if key not in ("metadata", "ref")}
        try:
            same = restrictions(self.generate_inner(unchanged)) == restrictions(self.resolve_ref_schema(json_schema))
        except PydanticInvalidForJsonSchema:
            same = False
        return json_schema if same else with_checks(json_schema, *checks)

    def _with_function(self, mode: str, schema: Any, json_schema: JsonSchemaValue) -> JsonSchemaValue:
        """``json_schema`` with what the function demands: as keywords if there are some, else as a check.

        ``mode``: when the function is called, "before", "after", "wrap" or "plain".
        """
        function = schema["function"]["function"]
        constraint = constraint_of(function)
        if constraint:
            json_schema = {key: value for key, value in json_schema.items() if key not in CONSTRAINT_UPDATES}
            keywords = constraint_keywords(constraint, schema["schema"], self._core_definitions)
            if keywords is None:
                return with_checks(json_schema, title(function))
            return with_conjunct(json_schema, keywords)
        if is_redundant(function, json_schema):
            return json_schema
        return with_checks(json_schema, f"{mode} validator {title(function)}")

    def function_after_schema(self, schema: cs.AfterValidatorFunctionSchema) -> JsonSchemaValue:
        """The inner schema; that of a constraint inside ``allOf``, so that what Pydantic adds overwrites none of it."""
        inner = super().function_after_schema(schema)
        return {"allOf": [inner]} if constraint_of(schema["function"]["function"]) else inner

    def chain_schema(self, schema: cs.ChainSchema) -> JsonSchemaValue:
        """The first step; what the others demand of its result, where that is what JSON has."""
        json_schema = super().chain_schema(schema)
        first, *others = schema["steps"]
        for step in others:
            text = text_constraint(step)
            if text and is_transparent(first, self._core_definitions):
                json_schema = with_conjunct(json_schema, self.generate_inner(text))
            elif step["type"] == "is-instance" and first["type"] == "any":
                json_schema = with_conjunct(json_schema, {"type": instance_types(step["cls"])})
            else:
                json_schema = with_checks(json_schema, step_check(text or step))
        return json_schema

    def is_subclass_schema(self, schema: cs.IsSubclassSchema) -> JsonSchemaValue:
        """No JSON value is a class."""
        return self.handle_invalid_for_json_schema(schema, f"core_schema.IsSubclassSchema ({schema['cls']})")
