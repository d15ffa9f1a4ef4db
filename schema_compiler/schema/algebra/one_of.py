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
from schema_compiler.schema.algebra.disjunction import Atom, CircularError, Form, InexpressibleError, Names, form, kind
from schema_compiler.schema.algebra.intersection import expand, meet, meet_atoms, narrow, required_of_both
from schema_compiler.schema.algebra.values import json_key
from schema_compiler.schema.ir import Array, Enumeration, Never, Object, Schema

__all__ = ["one_of"]

_MOST_WAYS = 64
_DEPTH = 4
"""How deep inside required parts a contradiction is looked for."""


def one_of(base: Form, branches: Sequence[Schema], names: Names) -> Form:
    """The values of ``base`` in exactly one branch.

    Raises ``InexpressibleError`` where branches overlap and no form says how.
    """
    options = [narrow(base, (branch,), names) for branch in branches]
    shapes = [expand(option, names) for option in options]
    if _differ_in_type(shapes) or _differ_in_property(shapes, names):
        return form(atom for option in options for atom in option)
    rivals: dict[int, list[int]] = {index: [] for index in range(len(branches))}
    for first, second in combinations(rivals, 2):
        if _overlap(shapes[first], shapes[second], names):
            rivals[first].append(second)
            rivals[second].append(first)
    outside = {
        index: complement(_said_beside(base, branches[index], shapes[index], names), names)
        for index in rivals
        if rivals[index]
    }
    atoms: list[Atom] = []
    for index, others in rivals.items():
        atoms += _alone(shapes[index], [outside[other] for other in others], names) if others else options[index]
    return form(atoms)


def _said_beside(base: Form, branch: Schema, shape: Form, names: Names) -> Form:
    """What tells ``branch`` from the rest of ``base``: what it says itself, unless its ``shape`` there is simpler."""
    kinds = set(map(kind, expand(base, names)))
    said = tuple(atom for atom in expand((branch,), names) if "" in kinds or kind(atom) in {"", *kinds})
    return said if 0 < len(said) <= len(shape) else shape


def _alone(shape: Form, outsides: Sequence[Form], names: Names) -> Form:
    """What of ``shape`` is in all ``outsides`` of its rivals."""
    for outside in outsides:
        if len(shape) > _MOST_WAYS:
            raise InexpressibleError(f"oneOf with branches that overlap in over {_MOST_WAYS} ways")
        atoms = meet(shape, outside, names)
        shape = form(Never("no value is in this branch only") if _is_empty(atom, names, 1) else atom for atom in atoms)
    return shape


def _differ_in_type(shapes: Sequence[Form]) -> bool:
    kinds = [{kind(atom) for atom in shape} for shape in shapes]
    return all("" not in types for types in kinds) and sum(map(len, kinds)) == len(set().union(*kinds))


def _differ_in_property(shapes: Sequence[Form], names: Names) -> bool:
    """Whether all branches are objects with a required property whose values tell them apart."""
    if not all(isinstance(atom, Object) for shape in shapes for atom in shape):
        return False
    required = [_required(atom) for shape in shapes for atom in shape if isinstance(atom, Object)]
    shared = [name for name in required[0] if all(name in one for one in required)]
    return any(_tells_apart(name, shapes, names) for name in shared)


def _tells_apart(name: str, shapes: Sequence[Form], names: Names) -> bool:
    seen: set[object] = set()
    for shape in shapes:
        values: set[object] = set()
        for atom in shape:
            tags = _values(_required(atom)[name], names) if isinstance(atom, Object) else None
            if tags is None:
                return False
            values |= tags
        if seen & values:
            return False
        seen |= values
    return True


def _values(schema: Schema, names: Names) -> set[object] | None:
    """The keys of all values, if they are listed."""
    found: set[object] = set()
    try:
        atoms = names.shape(schema)
    except CircularError:
        return None
    for atom in atoms:
        if not isinstance(atom, Enumeration):
            return None
        found |= set(map(json_key, atom.values))
    return found


def _required(made: Object) -> dict[str, Schema]:
    return {item.name: item.schema for item in made.properties if item.required}


def _overlap(left: Form, right: Form, names: Names) -> bool:
    try:
        return any(_share_values(mine, other, names) for mine, other in product(left, right))
    except InexpressibleError:
        return True


def _share_values(left: Atom, right: Atom, names: Names) -> bool:
    """Whether the atoms may share values; of objects without counts, only what either requires can exclude it."""
    if isinstance(left, Object) and isinstance(right, Object) and not _is_counted(left) and not _is_counted(right):
        return not any(_is_impossible(schema, names, _DEPTH) for schema in required_of_both(left, right, names))
    common = meet_atoms(left, right, names)
    return common is not None and not _is_empty(common, names, _DEPTH)


def _is_counted(made: Object) -> bool:
    return bool(made.ways) or made.min_properties > 0 or made.max_properties is not None


def _is_empty(atom: Atom, names: Names, depth: int) -> bool:
    """Whether ``atom`` surely has no value; looks at the parts it requires, ``depth`` levels deep."""
    match atom:
        case Never():
            return True
        case Object():
            return any(_is_impossible(schema, names, depth) for schema in _required(atom).values())
        case Array():
            needed = [*atom.prefix[: atom.min_items], *([atom.items] if atom.min_items > len(atom.prefix) else [])]
            return any(_is_impossible(schema, names, depth) for schema in needed)
        case _:
            return False


def _is_impossible(schema: Schema, names: Names, depth: int) -> bool:
    if depth == 0:
        return False
    try:
        return all(_is_empty(atom, names, depth - 1) for atom in names.shape(schema))
    except CircularError:
        return False
