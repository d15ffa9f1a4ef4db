"""Schemas as sets of JSON values, for the tests of the algebra: read from raw JSON Schema, printed, and judged.

Each test names raw schemas, and the ``Registry`` that reads them is the algebra of the test. Printed schemas name a
place by what comes behind ``#/$defs/``, so the items of the schema ``left`` are ``@left/items``. Sets of values hold
JSON texts, as Python takes ``[1]`` and ``[True]`` to be equal.

``ATOMS`` are small schemas and ``VALUES`` small values, chosen so that most pairs of atoms overlap in part. What an
expression over atoms means follows from the verdicts of ``jsonschema`` on the atoms and from operations on sets::

    ("meet", "short", ("not", "a"))       the values that are in "short" and not in "a"
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, TypeAlias

from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from schema_compiler.schema.algebra.complement import complement
from schema_compiler.schema.algebra.disjunction import (
    UNSTATED,
    Complement,
    Disjunct,
    Disjunction,
    InexpressibleError,
    disjunction,
    kind,
)
from schema_compiler.schema.algebra.intersection import expand, meet
from schema_compiler.schema.algebra.one_of import one_of
from schema_compiler.schema.ir import AnyValue, NormalizedSchema, Reference, Schema, Union
from schema_compiler.schema.normalization.context import ReadingOptions
from schema_compiler.schema.normalization.registry import Registry
from schema_compiler.schema.source.document import Document
from tests.schema_compiler.schema.evaluator import evaluate

__all__ = [
    "ATOMS",
    "VALUES",
    "Expression",
    "algebra_of",
    "array",
    "computed",
    "disagreements",
    "expressions",
    "is_expected",
    "is_valid",
    "members",
    "printed",
    "requiring",
    "schema_of",
    "shape_of",
    "valid_values",
    "values_in",
]


def algebra_of(schemas: Mapping[str, Any] | None = None, *, closed: bool = False) -> Registry:
    """The algebra of a document in which the raw ``schemas`` have names."""
    return Registry(Document({"$defs": dict(schemas or {})}), ReadingOptions("ecma", closed, integer_fraction=False))


def schema_of(name: str, algebra: Registry) -> Schema:
    """The schema ``name``: a reference, or the schema itself where it is simple."""
    return algebra.child(algebra.document.child(algebra.document.root, "$defs", name))


def shape_of(name: str, algebra: Registry) -> Disjunction:
    """The disjunction of the schema ``name``."""
    return algebra.shape(schema_of(name, algebra))


def printed(*disjuncts: Disjunct) -> str:
    """The disjuncts as one line of text, in which names have no ``#/$defs/``."""
    return " | ".join(map(str, disjuncts)).replace("#/$defs/", "")


def array(**keywords: Any) -> dict[str, Any]:
    """A raw schema of arrays."""
    return {"type": "array", **keywords}


def members(**keywords: Any) -> dict[str, Any]:
    """A raw schema of objects."""
    return {"type": "object", **keywords}


def requiring(**properties: Any) -> dict[str, Any]:
    """A raw schema of objects with these properties, all required."""
    return members(properties=properties, required=list(properties))


def is_valid(raw: Any, value: Any) -> bool:
    """Whether ``value`` is valid for the raw schema, formats included, by ``jsonschema``."""
    return bool(Draft202012Validator(raw, format_checker=FormatChecker()).is_valid(value))


class UndescribedError(Exception):
    """A name stands for values that no schema describes, so that its evaluator cannot judge them."""


class _Definitions(Mapping[str, Schema]):
    """What the names of an algebra stand for, as schemas."""

    def __init__(self, algebra: Registry) -> None:
        self._algebra = algebra

    def __getitem__(self, name: str) -> Schema:
        return AnyValue() if Reference(name) == UNSTATED else _as_schema(self._algebra.shape(Reference(name)))

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _as_schema(disjuncts: Disjunction) -> Schema:
    """The union of ``disjuncts``. Raises ``UndescribedError`` where one of them is no schema."""
    if any(isinstance(disjunct, Complement) for disjunct in disjuncts):
        raise UndescribedError(printed(*disjuncts))
    return disjuncts[0] if len(disjuncts) == 1 else Union(disjuncts)


def values_in(disjuncts: Disjunction, algebra: Registry, values: Iterable[Any] | None = None) -> list[str]:
    """The ``values`` (``None``: ``VALUES``) in any of ``disjuncts``, by the evaluator of the tests.

    Raises ``UndescribedError``.
    """
    candidates = VALUES if values is None else values
    return [json.dumps(value) for value in candidates if any(_holds(one, value, algebra) for one in disjuncts)]


def valid_values(is_wanted: Callable[[Any], bool]) -> list[str]:
    """Those of ``VALUES`` for which ``is_wanted`` holds."""
    return [json.dumps(value) for value in VALUES if is_wanted(value)]


def _holds(disjunct: Disjunct, value: Any, algebra: Registry) -> bool:
    if isinstance(disjunct, Complement):
        python_type = {"array": list, "object": dict}[kind(disjunct)]
        return isinstance(value, python_type) and not _holds(disjunct.excluded, value, algebra)
    return evaluate(NormalizedSchema(disjunct, _Definitions(algebra)), value)


VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 3, -1, 1.5, 2.5, "", "a", "b", "ab", "aab", "ba"),
    *([], [1], [2], [None], ["a"], [1, 1], [1, 2], [2, 1], [1.5, 1], ["a", "b"], [None, "a"], [1, "a", None], [[1]]),
    *({}, {"a": 1}, {"a": 2}, {"a": "a"}, {"b": 1}, {"a": 1, "b": 1}, {"a": "b", "b": 2}, {"c": 1}, {"a": 1, "c": "a"}),
    *({"ab": 1}, {"ab": "a"}, {"ab": "a", "b": 1}, {"a": {"a": 1}}, {"a": [1]}, {"a": 1, "b": 2, "c": 3}, {"x": None}),
)
"""Values of every type that the atoms tell apart."""

ATOMS: dict[str, Any] = {
    "null": {"type": "null"},
    "boolean or text": {"type": ["boolean", "string"]},
    "integer": {"type": "integer"},
    "from 1": {"minimum": 1},
    "below 2": {"type": "number", "exclusiveMaximum": 2},
    "halves": {"multipleOf": 1.5},
    "short": {"maxLength": 1},
    "long": {"type": "string", "minLength": 2},
    "a": {"pattern": "^a"},
    "b": {"type": "string", "pattern": "b$"},
    "listed": {"enum": [None, True, 1, "a", [1], {"a": 1}]},
    "listed, too": {"enum": [1.0, 2, "ab", [1, 2], {"a": 1, "b": 1}, {}]},
    "list of integers": {"type": "array", "items": {"type": "integer"}},
    "pair": {"prefixItems": [{"minimum": 1}, {"type": "string"}], "items": False},
    "two items": {"type": "array", "minItems": 2},
    "one item": {"maxItems": 1},
    "has a one": {"contains": {"const": 1}},
    "has one text": {"type": "array", "contains": {"type": "string"}, "minContains": 0, "maxContains": 1},
    "has an a": {"type": "object", "required": ["a"]},
    "a is an integer": {"properties": {"a": {"type": "integer"}}},
    "a or b, closed": {"type": "object", "properties": {"a": {}, "b": {"minimum": 2}}, "additionalProperties": False},
    "keys with a": {"type": "object", "patternProperties": {"^a": {"type": "integer"}}},
    "keys with b, closed": {"patternProperties": {"b$": True, "^a": {"minimum": 1}}, "additionalProperties": False},
    "members are numbers": {"type": "object", "additionalProperties": {"type": "number"}},
    "two members": {"minProperties": 2},
    "one member": {"type": "object", "maxProperties": 1},
}

Expression: TypeAlias = str | tuple[Any, ...]
"""The name of an atom, or an operation and its operands."""


def expressions(*, max_leaves: int) -> st.SearchStrategy[Expression]:
    """Expressions over the atoms: intersections, complements, unions, and ``oneOf`` beside another schema."""
    return st.recursive(
        st.sampled_from(sorted(ATOMS)),
        lambda inner: st.one_of(
            st.tuples(st.just("meet"), inner, inner),
            st.tuples(st.just("not"), inner),
            st.tuples(st.just("union"), inner, inner),
            st.tuples(st.just("one of"), inner, inner, inner),
        ),
        max_leaves=max_leaves,
    )


def is_expected(expression: Expression, value: Any) -> bool:
    """Whether ``value`` is in ``expression``, by the verdicts of ``jsonschema`` on atoms."""
    match expression:
        case str():
            return json.dumps(value) in _atom_values(expression)
        case ("meet", left, right):
            return is_expected(left, value) and is_expected(right, value)
        case ("not", inner):
            return not is_expected(inner, value)
        case ("union", left, right):
            return is_expected(left, value) or is_expected(right, value)
        case (_, base, *branches):
            return is_expected(base, value) and sum(is_expected(branch, value) for branch in branches) == 1
    raise AssertionError(expression)


@cache
def _atom_values(name: str) -> frozenset[str]:
    return frozenset(valid_values(partial(is_valid, ATOMS[name])))


def computed(expression: Expression, algebra: Registry) -> Disjunction:
    """The disjunction that ``expression`` means, by the operations of the algebra, which reads ``ATOMS``."""
    match expression:
        case str():
            return shape_of(expression, algebra)
        case ("meet", left, right):
            return meet(computed(left, algebra), computed(right, algebra), algebra)
        case ("not", inner):
            return complement(computed(inner, algebra), algebra)
        case ("union", left, right):
            return disjunction(computed(left, algebra) + computed(right, algebra))
        case (_, base, *branches):
            options = [_as_schema(computed(branch, algebra)) for branch in branches]
            return expand(one_of(computed(base, algebra), options, algebra), algebra)
    raise AssertionError(expression)


def disagreements(expression: Expression, algebra: Registry, *, refusable: bool = True) -> set[str]:
    """The values on which the algebra and ``jsonschema`` differ about ``expression``; none where it may be refused."""
    try:
        found = values_in(computed(expression, algebra), algebra)
    except (InexpressibleError, UndescribedError):
        if refusable:
            return set()
        raise
    return set(found) ^ set(valid_values(partial(is_expected, expression)))
