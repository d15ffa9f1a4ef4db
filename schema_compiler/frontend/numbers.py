"""The JSON Schema of Pydantic's numbers.

A type, what Pydantic's own generator says, and what is said here::

    Decimal, max_digits=5      number | string      number or quoted number, of 5 digits
    float, le=inf              maximum: inf         no bound
    Fraction                   string               number, or a ratio such as "1/3"
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema as cs

from schema_compiler.frontend.edits import with_checks
from schema_compiler.frontend.validators import BOUNDS
from schema_compiler.schema.source.keywords import DECIMAL_PLACES, MAX_DIGITS, QUOTED

__all__ = ["NumberSchemas"]

_FLOAT_DIGITS = 15
"""Decimals of so many digits, and no more, come back from the nearest float (IEEE 754 binary64)."""
_FRACTION = r"^-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?$"
"""Ratios of parts with at most 18 digits: Python reads no integer of thousands, and 18 fit into 64 bits (chosen)."""
_REAL = r"[0-9]{1,17}(?:\.[0-9]{1,17})?(?:e[+-]?[0-9]{1,2})?"
"""Real numbers with at most 17 digits before the point and behind it, enough to tell floats apart; none is infinite."""
_COMPLEX = rf"^-?{_REAL}(?:j|[+-]{_REAL}j)?$"
"""Complex numbers, or one of their parts."""


class NumberSchemas(GenerateJsonSchema):
    """The part of the generator for numbers."""

    def int_schema(self, schema: cs.IntSchema) -> JsonSchemaValue:
        """Bounds that are infinite are no bounds."""
        return _without_infinite_bounds(super().int_schema(schema))

    def float_schema(self, schema: cs.FloatSchema) -> JsonSchemaValue:
        """Bounds that are infinite are no bounds; the remainder by a step is rounded, unless it is a power of two."""
        json_schema = _without_infinite_bounds(super().float_schema(schema))
        is_power_of_two = abs(math.frexp(json_schema.get("multipleOf", 1))[0]) == 0.5
        if is_power_of_two:
            return json_schema
        return with_checks(json_schema, f"multiple_of {json_schema['multipleOf']} in floating-point arithmetic")

    def decimal_schema(self, schema: cs.DecimalSchema) -> JsonSchemaValue:
        """A number between quotes, as Pydantic writes it, or a plain one of few enough digits.

        Pydantic reads a plain number as a float first: what it compares with the constraints is that float.
        """
        facts = _decimal_keywords(schema)
        plain = {**facts, MAX_DIGITS: min(_FLOAT_DIGITS, facts.get(MAX_DIGITS, _FLOAT_DIGITS))}
        return {"anyOf": [{"type": "number", **plain}, {"type": "string", QUOTED: "number", **facts}]}

    def fraction_schema(self, schema: cs.FractionSchema) -> JsonSchemaValue:
        """A number, or a ratio between quotes unless there are bounds to compare it with."""
        options: Mapping[str, Any] = schema
        bounds = {keyword: _json_number(options[name]) for name, keyword in BOUNDS.items() if name in options}
        ratio = {"type": "string", "pattern": _FRACTION}
        return {"type": "number", **bounds} if bounds else {"anyOf": [{"type": "number"}, ratio]}

    def complex_schema(self, schema: cs.ComplexSchema) -> JsonSchemaValue:  # noqa: ARG002 - given by Pydantic
        """The text of a complex number."""
        return {"type": "string", "pattern": _COMPLEX}


def _without_infinite_bounds(json_schema: JsonSchemaValue) -> JsonSchemaValue:
    vacuous = {"maximum": math.inf, "exclusiveMaximum": math.inf, "minimum": -math.inf, "exclusiveMinimum": -math.inf}
    return {
        keyword: value for keyword, value in json_schema.items() if keyword not in vacuous or value != vacuous[keyword]
    }


def _decimal_keywords(schema: cs.DecimalSchema) -> dict[str, Any]:
    """Bounds, step and digits of a core schema as keywords."""
    keywords = {**BOUNDS, "multiple_of": "multipleOf", "max_digits": MAX_DIGITS, "decimal_places": DECIMAL_PLACES}
    options = {keyword: schema.get(name) for name, keyword in keywords.items()}
    return _without_infinite_bounds(
        {keyword: _json_number(value) for keyword, value in options.items() if value is not None}
    )


def _json_number(value: Any) -> int | float | Decimal:
    """The number as an ``int`` or ``float`` where that is exact, since JSON has these; else as a ``Decimal``."""
    exact = Decimal(str(value))
    if exact.is_finite() and exact == exact.to_integral_value():
        return int(exact)
    return float(exact) if Decimal(repr(float(exact))) == exact else exact
