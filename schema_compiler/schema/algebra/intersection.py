"""What two disjuncts, and two disjunctions, have in common, exactly.

Two objects share their declared names; a name that only one of them declares is, for the other, an undeclared
key under one of its rules::

    {"a": string, string: any}  and  {"b"?: integer, string !/^_/: boolean}
    {"a": string and boolean, "b"?: integer, string !/^_/: boolean}

("string and boolean" is a name, given by ``SchemaAlgebra.join``, that will turn out to be impossible.) Rules are
intersected pairwise: the key languages of each side are disjoint, so those of the result are.

All patterns are readable ones (see ``languages.unreadable``); with others, functions that look at strings raise
``PatternError``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product, zip_longest

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.canonical import (
    canonical_array,
    canonical_object,
    canonical_string,
    without_duplicates,
)
from schema_compiler.schema.algebra.disjunction import (
    ANY,
    Complement,
    Disjunct,
    Disjunction,
    InexpressibleError,
    SchemaAlgebra,
    disjunction,
    enumeration,
    is_whole,
    kind,
)
from schema_compiler.schema.algebra.languages import holds
from schema_compiler.schema.algebra.membership import admits
from schema_compiler.schema.algebra.numbers import least_of, meet_numbers
from schema_compiler.schema.ir import (
    ANY_STRING,
    OPEN_RULES,
    Alternative,
    AnyValue,
    Array,
    Enumeration,
    KeyRule,
    Never,
    Number,
    Object,
    Piece,
    Property,
    Schema,
    Sentence,
    String,
)

__all__ = ["expand", "meet", "meet_disjuncts", "meet_keys", "narrow", "required_of_both"]


_MOST_PAIRS = 4096
"""How many pairs of disjuncts are intersected at once.

