"""What all keywords of a place admit together: each is a disjunction of its own, and all are intersected.

For example, where ``a`` is an integer::

    {"$ref": "#/$defs/a", "minimum": 0, "not": {"const": 3}}
    @#/$defs/a  and  numbers from 0, or another type  and  numbers below 3 or above 3, or another type
    integer in [0, 2] | integer in [4, inf)

``if`` is read as "(if and then) or (not if and else)", ``dependentRequired`` as "without the key, or with the key
and its companions". ``oneOf`` is the union of its branches where they share no value; where they do, each branch is
taken without the others. Source: JSON Schema 2020-12 core, section 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from schema_compiler.errors import InvalidSchemaError
from schema_compiler.schema.algebra.complement import complement, open_object
from schema_compiler.schema.algebra.disjunction import ANY, TYPES, Disjunct, Disjunction, disjunction, enumeration
from schema_compiler.schema.algebra.intersection import meet, narrow
from schema_compiler.schema.algebra.one_of import one_of
from schema_compiler.schema.algebra.values import distinct
from schema_compiler.schema.ir import AnyValue, Never, Property, Schema
from schema_compiler.schema.normalization.context import Context, branch_places, dependencies, expect_json, subschema
from schema_compiler.schema.normalization.keywords import typed_disjunction
from schema_compiler.schema.normalization.pieces import read_pieces
from schema_compiler.schema.normalization.unevaluated import seen_branches
from schema_compiler.schema.source.document import Place
from schema_compiler.schema.source.keywords import VERBATIM

__all__ = ["read"]


def read(place: Place, context: Context) -> Disjunction:
    """The disjunction of the dictionary at ``place``. References alone, or as options of a union, are not expanded.

    Raises ``InvalidSchemaError`` and ``UnsupportedSchemaError`` where a keyword is refused, ``CompileBudgetError``
    where there are too many combinations, ``InexpressibleError`` where no disjunction expresses the combination, and
    ``CircularError`` where the values at ``place`` depend on themselves.
    """
    result = ANY
    exclusive: list[list[Schema]] = []
    for part in _parts(place, context, exclusive):
        result = narrow(result, part, context)
    for branches in exclusive:
        result = one_of(result, branches, context)
    return result


def _parts(place: Place, context: Context, exclusive: list[list[Schema]]) -> Iterator[Disjunction]:
    """What each keyword of ``place`` admits, but for ``oneOf``.

    The branches of each ``oneOf`` are added to ``exclusive``: they overlap less once all else has narrowed them.
    """
    raw = place.raw
    yield _typed_keywords(place, context)
    if VERBATIM in raw:
        yield read_pieces(place)
    if "enum" in raw:
        yield _enumeration(place, "enum", raw["enum"], context)
    if "const" in raw:
        yield _enumeration(place, "const", [raw["const"]], context)
    if "$ref" in raw:
        yield (context.child(context.document.resolve(place, raw["$ref"])),)
    if "$dynamicRef" in raw:
        yield (context.child(context.document.resolve_dynamic(place, raw["$dynamicRef"])),)
    for branch in _branches(place, "allOf", context):
        yield from _all_of_parts(place, branch, context, exclusive)
    if "anyOf" in raw:
        yield disjunction(_branches(place, "anyOf", context))
    if "oneOf" in raw:
        exclusive.append(_branches(place, "oneOf", context))
    if "not" in raw:
        yield complement(context.shape(subschema(place, context, "not")), context)
    if "if" in raw:
        yield _conditional(place, context)
    for name, dependency in dependencies(place, context):
        yield _dependency(name, dependency, context)


def _typed_keywords(place: Place, context: Context) -> Disjunction:
    """The keywords of single types, read once for each set of members that ``unevaluated...`` may have to leave alone.

    Each reading is narrowed to the values for which that is the set.
    """
    disjuncts: list[Disjunct] = []
    for branch in seen_branches(place, context):
        admitted = typed_disjunction(place, context, branch.seen)
        for condition in branch.conditions:
            admitted = narrow(admitted, (condition,), context)
        disjuncts.extend(admitted)
    return disjunction(disjuncts)


def _all_of_parts(
    place: Place, branch: Schema, context: Context, exclusive: list[list[Schema]]
) -> Iterator[Disjunction]:
    """What ``branch`` of ``allOf`` at ``place`` admits: keyword by keyword if it is written out there, else by name."""
    inner = context.place_of(branch)
    if inner is None or not inner.pointer.startswith(f"{place.pointer}/allOf/"):
        yield (branch,)
    else:
        with context.reading(inner):
            yield from _parts(inner, context, exclusive)


def _enumeration(place: Place, keyword: str, values: Any, context: Context) -> Disjunction:
    if not isinstance(values, list):
        raise InvalidSchemaError(f"expected {keyword} to be a list of values, found {values!r}", place.pointer)
    expect_json(values, keyword, place)
    return (enumeration(distinct(values), fraction=context.options.integer_fraction),)


def _branches(place: Place, keyword: str, context: Context) -> list[Schema]:
    """The schemas that ``keyword`` lists, none where it is absent."""
    return [context.child(branch) for branch in branch_places(place, keyword, context)]


def _conditional(place: Place, context: Context) -> Disjunction:
    condition = context.shape(subschema(place, context, "if"))
    then, otherwise = (
        context.shape(subschema(place, context, side)) if side in place.raw else ANY for side in ("then", "else")
    )
    if then == ANY:
        return ANY if otherwise == ANY else disjunction(condition + otherwise)
    return disjunction(meet(condition, then, context) + meet(complement(condition, context), otherwise, context))


def _dependency(name: str, dependency: list[str] | Place, context: Context) -> Disjunction:
    """No object, one without the key ``name``, or one with it that has the keys, or is in the schema, it depends on."""
    if isinstance(dependency, list):
        names = dict.fromkeys([name, *dependency])
        present: Disjunction = (open_object(*(Property(other, AnyValue(), required=True) for other in names)),)
    else:
        with_key = open_object(Property(name, AnyValue(), required=True))
        present = meet((with_key,), context.shape(context.child(dependency)), context)
    absent = open_object(Property(name, Never("absent"), required=False))
    return disjunction([*(TYPES[kind] for kind in TYPES if kind != "object"), absent, *present])
