"""What two atoms have in common, exactly.

Two objects share their declared names; a name that only one of them declares is, for the other, an undeclared
key under one of its rules::

    {"a": string, string: any}  and  {"b"?: integer, string !/^_/: boolean}
    {"a": string and boolean, "b"?: integer, string !/^_/: boolean}

(the "string and boolean" is a name that will turn out to be impossible). Rules meet pairwise: the key languages
of each side are disjoint, so those of the result are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product, zip_longest
from typing import TypeVar

from schema_compiler.errors import CompileBudgetError
from schema_compiler.schema.algebra.disjunction import (
    ANY,
    Complement,
    Disjunct,
    Disjunction,
    InexpressibleError,
    SchemaAlgebra,
    disjunction,
    enumeration,
    kind,
)
from schema_compiler.schema.algebra.languages import holds, is_possible
from schema_compiler.schema.algebra.membership import admits
from schema_compiler.schema.algebra.numbers import least_of, meet_numbers
from schema_compiler.schema.ir import (
    ANY_STRING,
    Alternative,
    AnyValue,
    Array,
    Contains,
    Enumeration,
    KeyRule,
    Never,
    Number,
    Object,
    Property,
    Schema,
    Sentence,
    String,
)

__all__ = [
    "canonical_array",
    "canonical_object",
    "canonical_string",
    "expand",
    "meet",
    "meet_disjuncts",
    "meet_keys",
    "narrow",
    "required_of_both",
]

_Part = TypeVar("_Part", Contains, Alternative)

_LIMIT = 4096
_OPEN = (KeyRule(String(), AnyValue()),)
"""The rules of an object that says nothing about undeclared keys."""


def meet(left: Disjunction, right: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """The values in both forms. Raises ``CompileBudgetError`` when the product of alternatives is out of hand."""
    if left == ANY or right == ANY:
        return right if left == ANY else left
    if len(left) * len(right) > _LIMIT:
        raise CompileBudgetError(f"an intersection of {len(left)} by {len(right)} alternatives exceeds {_LIMIT}")
    found = [disjunct for pair in product(left, right) if (disjunct := meet_disjuncts(*pair, algebra)) is not None]
    return disjunction(found or [Never(f"{_kinds(left)} and {_kinds(right)} exclude each other")])


def narrow(left: Disjunction, right: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """The values in both; a side to which the other adds nothing is kept as it is, with its references."""
    if left == ANY or right == ANY:
        return right if left == ANY else left
    shapes = expand(left, algebra), expand(right, algebra)
    both = meet(*shapes, algebra)
    return next((side for side, shape in zip((left, right), shapes, strict=True) if _are_alike(shape, both)), both)


def _are_alike(left: Disjunction, right: Disjunction) -> bool:
    """Whether the forms have the same atoms, by their texts; what those cost is spared where sizes differ."""
    return sorted(map(_size, left)) == sorted(map(_size, right)) and sorted(map(str, left)) == sorted(map(str, right))


def _size(disjunct: Disjunct) -> tuple[str, int, int]:
    if isinstance(disjunct, Object):
        return "object", len(disjunct.properties), sum(item.required for item in disjunct.properties)
    return kind(disjunct), 0, 0


def expand(parts: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """``parts`` without references."""
    return disjunction(disjunct for part in parts for disjunct in algebra.shape(part))


def meet_disjuncts(left: Disjunct, right: Disjunct, algebra: SchemaAlgebra) -> Disjunct | None:
    """The values in both atoms; ``None`` if they are of different types."""
    match left, right:
        case (Never(), _) | (_, AnyValue()):
            return left
        case (_, Never()) | (AnyValue(), _):
            return right
        case (Enumeration(), _):
            return _filtered(left, right, algebra)
        case (_, Enumeration()):
            return _filtered(right, left, algebra)
    if kind(left) != kind(right):
        return None
    match left, right:
        case (Complement(excluded), _):
            return _without(right, excluded, algebra)
        case (_, Complement(excluded)):
            return _without(left, excluded, algebra)
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


def _filtered(listed: Enumeration, other: Disjunct, algebra: SchemaAlgebra) -> Schema:
    """The listed values that are in ``other``; whole numbers keep the spellings that both admit."""
    match other:
        case Number(integer=True) | Enumeration():
            fraction = listed.fraction and other.fraction
        case _:
            fraction = listed.fraction
    return enumeration((value for value in listed.values if admits(other, value, algebra)), fraction=fraction)


def meet_keys(left: String | Number, right: String | Number) -> String | Number | Never:
    """The strings in both; a ``Number`` is ``quoted``."""
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


def canonical_string(string: String) -> String | Never:
    """``string``, or ``Never`` if its lengths, patterns and formats exclude each other."""
    if string.max_length is not None and string.min_length > string.max_length:
        return Never(f"minLength ({string.min_length}) is greater than maxLength ({string.max_length})")
    return string if is_possible(string) else Never(f"no text satisfies: {string}")


def canonical_array(array: Array) -> Array | Never:
    """``array`` with a prefix no longer than its items can be, and nothing in ``contains`` that says nothing."""
    maximum = array.max_items
    impossible = next((index for index, item in enumerate(array.prefix) if isinstance(item, Never)), None)
    if impossible is not None:
        maximum = least_of(maximum, impossible)
    elif isinstance(array.items, Never):
        maximum = least_of(maximum, len(array.prefix))
    minimum = array.min_items
    for contained in array.contains:
        minimum = max(minimum, contained.minimum)
        if _counts_all(contained):
            maximum = least_of(maximum, contained.maximum)
        if contained.maximum is not None and contained.minimum > contained.maximum:
            return Never(f"minContains ({contained.minimum}) is greater than maxContains ({contained.maximum})")
        if contained.minimum and _counts_none(contained):
            return Never("what the array must contain is impossible")
    if maximum is not None and minimum > maximum:
        return Never(f"minItems ({minimum}) is greater than the most items possible ({maximum})")
    if array.contains:
        array = replace(array, min_items=minimum, contains=tuple(filter(_says_something, array.contains)))
    if maximum is not None and maximum <= len(array.prefix):
        return replace(array, prefix=array.prefix[:maximum], items=Never("no more items"), max_items=maximum)
    return array if maximum == array.max_items else replace(array, max_items=maximum)


def _counts_all(contained: Contains) -> bool:
    return all(isinstance(schema, AnyValue) for schema in (*contained.prefix, contained.items))


def _counts_none(contained: Contains) -> bool:
    return all(isinstance(schema, Never) for schema in (*contained.prefix, contained.items))


def _says_something(contained: Contains) -> bool:
    limited = contained.minimum > 0 or contained.maximum is not None
    return limited and not _counts_all(contained) and not _counts_none(contained)


def canonical_object(made: Object) -> Object | Never:
    """``made`` without properties that cannot occur; ``Never`` if its counts, required properties or demands fail."""
    required, has_forbidden = 0, False
    for item in made.properties:
        required += item.required
        if isinstance(item.schema, Never):
            if item.required:
                return Never(f"property {item.name!r} is required, but impossible: {item.schema.reason}")
            has_forbidden = True
    kept = made.properties
    if has_forbidden:
        kept = tuple(item for item in kept if not isinstance(item.schema, Never) or _is_open_to(made, item.name))
    rules = tuple(rule for rule in made.rules if not isinstance(rule.schema, Never))
    most = None if rules else sum(not isinstance(item.schema, Never) for item in kept)
    most = least_of(most, made.max_properties)
    if most is not None and max(required, made.min_properties) > most:
        least = f"required properties ({required}) or minProperties ({made.min_properties})"
        return Never(f"{least} exceed the most properties possible ({most})")
    if len(kept) < len(made.properties) or len(rules) < len(made.rules):
        made = replace(made, properties=kept, rules=rules)
    return _with_open_obligations(made) if made.alternatives else made


def _with_open_obligations(made: Object) -> Object | Never:
    """``made`` with the ways that are left, and only the demands that are not met anyway."""
    schemas = {item.name: item for item in made.properties}
    absent = [alternative for alternative in made.alternatives if alternative.schema is None]
    present = {item.name for item in made.properties if not isinstance(item.schema, Never)}
    met: frozenset[int] = frozenset().union(
        *(alternative.obligations for alternative in absent if alternative.names not in present)
    )
    left = [
        replace(alternative, obligations=alternative.obligations - met)
        for alternative in made.alternatives
        if not (isinstance(alternative.names, str) and alternative.names not in present)
        and not (
            alternative.schema is None and isinstance(alternative.names, str) and schemas[alternative.names].required
        )
        and not isinstance(alternative.schema, Never)
        and alternative.obligations - met
    ]
    open_obligations = sorted(made.obligations - met)
    if len(open_obligations) > len(frozenset().union(*(alternative.obligations for alternative in left))):
        return Never("it cannot be told from what it must not be")
    numbers = {obligation: number for number, obligation in enumerate(open_obligations)}
    alternatives = (
        replace(alternative, obligations=frozenset(numbers[obligation] for obligation in alternative.obligations))
        for alternative in left
    )
    return replace(made, alternatives=_unlike(alternatives))


def _unlike(parts: Iterable[_Part]) -> tuple[_Part, ...]:
    """The parts, none twice; they are told apart by their text, as values in enumerations have no hash."""
    return tuple({str(part): part for part in parts}.values())


def _is_open_to(made: Object, name: str) -> bool:
    return any(holds(rule.names, name) and not isinstance(rule.schema, Never) for rule in made.rules)


def _without(disjunct: Disjunct, excluded: Schema, algebra: SchemaAlgebra) -> Disjunct:
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
            _unlike(left.contains + right.contains),
        )
    )


def _meet_objects(left: Object, right: Object, algebra: SchemaAlgebra) -> Object | Never:
    return canonical_object(
        Object(
            tuple(_shared_properties(left, right, algebra)),
            _meet_rules(left.rules, right.rules, algebra),
            max(left.min_properties, right.min_properties),
            least_of(left.max_properties, right.max_properties),
            _meet_ways(left, right) if left.alternatives or right.alternatives else (),
        )
    )


def _shared_properties(left: Object, right: Object, algebra: SchemaAlgebra) -> Iterator[Property]:
    mine, other = ({item.name: item for item in side.properties} for side in (left, right))
    is_mine_open, is_other_open = left.rules == _OPEN, right.rules == _OPEN
    for name, item in mine.items():
        yield (
            item if is_other_open and name not in other else _meet_properties(item, _said(right, other, name), algebra)
        )
    for name, item in other.items():
        if name not in mine:
            yield item if is_mine_open else _meet_properties(_said(left, mine, name), item, algebra)


def required_of_both(left: Object, right: Object, algebra: SchemaAlgebra) -> Iterator[Schema]:
    """What the properties that either side requires must be to satisfy both."""
    mine, other = ({item.name: item for item in side.properties} for side in (left, right))
    for name in dict.fromkeys(item.name for item in (*left.properties, *right.properties) if item.required):
        yield algebra.join(_said(left, mine, name).schema, _said(right, other, name).schema)


def _meet_ways(left: Object, right: Object) -> tuple[Alternative, ...]:
    """The demands of both; a name that one side does not declare is no undeclared key any more."""
    offset = max(left.obligations, default=-1) + 1
    renumbered = (
        replace(alternative, obligations=frozenset(number + offset for number in alternative.obligations))
        for alternative in right.alternatives
    )
    return (*_with_names(left.alternatives, left, right), *_with_names(renumbered, right, left))


def _with_names(alternatives: Iterable[Alternative], side: Object, other: Object) -> Iterator[Alternative]:
    own = {item.name for item in side.properties}
    for alternative in alternatives:
        yield alternative
        if not isinstance(alternative.names, str):
            fresh = (item.name for item in other.properties if item.name not in own)
            yield from (replace(alternative, names=name) for name in fresh if holds(alternative.names, name))


def _said(side: Object, declared: dict[str, Property], name: str) -> Property:
    """What ``side`` says about the key ``name``, declared or not."""
    if name in declared:
        return declared[name]
    for rule in side.rules:
        if holds(rule.names, name):
            return Property(name, rule.schema, required=False)
    return Property(name, Never(f"the object admits no property {name!r}"), required=False)


def _meet_properties(left: Property, right: Property, algebra: SchemaAlgebra) -> Property:
    return Property(left.name, algebra.join(left.schema, right.schema), left.required or right.required)


def _meet_rules(left: tuple[KeyRule, ...], right: tuple[KeyRule, ...], algebra: SchemaAlgebra) -> tuple[KeyRule, ...]:
    if left == _OPEN or right == _OPEN:
        return right if left == _OPEN else left
    rules = []
    for mine, other in product(left, right):
        keys = meet_keys(mine.names, other.names)
        if not isinstance(keys, Never):
            rules.append(KeyRule(keys, algebra.join(mine.schema, other.schema)))
    return tuple(rules)


def _kinds(side: Disjunction) -> str:
    return " | ".join(dict.fromkeys(kind(disjunct) or str(disjunct) for disjunct in side))
