"""The keywords of objects: declared properties, rules for undeclared keys, ``propertyNames``, and limits.

A key may match several ``patternProperties``. So undeclared keys are sorted into key classes, one for each combination
of patterns that some key can match, and each class becomes a rule of its own::

    {"patternProperties": {"^a": {"type": "integer"}, "z$": {"type": "null"}}, "additionalProperties": false}
    {string /^a/ !/z$/: integer, string !/^a/ /z$/: null}       a key such as "az" would have to be both
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

from schema_compiler.errors import CompileBudgetError, UnsupportedSchemaError, place_name
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.canonical import canonical_object, canonical_string
from schema_compiler.schema.algebra.disjunction import UNSTATED, Disjunct, InexpressibleError, kind
from schema_compiler.schema.algebra.intersection import meet_disjuncts, meet_keys
from schema_compiler.schema.algebra.languages import holds, is_possible
from schema_compiler.schema.algebra.numbers import numbers_outside
from schema_compiler.schema.ir import (
    ANY_STRING,
    OPEN_RULES,
    AnyValue,
    Enumeration,
    KeyRule,
    Never,
    Number,
    Object,
    Property,
    Schema,
    String,
)
from schema_compiler.schema.normalization.context import Context, count, mapping, names_in, subschema
from schema_compiler.schema.normalization.strings import read_pattern
from schema_compiler.schema.normalization.unevaluated import Evaluated
from schema_compiler.schema.source.document import Place

__all__ = ["read_object"]

_MOST_KEY_CLASSES = 256
"""How many key classes one object may have. Each pattern can double them, and each becomes a rule.

