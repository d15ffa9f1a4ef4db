"""A second opinion on what a ``Schema`` means: evaluates it against JSON values.

It shares no code with the compiler: patterns go to ``re``, numbers to ``Fraction``. So where it agrees with a JSON
Schema validator on the raw schema, normalisation lost nothing, whatever the grammar does later.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any, assert_never

from jsonschema import FormatChecker

from schema_compiler.schema.ir import (
    Alternative,
    AnyValue,
    Array,
    Boolean,
    Contains,
    Enumeration,
    Never,
    NormalizedSchema,
    Null,
    Number,
    Object,
    Reference,
    Schema,
    String,
    Union,
)

__all__ = ["evaluate"]


def evaluate(schema: NormalizedSchema, value: Any) -> bool:
    """Whether the normalised schema admits ``value``."""
    return _Evaluator(schema).admits(schema.root, value)


class _Evaluator:
    def __init__(self, schema: NormalizedSchema) -> None:
        self._definitions = schema.definitions

    def admits(self, schema: Schema, value: Any) -> bool:
        match schema:
            case Never():
                return False
            case AnyValue():
                return True
            case Null():
                return value is None
            case Boolean():
                return isinstance(value, bool)
            case Number(quoted=True):
                return isinstance(value, str) and _is_numeric(value) and _in_range(schema, Fraction(value))
            case Number():
                return _is_json_number(value) and _in_range(schema, _fraction(value))
            case String():
                return isinstance(value, str) and _fits(schema, value)
            case Array():
                return isinstance(value, list) and self._admits_items(schema, value)
            case Object():
                return isinstance(value, dict) and self._admits_members(schema, value)
            case Enumeration(values):
                return any(_equal(member, value) for member in values)
            case Union(options):
                return any(self.admits(option, value) for option in options)
            case Reference(name):
                return self.admits(self._definitions[name], value)
            case _:
                assert_never(schema)

    def _admits_items(self, array: Array, items: list[Any]) -> bool:
        if not array.min_items <= len(items) <= (len(items) if array.max_items is None else array.max_items):
            return False
        if array.unique and any(_equal(one, other) for i, one in enumerate(items) for other in items[:i]):
            return False
        return all(self._places(array, items)) and all(
            one.minimum <= sum(self._places(one, items)) <= (len(items) if one.maximum is None else one.maximum)
            for one in array.contains
        )

    def _places(self, schemas: Array | Contains, items: list[Any]) -> list[bool]:
        """Of each item whether it is in the schema of its place."""
        places = list(schemas.prefix) + [schemas.items] * max(0, len(items) - len(schemas.prefix))
        return [self.admits(schema, item) for schema, item in zip(places, items, strict=False)]

    def _admits_members(self, made: Object, members: dict[str, Any]) -> bool:
        most = len(members) if made.max_properties is None else made.max_properties
        if not made.min_properties <= len(members) <= most:
            return False
        declared = {item.name: item for item in made.properties}
        if any(item.required and item.name not in members for item in made.properties):
            return False
        met = [
            alternative.obligations
            for alternative in made.alternatives
            if self._is_taken(alternative, set(declared), members)
        ]
        return made.obligations == frozenset().union(*met) and all(
            self._admits_member(made, declared, name, value) for name, value in members.items()
        )

    def _is_taken(self, alternative: Alternative, declared: set[str], members: dict[str, Any]) -> bool:
        if alternative.schema is None:
            return alternative.names not in members
        if isinstance(alternative.names, str):
            return alternative.names in members and self.admits(alternative.schema, members[alternative.names])
        undeclared = members.keys() - declared
        return any(
            self.admits(alternative.names, name) and self.admits(alternative.schema, members[name])
            for name in undeclared
        )

    def _admits_member(self, made: Object, declared: dict[str, Any], name: str, value: Any) -> bool:
        if name in declared:
            return self.admits(declared[name].schema, value)
        matching = [rule for rule in made.rules if self.admits(rule.names, name)]
        assert len(matching) <= 1, f"the rules for {name!r} overlap: {', '.join(map(str, matching))}"
        return any(self.admits(rule.schema, value) for rule in matching)


def _fits(string: String, text: str) -> bool:
    longest = len(text) if string.max_length is None else string.max_length
    return (
        string.min_length <= len(text) <= longest
        and all((_regex(p.regex).search(text) is not None) != p.negated for p in string.patterns)
        and all(FormatChecker().conforms(text, name) for name in string.formats)
        and not any(FormatChecker().conforms(text, name) for name in string.excluded)
    )


@cache
def _regex(ecma: str) -> re.Pattern[str]:
    """The pattern for ``re``, whose ``$`` also matches before a final line feed."""
    pieces = re.findall(r"\\.|\[(?:\\.|[^\]\\])*\]|.", ecma, re.DOTALL)
    return re.compile("".join(r"\Z" if piece == "$" else piece for piece in pieces), re.ASCII)


def _in_range(number: Number, value: Fraction) -> bool:
    low, high = number.minimum, number.maximum
    return (
        (low is None or value > Fraction(low) or (value == Fraction(low) and not number.exclusive_minimum))
        and (high is None or value < Fraction(high) or (value == Fraction(high) and not number.exclusive_maximum))
        and (not number.integer or value.denominator == 1)
        and (number.multiple_of is None or (value / Fraction(number.multiple_of)).denominator == 1)
        and not any(_in_range(excluded, value) for excluded in number.excluded)
    )


def _is_json_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_numeric(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(E[+-]?\d+)?", text, re.ASCII) is not None


def _fraction(value: int | float) -> Fraction:
    return Fraction(repr(value))


def _equal(left: Any, right: Any) -> bool:
    if _is_json_number(left) and _is_json_number(right):
        return _fraction(left) == _fraction(right)
    if type(left) is not type(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(_equal, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_equal(left[name], right[name]) for name in left)
    return bool(left == right)
