"""Random schemas that combine the keywords of JSON Schema 2020-12, and random values that they may admit."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

__all__ = ["schemas", "values"]

_values = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 2, 1.5, 3, -1, "", "a", "ab", "b", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "x1"]), inner, max_size=3),
    max_leaves=4,
)
_numbers = st.sampled_from([-1, 0, 1, 1.5, 2, 3])
_sizes = st.integers(0, 3)
_leaves = st.one_of(
    st.booleans(),
    st.fixed_dictionaries({}, optional={"type": st.sampled_from(["null", "boolean", "integer", "number", "string"]),
                                        "minimum": _numbers, "exclusiveMaximum": _numbers, "minLength": _sizes}),
    st.fixed_dictionaries({}, optional={"type": st.just(["string", "array", "object"]), "maxLength": _sizes,
                                        "pattern": st.sampled_from(["^a", "b$", "1"]), "maxItems": _sizes,
                                        "minProperties": _sizes}),
    st.fixed_dictionaries({"enum": st.lists(_values, min_size=1, max_size=3)}),
    st.fixed_dictionaries({"const": _values}),
    st.fixed_dictionaries({"multipleOf": st.sampled_from([1, 2, 1.5])}, optional={"type": st.just("integer")}),
)  # fmt: skip


def _schemas_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(st.sampled_from(["a", "b", "x1"]), inner, max_size=2)
    several = st.lists(inner, min_size=1, max_size=3)
    required = st.lists(st.sampled_from(["a", "b"]), max_size=2, unique=True)
    return st.one_of(
        st.fixed_dictionaries({"properties": named}, optional={
            "required": required, "additionalProperties": inner, "type": st.just("object"),
            "patternProperties": st.dictionaries(st.sampled_from(["^x", "1$", "a"]), inner, max_size=2)}),
        st.fixed_dictionaries({}, optional={
            "prefixItems": several, "items": inner, "minItems": _sizes, "uniqueItems": st.booleans()}),
        st.fixed_dictionaries({"contains": inner}, optional={
            "minContains": _sizes, "maxContains": _sizes, "prefixItems": several, "items": inner, "maxItems": _sizes}),
        st.fixed_dictionaries({"unevaluatedProperties": inner}, optional={
            "properties": named, "anyOf": several, "oneOf": several, "if": inner, "else": inner}),
        st.fixed_dictionaries({"unevaluatedItems": inner}, optional={
            "prefixItems": several, "allOf": several, "contains": inner, "if": inner, "then": inner}),
        st.fixed_dictionaries({}, optional={
            "anyOf": several, "oneOf": several, "allOf": several, "not": inner, "required": required}),
        st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner}),
        st.fixed_dictionaries({}, optional={
            "dependentRequired": st.dictionaries(st.sampled_from(["a", "b"]), required, max_size=2),
            "dependentSchemas": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=1),
            "propertyNames": st.sampled_from([{"maxLength": 1}, {"enum": ["a", "b"]}, {"pattern": "^[ab]"}])}),
    )  # fmt: skip


def schemas(*, max_leaves: int = 6) -> st.SearchStrategy[Any]:
    """Schemas of few keywords each, nested."""
    return st.recursive(_leaves, _schemas_of, max_leaves=max_leaves)


def values() -> st.SearchStrategy[Any]:
    """Small JSON values made of the names and numbers that the schemas speak of."""
    return _values
