"""What a whole place says: its typed keywords, intersected with enumerations, references and combinations.

Every applicator is a form of its own, and a place is the intersection of them all::

    {"$ref": "#/$defs/a", "minimum": 0, "not": {"const": 3}}        a and (0 or more) and (below 3, or above 3)

``if`` reads as "(if and then) or (not if and else)", ``dependentRequired`` as "without the key, or with the key
and its companions". ``oneOf`` is a union where its branches share no value; where they do, each branch is taken
without the others. Source: JSON Schema 2020-12 core, section 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from schema_compiler.errors import InvalidSchemaError
from schema_compiler.schema.algebra.complement import complement, open_object
from schema_compiler.schema.algebra.disjunction import ANY, TYPES, Disjunct, Disjunction, disjunction, enumeration
from schema_compiler.schema.algebra.intersection import meet, narrow
from schema_compiler.schema.algebra.numbers import is_number
from schema_compiler.schema.algebra.one_of import one_of
from schema_compiler.schema.algebra.values import distinct
from schema_compiler.schema.ir import AnyValue, Never, Property, Schema
from schema_compiler.schema.normalization.context import Context, expect_spellable, mapping, names_in, subschema
from schema_compiler.schema.normalization.keywords import typed_disjunction
from schema_compiler.schema.normalization.unevaluated import alternatives
from schema_compiler.schema.source.document import Place

__all__ = ["read"]

_DEPENDENCIES = ("dependentRequired", "dependentSchemas", "dependencies")


def read(place: Place, context: Context) -> Disjunction:
    """The form of the dictionary at ``place``. References alone, or as options of a union, are not expanded."""
    result = ANY
    choices: list[list[Schema]] = []
    for part in _parts(place, context, choices):
        result = narrow(result, part, context)
    for branches in choices:
        result = one_of(result, branches, context)
    return result


def _parts(place: Place, context: Context, choices: list[list[Schema]]) -> Iterator[Disjunction]:
    """All that must hold at ``place``, but for ``oneOf``: its branches go to ``choices``, to be told apart last."""
    raw = place.raw
    yield _typed(place, context)
    if "enum" in raw:
        yield _listed(place, "enum", raw["enum"], context)
    if "const" in raw:
        yield _listed(place, "const", [raw["const"]], context)
    if "$ref" in raw:
        yield (context.child(context.document.resolve(place, raw["$ref"])),)
    if "$dynamicRef" in raw:
        yield (context.child(context.document.resolve_dynamic(place, raw["$dynamicRef"])),)
    for branch in _branches(place, "allOf", context):
        yield from _member_parts(place, branch, context, choices)
    if "anyOf" in raw:
        yield disjunction(_branches(place, "anyOf", context))
    if "oneOf" in raw:
        choices.append(_branches(place, "oneOf", context))
    if "not" in raw:
        yield complement(context.shape(subschema(place, context, "not")), context)
    if "if" in raw:
        yield _conditional(place, context)
    if not raw.keys().isdisjoint(_DEPENDENCIES):
        yield from _dependencies(place, context)


def _typed(place: Place, context: Context) -> Disjunction:
    """The typed keywords, once for each alternative of what is left to ``unevaluatedProperties`` and ``...Items``."""
    found: list[Disjunct] = []
    for alternative in alternatives(place, context):
        made = typed_disjunction(place, context, alternative.seen)
        for condition in alternative.conditions:
            made = narrow(made, (condition,), context)
        found.extend(made)
    return disjunction(found)


def _member_parts(place: Place, branch: Schema, context: Context, choices: list[list[Schema]]) -> Iterator[Disjunction]:
    """What a member of ``allOf`` says: part by part if it is written out in ``place``, else by name."""
    inner = context.place_of(branch)
    if inner is None or not inner.pointer.startswith(f"{place.pointer}/allOf/"):
        yield (branch,)
    else:
        with context.reading(inner):
            yield from _parts(inner, context, choices)


def _listed(place: Place, keyword: str, values: Any, context: Context) -> Disjunction:
    if not isinstance(values, list):
        raise InvalidSchemaError(f"expected {keyword} to be a list of values, found {values!r}", place.pointer)
    for value in values:
        if not (value is None or isinstance(value, bool | str | list | dict) or is_number(value)):
            raise InvalidSchemaError(f"expected {keyword} to hold JSON values, found {value!r}", place.pointer)
        expect_spellable(value, place)
    return (enumeration(distinct(values), fraction=context.options.integer_fraction),)


def _branches(place: Place, keyword: str, context: Context) -> list[Schema]:
    branches = place.raw.get(keyword, [])
    if not isinstance(branches, list) or (keyword in place.raw and not branches):
        raise InvalidSchemaError(f"expected {keyword} to be a list of schemas, found {branches!r}", place.pointer)
    return [subschema(place, context, keyword, str(index)) for index in range(len(branches))]


def _conditional(place: Place, context: Context) -> Disjunction:
    condition = context.shape(subschema(place, context, "if"))
    then, otherwise = (
        context.shape(subschema(place, context, side)) if side in place.raw else ANY for side in ("then", "else")
    )
    if then == ANY:
        return ANY if otherwise == ANY else disjunction(condition + otherwise)
    return disjunction(
        meet(condition, then, context) + meet(complement(condition, context), otherwise, context),
    )


def _dependencies(place: Place, context: Context) -> Iterator[Disjunction]:
    for keyword in _DEPENDENCIES:
        for name, wanted in mapping(place, keyword).items():
            if isinstance(wanted, list):
                names = dict.fromkeys([name, *names_in(wanted, keyword, place)])
                inside: Disjunction = (open_object(*(Property(other, AnyValue(), required=True) for other in names)),)
            else:
                present = open_object(Property(name, AnyValue(), required=True))
                inside = meet((present,), context.shape(subschema(place, context, keyword, name)), context)
            absent = open_object(Property(name, Never("absent"), required=False))
            yield disjunction([*(TYPES[kind] for kind in TYPES if kind != "object"), absent, *inside])
