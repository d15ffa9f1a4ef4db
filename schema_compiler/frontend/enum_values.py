"""The values of ``Literal`` and ``Enum`` that JSON can hold, and that Pydantic reads back.

    Literal["a", b"b", Colour.RED]     "a"           bytes and members of an enumeration are read from no JSON
    Flag(READ=1, WRITE=2)              0, 1, 2, 3    the members' sums are values, too

Which JSON values match, Pydantic's documentation leaves to its validator; so the validator is asked, value by value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import Enum, Flag
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, SchemaValidator, to_jsonable_python

__all__ = ["readable_keys", "readable_values"]

_MOST_COMBINATIONS = 256
"""How many combinations of a ``Flag``'s members are put to Pydantic; with more, only the members themselves are.

A ``Flag`` of n bits has 2**n combinations, and each that Pydantic reads becomes a constant of the grammar. The
number is chosen, not measured: all combinations of eight bits, more than most flags have.
"""


def readable_values(core: Any) -> list[Any]:
    """The JSON values that a core schema of type ``literal`` or ``enum`` reads."""
    validator = SchemaValidator(core)
    return [value for value in _json_values(core) if _reads(validator, value)]


def readable_keys(core: Any) -> list[str]:
    """The texts that a core schema of type ``literal`` or ``enum`` reads as keys of an object."""
    validator = SchemaValidator({"type": "dict", "keys_schema": core})
    texts = (value if isinstance(value, str) else json.dumps(value) for value in _json_values(core))
    return [text for text in dict.fromkeys(texts) if _reads(validator, {text: None})]


def _json_values(core: Any) -> Iterator[Any]:
    """The values that the core schema lists, as far as JSON can hold them; Pydantic may not read them back."""
    for value in core["expected"] if core["type"] == "literal" else _member_values(core):
        try:
            yield to_jsonable_python(value)
        except (PydanticSerializationError, UnicodeDecodeError):
            continue


def _member_values(core: Any) -> Iterable[Any]:
    """The values of an enumeration's members, and of their combinations if it is a ``Flag``."""
    cls = core["cls"]
    if issubclass(cls, Flag):
        all_bits = sum({member.value for member in cls if member.value.bit_count() == 1})
        if all_bits < _MOST_COMBINATIONS:
            return range(all_bits + 1)
    return (member.value if isinstance(member, Enum) else member for member in core["members"])


def _reads(validator: SchemaValidator, value: Any) -> bool:
    try:
        validator.validate_json(json.dumps(value))
    except ValidationError:
        return False
    return True
