"""Schemas as sets of JSON values: read from raw JSON Schema, printed, and judged by opinions that share no code with them.

Each test names raw schemas, and the ``Registry`` that reads them is the algebra of the test. Printed schemas name a place
by what comes behind ``#/$defs/``, so the items of the schema ``left`` are ``@left/items``.

``ATOMS`` are small schemas and ``VALUES`` small values, chosen so that most pairs of atoms overlap in part. What an
expression over atoms means follows from ``jsonschema``'s verdicts on the atoms and from Python's operations on sets::

    ("meet", "short", ("not", "a"))       ATOM_SETS["short"] & (ALL - ATOM_SETS["a"])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from schema_compiler.schema.algebra.complement import complement
from schema_compiler.schema.algebra.disjunction import UNSTATED, Complement, Disjunct, Disjunction, disjunction
from schema_compiler.schema.algebra.intersection import expand, meet
from schema_compiler.schema.algebra.one_of import one_of
from schema_compiler.schema.ir import AnyValue, NormalizedSchema, Reference, Schema, Union
from schema_compiler.schema.normalization.context import ReadingOptions
from schema_compiler.schema.normalization.normalize import Normalized
from schema_compiler.schema.normalization.registry import Registry
from schema_compiler.schema.source.document import Document
from tests.schema_compiler.schema.evaluator import evaluate

__all__ = [
    "ALL",
    "ATOMS",
    "VALUES",
    "Expression",
    "UndescribedError",
    "algebra_of",
    "as_schema",
    "computed",
    "expected",
    "expressions",
    "kept",
    "printed",
    "schema_of",
    "shape_of",
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


class UndescribedError(Exception):
    """A name stands for values that no schema describes, so that its evaluator cannot judge them."""


class _Definitions(Mapping[str, Schema]):
    """What the names of an algebra stand for, as schemas."""

    def __init__(self, algebra: Registry) -> None:
        self._algebra = algebra

    def __getitem__(self, name: str) -> Schema:
        return AnyValue() if Reference(name) == UNSTATED else as_schema(self._algebra.shape(Reference(name)))

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def as_schema(disjuncts: Disjunction) -> Schema:
    """The union of ``disjuncts``. Raises ``UndescribedError`` where one of them is no schema."""
    if any(isinstance(disjunct, Complement) for disjunct in disjuncts):
        raise UndescribedError(printed(*disjuncts))
    return disjuncts[0] if len(disjuncts) == 1 else Union(disjuncts)


def kept(disjuncts: Disjunction, algebra: Registry, values: Iterable[Any]) -> list[Any]:
    """The ``values`` in any of ``disjuncts``, by the evaluator of the tests. Raises ``UndescribedError``."""
    return [value for value in values if any(_holds(disjunct, value, algebra) for disjunct in disjuncts)]


def _holds(disjunct: Disjunct, value: Any, algebra: Registry) -> bool:
    if isinstance(disjunct, Complement):
        return _type_of(value) == _type_of(_EXAMPLES[type(disjunct.excluded).__name__]) and not _holds(
            disjunct.excluded, value, algebra
        )
    definitions: Any = _Definitions(algebra)
    return evaluate(Normalized(NormalizedSchema(disjunct, definitions), definitions), value)


_EXAMPLES: dict[str, Any] = {"Array": [], "Object": {}}
"""A value of the type of each schema that the complement of ``ATOMS`` can leave as a ``Complement``."""


def _type_of(value: Any) -> str:
    return "number" if isinstance(value, float) else "number" if type(value) is int else type(value).__name__


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

ALL = frozenset(range(len(VALUES)))
"""The indexes of all ``VALUES``: sets of them stand for sets of values, which cannot be hashed."""

_ATOM_SETS = {
    name: frozenset(index for index in ALL if Draft202012Validator(raw).is_valid(VALUES[index]))
    for name, raw in ATOMS.items()
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


def expected(expression: Expression) -> frozenset[int]:
    """The indexes of the values that ``expression`` means, by operations on sets."""
    match expression:
        case str():
            return _ATOM_SETS[expression]
        case ("meet", left, right):
            return expected(left) & expected(right)
        case ("not", inner):
            return ALL - expected(inner)
        case ("union", left, right):
            return expected(left) | expected(right)
        case (_, base, *branches):
            sets = list(map(expected, branches))
            return frozenset(index for index in expected(base) if sum(index in one for one in sets) == 1)
    raise AssertionError(expression)


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
            options = [as_schema(computed(branch, algebra)) for branch in branches]
            return expand(one_of(computed(base, algebra), options, algebra), algebra)
    raise AssertionError(expression)
