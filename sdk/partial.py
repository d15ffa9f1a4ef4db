"""Values of the parts of a document that is still being written, each checked once, when it closes.

    {"shop": "Ace Books", "lines": [{"name": "Atlas", "pri        shop is closed, lines is not

For a model the parts are its fields, for a list its items. A part is checked by Pydantic's own schema of it, with
all its validators; the whole is put together from the checked parts, and only what concerns the whole (model
validators, a list's length) runs at the end. The schemas are those Pydantic has compiled for the type: a part's is
cut out, and in the whole's it is replaced by "anything".

A type has no parts, and is checked at the end, where a part cannot be told without the whole: validators that read
the fields before, or that see the input before its fields are checked, and types of other shapes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaValidator, core_schema

from sdk.errors import ValidationFailedError

__all__ = ["PartialValue", "Parts", "parts_of"]

_Schema: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parts:
    """How to check a type in parts.

    ``fields``: for each name in the text, the field's name and validator; ``None`` for lists. ``items``: the
    validator of a list's items. ``whole``: takes checked parts.
    """

    fields: Mapping[str, tuple[str, SchemaValidator]] | None
    items: SchemaValidator | None
    whole: SchemaValidator


def parts_of(adapter: TypeAdapter[Any]) -> Parts | None:
    """The parts of a type, ``None`` when it has none."""
    root: _Schema = adapter.core_schema
    definitions = root["definitions"] if root["type"] == "definitions" else []
    named = {definition["ref"]: definition for definition in definitions}
    whole, inner = _opened(root["schema"] if definitions else root, named)
    if inner is None or _reads_more(root):
        return None

    def validator(schema: _Schema) -> SchemaValidator:
        return SchemaValidator(core_schema.definitions_schema(schema, definitions))

    if inner["type"] == "list":
        items = inner.get("items_schema") or core_schema.any_schema()
        return Parts(None, validator(items), validator(_replaced(whole, inner, {**inner, "items_schema": _ANY})))
    fields = {
        field_schema.get("validation_alias", name): (name, validator(field_schema["schema"]))
        for name, field_schema in inner["fields"].items()
    }
    if not all(isinstance(alias, str) for alias in fields):
        return None
    open_fields = {name: {**value, "schema": _any(value["schema"])} for name, value in inner["fields"].items()}
    return Parts(fields, None, validator(_replaced(whole, inner, {**inner, "fields": open_fields})))


_ANY = core_schema.any_schema()


def _any(schema: _Schema) -> _Schema:
    """Anything, or the default of what is left out."""
    return {**schema, "schema": _ANY} if schema["type"] == "default" else _ANY


def _opened(schema: _Schema, named: Mapping[str, _Schema]) -> tuple[_Schema, _Schema | None]:
    """The schema without references at its top, and the fields or the list in it, behind what runs after them."""
    match schema:
        case {"type": "definition-ref", "schema_ref": reference}:
            return _opened(named[reference], named)
        case {"type": "model", "root_model": True}:
            return schema, None
        case {"type": "model-fields" | "list"}:
            return schema, schema
        case {"type": "model" | "function-after", "schema": part}:
            part, inner = _opened(part, named)
            return {**schema, "schema": part}, inner
        case _:
            return schema, None


def _replaced(schema: _Schema, old: _Schema, new: _Schema) -> _Schema:
    """``schema`` with ``new`` in place of ``old``, and no name of its own, since references mean the original."""
    if schema is old:
        return new
    return {key: value for key, value in schema.items() if key != "ref"} | {
        "schema": _replaced(schema["schema"], old, new)
    }


def _reads_more(schema: Any) -> bool:
    """Whether a validator anywhere may read fields before its own."""
    match schema:
        case {"type": "with-info", "function": _}:
            return True
        case dict():
            return any(_reads_more(value) for value in schema.values() if isinstance(value, dict | list | tuple))
        case list() | tuple():
            return any(map(_reads_more, schema))
        case _:
            return False


@contextmanager
def _refusals(text: str) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise ValidationFailedError(text, error.errors(), str(error)) from error


@dataclass(slots=True)
class PartialValue:
    """Reads a document as it is written. ``parts``: ``None`` for a type without."""

    parts: Parts | None
    _text: str = ""
    _fields: dict[str, Any] = field(default_factory=dict)
    _items: list[Any] = field(default_factory=list)
    _scanner: _Scanner = field(default_factory=lambda: _Scanner())

    @property
    def value(self) -> dict[str, Any] | list[Any] | None:
        """The checked parts: fields by name, or items; ``None`` for a type without parts."""
        if self.parts is None:
            return None
        return self._items.copy() if self.parts.fields is None else self._named()

    def feed(self, text: str) -> None:
        """Read on; raises ``ValidationFailedError`` when a validator refuses a part that closes."""
        self._text += text
        if self.parts is not None:
            for part in self._scanner.closed(text):
                with _refusals(self._text):
                    self._check(self.parts, part)

    def whole(self, document: str) -> Any:
        """The value of the finished document, of which all has been fed, for a type with parts."""
        assert self.parts is not None
        with _refusals(document):
            return self.parts.whole.validate_python(self._items if self.parts.fields is None else self._fields)

    def _named(self) -> dict[str, Any]:
        assert self.parts is not None
        assert self.parts.fields is not None
        fields = self.parts.fields
        return {fields[key][0] if key in fields else key: value for key, value in self._fields.items()}

    def _check(self, parts: Parts, part: str) -> None:
        if parts.fields is None:
            assert parts.items is not None
            self._items.append(parts.items.validate_json(part))
            return
        key, end = json.JSONDecoder().raw_decode(part)
        value = part[end:].lstrip().removeprefix(":")
        self._fields[key] = parts.fields[key][1].validate_json(value) if key in parts.fields else json.loads(value)


@dataclass(slots=True)
class _Scanner:
    """Cuts an object or array into its members, whose texts it gives when they are closed."""

    _depth: int = 0
    _in_string: bool = False
    _escaped: bool = False
    _part: list[str] = field(default_factory=list)

    def closed(self, text: str) -> Iterator[str]:
        for character in text:
            if self._depth == 1 and not self._in_string and character in ",}]":
                if part := "".join(self._part).strip():
                    yield part
                self._part.clear()
                self._depth -= character != ","
                continue
            if self._depth:
                self._part.append(character)
            self._move(character)

    def _move(self, character: str) -> None:
        if self._in_string:
            self._in_string = self._escaped or character != '"'
            self._escaped = character == "\\" and not self._escaped
        elif character == '"':
            self._in_string = True
        elif character in "{[":
            self._depth += 1
        elif character in "}]":
            self._depth -= 1
