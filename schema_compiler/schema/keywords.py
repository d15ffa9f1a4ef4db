"""What the keywords of one place say about values of each JSON type, before anything is intersected.

A place without ``type`` speaks about all six types, and each keyword narrows only its own::

    {"properties": {"a": {}}, "required": ["b"], "patternProperties": {"^x": false}}
    null | boolean | number | string | [any*] | {"a"?: any, "b": any, string !/^x/: any}

Object keys that are not declared fall into cells, one for each combination of key patterns that some key can
match, so that a key belongs to exactly one rule.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from typing import Any, Protocol, cast

from schema_compiler.errors import CompileBudgetError, InvalidSchemaError, UnsupportedSchemaError
from schema_compiler.grammar.formats import is_known
from schema_compiler.schema.document import Document, Place
from schema_compiler.schema.forms import ANY, TYPES, UNSTATED, Atom, Form, InexpressibleError, Names, form
from schema_compiler.schema.intersection import (
    canonical_array,
    canonical_object,
    canonical_string,
    meet_atoms,
    meet_keys,
)
from schema_compiler.schema.languages import holds, unreadable
from schema_compiler.schema.numbers import canonical_number, exact, is_number
from schema_compiler.schema.schema import (
    AnyValue,
    Array,
    Dialect,
    Enumeration,
    KeyRule,
    Never,
    Number,
    Object,
    Pattern,
    Property,
    Schema,
    String,
)
from schema_compiler.schema.vocabulary import ASSERTIONS, DECIMAL_PLACES, DIALECT, MAX_DIGITS, QUOTED

__all__ = ["Context", "Options", "count", "mapping", "names_in", "typed_form"]

_MOST_CELLS = 256
_IN_PLACE = ("$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "dependencies")


@dataclass(frozen=True, slots=True)
class Options:
    """How a schema is read: ``closed`` objects, the ``dialect`` of its patterns, and whether 1.0 is an integer."""

    dialect: Dialect
    closed: bool
    integer_fraction: bool


class Context(Names, Protocol):
    """What reading a place needs to know about the whole schema."""

    @property
    def document(self) -> Document:
        """The raw schema."""

    @property
    def options(self) -> Options:
        """How it is read."""

    def child(self, place: Place) -> Schema:
        """The schema at ``place``, by name."""

    def place_of(self, schema: Schema) -> Place | None:
        """The place that ``schema`` names, if it is one place."""

    def reading(self, place: Place) -> AbstractContextManager[None]:
        """Guards the reading of ``place``, and accounts for its keywords."""


def typed_form(place: Place, context: Context) -> Form:
    """What the typed keywords of ``place`` admit, each type for itself."""
    if not place.raw.keys() & (ASSERTIONS - {"enum", "const"}):
        return ANY
    return form(_READERS[name](place, context) for name in _types(place))


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
    step = _numeric(place, "multipleOf")
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
    bound = _numeric(place, keyword)
    flag = place.raw.get(exclusive_keyword)
    if isinstance(flag, bool):
        return bound, flag and bound is not None
    exclusive = _numeric(place, exclusive_keyword)
    if exclusive is None or bound is None:
        return (bound, False) if exclusive is None else (exclusive, True)
    if exclusive == bound:
        return bound, True
    return tightest((bound, False), (exclusive, True))


def _string(place: Place, context: Context) -> Atom:
    if QUOTED in place.raw:
        return _number(place, context, integer=place.raw[QUOTED] == "integer", quoted=True)
    return canonical_string(
        String(
            count(place, "minLength") or 0,
            count(place, "maxLength"),
            _patterns(place, context),
            _formats(place),
        )
    )


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


def _formats(place: Place) -> tuple[str, ...]:
    name = place.raw.get("format")
    return (name,) if isinstance(name, str) and is_known(name) else ()


def _array(place: Place, context: Context) -> Atom:
    prefix, rest = _items(place, context)
    array = Array(
        prefix,
        rest,
        count(place, "minItems") or 0,
        count(place, "maxItems"),
        place.raw.get("uniqueItems") is True and (count(place, "maxItems") or 2) > 1,
    )
    if "contains" in place.raw:
        array = _with_contained(array, place, context)
    return canonical_array(array)


def _items(place: Place, context: Context) -> tuple[tuple[Schema, ...], Schema]:
    """The schemas of the first items, and that of the rest, in the spelling of any draft."""
    first, rest = "prefixItems", "items"
    if isinstance(place.raw.get("items"), list):
        first, rest = "items", "additionalItems"
    length = len(_expect(place, first, list) or ())
    prefix = tuple(context.child(context.document.child(place, first, str(index))) for index in range(length))
    if rest not in place.raw:
        _refuse_beside(place, "unevaluatedItems", ("contains",))
        rest = "unevaluatedItems"
    return prefix, context.child(context.document.child(place, rest)) if rest in place.raw else AnyValue()


def _with_contained(array: Array, place: Place, context: Context) -> Array:
    """``contains`` where the other array keywords can say it; else it is refused."""
    least, most = count(place, "minContains"), count(place, "maxContains")
    least = 1 if least is None else least
    wanted = context.shape(context.child(context.document.child(place, "contains")))
    if most == 0 and least == 0:
        bad = context.negate(context.child(context.document.child(place, "contains")))
        return Array(
            tuple(context.join(item, bad) for item in array.prefix),
            context.join(array.items, bad),
            array.min_items,
            array.max_items,
            array.unique,
        )
    if wanted == ANY:
        least, most = max(least, array.min_items), _least(most, array.max_items)
        return Array(array.prefix, array.items, least, most, array.unique)
    if least == 0 and most is None:
        return array
    raise UnsupportedSchemaError("contains is not supported here", place.pointer)


def _object(place: Place, context: Context) -> Atom:
    children = {name: _child(place, context, "properties", name) for name in mapping(place, "properties")}
    cells = _cells(place, context)
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


def _cells(place: Place, context: Context) -> list[_Cell]:
    rest = _additional(place, context)
    cells = [_Cell(String(), (), rest)]
    for regex in mapping(place, "patternProperties"):
        pattern = _pattern(place, regex, place.raw.get(DIALECT, context.options.dialect))
        cells = _refined(cells, pattern, _child(place, context, "patternProperties", regex), rest, context)
        if len(cells) > _MOST_CELLS:
            raise CompileBudgetError(f"patternProperties split keys into over {_MOST_CELLS} cells at {place.pointer}")
    return cells


def _refined(cells: list[_Cell], pattern: Pattern, value: Schema, rest: Schema, context: Context) -> list[_Cell]:
    refined = []
    for cell in cells:
        for negated in (False, True):
            keys = meet_keys(cell.keys, String(patterns=(Pattern(pattern.regex, pattern.dialect, negated),)))
            matched = cell.matched if negated else (*cell.matched, value)
            if isinstance(keys, String):
                refined.append(_Cell(keys, matched, reduce(context.join, matched) if matched else rest))
    return refined


def _additional(place: Place, context: Context) -> Schema:
    """What undeclared keys take that match no pattern."""
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword == "unevaluatedProperties":
            _refuse_beside(place, keyword, ())
        if keyword in place.raw:
            return _child(place, context, keyword)
    stated = place.raw.keys() & {"properties", "patternProperties"}
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
    for atom in context.shape(_child(place, context, "propertyNames")):
        match atom:
            case AnyValue():
                return Object(rules=(KeyRule(String(), AnyValue()),))
            case Enumeration(values):
                names |= dict.fromkeys(value for value in values if isinstance(value, str))
            case String() | Number(quoted=True):
                if any(not isinstance(meet_keys(rule.names, atom), Never) for rule in rules):
                    raise InexpressibleError("propertyNames with alternatives that overlap")
                rules.append(KeyRule(atom, AnyValue()))
            case _:
                pass
    return Object(tuple(Property(name, AnyValue(), required=False) for name in names), tuple(rules))


def _refuse_beside(place: Place, keyword: str, neighbours: tuple[str, ...]) -> None:
    found = [name for name in (*_IN_PLACE, *neighbours) if name in place.raw]
    if found and place.raw.get(keyword, True) is not True:
        raise UnsupportedSchemaError(f"{keyword} beside {', '.join(found)} is not supported", place.pointer)


def _child(place: Place, context: Context, *path: str) -> Schema:
    return context.child(context.document.child(place, *path))


def count(place: Place, keyword: str) -> int | None:
    """The keyword's value, a whole number of at least 0; ``None`` when it is absent."""
    value = _numeric(place, keyword)
    if value is None:
        return None
    if value < 0 or value != value.to_integral_value():
        raise InvalidSchemaError(f"expected {keyword} to be a whole number of at least 0, found {value}", place.pointer)
    return int(value)


