"""The values of ``Literal`` and ``Enum`` that JSON can hold, and Pydantic reads back.

    Literal["a", b"b", Colour.RED]     "a"           bytes and members of an enumeration are read from no JSON
    Flag(READ=1, WRITE=2)              0, 1, 2, 3    the members' sums are values, too

Pydantic itself is asked, value by value: its documentation of what a JSON value matches is its validator.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import Enum, Flag
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, SchemaValidator, to_jsonable_python

__all__ = ["key_choices", "value_choices"]

_MOST_SUMS = 256


def value_choices(core: Any) -> list[Any]:
    """The JSON values that a core schema of type ``literal`` or ``enum`` reads."""
    validator = SchemaValidator(core)
    return [value for value in _candidates(core) if _reads(validator, value)]


def key_choices(core: Any) -> list[str]:
    """The texts that a core schema of type ``literal`` or ``enum`` reads as keys of an object."""
    validator = SchemaValidator({"type": "dict", "keys_schema": core})
    texts = (value if isinstance(value, str) else json.dumps(value) for value in _candidates(core))
    return [text for text in dict.fromkeys(texts) if _reads(validator, {text: None})]


def _candidates(core: Any) -> Iterator[Any]:
    for value in core["expected"] if core["type"] == "literal" else _members(core):
        try:
            yield to_jsonable_python(value)
        except (PydanticSerializationError, UnicodeDecodeError):
            continue


def _members(core: Any) -> Iterable[Any]:
    cls = core["cls"]
    if issubclass(cls, Flag):
        everything = sum({member.value for member in cls if member.value.bit_count() == 1})
        if everything < _MOST_SUMS:
            return range(everything + 1)
    return (member.value if isinstance(member, Enum) else member for member in core["members"])


def _reads(validator: SchemaValidator, value: Any) -> bool:
    try:
        validator.validate_json(json.dumps(value))
    except ValidationError:
        return False
    return True
