"""``oneOf``: exactly one of the branches holds.

Where no value is in two branches, that is their union. Two quick proofs cover nearly every schema written: the
branches are of different types, or they are objects that all require a property whose values differ::

    {"kind": one of ["cat"], ...}   {"kind": one of ["dog"], ...}

Otherwise branches are intersected pairwise. Where two share values, each is intersected with the complement of the
other; where no disjunction expresses that, the keyword is refused.
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
from schema_compiler.schema.algebra.emptiness import required_items
from schema_compiler.schema.algebra.intersection import expand, meet, meet_disjuncts, narrow, required_of_both
from schema_compiler.schema.algebra.values import json_key
from schema_compiler.schema.ir import Array, Enumeration, Never, Object, Schema

__all__ = ["one_of"]

_MOST_DISJUNCTS = 64
"""How many disjuncts a branch may have when the complement of a rival is taken out of it.

Each rival can multiply them by the disjuncts of its complement. A power of two; chosen, not measured.
"""
_DEPTH = 4
"""How many levels deep inside required parts a contradiction of two branches is looked for.

The parts of recursive schemas nest without end. A contradiction that is missed never makes the result wrong: branches
that share no value are then told apart by complements, which makes the schema longer, or refused. Deep enough for a tag
that stands a level or two below its branch; chosen, not measured.
"""


def one_of(base: Disjunction, branches: Sequence[Schema], algebra: SchemaAlgebra) -> Disjunction:
    """The values of ``base`` in exactly one branch.

    Raises ``InexpressibleError`` where branches overlap and no disjunction says how, ``CompileBudgetError`` where their
    intersections get too large, and what ``algebra.shape`` raises.
    """
    options = [narrow(base, (branch,), algebra) for branch in branches]
    shapes = [expand(option, algebra) for option in options]
    if _differ_in_type(shapes) or _differ_in_property(shapes, algebra):
        return disjunction(disjunct for option in options for disjunct in option)
    rivals: dict[int, list[int]] = {index: [] for index in range(len(branches))}
    for first, second in combinations(rivals, 2):
        if _may_overlap(shapes[first], shapes[second], algebra):
            rivals[first].append(second)
            rivals[second].append(first)
    complements = {
        index: complement(_within_types_of(base, branches[index], shapes[index], algebra), algebra)
        for index in rivals
        if rivals[index]
    }
    disjuncts: list[Disjunct] = []
    for index, others in rivals.items():
        outside = [complements[other] for other in others]
        disjuncts += _meet_all(shapes[index], outside, algebra) if others else options[index]
    return disjunction(disjuncts)


def _within_types_of(base: Disjunction, branch: Schema, shape: Disjunction, algebra: SchemaAlgebra) -> Disjunction:
    """A disjunction that agrees with ``branch`` on the values of ``base``, and has a simple complement.

    ``shape``, the intersection of the two, agrees; but it repeats the limits of ``base``, and each of them becomes a
    disjunct of the complement. The disjuncts of ``branch`` alone, of the types that ``base`` has, agree as well.
    """
    types = set(map(kind, expand(base, algebra)))
    own = tuple(one for one in expand((branch,), algebra) if "" in types or kind(one) in {"", *types})
    return own if 0 < len(own) <= len(shape) else shape


def _meet_all(shape: Disjunction, complements: Sequence[Disjunction], algebra: SchemaAlgebra) -> Disjunction:
    """What of the branch ``shape`` is in all ``complements`` of its rivals."""
    for outside in complements:
        if len(shape) > _MOST_DISJUNCTS:
            raise InexpressibleError(f"oneOf with branches that overlap in over {_MOST_DISJUNCTS} ways")
        shape = disjunction(
            Never("no value is in this branch only") if _is_empty(disjunct, algebra, 1) else disjunct
            for disjunct in meet(shape, outside, algebra)
        )
    return shape


def _differ_in_type(shapes: Sequence[Disjunction]) -> bool:
    """Whether no JSON type is in two of ``shapes``."""
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
    """Whether the property ``name`` has listed values in each of ``shapes``, none of them in two."""
    seen: set[object] = set()
    for shape in shapes:
        keys: set[object] = set()
        for disjunct in shape:
            tags = _value_keys(_required(disjunct)[name], algebra) if isinstance(disjunct, Object) else None
            if tags is None:
                return False
            keys |= tags
        if seen & keys:
            return False
        seen |= keys
    return True


def _value_keys(schema: Schema, algebra: SchemaAlgebra) -> set[object] | None:
    """The ``json_key`` of each value of ``schema``; ``None`` where they are not listed."""
    keys: set[object] = set()
    try:
        disjuncts = algebra.shape(schema)
    except CircularError:
        return None
    for disjunct in disjuncts:
        if not isinstance(disjunct, Enumeration):
            return None
        keys |= set(map(json_key, disjunct.values))
    return keys


def _required(schema: Object) -> dict[str, Schema]:
    return {item.name: item.schema for item in schema.properties if item.required}


def _may_overlap(left: Disjunction, right: Disjunction, algebra: SchemaAlgebra) -> bool:
    """Whether two branches may share values; they may where no disjunction expresses their intersection."""
    try:
        return any(_may_share_values(mine, other, algebra) for mine, other in product(left, right))
    except InexpressibleError:
        return True


def _may_share_values(left: Disjunct, right: Disjunct, algebra: SchemaAlgebra) -> bool:
    """Whether two disjuncts may share values.

    Of two objects without counts, only the properties that one of them requires can exclude it.
    """
    if isinstance(left, Object) and isinstance(right, Object) and not left.is_limited and not right.is_limited:
        return not any(_is_impossible(schema, algebra, _DEPTH) for schema in required_of_both(left, right, algebra))
    common = meet_disjuncts(left, right, algebra)
    return common is not None and not _is_empty(common, algebra, _DEPTH)


def _is_empty(disjunct: Disjunct, algebra: SchemaAlgebra, depth: int) -> bool:
    """Whether ``disjunct`` surely has no value; looks at the parts it requires, ``depth`` levels deep."""
    match disjunct:
        case Never():
            return True
        case Object():
            return any(_is_impossible(schema, algebra, depth) for schema in _required(disjunct).values())
        case Array():
            return any(_is_impossible(schema, algebra, depth) for schema in required_items(disjunct))
        case _:
            return False


def _is_impossible(schema: Schema, algebra: SchemaAlgebra, depth: int) -> bool:
    """Whether ``schema`` surely has no value; one that is being read, or too deep, may have one."""
    if depth == 0:
        return False
    try:
        return all(_is_empty(disjunct, algebra, depth - 1) for disjunct in algebra.shape(schema))
    except CircularError:
        return False
