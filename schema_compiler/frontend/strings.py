"""The JSON Schema of what Pydantic reads from strings: text, bytes, dates and times, UUIDs, addresses, JSON.

A type, what Pydantic's own generator says, and what is said here::

    str, pattern=re.compile("a", re.I)   pattern: "a"           pattern: "(?i)a" in Python's dialect
    datetime                             format: date-time      format: python-datetime (the offset is optional)
    date, ge=date(2024, 2, 29)           format: date           and a pattern of the dates from that day on
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema as cs

from schema_compiler.frontend.edits import with_checks, with_conjunct
from schema_compiler.frontend.patterns import addresses, date_bounds
from schema_compiler.frontend.validators import BOUNDS
from schema_compiler.schema.source.keywords import DIALECT, QUOTED

__all__ = ["STRIPPED", "StringSchemas"]

STRIPPED = r"^(?:\S(?:(?s:.)*\S)?)?$"
"""Texts without white space at either end, in Rust's dialect."""
_ASCII = r"^[\x00-\x7F]*$"
_INLINE_FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s", re.VERBOSE: "x", re.ASCII: "a"}
"""The letters by which Python's patterns set a flag: ``(?i)``."""


class StringSchemas(GenerateJsonSchema):
    """The part of the generator for what is a string in JSON."""

    def str_schema(self, schema: cs.StringSchema) -> JsonSchemaValue:
        """Constraints hold for the text after stripping, so what they are about must be the stripped text."""
        json_schema = super().str_schema(schema)
        pattern = schema.get("pattern")
        if isinstance(pattern, re.Pattern):
            json_schema |= {"pattern": _inline_flags(pattern), DIALECT: "python"}
        elif pattern is not None and schema.get("regex_engine", self._config.regex_engine) == "python-re":
            json_schema[DIALECT] = "python"
        if schema.get("ascii_only"):
            json_schema = with_conjunct(json_schema, {"pattern": _ASCII, DIALECT: "rust"})
        strips = schema.get("strip_whitespace", self._config.str_strip_whitespace)
        if strips and (json_schema.get("minLength") or pattern is not None):
            json_schema = with_conjunct(json_schema, {"pattern": STRIPPED, DIALECT: "rust"})
        return json_schema

    def bytes_schema(self, schema: cs.BytesSchema) -> JsonSchemaValue:
        """Text in the encoding that JSON input has; lengths count bytes."""
        json_schema = super().bytes_schema(schema)
        lengths = json_schema.keys() & {"minLength", "maxLength"}
        match self._config.val_json_bytes:
            case "base64":
                json_schema = {"type": "string", "format": "base64url"}
            case "hex":
                json_schema = {"type": "string", "pattern": "^(?:[0-9a-f]{2})*$"}
            case _:
                return {**json_schema, "pattern": _ASCII} if "maxLength" in lengths else json_schema
        return with_checks(json_schema, "length in bytes") if lengths else json_schema

    def date_schema(self, schema: cs.DateSchema) -> JsonSchemaValue:
        """A calendar date; bounds are patterns, except today."""
        json_schema: JsonSchemaValue = {"type": "string", "format": "date"}
        options: Mapping[str, Any] = schema
        patterns = date_bounds(options)
        for pattern in patterns.values():
            json_schema = with_conjunct(json_schema, {"pattern": pattern, DIALECT: "rust"})
        others = {name: value for name, value in options.items() if name not in patterns}
        return with_checks(json_schema, *_time_checks(others))

    def time_schema(self, schema: cs.TimeSchema) -> JsonSchemaValue:
        """A time of day, with or without an offset."""
        return with_checks({"type": "string", "format": "python-time"}, *_time_checks(schema, "tz_constraint"))

    def datetime_schema(self, schema: cs.DatetimeSchema) -> JsonSchemaValue:
        """A date and a time; the offset as the type demands."""
        zone = schema.get("tz_constraint")
        format_ = f"python-{zone}-datetime" if isinstance(zone, str) else "python-datetime"
        offset_checks = ["tz_constraint"] if isinstance(zone, int) else []
        return with_checks({"type": "string", "format": format_}, *_time_checks(schema), *offset_checks)

    def timedelta_schema(self, schema: cs.TimedeltaSchema) -> JsonSchemaValue:
        """An ISO 8601 duration."""
        return with_checks({"type": "string", "format": "python-timedelta"}, *_time_checks(schema))

    def uuid_schema(self, schema: cs.UuidSchema) -> JsonSchemaValue:
        """A UUID of the version that the type demands."""
        return {"type": "string", "format": f"python-uuid{schema.get('version') or ''}"}

    def url_schema(self, schema: cs.UrlSchema) -> JsonSchemaValue:
        """A web address; for other schemes, the part of what the URL parser reads that needs no knowledge of them."""
        json_schema = super().url_schema(schema)
        schemes = schema.get("allowed_schemes")
        if schemes is None:
            return {**json_schema, "format": "python-url"}
        if {"http", "https"} & set(schemes):
            beginnings = "|".join(map(re.escape, schemes))
            return {**json_schema, "format": "python-url", "pattern": f"^(?:{beginnings}):"}
        return {**json_schema, "format": "uri", "pattern": addresses(schemes, many=False)}

    def multi_host_url_schema(self, schema: cs.MultiHostUrlSchema) -> JsonSchemaValue:
        """As ``url_schema``, with hosts separated by commas."""
        json_schema = super().multi_host_url_schema(schema)
        del json_schema["format"]
        return {**json_schema, "pattern": addresses(schema.get("allowed_schemes", ["https"]), many=True)}

    def json_schema(self, schema: cs.JsonSchema) -> JsonSchemaValue:
        """JSON inside a string: a number is one between quotes, all else is checked afterwards."""
        json_schema = super().json_schema(schema)
        content = json_schema["contentSchema"]
        if content.get("type") in ("integer", "number"):
            return {**content, "type": "string", QUOTED: content["type"]}
        return with_checks(json_schema, "the text must be JSON of the content schema")


def _time_checks(options: Mapping[str, Any], *more: str) -> list[str]:
    """A sentence for each bound, for the comparison with now, and for each of ``more`` options, where given."""
    return [f"{name} {options[name]}" for name in (*BOUNDS, "now_op", *more) if name in options]


def _inline_flags(pattern: re.Pattern[str]) -> str:
    """The pattern with its flags written inside."""
    letters = "".join(letter for flag, letter in _INLINE_FLAGS.items() if pattern.flags & flag)
    return f"(?{letters}){pattern.pattern}" if letters else pattern.pattern
