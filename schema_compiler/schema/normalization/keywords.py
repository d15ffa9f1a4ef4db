"""What the keywords of one place say about values of each JSON type, before anything is intersected.

A place without ``type`` speaks about all six types, and each keyword narrows only its own::

    {"properties": {"a": {}}, "required": ["b"], "patternProperties": {"^x": false}}
    null | boolean | number | string | [any*] | {"a"?: any, "b": any, string !/^x/: any}

Object keys that are not declared fall into cells, one for each combination of key patterns that some key can
match, so that a key belongs to exactly one rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import reduce
from typing import Any

from schema_compiler.errors import (
    CompileBudgetError,
    GrammarError,
    InvalidSchemaError,
    UnsupportedSchemaError,
    place_name,
)
from schema_compiler.schema.algebra.complement import fewer_than
from schema_compiler.schema.algebra.disjunction import (
    ANY,
    TYPES,
    UNSTATED,
    Atom,
    CircularError,
    Form,
    InexpressibleError,
    Outside,
    form,
)
from schema_compiler.schema.algebra.intersection import (
    canonical_array,
    canonical_object,
    canonical_string,
    meet_atoms,
    meet_keys,
)
from schema_compiler.schema.algebra.languages import are_told_apart, holds, is_possible, unreadable
from schema_compiler.schema.algebra.numbers import canonical_number, numbers_outside
from schema_compiler.schema.algebra.values import single_values
from schema_compiler.schema.ir import (
    ANY_STRING,
    AnyValue,
    Array,
    Contains,
    Dialect,
    Enumeration,
    KeyRule,
    Never,
    Number,
    Object,
    Pattern,
    Property,
    Schema,
    Sentence,
    String,
    Union,
)
from schema_compiler.schema.normalization.context import Context, count, expect, mapping, names_in, numeric, subschema
from schema_compiler.schema.normalization.unevaluated import Evaluated
from schema_compiler.schema.report import Row, Status
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import ASSERTIONS, DECIMAL_PLACES, DIALECT, GRAMMAR, MAX_DIGITS, QUOTED

__all__ = ["typed_form"]

_MOST_CELLS = 256


def typed_form(place: Place, context: Context, seen: Evaluated) -> Form:
    """What the typed keywords of ``place`` admit, each type for itself; ``unevaluated...`` see what is not ``seen``."""
    if not place.raw.keys() & (ASSERTIONS - {"enum", "const"}):
        return ANY
    return form(_READERS[name](place, context, seen) for name in _types(place))


def _types(place: Place) -> list[str]:
    if "type" not in place.raw:
        return list(TYPES)
    declared = place.raw["type"]
    names = declared if isinstance(declared, list) else [declared]
    for name in names:
        if name not in _READERS:
            raise InvalidSchemaError(f"expected a type ({', '.join(_READERS)}), found {name!r}", place.pointer)
    return [name for name in dict.fromkeys(names) if name != "integer" or "number" not in names]


def _number(place: Place, context: Context, *, integer: bool = False, quoted: bool = False) -> Atom:
    minimum, exclusive_minimum = _bound(place, "minimum", "exclusiveMinimum", max)
    maximum, exclusive_maximum = _bound(place, "maximum", "exclusiveMaximum", min)
    step = numeric(place, "multipleOf")
    if step is not None and step <= 0:
        raise InvalidSchemaError(f"expected multipleOf to be greater than 0, found {step}", place.pointer)
    return canonical_number(
        Number(
            integer=integer,
            fraction=integer and not quoted and context.options.integer_fraction and context.document.draft > 4,
            minimum=minimum,
            maximum=maximum,
            exclusive_minimum=exclusive_minimum,
            exclusive_maximum=exclusive_maximum,
            multiple_of=step,
            max_digits=count(place, MAX_DIGITS),
            decimal_places=count(place, DECIMAL_PLACES),
            quoted=quoted,
        )
    )


def _bound(
    place: Place, keyword: str, exclusive_keyword: str, tightest: Callable[..., tuple[Decimal, bool]]
) -> tuple[Decimal | None, bool]:
    """A bound and whether it is exclusive; draft 4 says the latter with a boolean beside the bound."""
    bound = numeric(place, keyword)
    flag = place.raw.get(exclusive_keyword)
    if isinstance(flag, bool):
        return bound, flag and bound is not None
    exclusive = numeric(place, exclusive_keyword)
    if exclusive is None or bound is None:
        return (bound, False) if exclusive is None else (exclusive, True)
    if exclusive == bound:
        return bound, True
    return tightest((bound, False), (exclusive, True))


def _string(place: Place, context: Context) -> Atom:
    if GRAMMAR in place.raw:
        return _sentence(place, context)
    if QUOTED in place.raw:
        return _number(place, context, integer=place.raw[QUOTED] == "integer", quoted=True)
    return canonical_string(
        String(
            count(place, "minLength") or 0,
            count(place, "maxLength"),
            _patterns(place, context),
            _formats(place, context),
        )
    )


def _sentence(place: Place, context: Context) -> Sentence:
    from schema_compiler.grammar.ebnf.lowering import text_grammar  # few schemas hold grammars

    beside = sorted(place.raw.keys() & {"minLength", "maxLength", "pattern", "format"})
    if beside:
        raise UnsupportedSchemaError(f"{', '.join(beside)} beside a grammar is not supported", place.pointer)
    given = mapping(place, GRAMMAR)
    try:
        made = text_grammar(given["text"], start=given["start"])
    except GrammarError as error:
        raise InvalidSchemaError(f"the grammar cannot be used: {error}", place.pointer) from error
    for note in made.notes:
        context.record(Row(place.pointer, note, "ignored annotation", "the grammar's language is the same without it"))
    return Sentence(given["text"], given["start"])


def _patterns(place: Place, context: Context) -> tuple[Pattern, ...]:
    if "pattern" not in place.raw:
        return ()
    dialect = place.raw.get(DIALECT, context.options.dialect)
    return (_pattern(place, place.raw["pattern"], dialect),)


def _pattern(place: Place, regex: Any, dialect: Dialect) -> Pattern:
    if not isinstance(regex, str):
        raise InvalidSchemaError(f"expected a regular expression, found {regex!r}", place.pointer)
    pattern = Pattern(regex, dialect)
    complaint = unreadable(pattern)
    if complaint:
        raise UnsupportedSchemaError(complaint, place.pointer)
    return pattern


def _formats(place: Place, context: Context) -> tuple[str, ...]:
    name = place.raw.get("format")
    return (name,) if context.options.asserts(name) else ()


def _array(place: Place, context: Context, seen: Evaluated) -> Atom:
    prefix, rest = _items(place, context, seen)
    array = Array(prefix, rest, count(place, "minItems") or 0, count(place, "maxItems"), _is_unique(place))
    if array.unique:
        context.record(Row(place.pointer, "uniqueItems", *_told_apart(array, context)))
    return canonical_array(array) if "contains" not in place.raw else _with_contained(array, place, context)


def _is_unique(place: Place) -> bool:
    return place.raw.get("uniqueItems") is True and (count(place, "maxItems") or 2) > 1


def _told_apart(array: Array, context: Context) -> tuple[Status, str]:
    """Whether the grammar sees to it that items differ, and if not, why."""
    try:
        shape = () if array.prefix else context.shape(array.items)
    except CircularError:
        shape = ()
    if shape and all(isinstance(atom, String) and are_told_apart(atom) for atom in shape):
        return "enforced", ""
    listed = Union(tuple(atom for atom in shape if not isinstance(atom, Outside)))
    if shape and len(listed.options) == len(shape) and single_values(listed) is not None:
        return "enforced", ""
    return "checked afterwards", "the grammar does not compare items"


def _items(place: Place, context: Context, seen: Evaluated) -> tuple[tuple[Schema, ...], Schema]:
    """The schemas of the first items, and that of the rest, in the spelling of any draft."""
    first, rest = "prefixItems", "items"
    if isinstance(place.raw.get("items"), list):
        first, rest = "items", "additionalItems"
    length = len(expect(place, first, list) or ())
    prefix = tuple(subschema(place, context, first, str(index)) for index in range(length))
    if rest in place.raw:
        return prefix, subschema(place, context, rest)
    if seen.all_items:
        return prefix, AnyValue()
    beyond = context.either(*seen.contained, subschema(place, context, "unevaluatedItems"))
    return prefix + (AnyValue(),) * (seen.prefix - length), beyond


def _with_contained(array: Array, place: Place, context: Context) -> Atom:
    least, most = count(place, "minContains"), count(place, "maxContains")
    contained = Contains((), subschema(place, context, "contains"), 1 if least is None else least, most)
    if least == most == 0:
        return meet_atoms(array, fewer_than(1, contained, context), context) or Never("no item is possible")
    return canonical_array(replace(array, contains=(contained,)))


def _object(place: Place, context: Context, seen: Evaluated) -> Atom:
    children = {name: subschema(place, context, "properties", name) for name in mapping(place, "properties")}
    if "additionalProperties" in place.raw:
        seen = Evaluated(all_keys=True)
    children |= {name: AnyValue() for name in sorted(seen.names) if name not in children}
    cells = _cells(place, seen, context)
    required = dict.fromkeys(names_in(place.raw.get("required", []), "required", place))
    properties = [
        Property(name, _declared(name, children, cells, context), name in required)
        for name in (dict.fromkeys(children) | required)
    ]
    made = canonical_object(
        Object(
            tuple(properties),
            tuple(KeyRule(cell.keys, cell.schema) for cell in cells),
            count(place, "minProperties") or 0,
            count(place, "maxProperties"),
        )
    )
    if "propertyNames" not in place.raw:
        return made
    return meet_atoms(made, _named_object(place, context), context) or Never("propertyNames admits no object")


@dataclass(frozen=True, slots=True)
class _Cell:
    """Keys that match the same ``patternProperties``; ``schema`` is what undeclared ones take."""

    keys: String
    matched: tuple[Schema, ...]
    schema: Schema


def _cells(place: Place, seen: Evaluated, context: Context) -> list[_Cell]:
    rest = _additional(place, seen, context)
    cells = [_Cell(ANY_STRING, (), rest)]
    own = mapping(place, "patternProperties")
    for regex in dict.fromkeys([*own, *sorted(seen.patterns)]):
        pattern = _pattern(place, regex, place.raw.get(DIALECT, context.options.dialect))
        value = subschema(place, context, "patternProperties", regex) if regex in own else AnyValue()
        cells = _refined(cells, pattern, value, context)
        if len(cells) > _MOST_CELLS:
            where = place_name(place.pointer)
            raise CompileBudgetError(f"patternProperties split keys into over {_MOST_CELLS} cells at {where}")
    return cells


def _refined(cells: list[_Cell], pattern: Pattern, value: Schema, context: Context) -> list[_Cell]:
    """The cells, each split into the keys with ``pattern`` and those without; keys that have none are left alone."""
    refined = []
    for cell in cells:
        if any(not one.negated and _exclude(one, pattern) for one in cell.keys.patterns):
            refined.append(cell)
            continue
        inside = canonical_string(String(patterns=(*_beside(pattern, cell.keys.patterns), pattern)))
        if isinstance(inside, String):
            matched = (*cell.matched, value)
            refined.append(_Cell(inside, matched, reduce(context.join, matched)))
        outside = canonical_string(String(patterns=(*cell.keys.patterns, replace(pattern, negated=True))))
        if isinstance(outside, String):
            refined.append(replace(cell, keys=outside))
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


def _declared(name: str, children: dict[str, Schema], cells: list[_Cell], context: Context) -> Schema:
    own = [children[name]] if name in children else []
    cell = next(cell for cell in cells if holds(cell.keys, name))
    said = [*own, *cell.matched]
    return reduce(context.join, said) if said else cell.schema


def _named_object(place: Place, context: Context) -> Object:
    """The objects whose every key satisfies ``propertyNames``."""
    names: dict[str, None] = {}
    rules: list[KeyRule] = []
    for atom in sorted(context.shape(subschema(place, context, "propertyNames")), key=_is_integer):
        match atom:
            case AnyValue():
                return Object(rules=(KeyRule(String(), AnyValue()),))
            case Enumeration(values):
                names |= dict.fromkeys(value for value in values if isinstance(value, str))
            case String() | Number(quoted=True):
                rules += [KeyRule(keys, AnyValue()) for keys in _apart(atom, [rule.names for rule in rules])]
            case _:
                pass
    return Object(tuple(Property(name, AnyValue(), required=False) for name in names), tuple(rules))


def _is_integer(atom: Atom) -> bool:
    return isinstance(atom, Number) and atom.integer


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


_READERS: dict[str, Callable[[Place, Context, Evaluated], Atom]] = {
    "null": lambda _place, _context, _seen: TYPES["null"],
    "boolean": lambda _place, _context, _seen: TYPES["boolean"],
    "integer": lambda place, context, _seen: _number(place, context, integer=True),
    "number": lambda place, context, _seen: _number(place, context),
    "string": lambda place, context, _seen: _string(place, context),
    "array": _array,
    "object": _object,
}
