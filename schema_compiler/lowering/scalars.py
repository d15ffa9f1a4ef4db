r"""Scalars and constants: the leaves and literals that stand where they are needed, without a rule of their own.

    string{1,3}                       <string>{1,3}
    number in [0, 10)                 <number >=0 <10>
    one of ["a", [true, {"b": 1}]]    "\"a\"" | "[true, {\"b\": 1}]"

Strings and numbers are leaves, which all grammars of a vocabulary share. Constants are literals, in the spelling of
``json.dumps``; many scalar constants are one leaf, named ``<enum>``.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from schema_compiler.errors import CompileBudgetError
from schema_compiler.grammar.ir import Expression, Literal, choice, sequence
from schema_compiler.grammar.leaves import counted, leaf
from schema_compiler.lowering.layout import Layout
from schema_compiler.regular.automata.literals import from_literals
from schema_compiler.regular.text.json_strings import string_literal
from schema_compiler.schema.algebra.numerals import numeral
from schema_compiler.schema.algebra.strings import counted_strings, text_name
from schema_compiler.schema.ir import Enumeration, Number, String

__all__ = ["enumeration_expression", "number_expression", "string_expression"]

CHOICE_LIMIT = 32
"""How many scalar constants become literals of the rule; more become one leaf.

Literals are compiled faster, the scans of a leaf serve many documents. A power of two: with 32 constants, eight
documents take less time as literals, with 128 as a leaf (1.7 and 4.2 ms, 6.5 and 4.8 ms; measured once on one CPU core
with 129,280 tokens).
"""

LEAF_LIMIT = 4096
"""How many states the leaf of an enumeration may have; the constants of a larger one become literals.

A table takes a kilobyte for each state (256 numbers of four bytes), literals only something for the states that a
document gets to. A power of two, which allows tables of four megabytes; chosen, not measured.
"""


@lru_cache(maxsize=256)
def string_expression(schema: String) -> Expression:
    """The JSON strings in ``schema``, as one leaf.

    Raises ``PatternError`` for a pattern that cannot be read, ``UnsupportedSchemaError`` for an unknown format,
    ``CompileBudgetError`` where the automaton grows too large.
    """
    strings = counted_strings(schema)
    return counted(text_name(schema, "string"), strings.dfa, strings.minimum, strings.maximum)


@lru_cache(maxsize=256)
def number_expression(schema: Number) -> Expression:
    """The spellings of the numbers in ``schema``, as one leaf.

    Raises ``CompileBudgetError`` where ``multiple_of`` makes the automaton too large.
    """
    return leaf(("integer" if schema.integer else "number") + _limits(schema), numeral(schema))


def _limits(schema: Number) -> str:
    """The limits of a number, for the leaf's name: `` >=0 <10 /0.5``."""
    limits = (
        (">" if schema.exclusive_minimum else ">=", schema.minimum),
        ("<" if schema.exclusive_maximum else "<=", schema.maximum),
        ("/", schema.multiple_of),
        ("digits ", schema.max_digits),
        ("places ", schema.decimal_places),
    )
    return "".join(f" {sign}{limit}" for sign, limit in limits if limit is not None)


def enumeration_expression(schema: Enumeration, layout: Layout) -> Expression:
    """The values of an enumeration: literals, or one leaf for many scalars, unless its table were too large."""
    values = list(_spelled_values(schema))
    scalars = [_scalar_text(value) for value in values if not isinstance(value, list | dict)]
    compound = [_constant(value, layout) for value in values if isinstance(value, list | dict)]
    if len(scalars) > CHOICE_LIMIT:
        with contextlib.suppress(CompileBudgetError):
            return choice(leaf("enum", from_literals(scalars, limit=LEAF_LIMIT)), *compound)
    return choice(*map(Literal, scalars), *compound)


def _constant(value: Any, layout: Layout) -> Expression:
    """Exactly this JSON value."""
    match value:
        case dict():
            members = [
                sequence(Literal(string_literal(name)), layout.colon, _constant(member, layout))
                for name, member in value.items()
            ]
            return sequence(layout.open_brace, *_with_commas(members, layout), layout.close_brace)
        case list():
            items = [_constant(item, layout) for item in value]
            return sequence(layout.open_bracket, *_with_commas(items, layout), layout.close_bracket)
        case _:
            return Literal(_scalar_text(value))


def _with_commas(parts: Iterable[Expression], layout: Layout) -> Iterator[Expression]:
    for index, part in enumerate(parts):
        yield sequence(layout.comma, part) if index else part


def _scalar_text(value: Any) -> bytes:
    return string_literal(value) if isinstance(value, str) else json.dumps(value).encode()


def _spelled_values(schema: Enumeration) -> Iterator[Any]:
    """The values, each as often as it has spellings: 1 and 1.0 with ``fraction``."""
    for value in schema.values:
        yield value
        if schema.fraction:
            other = _with_other_spelling(value)
            if repr(other) != repr(value):
                yield other


def _with_other_spelling(value: Any) -> Any:
    """``value`` with each whole number in its other spelling: ``[1.0, 2]`` for ``[1, 2.0]``."""
    match value:
        case bool():
            return value
        case int():
            return _equal_float(value)
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_with_other_spelling(item) for item in value]
        case dict():
            return {name: _with_other_spelling(member) for name, member in value.items()}
        case _:
            return value


def _equal_float(value: int) -> int | float:
    """The float that is equal to ``value``; where there is none, ``value`` itself."""
    try:
        number = float(value)
    except OverflowError:
        return value
    return number if int(number) == value else value
