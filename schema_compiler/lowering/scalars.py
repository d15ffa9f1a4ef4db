"""Scalars and constants as they are spelled."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from schema_compiler.errors import CompileBudgetError
from schema_compiler.grammar.ir import (
    Expression,
    choice,
    sequence,
)
from schema_compiler.grammar.ir import Literal as Text
from schema_compiler.grammar.leaves import counted, leaf
from schema_compiler.lowering.layout import Layout
from schema_compiler.regular.automata.literals import from_literals
from schema_compiler.regular.text.json_strings import string_literal
from schema_compiler.schema import ir as s
from schema_compiler.schema.algebra.numerals import numeral
from schema_compiler.schema.algebra.strings import counted_strings, text_name

__all__ = ["_number", "_spellings", "_string", "constant", "constants"]


CHOICE_LIMIT = 32
"""Up to so many constants are spelled out in the rule; beyond, they become one leaf."""

LEAF_LIMIT = 4096
"""Up to so many states: a table takes a kilobyte for each, a rule something for those that a document gets to."""


def constants(values: Iterable[Any], layout: Layout) -> Expression:
    """One of the values; many scalars become one leaf, unless its table were too large."""
    scalars = [_spelling(value) for value in values if not isinstance(value, list | dict)]
    compound = [constant(value, layout) for value in values if isinstance(value, list | dict)]
    if len(scalars) > CHOICE_LIMIT:
        with contextlib.suppress(CompileBudgetError):
            return choice(leaf("enum", from_literals(scalars, limit=LEAF_LIMIT)), *compound)
    return choice(*map(Text, scalars), *compound)


def constant(value: Any, layout: Layout) -> Expression:
    """Exactly this JSON value."""
    match value:
        case dict():
            members = [sequence(Text(string_literal(k)), layout.colon, constant(v, layout)) for k, v in value.items()]
            return sequence(layout.open_brace, *_separated(members, layout), layout.close_brace)
        case list():
            items = [constant(item, layout) for item in value]
            return sequence(layout.open_bracket, *_separated(items, layout), layout.close_bracket)
        case _:
            return Text(_spelling(value))


def _separated(parts: list[Expression], layout: Layout) -> Iterable[Expression]:
    for index, part in enumerate(parts):
        yield sequence(layout.comma, part) if index else part


def _spelling(value: Any) -> bytes:
    return string_literal(value) if isinstance(value, str) else json.dumps(value).encode()


@lru_cache(maxsize=256)
def _string(schema: s.String) -> Expression:
    strings = counted_strings(schema)
    return counted(text_name(schema, "string"), strings.dfa, strings.minimum, strings.maximum)


@lru_cache(maxsize=256)
def _number(schema: s.Number) -> Expression:
    return leaf(("integer" if schema.integer else "number") + _range(schema), numeral(schema))


def _range(schema: s.Number) -> str:
    """The bounds for the reader: ``>=0 <10 /0.5``."""
    bounds = (
        (">" if schema.exclusive_minimum else ">=", schema.minimum),
        ("<" if schema.exclusive_maximum else "<=", schema.maximum),
        ("/", schema.multiple_of),
        ("digits ", schema.max_digits),
        ("places ", schema.decimal_places),
    )
    return "".join(f" {sign}{bound}" for sign, bound in bounds if bound is not None)


def _spellings(enumeration: s.Enumeration) -> Iterator[Any]:
    """The values, and the whole numbers among them in their other spelling."""
    for value in enumeration.values:
        yield value
        if enumeration.fraction:
            other = _respelled(value)
            if repr(other) != repr(value):
                yield other


def _respelled(value: Any) -> Any:
    """``value`` with each whole number in the spelling that it does not have: ``1.0`` for ``1``, ``1`` for ``1.0``."""
    match value:
        case bool():
            return value
        case int():
            return _as_float(value)
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_respelled(item) for item in value]
        case dict():
            return {name: _respelled(member) for name, member in value.items()}
        case _:
            return value


def _as_float(value: int) -> int | float:
    """The float that is this very number, or else the integer."""
    try:
        number = float(value)
    except OverflowError:
        return value
    return number if int(number) == value else value
