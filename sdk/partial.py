"""Values of the parts of a document that is still being written, each checked once, when it closes.

    {"shop": "Ace Books", "lines": [{"name": "Atlas", "pri        shop is closed, lines is not

For a model the parts are its fields, for a list its items. A part is checked by Pydantic's own schema of it, with
all its validators. The value is put together from the checked parts, and only what concerns all of it (model
validators, a list's length) runs at the end. The schemas are those that Pydantic has made for the type: a part's is cut
out of the type's, where "anything" takes its place. A validator that reads the fields before its own (``info.data``)
gets those that are closed, which are the same fields.

A type is checked at the end, and has no parts, where a part cannot be checked by itself: with validators that see the
input before its fields are checked, with defaults that are validated or made by a function, and in types of other
shapes. Under a JSON Schema the parts are plain data, and the whole document is checked at the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaValidator, core_schema

from sdk.errors import ValidationFailedError

__all__ = ["PLAIN", "PartialValue", "Parts", "parts_of"]

_Schema: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parts:
    """How to check one document of a type in parts.

    ``fields``: for each name in the text, the field's name and validator, in the order of the type. ``items``: the
    validator of a list's items. ``whole``: the validator that takes checked parts; ``None`` where the document is
    parsed as a whole. ``checked``: the fields that are checked already, for validators of other fields to read.
    """

    fields: Mapping[str, tuple[str, SchemaValidator]]
    items: SchemaValidator
    whole: SchemaValidator | None
    checked: dict[str, Any]


_ANY = core_schema.any_schema()
"""Pydantic's schema of anything, for what is checked elsewhere."""

PLAIN = Parts({}, SchemaValidator(_ANY), None, {})
"""The parts of objects and arrays that are plain data, such as those of a JSON Schema."""


@dataclass(frozen=True, slots=True)
class _Info:
    """The attributes of Pydantic's ``ValidationInfo``, for a validator of the field ``field_name``."""

    data: dict[str, Any]
    field_name: str
    config: Any
    mode: str
    context: None = None


def parts_of(adapter: TypeAdapter[Any]) -> Parts | None:
    """The parts of a type, ``None`` when it has none."""
    root: _Schema = adapter.core_schema
    definitions = root["definitions"] if root["type"] == "definitions" else []
    named = {definition["ref"]: definition for definition in definitions}
    whole, inner, config = _inner_schema(root["schema"] if definitions else root, named, None)
    if inner is None:
        return None

    def validator(schema: _Schema) -> SchemaValidator:  # prebuilt ones, of models, would check the parts again
        return SchemaValidator(core_schema.definitions_schema(schema, definitions), config, _use_prebuilt=False)

    if inner["type"] == "list":
        items = inner.get("items_schema") or _ANY
        return Parts({}, validator(items), validator(_replace(whole, inner, {**inner, "items_schema": _ANY})), {})
    schemas = {name: part["schema"] for name, part in inner["fields"].items()}
    aliases = {name: part.get("validation_alias", name) for name, part in inner["fields"].items()}
    if not all(isinstance(alias, str) for alias in aliases.values()):
        return None
    if (config or {}).get("validate_default") or any(map(_has_late_default, schemas.values())):
        return None
    checked: dict[str, Any] = {}
    fields = {aliases[name]: (name, validator(_with_info(schema, checked, name))) for name, schema in schemas.items()}
    unchecked = {name: {**value, "schema": _any_or_default(value["schema"])} for name, value in inner["fields"].items()}
    closed = validator(_replace(whole, inner, {**inner, "fields": unchecked}))
    return Parts(fields, PLAIN.items, closed, checked)


def _any_or_default(schema: _Schema) -> _Schema:
    """The schema of anything that has the default of ``schema``, if it has one."""
    return {**schema, "schema": _ANY} if schema["type"] == "default" else _ANY


def _has_late_default(schema: _Schema) -> bool:
    """Whether the default is made or validated in each document, so that it is part of checking the whole."""
    return schema["type"] == "default" and ("default_factory" in schema or schema.get("validate_default") is True)


def _inner_schema(schema: _Schema, named: Mapping[str, _Schema], config: Any) -> tuple[_Schema, _Schema | None, Any]:
    """The schema, followed through references; in it the schema of fields or of a list, if any; the config of this one.

    Only validators that run after the fields or the list may lie around the inner schema.
    """
    match schema:
        case {"type": "definition-ref", "schema_ref": reference}:
            return _inner_schema(named[reference], named, config)
        case {"type": "model", "root_model": True}:
            return schema, None, None
        case {"type": "model-fields" | "typed-dict" | "list"}:
            return schema, schema, schema.get("config", config)
        case {"type": "model" | "function-after", "schema": part}:
            part, inner, config = _inner_schema(part, named, schema.get("config", config))
            return {**schema, "schema": part}, inner, config
        case _:
            return schema, None, None


