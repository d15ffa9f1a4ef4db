"""One place of a schema as the tests of normalisation read it: a registry, printed disjuncts, a validator's opinion.

``shape_of`` goes no deeper than the place itself. What stands inside is a name, so that a wrong text points at the
keyword that is read wrongly. ``meaning_of`` also leaves out what turns out to be impossible::

    {"items": {"enum": [1]}, "type": "array"}       [@#/items*]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from schema_compiler.errors import ImpossibleSchemaError
from schema_compiler.grammar.ebnf.lowering import text_grammar
from schema_compiler.regular.regex.dialect import Dialect
from schema_compiler.schema.ir import Reference
from schema_compiler.schema.normalization.context import ReadingOptions
from schema_compiler.schema.normalization.normalize import normalize
from schema_compiler.schema.normalization.registry import Registry
from schema_compiler.schema.source.document import Document
from tests.schema_compiler.schema.evaluator import evaluate

__all__ = [
    "DRAFT_4",
    "DRAFT_6",
    "DRAFT_7",
    "DRAFT_2019",
    "NOT_ARRAY",
    "NOT_NUMBER",
    "NOT_OBJECT",
    "SOME_VALUES",
    "check_grammar",
    "disagreements",
    "meaning_of",
    "registry_of",
    "shape_of",
]

DRAFT_4 = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT_6 = {"$schema": "http://json-schema.org/draft-06/schema#"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
DRAFT_2019 = {"$schema": "https://json-schema.org/draft/2019-09/schema"}

NOT_OBJECT = "null | boolean | number | string | [any*]"
NOT_ARRAY = "null | boolean | number | string | {string: any}"
NOT_NUMBER = "null | boolean | string | [any*] | {string: any}"

SOME_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 3, -1, 1.5, "", "a", "b", "ab", "aab"),
    *([], [1], [None], ["a"], [None, 1], [None, "a"], ["a", None], [1, 1], [1, "a", None], [None, None, None]),
    *({}, {"a": 1}, {"a": None}, {"b": 1}, {"a": 1, "b": 1}, {"a": None, "b": 1}, {"a": None, "b": None}),
    *({"c": 1}, {"a": 1, "c": 1}, {"a": 1, "b": None, "c": 1}, {"xa": 1}, {"xa": None, "a": 1}, {"a": {"a": None}}),
)
"""Values of every type that the keywords of the tables tell apart."""


def registry_of(
    raw: Any,
    *,
    dialect: Dialect = "ecma",
    closed: bool = False,
    integer_fraction: bool = False,
    resources: Mapping[str, Any] = MappingProxyType({}),
) -> Registry:
    """A registry that has read nothing yet."""
    return Registry(Document(raw, resources), ReadingOptions(dialect, closed, integer_fraction, check_grammar))


def check_grammar(text: str, start: str) -> tuple[str, ...]:
    """The notes on a grammar beside a string, as the compiler gives them."""
    return text_grammar(text, start=start).notes


def shape_of(raw: Any, **options: Any) -> str:
    """The disjuncts of the root, printed, without references at the top."""
    registry = registry_of(raw, **options)
    return " | ".join(map(str, registry.shape(registry.child(registry.document.root))))


def meaning_of(raw: Any) -> str:
    """The normalised root, printed: what is impossible inside it is gone; ``never`` if nothing is left."""
    try:
        schema = normalize(raw).schema
    except ImpossibleSchemaError:
        return "never"
    return str(schema.definitions[schema.root.name] if isinstance(schema.root, Reference) else schema.root)


def disagreements(raw: Any, values: Iterable[Any] = SOME_VALUES) -> list[Any]:
    """The ``values`` on which the normal form of ``raw`` and ``jsonschema``, by the draft it declares, differ."""
    validator = validator_for(raw, default=Draft202012Validator)(raw)
    try:
        meaning = normalize(raw)
    except ImpossibleSchemaError:
        return list(filter(validator.is_valid, values))
    return [value for value in values if evaluate(meaning.schema, value) != validator.is_valid(value)]
