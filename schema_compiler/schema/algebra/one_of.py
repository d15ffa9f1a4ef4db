"""``oneOf``: exactly one of the branches holds.

Where no value is in two branches, that is their union. Two quick proofs cover nearly every schema written: the
branches are of different types, or they are objects that all require a property whose values differ::

    {"kind": one of ["cat"], ...}   {"kind": one of ["dog"], ...}

Otherwise branches are intersected pairwise. Where two share values, each is taken without the other; where that
has no form, the keyword is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from schema_compiler.schema.algebra.complement import complement
from schema_compiler.schema.algebra.disjunction import (
    CircularError,
    Disjunct,
    Disjunction,
    InexpressibleError,
    SchemaAlgebra,
    disjunction,
    kind,
)
from schema_compiler.schema.algebra.intersection import expand, meet, meet_disjuncts, narrow, required_of_both
from schema_compiler.schema.algebra.values import json_key
from schema_compiler.schema.ir import Array, Enumeration, Never, Object, Schema

__all__ = ["one_of"]

_MOST_ALTERNATIVES = 64
_DEPTH = 4
"""How deep inside required parts a contradiction is looked for."""


def one_of(base: Disjunction, branches: Sequence[Schema], algebra: SchemaAlgebra) -> Disjunction:
    """The values of ``base`` in exactly one branch.

    Raises ``InexpressibleError`` where branches overlap and no form says how.
    """
    options = [narrow(base, (branch,), algebra) for branch in branches]
    shapes = [expand(option, algebra) for option in options]
    if _differ_in_type(shapes) or _differ_in_property(shapes, algebra):
        return disjunction(disjunct for option in options for disjunct in option)
    rivals: dict[int, list[int]] = {index: [] for index in range(len(branches))}
    for first, second in combinations(rivals, 2):
        if _overlap(shapes[first], shapes[second], algebra):
            rivals[first].append(second)
            rivals[second].append(first)
    outside = {
        index: complement(_said_beside(base, branches[index], shapes[index], algebra), algebra)
        for index in rivals
        if rivals[index]
    }
    disjuncts: list[Disjunct] = []
    for index, others in rivals.items():
        disjuncts += _alone(shapes[index], [outside[other] for other in others], algebra) if others else options[index]
    return disjunction(disjuncts)


def _said_beside(base: Disjunction, branch: Schema, shape: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """What tells ``branch`` from the rest of ``base``: what it says itself, unless its ``shape`` there is simpler."""
    kinds = set(map(kind, expand(base, algebra)))
    said = tuple(disjunct for disjunct in expand((branch,), algebra) if "" in kinds or kind(disjunct) in {"", *kinds})
    return said if 0 < len(said) <= len(shape) else shape


def _alone(shape: Disjunction, outsides: Sequence[Disjunction], algebra: SchemaAlgebra) -> Disjunction:
    """What of ``shape`` is in all ``outsides`` of its rivals."""
    for outside in outsides:
        if len(shape) > _MOST_ALTERNATIVES:
            raise InexpressibleError(f"oneOf with branches that overlap in over {_MOST_ALTERNATIVES} ways")
        disjuncts = meet(shape, outside, algebra)
        shape = disjunction(
            Never("no value is in this branch only") if _is_empty(disjunct, algebra, 1) else disjunct
            for disjunct in disjuncts
        )
    return shape


def _differ_in_type(shapes: Sequence[Disjunction]) -> bool:
    kinds = [{kind(disjunct) for disjunct in shape} for shape in shapes]
    return all("" not in types for types in kinds) and sum(map(len, kinds)) == len(set().union(*kinds))


def _differ_in_property(shapes: Sequence[Disjunction], algebra: SchemaAlgebra) -> bool:
    """Whether all branches are objects with a required property whose values tell them apart."""
    if not all(isinstance(disjunct, Object) for shape in shapes for disjunct in shape):
        return False
    required = [_required(disjunct) for shape in shapes for disjunct in shape if isinstance(disjunct, Object)]
    shared = [name for name in required[0] if all(name in one for one in required)]
    return any(_tells_apart(name, shapes, algebra) for name in shared)


def _tells_apart(name: str, shapes: Sequence[Disjunction], algebra: SchemaAlgebra) -> bool:
    seen: set[object] = set()
    for shape in shapes:
        values: set[object] = set()
        for disjunct in shape:
            tags = _values(_required(disjunct)[name], algebra) if isinstance(disjunct, Object) else None
            if tags is None:
                return False
            values |= tags
        if seen & values:
            return False
        seen |= values
    return True


def _values(schema: Schema, algebra: SchemaAlgebra) -> set[object] | None:
    """The keys of all values, if they are listed."""
    found: set[object] = set()
    try:
        disjuncts = algebra.shape(schema)
    except CircularError:
        return None
    for disjunct in disjuncts:
        if not isinstance(disjunct, Enumeration):
            return None
        found |= set(map(json_key, disjunct.values))
    return found


def _required(made: Object) -> dict[str, Schema]:
    return {item.name: item.schema for item in made.properties if item.required}


def _overlap(left: Disjunction, right: Disjunction, algebra: SchemaAlgebra) -> bool:
    try:
        return any(_share_values(mine, other, algebra) for mine, other in product(left, right))
    except InexpressibleError:
        return True


def _share_values(left: Disjunct, right: Disjunct, algebra: SchemaAlgebra) -> bool:
    """Whether the atoms may share values; of objects without counts, only what either requires can exclude it."""
    if isinstance(left, Object) and isinstance(right, Object) and not _is_counted(left) and not _is_counted(right):
        return not any(_is_impossible(schema, algebra, _DEPTH) for schema in required_of_both(left, right, algebra))
    common = meet_disjuncts(left, right, algebra)
    return common is not None and not _is_empty(common, algebra, _DEPTH)


def _is_counted(made: Object) -> bool:
    return bool(made.alternatives) or made.min_properties > 0 or made.max_properties is not None


def _is_empty(disjunct: Disjunct, algebra: SchemaAlgebra, depth: int) -> bool:
    """Whether ``disjunct`` surely has no value; looks at the parts it requires, ``depth`` levels deep."""
    match disjunct:
        case Never():
            return True
        case Object():
            return any(_is_impossible(schema, algebra, depth) for schema in _required(disjunct).values())
        case Array():
            needed = [
                *disjunct.prefix[: disjunct.min_items],
                *([disjunct.items] if disjunct.min_items > len(disjunct.prefix) else []),
            ]
            return any(_is_impossible(schema, algebra, depth) for schema in needed)
        case _:
            return False


def _is_impossible(schema: Schema, algebra: SchemaAlgebra, depth: int) -> bool:
    if depth == 0:
        return False
    try:
        return all(_is_empty(disjunct, algebra, depth - 1) for disjunct in algebra.shape(schema))
    except CircularError:
        return False