def _replace(schema: _Schema, old: _Schema, new: _Schema) -> _Schema:
    """``schema`` with ``new`` in place of ``old``, and without its name, since references lead to the original."""
    if schema is old:
        return new
    return {key: value for key, value in schema.items() if key != "ref"} | {
        "schema": _replace(schema["schema"], old, new)
    }


def _with_info(schema: Any, checked: dict[str, Any], name: str) -> Any:
    """A field's schema, whose validators get ``checked`` as ``info.data``; types inside it have fields of their own."""
    match schema:
        case {"type": "model" | "typed-dict" | "dataclass"}:
            return schema
        case {"type": "with-info", "function": function}:
            return {"type": "with-info", "function": _replace_info(function, checked, name)}
        case dict():
            return {key: _with_info(value, checked, name) for key, value in schema.items()}
        case list() | tuple():
            return type(schema)(_with_info(value, checked, name) for value in schema)
        case _:
            return schema


def _replace_info(function: Callable[..., Any], checked: dict[str, Any], name: str) -> Callable[..., Any]:
    """A validator that calls ``function`` with ``checked`` as the data of its last argument, the info."""

    def validate(*arguments: Any) -> Any:
        *others, info = arguments
        return function(*others, _Info(checked, name, info.config, info.mode))

    return validate


@contextmanager
def _raise_refusals(text: str) -> Iterator[None]:
    """Turn Pydantic's errors into ``ValidationFailedError``; ``text``: the document so far."""
    try:
        yield
    except ValidationError as error:
        raise ValidationFailedError(text, error.errors(), str(error)) from error


@dataclass(slots=True)
class PartialValue:
    """Reads a document as it is written.

    ``parts``: ``None`` for a type without. ``parse``: from a finished document to its value, where that is not put
    together from parts.
    """

    parts: Parts | None
    parse: Callable[[str], Any] = json.loads
    _text: str = ""
    _fields: dict[str, Any] = field(default_factory=dict)
    _items: list[Any] = field(default_factory=list)
    _scanner: _Scanner = field(default_factory=lambda: _Scanner())

    @property
    def value(self) -> dict[str, Any] | list[Any] | None:
        """The checked parts: fields by name, or items; ``None`` for a type without parts, and before any text."""
        match self._text.lstrip()[:1]:
            case "{" if self.parts is not None:
                return {self._name(key): value for key, value in self._fields.items()}
            case "[" if self.parts is not None:
                return self._items.copy()
            case _:
                return None

    def feed(self, text: str) -> None:
        """Read the next piece of text; raises ``ValidationFailedError`` when a validator refuses a part that closes."""
        self._text += text
        if self.parts is not None:
            for part in self._scanner.closed_members(text):
                with _raise_refusals(self._text):
                    self._check(self.parts, part)

    def whole(self, document: str) -> Any:
        """The value of the finished document, all of which has been fed; raises ``ValidationFailedError``."""
        if self.parts is None or self.parts.whole is None:
            return self.parse(document)
        with _raise_refusals(document):
            return self.parts.whole.validate_python(self._items if document.startswith("[") else self._fields)

    def _name(self, key: str) -> str:
        """The name of the field that is ``key`` in the text."""
        assert self.parts is not None
        return self.parts.fields[key][0] if key in self.parts.fields else key

    def _check(self, parts: Parts, part: str) -> None:
        """Check an item, or a member of an object, ``"key": value``, and keep its value."""
        if self._text.lstrip().startswith("["):
            self._items.append(parts.items.validate_json(part))
            return
        key, end = json.JSONDecoder().raw_decode(part)
        value = part[end:].lstrip().removeprefix(":")
        if key not in parts.fields:
            self._fields[key] = json.loads(value)
            return
        name, validator = parts.fields[key]
        self._fill_defaults(parts, name)
        self._fields[key] = parts.checked[name] = validator.validate_json(value)

    def _fill_defaults(self, parts: Parts, until: str) -> None:
        """Let validators read the defaults of fields before ``until`` that were left out."""
        for name, validator in parts.fields.values():
            if name == until:
                return
            if name not in parts.checked and (default := validator.get_default_value()) is not None:
                parts.checked[name] = default.value


@dataclass(slots=True)
class _Scanner:
    """Cuts the text of an object or array into those of its members."""

    _depth: int = 0
    _in_string: bool = False
    _escaped: bool = False
    _part: list[str] = field(default_factory=list)

    def closed_members(self, text: str) -> Iterator[str]:
        """Read on; the texts of the members that ``text`` closes."""
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