def mapping(place: Place, keyword: str) -> dict[str, Any]:
    """The keyword's value, an object; empty when it is absent."""
    return cast(dict[str, Any], _expect(place, keyword, dict) or {})


def names_in(value: Any, keyword: str, place: Place) -> list[str]:
    """``value``, which must be a list of names."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InvalidSchemaError(f"expected {keyword} to be a list of names, found {value!r}", place.pointer)
    return value


def _numeric(place: Place, keyword: str) -> Decimal | None:
    value = place.raw.get(keyword)
    if keyword not in place.raw or value is None:
        return None
    if not is_number(value):
        raise InvalidSchemaError(f"expected {keyword} to be a number, found {value!r}", place.pointer)
    return exact(value)


def _expect(place: Place, keyword: str, wanted: type) -> Any:
    value = place.raw.get(keyword)
    if keyword in place.raw and not isinstance(value, wanted):
        raise InvalidSchemaError(f"expected {keyword} to be a {wanted.__name__}, found {value!r}", place.pointer)
    return value


def _least(left: int | None, right: int | None) -> int | None:
    return min((side for side in (left, right) if side is not None), default=None)


_READERS: dict[str, Callable[[Place, Context], Atom]] = {
    "null": lambda _place, _context: TYPES["null"],
    "boolean": lambda _place, _context: TYPES["boolean"],
    "integer": lambda place, context: _number(place, context, integer=True),
    "number": _number,
    "string": _string,
    "array": _array,
    "object": _object,
}
