"""The keywords of arrays: items in the spelling of any draft, ``contains``, ``uniqueItems``, and limits.

Either of these is ``[null, string*]{0,3}``::

    {"prefixItems": [{"type": "null"}], "items": {"type": "string"}, "maxItems": 3}         (2020-12)
    {"items": [{"type": "null"}], "additionalItems": {"type": "string"}, "maxItems": 3}     (earlier drafts)
"""

from __future__ import annotations

from dataclasses import replace

from schema_compiler.schema.algebra.canonical import canonical_array
from schema_compiler.schema.algebra.complement import fewer_than
from schema_compiler.schema.algebra.disjunction import CircularError, Complement, Disjunct
from schema_compiler.schema.algebra.intersection import meet_disjuncts
from schema_compiler.schema.algebra.languages import are_told_apart
from schema_compiler.schema.algebra.values import single_values
from schema_compiler.schema.ir import AnyValue, Array, Contains, Never, Piece, Schema, String, Union
from schema_compiler.schema.normalization.context import Context, count, expect, subschema
from schema_compiler.schema.normalization.unevaluated import Evaluated
from schema_compiler.schema.report import ReportRow, Status
from schema_compiler.schema.source.document import Place

__all__ = ["read_array"]


def read_array(place: Place, context: Context, seen: Evaluated) -> Disjunct:
    """The arrays that the keywords at ``place`` admit; ``Never`` where they exclude each other.

    ``seen``: the items that ``unevaluatedItems`` at ``place`` leaves alone. Raises ``InvalidSchemaError`` and
    ``UnsupportedSchemaError``.
    """
    prefix, rest = _items(place, context, seen)
    array = Array(prefix, rest, count(place, "minItems") or 0, count(place, "maxItems"), _is_unique(place))
    if array.unique:
        context.record(ReportRow(place.pointer, "uniqueItems", *_uniqueness_status(array, place, context)))
    return canonical_array(array) if "contains" not in place.raw else _with_contains(array, place, context)


def _is_unique(place: Place) -> bool:
    """Whether items must differ; where there is one item at most, they need not."""
    most = count(place, "maxItems")
    return expect(place, "uniqueItems", bool) is True and (most is None or most > 1)


def _uniqueness_status(array: Array, place: Place, context: Context) -> tuple[Status, str]:
    """Whether the grammar enforces that the items of ``array`` differ, and if not, why."""
    try:
        shape = () if array.prefix else context.shape(array.items)
    except CircularError:
        shape = ()
    if shape and all(isinstance(disjunct, String) and are_told_apart(disjunct) for disjunct in shape):
        return "enforced", ""
    if len(shape) == 1 and isinstance(shape[0], Piece) and "contains" not in place.raw:
        return "enforced", ""
    # Beside a complement, all values of the other types are left, and these cannot be listed.
    listed = Union(tuple(disjunct for disjunct in shape if not isinstance(disjunct, Complement)))
    if shape and single_values(listed) is not None:
        return "enforced", ""
    return "checked afterwards", "the grammar does not compare items"


def _items(place: Place, context: Context, seen: Evaluated) -> tuple[tuple[Schema, ...], Schema]:
    """The schemas of the first items, and that of all others."""
    first, rest = "prefixItems", "items"
    if isinstance(place.raw.get("items"), list):
        first, rest = "items", "additionalItems"
    length = len(expect(place, first, list) or ())
    prefix = tuple(subschema(place, context, first, str(index)) for index in range(length))
    if rest in place.raw:
        return prefix, subschema(place, context, rest)
    if seen.all_items:
        return prefix, AnyValue()
    others = context.either(*seen.contained, subschema(place, context, "unevaluatedItems"))
    return prefix + (AnyValue(),) * (seen.prefix - length), others


def _with_contains(array: Array, place: Place, context: Context) -> Disjunct:
    """``array`` with ``contains``, ``minContains`` and ``maxContains`` of ``place``."""
    least, most = count(place, "minContains"), count(place, "maxContains")
    contained = Contains((), subschema(place, context, "contains"), 1 if least is None else least, most)
    if least == most == 0:
        return meet_disjuncts(array, fewer_than(1, contained, context), context) or Never("no item is possible")
    return canonical_array(replace(array, contains=(contained,)))