Each ``allOf`` of unions multiplies them, so a short schema can ask for millions. A power of two: so many pairs of small
objects take about a tenth of a second (measured once on one CPU core).
"""

"""The rules of an object that says nothing about undeclared keys."""


def meet(left: Disjunction, right: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """The values in both disjunctions.

    Raises ``CompileBudgetError`` where they have too many pairs of disjuncts or their strings take too long,
    ``InexpressibleError`` where no disjunct describes what two of them share, and what ``algebra.shape`` raises.
    """
    if left == ANY or right == ANY:
        return right if left == ANY else left
    if len(left) * len(right) > _MOST_PAIRS:
        raise CompileBudgetError(f"an intersection of {len(left)} by {len(right)} alternatives exceeds {_MOST_PAIRS}")
    common = [disjunct for pair in product(left, right) if (disjunct := meet_disjuncts(*pair, algebra)) is not None]
    return disjunction(common or [Never(f"{_type_names(left)} and {_type_names(right)} exclude each other")])


def narrow(left: Disjunction, right: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """The values in both; a side to which the other adds nothing is kept as it is, with its references.

    Raises what ``meet`` raises.
    """
    if left == ANY or right == ANY:
        return right if left == ANY else left
    shapes = expand(left, algebra), expand(right, algebra)
    both = meet(*shapes, algebra)
    return next((side for side, shape in zip((left, right), shapes, strict=True) if _are_alike(shape, both)), both)


def _are_alike(left: Disjunction, right: Disjunction) -> bool:
    """Whether they have the same disjuncts, by their texts; these are only written where the sizes are the same."""
    return sorted(map(_size, left)) == sorted(map(_size, right)) and sorted(map(str, left)) == sorted(map(str, right))


def _size(disjunct: Disjunct) -> tuple[str, int, int]:
    """The type, and for objects the numbers of declared and of required properties."""
    if isinstance(disjunct, Object):
        return "object", len(disjunct.properties), sum(item.required for item in disjunct.properties)
    return kind(disjunct), 0, 0


def expand(parts: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """``parts`` without references. Raises what ``algebra.shape`` raises."""
    return disjunction(disjunct for part in parts for disjunct in algebra.shape(part))


def meet_disjuncts(left: Disjunct, right: Disjunct, algebra: SchemaAlgebra) -> Disjunct | None:
    """The values in both disjuncts; ``None`` if they are of different types. References and unions must be expanded.

    Raises ``InexpressibleError`` where no disjunct describes the values, ``CompileBudgetError`` where an automaton gets
    too large, and what ``algebra.shape`` raises.
    """
    match left, right:
        case (Never(), _) | (_, AnyValue()):
            return left
        case (_, Never()) | (AnyValue(), _):
            return right
        case (Piece(), _):
            return _meet_piece(left, right, algebra)
        case (_, Piece()):
            return _meet_piece(right, left, algebra)
        case (Enumeration(), _):
            return _filter_values(left, right, algebra)
        case (_, Enumeration()):
            return _filter_values(right, left, algebra)
    if kind(left) != kind(right):
        return None
    match left, right:
        case (Complement(excluded), _):
            return _subtract(right, excluded, algebra)
        case (_, Complement(excluded)):
            return _subtract(left, excluded, algebra)
        case (Sentence(), _) if right in (left, String()):
            return left
        case (_, Sentence()) if left == String():
            return right
        case (Sentence(), _) | (_, Sentence()):
            raise InexpressibleError(f"{left} beside {right}")
        case (Number(), Number()):
            return meet_numbers(left, right)
        case (String() | Number(), String() | Number()):
            return meet_keys(left, right)
        case (Array(), Array()):
            return _meet_arrays(left, right, algebra)
        case (Object(), Object()):
            return _meet_objects(left, right, algebra)
    return left


def _meet_piece(piece: Piece, other: Disjunct, algebra: SchemaAlgebra) -> Disjunct | None:
    """The values of ``piece`` in ``other``; where that is a piece, too, one piece is read in both ways."""
    base, readings = other, piece.readings
    if isinstance(other, Piece):
        base, readings = other.base, tuple(dict.fromkeys((*piece.readings, *other.readings)))
    common = meet_disjuncts(piece.base, base, algebra)
    if isinstance(common, Complement):
        raise InexpressibleError(f"{piece} but {other}")
    return common if common is None or isinstance(common, Never) else Piece(common, readings)


def _filter_values(listed: Enumeration, other: Disjunct, algebra: SchemaAlgebra) -> Schema:
    """The listed values that are in ``other``; whole numbers keep the spellings that both admit."""
    match other:
        case Number(integer=True) | Enumeration():
            fraction = listed.fraction and other.fraction
        case _:
            fraction = listed.fraction
    return enumeration((value for value in listed.values if admits(other, value, algebra)), fraction=fraction)


def meet_keys(left: String | Number, right: String | Number) -> String | Number | Never:
    """The strings in both; a ``Number`` is ``quoted``.

    Raises ``InexpressibleError`` for a number beside a limit of strings, and ``CompileBudgetError`` where it takes too
    long to tell whether there are any.
    """
    if isinstance(left, Number) and isinstance(right, Number):
        return meet_numbers(left, right)
    if isinstance(left, String) and isinstance(right, String):
        return canonical_string(
            String(
                max(left.min_length, right.min_length),
                least_of(left.max_length, right.max_length),
                tuple(dict.fromkeys(left.patterns + right.patterns)),
                tuple(dict.fromkeys(left.formats + right.formats)),
                tuple(dict.fromkeys(left.excluded + right.excluded)),
            )
        )
    string, number = (left, right) if isinstance(left, String) else (right, left)
    if string == ANY_STRING:
        return number
    raise InexpressibleError(f"{string} beside {number}")


def _subtract(disjunct: Disjunct, excluded: Schema, algebra: SchemaAlgebra) -> Disjunct:
    """The values of ``disjunct`` outside ``excluded``; ``InexpressibleError`` where no disjunct describes them."""
    if is_whole(disjunct) or disjunct == Complement(excluded):
        return Complement(excluded)
    if isinstance(disjunct, Complement):
        raise InexpressibleError(f"both {disjunct} and not ({excluded})")
    common = meet_disjuncts(disjunct, excluded, algebra)
    if common is None or isinstance(common, Never):
        return disjunct
    if str(common) == str(disjunct):
        return Never(f"every {disjunct} is {excluded}")
    raise InexpressibleError(f"{disjunct} but not {excluded}")


def _meet_arrays(left: Array, right: Array, algebra: SchemaAlgebra) -> Array | Never:
    prefix = (
        algebra.join(left.items if mine is None else mine, right.items if other is None else other)
        for mine, other in zip_longest(left.prefix, right.prefix)
    )
    return canonical_array(
        Array(
            tuple(prefix),
            algebra.join(left.items, right.items),
            max(left.min_items, right.min_items),
            least_of(left.max_items, right.max_items),
            left.unique or right.unique,
            without_duplicates(left.contains + right.contains),
        )
    )


def _meet_objects(left: Object, right: Object, algebra: SchemaAlgebra) -> Object | Never:
    return canonical_object(
        Object(
            tuple(_meet_properties(left, right, algebra)),
            _meet_rules(left.rules, right.rules, algebra),
            max(left.min_properties, right.min_properties),
            least_of(left.max_properties, right.max_properties),
            _meet_alternatives(left, right) if left.alternatives or right.alternatives else (),
        )
    )


def _meet_properties(left: Object, right: Object, algebra: SchemaAlgebra) -> Iterator[Property]:
    """The properties that either side declares, those of ``left`` first."""
    mine, other = _by_name(left), _by_name(right)
    is_left_open, is_right_open = left.rules == OPEN_RULES, right.rules == OPEN_RULES
    for name, item in mine.items():
        if is_right_open and name not in other:
            yield item
        else:
            yield _join_properties(item, _property_of(right, other, name), algebra)
    for name, item in other.items():
        if name not in mine:
            yield item if is_left_open else _join_properties(_property_of(left, mine, name), item, algebra)


def required_of_both(left: Object, right: Object, algebra: SchemaAlgebra) -> Iterator[Schema]:
    """For each property that one of them requires, the schema of its values in both."""
    mine, other = _by_name(left), _by_name(right)
    for name in dict.fromkeys(item.name for item in (*left.properties, *right.properties) if item.required):
        yield algebra.join(_property_of(left, mine, name).schema, _property_of(right, other, name).schema)


def _by_name(schema: Object) -> dict[str, Property]:
    return {item.name: item for item in schema.properties}


def _meet_alternatives(left: Object, right: Object) -> tuple[Alternative, ...]:
    """The alternatives of both; the obligations of ``right`` get numbers after those of ``left``."""
    offset = max(left.obligations, default=-1) + 1
    renumbered = (
        replace(one, obligations=frozenset(number + offset for number in one.obligations)) for one in right.alternatives
    )
    return (*_with_declared_names(left.alternatives, left, right), *_with_declared_names(renumbered, right, left))


def _with_declared_names(alternatives: Iterable[Alternative], side: Object, other: Object) -> Iterator[Alternative]:
    """The alternatives of ``side``, those of undeclared keys also for the names that only ``other`` declares.

    Such a name is no undeclared key of the intersection any more.
    """
    own = {item.name for item in side.properties}
    for alternative in alternatives:
        yield alternative
        if not isinstance(alternative.names, str):
            fresh = (item.name for item in other.properties if item.name not in own)
            yield from (replace(alternative, names=name) for name in fresh if holds(alternative.names, name))


def _property_of(side: Object, declared: dict[str, Property], name: str) -> Property:
    """What ``side`` admits under the key ``name``: as declared, by a rule, or nothing."""
    if name in declared:
        return declared[name]
    for rule in side.rules:
        if holds(rule.names, name):
            return Property(name, rule.schema, required=False)
    return Property(name, Never(f"the object admits no property {name!r}"), required=False)


def _join_properties(left: Property, right: Property, algebra: SchemaAlgebra) -> Property:
    return Property(left.name, algebra.join(left.schema, right.schema), left.required or right.required)


def _meet_rules(left: tuple[KeyRule, ...], right: tuple[KeyRule, ...], algebra: SchemaAlgebra) -> tuple[KeyRule, ...]:
    if left == OPEN_RULES or right == OPEN_RULES:
        return right if left == OPEN_RULES else left
    rules = []
    for mine, other in product(left, right):
        keys = meet_keys(mine.names, other.names)
        if not isinstance(keys, Never):
            rules.append(KeyRule(keys, algebra.join(mine.schema, other.schema)))
    return tuple(rules)


def _type_names(side: Disjunction) -> str:
    return " | ".join(dict.fromkeys(kind(disjunct) or str(disjunct) for disjunct in side))
