"""The keywords of objects.

Keys that are not declared fall into classes, one for each combination of key patterns that some key can match, so that
a key belongs to exactly one rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

from schema_compiler.errors import (
    CompileBudgetError,
    place_name,
)
from schema_compiler.regular.regex.dialect import Pattern
from schema_compiler.schema.algebra.disjunction import (
    UNSTATED,
    Disjunct,
    InexpressibleError,
)
from schema_compiler.schema.algebra.intersection import (
    canonical_object,
    canonical_string,
    meet_disjuncts,
    meet_keys,
)
from schema_compiler.schema.algebra.languages import holds, is_possible
from schema_compiler.schema.algebra.numbers import numbers_outside
from schema_compiler.schema.ir import (
    ANY_STRING,
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
from schema_compiler.schema.source.keywords import DIALECT

__all__ = ["read_object"]


_MOST_KEY_CLASSES = 256


def read_object(place: Place, context: Context, seen: Evaluated) -> Disjunct:
    children = {name: subschema(place, context, "properties", name) for name in mapping(place, "properties")}
    if "additionalProperties" in place.raw:
        seen = Evaluated(all_keys=True)
    children |= {name: AnyValue() for name in sorted(seen.names) if name not in children}
    key_classes = _key_classes(place, seen, context)
    required = dict.fromkeys(names_in(place.raw.get("required", []), "required", place))
    properties = [
        Property(name, _declared(name, children, key_classes, context), name in required)
        for name in (dict.fromkeys(children) | required)
    ]
    made = canonical_object(
        Object(
            tuple(properties),
            tuple(KeyRule(key_class.keys, key_class.schema) for key_class in key_classes),
            count(place, "minProperties") or 0,
            count(place, "maxProperties"),
        )
    )
    if "propertyNames" not in place.raw:
        return made
    return meet_disjuncts(made, _named_object(place, context), context) or Never("propertyNames admits no object")


@dataclass(frozen=True, slots=True)
class _KeyClass:
    """Keys that match the same ``patternProperties``; ``schema`` is what undeclared ones take."""

    keys: String
    matched: tuple[Schema, ...]
    schema: Schema


def _key_classes(place: Place, seen: Evaluated, context: Context) -> list[_KeyClass]:
    rest = _additional(place, seen, context)
    key_classes = [_KeyClass(ANY_STRING, (), rest)]
    own = mapping(place, "patternProperties")
    for regex in dict.fromkeys([*own, *sorted(seen.patterns)]):
        pattern = read_pattern(place, regex, place.raw.get(DIALECT, context.options.dialect))
        value = subschema(place, context, "patternProperties", regex) if regex in own else AnyValue()
        key_classes = _refined(key_classes, pattern, value, context)
        if len(key_classes) > _MOST_KEY_CLASSES:
            where = place_name(place.pointer)
            raise CompileBudgetError(f"patternProperties split keys into over {_MOST_KEY_CLASSES} cells at {where}")
    return key_classes


def _refined(key_classes: list[_KeyClass], pattern: Pattern, value: Schema, context: Context) -> list[_KeyClass]:
    """The cells, each split into the keys with ``pattern`` and those without; keys that have none are left alone."""
    refined = []
    for key_class in key_classes:
        if any(not one.negated and _exclude(one, pattern) for one in key_class.keys.patterns):
            refined.append(key_class)
            continue
        inside = canonical_string(String(patterns=(*_beside(pattern, key_class.keys.patterns), pattern)))
        if isinstance(inside, String):
            matched = (*key_class.matched, value)
            refined.append(_KeyClass(inside, matched, reduce(context.join, matched)))
        outside = canonical_string(String(patterns=(*key_class.keys.patterns, replace(pattern, negated=True))))
        if isinstance(outside, String):
            refined.append(replace(key_class, keys=outside))
    return refined


def _beside(pattern: Pattern, others: tuple[Pattern, ...]) -> Iterator[Pattern]:
    """Those of the ``others`` that say something about texts of ``pattern``."""
    return (one for one in others if not one.negated or not _exclude(replace(one, negated=False), pattern))


def _exclude(left: Pattern, right: Pattern) -> bool:
    return not is_possible(String(patterns=(left, right)))


def _additional(place: Place, seen: Evaluated, context: Context) -> Schema:
    """What undeclared keys take that match no pattern."""
    if "additionalProperties" in place.raw:
        return subschema(place, context, "additionalProperties")
    if not seen.all_keys:
        return subschema(place, context, "unevaluatedProperties")
    stated = place.raw.keys() & {"properties", "patternProperties"} and "unevaluatedProperties" not in place.raw
    return UNSTATED if stated and context.options.closed else AnyValue()


def _declared(name: str, children: dict[str, Schema], key_classes: list[_KeyClass], context: Context) -> Schema:
    own = [children[name]] if name in children else []
    key_class = next(key_class for key_class in key_classes if holds(key_class.keys, name))
    said = [*own, *key_class.matched]
    return reduce(context.join, said) if said else key_class.schema


def _named_object(place: Place, context: Context) -> Object:
    """The objects whose every key satisfies ``propertyNames``."""
    names: dict[str, None] = {}
    rules: list[KeyRule] = []
    for disjunct in sorted(context.shape(subschema(place, context, "propertyNames")), key=_is_integer):
        match disjunct:
            case AnyValue():
                return Object(rules=(KeyRule(String(), AnyValue()),))
            case Enumeration(values):
                names |= dict.fromkeys(value for value in values if isinstance(value, str))
            case String() | Number(quoted=True):
                rules += [KeyRule(keys, AnyValue()) for keys in _apart(disjunct, [rule.names for rule in rules])]
            case _:
                pass
    return Object(tuple(Property(name, AnyValue(), required=False) for name in names), tuple(rules))


def _is_integer(disjunct: Disjunct) -> bool:
    return isinstance(disjunct, Number) and disjunct.integer


def _apart(keys: String | Number, others: list[String | Number]) -> list[String | Number]:
    """The keys that are none of the ``others``, where they overlap only in ranges of numbers."""
    left = [keys]
    for other in others:
        if any(not isinstance(meet_keys(one, other), Never) for one in left):
            left = [rest for one in left for rest in _outside(one, other)]
    return left


def _outside(keys: String | Number, other: String | Number) -> list[Number]:
    found = numbers_outside(keys, other) if isinstance(keys, Number) and isinstance(other, Number) else None
    if found is None:
        raise InexpressibleError("propertyNames with alternatives that overlap")
    return found