A power of two, reached by eight patterns of which a key may match any. Such an object takes about 0.2 seconds to
normalise, one with nine patterns 0.5 seconds (measured once on one CPU core).
"""


def read_object(place: Place, context: Context, seen: Evaluated) -> Disjunct:
    """The objects that the keywords at ``place`` admit; ``Never`` where they exclude each other.

    ``seen``: the keys that ``unevaluatedProperties`` at ``place`` leaves alone. Raises ``InvalidSchemaError``,
    ``UnsupportedSchemaError``, ``CompileBudgetError`` for too many key classes, and ``InexpressibleError`` for
    ``propertyNames`` whose alternatives cannot be made disjoint.
    """
    children = {name: subschema(place, context, "properties", name) for name in mapping(place, "properties")}
    if "additionalProperties" in place.raw:
        seen = Evaluated(all_keys=True)
    children |= {name: AnyValue() for name in sorted(seen.names) if name not in children}
    key_classes = _key_classes(place, seen, context)
    required = dict.fromkeys(names_in(place.raw.get("required", []), "required", place))
    properties = [
        Property(name, _declared_schema(name, children, key_classes, context), name in required)
        for name in (dict.fromkeys(children) | required)
    ]
    admitted = canonical_object(
        Object(
            tuple(properties),
            tuple(KeyRule(key_class.keys, key_class.schema) for key_class in key_classes),
            count(place, "minProperties") or 0,
            count(place, "maxProperties"),
        )
    )
    if "propertyNames" not in place.raw:
        return admitted
    named = _objects_with_names(place, context)
    return meet_disjuncts(admitted, named, context) or Never("propertyNames admits no object")


@dataclass(frozen=True, slots=True)
class _KeyClass:
    """The ``keys`` that match the same ``patternProperties``, whose schemas are ``matched``.

    ``schema`` is that of the values of undeclared keys in this class.
    """

    keys: String
    matched: tuple[Schema, ...]
    schema: Schema


def _key_classes(place: Place, seen: Evaluated, context: Context) -> list[_KeyClass]:
    """The classes of all strings by the ``patternProperties`` at ``place``, and by the patterns that are ``seen``."""
    key_classes = [_KeyClass(ANY_STRING, (), _undeclared_schema(place, seen, context))]
    own = mapping(place, "patternProperties")
    for regex in dict.fromkeys([*own, *sorted(seen.patterns)]):
        pattern = read_pattern(place, regex, context)
        value = subschema(place, context, "patternProperties", regex) if regex in own else AnyValue()
        key_classes = _split(key_classes, pattern, value, context)
        if len(key_classes) > _MOST_KEY_CLASSES:
            where = place_name(place.pointer)
            raise CompileBudgetError(f"patternProperties split keys into over {_MOST_KEY_CLASSES} classes at {where}")
    return key_classes


def _split(key_classes: list[_KeyClass], pattern: Pattern, value: Schema, context: Context) -> list[_KeyClass]:
    """``key_classes``, each split into the keys that match ``pattern``, whose values are in ``value``, and the others.

    A class is kept whole where one of its own patterns says that none of its keys matches.
    """
    result = []
    for key_class in key_classes:
        if any(not one.negated and _are_disjoint(one, pattern) for one in key_class.keys.patterns):
            result.append(key_class)
            continue
        inside = canonical_string(String(patterns=(*_not_implied(key_class.keys.patterns, pattern), pattern)))
        if isinstance(inside, String):
            matched = (*key_class.matched, value)
            result.append(_KeyClass(inside, matched, reduce(context.join, matched)))
        outside = canonical_string(String(patterns=(*key_class.keys.patterns, replace(pattern, negated=True))))
        if isinstance(outside, String):
            result.append(replace(key_class, keys=outside))
    return result


def _not_implied(patterns: tuple[Pattern, ...], by: Pattern) -> Iterator[Pattern]:
    """``patterns`` without the negated ones that every text of ``by`` satisfies."""
    return (one for one in patterns if not one.negated or not _are_disjoint(replace(one, negated=False), by))


def _are_disjoint(left: Pattern, right: Pattern) -> bool:
    """Whether no text matches both."""
    return not is_possible(String(patterns=(left, right)))


def _undeclared_schema(place: Place, seen: Evaluated, context: Context) -> Schema:
    """The schema of undeclared keys that match no pattern."""
    if "additionalProperties" in place.raw:
        return subschema(place, context, "additionalProperties")
    if not seen.all_keys:
        return subschema(place, context, "unevaluatedProperties")
    stated = place.raw.keys() & {"properties", "patternProperties"} and "unevaluatedProperties" not in place.raw
    return UNSTATED if stated and context.options.closed else AnyValue()


def _declared_schema(name: str, children: dict[str, Schema], key_classes: list[_KeyClass], context: Context) -> Schema:
    """The schema of ``name``: that of ``properties`` and of the patterns that it matches, or else as if undeclared."""
    own = [children[name]] if name in children else []
    key_class = next(one for one in key_classes if holds(one.keys, name))
    schemas = [*own, *key_class.matched]
    return reduce(context.join, schemas) if schemas else key_class.schema


def _objects_with_names(place: Place, context: Context) -> Object:
    """The objects of which every key satisfies ``propertyNames``.

    Raises ``UnsupportedSchemaError`` for keys that a grammar derives, and for those that are no quoted number.
    """
    names: dict[str, None] = {}
    rules: list[KeyRule] = []
    for disjunct in sorted(context.shape(subschema(place, context, "propertyNames")), key=_is_integer):
        match disjunct:
            case AnyValue():
                return Object(rules=OPEN_RULES)
            case Enumeration(values):
                names |= dict.fromkeys(value for value in values if isinstance(value, str))
            case String() | Number(quoted=True):
                rules += [KeyRule(keys, AnyValue()) for keys in _subtract(disjunct, [rule.names for rule in rules])]
            case _ if kind(disjunct) == "string":
                pointer = f"{place.pointer}/propertyNames"
                raise UnsupportedSchemaError(f"keys as these are not supported: {disjunct}", pointer)
            case _:
                pass
    return Object(tuple(Property(name, AnyValue(), required=False) for name in names), tuple(rules))


def _is_integer(disjunct: Disjunct) -> bool:
    return isinstance(disjunct, Number) and disjunct.integer


def _subtract(keys: String | Number, others: list[String | Number]) -> list[String | Number]:
    """``keys`` without those in any of ``others``. Raises ``InexpressibleError`` for strings that overlap."""
    remaining = [keys]
    for other in others:
        if any(not isinstance(meet_keys(one, other), Never) for one in remaining):
            remaining = [rest for one in remaining for rest in _subtract_numbers(one, other)]
    return remaining


def _subtract_numbers(keys: String | Number, other: String | Number) -> list[Number]:
    numbers = numbers_outside(keys, other) if isinstance(keys, Number) and isinstance(other, Number) else None
    if numbers is None:
        raise InexpressibleError("propertyNames with alternatives that overlap")
    return numbers
