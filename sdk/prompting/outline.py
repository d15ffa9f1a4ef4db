"""The shape of the answer in words: an outline of field names, types and descriptions.

A small model does not follow raw JSON Schema, whose braces, ``$defs`` and keywords take more tokens than the document.
It does follow an outline:

    - company (text): name of the shop
    - items (list of Item): what was bought
      - name (text)
      - price (number)
    - status ("paid" or "open", optional)

A named object is spelled out where it is first mentioned, and mentioned by name from then on, which is also how
recursive types end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from schema_compiler.schema.source.pointers import unescape_token

__all__ = ["outline"]

_FORMATS = {
    "date": "date, YYYY-MM-DD",
    "date-time": "date and time, YYYY-MM-DDThh:mm:ssZ",
    "python-datetime": "date and time, YYYY-MM-DDThh:mm:ss",
    "python-aware-datetime": "date and time, YYYY-MM-DDThh:mm:ssZ",
    "python-naive-datetime": "date and time, YYYY-MM-DDThh:mm:ss",
    "time": "time, hh:mm:ssZ",
    "python-time": "time, hh:mm:ss",
    "duration": "duration, like P1DT2H",
    "python-timedelta": "duration, like P1DT2H",
    "email": "e-mail address",
    "python-uuid": "UUID",
    "uuid": "UUID",
    "uri": "URL",
}
"""How formats are put into words; one that is not listed is "text"."""

_SCALARS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}
"""How types without parts are put into words."""


def outline(schema: Mapping[str, Any] | bool) -> str:
    """The outline of a JSON Schema: what the value is, then a line for each field."""
    writer = _Writer(schema)
    phrase = writer.phrase(schema)
    described = f"{phrase}: {note}" if (note := writer.note(schema)) else phrase
    return "\n".join([described, *writer.lines(schema, "")])


@dataclass(slots=True)
class _Writer:
    """Puts the parts of one schema, ``document``, into words.

    ``expanded``: references to objects whose fields have a line already. ``open_references``: other references that
    are being put into words right now, at which recursion ends.
    """

    document: Mapping[str, Any] | bool
    expanded: set[str] = field(default_factory=set)
    open_references: set[str] = field(default_factory=set)

    def phrase(self, schema: Any) -> str:
        """The type in a few words."""
        match schema:
            case {"$ref": str(reference)}:
                return self._name(reference)
            case {"const": value}:
                return json.dumps(value, ensure_ascii=False)
            case {"enum": [*values]}:
                return _join([json.dumps(value, ensure_ascii=False) for value in values], "or")
            case {"anyOf": [*options]} | {"oneOf": [*options]}:
                return _join([self.phrase(option) for option in options], "or")
            case {"allOf": [*parts]}:
                return _join([self.phrase(part) for part in parts], "and")
            case {"type": [*kinds]}:
                return _join([self.phrase({**schema, "type": kind}) for kind in kinds], "or")
            case {"type": "string", "x-pydantic-quoted": str(kind)}:
                return _SCALARS[kind]
            case {"type": "string", "format": str(name)}:
                return _FORMATS.get(name, "text")
            case {"type": "array", "prefixItems": [*items]}:
                return f"list of {_join([self.phrase(item) for item in items], 'then')}"
            case {"type": "array"}:
                return f"list of {self.phrase(schema.get('items', True))}"
            case {"type": "object", "additionalProperties": dict()} if "properties" not in schema:
                return f"object of names to {self.phrase(schema['additionalProperties'])}"
            case {"type": "object"} | {"properties": _}:
                return "object"
            case {"type": str(kind)}:
                return _SCALARS.get(kind, kind)
            case _:
                return "any value"

    def lines(self, schema: Any, indent: str) -> Iterator[str]:
        """A line for each field inside, deeper ones indented under the field that holds them."""
        for part in self._objects(schema):
            required = part.get("required", ())
            for name, value in part["properties"].items():
                optional = "" if name in required else ", optional"
                note = f": {text}" if (text := self.note(value)) else ""
                yield f"{indent}- {name} ({self.phrase(value)}{optional}){note}"
                yield from self.lines(value, indent + "  ")

    def note(self, schema: Any) -> str:
        """The description on one line; a field's own goes before its type's."""
        if not isinstance(schema, Mapping):
            return ""
        if "description" in schema:
            return " ".join(str(schema["description"]).split())
        return self.note(self._target(schema["$ref"])) if "$ref" in schema else ""

    def _objects(self, schema: Any) -> Iterator[Mapping[str, Any]]:
        """The objects with declared fields in ``schema``, except those reached by a reference followed before."""
        if not isinstance(schema, Mapping):
            return
        if "properties" in schema:
            yield schema
        if isinstance(reference := schema.get("$ref"), str) and reference not in self.expanded:
            self.expanded.add(reference)
            yield from self._objects(self._target(reference))
        for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
            for part in schema.get(keyword, ()):
                yield from self._objects(part)
        for keyword in ("items", "additionalProperties"):
            yield from self._objects(schema.get(keyword))

    def _name(self, reference: str) -> str:
        """The name of an object with fields; anything else in words, unless it is inside itself."""
        target = self._target(reference)
        if reference in self.open_references or (isinstance(target, Mapping) and "properties" in target):
            return str(target.get("title", reference.rpartition("/")[2]))
        self.open_references.add(reference)
        phrase = self.phrase(target)
        self.open_references.remove(reference)
        return phrase

    def _target(self, reference: str) -> Any:
        """The schema that a local reference points to; ``{}``, any value, where it is not a plain JSON pointer."""
        start, *steps = reference.split("/")
        schema: Any = self.document if start == "#" else {}
        for step in steps:
            name = unescape_token(step)
            schema = schema.get(name, {}) if isinstance(schema, Mapping) else {}
        return schema


def _join(phrases: list[str], word: str) -> str:
    """``a, b or c``, without repetitions."""
    *others, last = dict.fromkeys(phrases) or ["nothing"]
    return f"{', '.join(others)} {word} {last}" if others else last
