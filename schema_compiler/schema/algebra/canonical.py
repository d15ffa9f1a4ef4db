"""Smart constructors of strings, arrays and objects: what is plainly impossible is ``Never``, what says nothing goes.

Whoever makes one of these from keywords, or out of two, hands it through here, so that later steps see no junk::

    string{5,3}                    never, the lengths exclude each other
    [any*]{2,} has{1,} (any)       [any*]{2,}, since any item counts
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from schema_compiler.schema.algebra.languages import holds, is_possible
from schema_compiler.schema.algebra.numbers import least_of
from schema_compiler.schema.ir import (
    Alternative,
    AnyValue,
    Array,
    Contains,
    Never,
    Object,
    Property,
    String,
)

__all__ = ["canonical_array", "canonical_object", "canonical_string", "is_open_to", "without_duplicates"]


_Part = TypeVar("_Part", Contains, Alternative)


def canonical_string(string: String) -> String | Never:
    """``string``, or ``Never`` if its lengths, patterns and formats exclude each other.

    Raises ``CompileBudgetError`` where it takes too long to tell.
    """
    if string.max_length is not None and string.min_length > string.max_length:
        return Never(f"minLength ({string.min_length}) is greater than maxLength ({string.max_length})")
    return string if is_possible(string) else Never(f"no text satisfies: {string}")


def canonical_array(array: Array) -> Array | Never:
    """``array`` with its item counts made consistent; ``Never`` if they exclude each other.

    The prefix ends where no further item is possible, ``min_items`` counts what must be contained, and ``contains``
    keeps only what restricts the array.
    """
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
        array = replace(array, min_items=minimum, contains=tuple(filter(_is_restrictive, array.contains)))
    if maximum is not None and maximum <= len(array.prefix):
        return replace(array, prefix=array.prefix[:maximum], items=Never("no more items"), max_items=maximum)
    return array if maximum == array.max_items else replace(array, max_items=maximum)


def _counts_all(contained: Contains) -> bool:
    return all(isinstance(schema, AnyValue) for schema in (*contained.prefix, contained.items))


def _counts_none(contained: Contains) -> bool:
    return all(isinstance(schema, Never) for schema in (*contained.prefix, contained.items))


def _is_restrictive(contained: Contains) -> bool:
    """Whether ``contained`` excludes any array; what only limits the number of all items is in the item counts."""
    is_limited = contained.minimum > 0 or contained.maximum is not None
    return is_limited and not _counts_all(contained) and not _counts_none(contained)


def canonical_object(schema: Object) -> Object | Never:
    """``schema`` without properties, rules and alternatives that cannot occur, and obligations that are met anyway.

    ``Never`` if its counts exclude each other, a required property is impossible, or an obligation cannot be met.
    """
    required, has_forbidden = 0, False
    for item in schema.properties:
        required += item.required
        if isinstance(item.schema, Never):
            if item.required:
                return Never(f"property {item.name!r} is required, but impossible: {item.schema.reason}")
            has_forbidden = True
    properties = schema.properties
    if has_forbidden:
        properties = tuple(
            one for one in properties if not isinstance(one.schema, Never) or is_open_to(schema, one.name)
        )
    rules = tuple(rule for rule in schema.rules if not isinstance(rule.schema, Never))
    most = None if rules else sum(not isinstance(item.schema, Never) for item in properties)
    most = least_of(most, schema.max_properties)
    if most is not None and max(required, schema.min_properties) > most:
        least = f"required properties ({required}) or minProperties ({schema.min_properties})"
        return Never(f"{least} exceed the most properties possible ({most})")
    if len(properties) < len(schema.properties) or len(rules) < len(schema.rules):
        schema = replace(schema, properties=properties, rules=rules)
    return _with_open_obligations(schema) if schema.alternatives else schema


def _with_open_obligations(schema: Object) -> Object | Never:
    """``schema`` with the alternatives that can be taken, and the obligations, renumbered, that are not met anyway."""
    possible = {item.name: item for item in schema.properties if not isinstance(item.schema, Never)}
    absent = (one for one in schema.alternatives if one.schema is None and one.names not in possible)
    met: frozenset[int] = frozenset().union(*(one.obligations for one in absent))
    remaining = [
        replace(one, obligations=one.obligations - met)
        for one in schema.alternatives
        if _can_be_taken(one, possible) and one.obligations - met
    ]
    unmet = sorted(schema.obligations - met)
    if len(unmet) > len(frozenset().union(*(one.obligations for one in remaining))):
        return Never("every object that it admits is one that it excludes")
    numbers = {obligation: number for number, obligation in enumerate(unmet)}
    renumbered = (
        replace(one, obligations=frozenset(numbers[obligation] for obligation in one.obligations)) for one in remaining
    )
    return replace(schema, alternatives=without_duplicates(renumbered))


def _can_be_taken(alternative: Alternative, possible: dict[str, Property]) -> bool:
    """Whether the ``possible`` properties leave it open to take ``alternative``."""
    if isinstance(alternative.names, str):
        if alternative.names not in possible:
            return False
        if alternative.schema is None:
            return not possible[alternative.names].required
    return not isinstance(alternative.schema, Never)


def without_duplicates(parts: Iterable[_Part]) -> tuple[_Part, ...]:
    """The parts, none twice; they are told apart by their text, as values in enumerations have no hash."""
    return tuple({str(part): part for part in parts}.values())


def is_open_to(schema: Object, name: str) -> bool:
    """Whether a rule admits ``name`` as an undeclared key."""
    return any(holds(rule.names, name) and not isinstance(rule.schema, Never) for rule in schema.rules)
