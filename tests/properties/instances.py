"""Random JSON values of a type, made from the JSON Schema that Pydantic gives for it.

Independent of the compiler: what Pydantic emits is a small part of JSON Schema, and this reads just that. Values are
candidates; Pydantic has the last word on them.
"""

from __future__ import annotations

import string
from typing import Any, TypeAlias

from hypothesis import strategies as st

__all__ = ["values"]

Values: TypeAlias = st.SearchStrategy[Any]

LARGEST_INTEGER = 10**18
"""Numbers have at most 19 digits unless bounds ask for more."""


def values(schema: dict[str, Any]) -> Values:
    """Values of a whole schema, its ``$defs`` included."""
    definitions: dict[str, Values] = {}

    def later(part: dict[str, Any]) -> Values:
        return st.deferred(lambda: _values(part, definitions))

    definitions |= {f"#/$defs/{name}": later(part) for name, part in schema.get("$defs", {}).items()}
    return _values(schema, definitions)


def _values(schema: dict[str, Any], definitions: dict[str, Values]) -> Values:
    match schema:
        case {"$ref": str(name)}:
            return definitions[name]
        case {"const": value}:
            return st.just(value)
        case {"enum": list(options)}:
            return st.sampled_from(options)
        case {"anyOf": list(parts)} | {"oneOf": list(parts)}:
            return st.one_of([_values(part, definitions) for part in parts])
        case {"type": "object"}:
            return _objects(schema, definitions)
        case {"type": "array"}:
            return _arrays(schema, definitions)
        case {"type": "string"}:
            return _strings(schema)
        case {"type": "integer"}:
            return _integers(schema)
        case {"type": "number"}:
            return _numbers(schema)
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "null"}:
            return st.none()
        case _:
            return st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=3))


def _objects(schema: dict[str, Any], definitions: dict[str, Values]) -> Values:
    fields = {name: _values(part, definitions) for name, part in schema.get("properties", {}).items()}
    required = {name: value for name, value in fields.items() if name in schema.get("required", ())}
    optional = {name: value for name, value in fields.items() if name not in required}
    declared = st.fixed_dictionaries(required, optional=optional)
    extra = schema.get("additionalProperties", False)
    if extra is False:
        return declared
    names = _strings(schema.get("propertyNames", {})) if "propertyNames" in schema else st.text(max_size=5)
    rest = st.dictionaries(names, _values(extra if isinstance(extra, dict) else {}, definitions), max_size=3)
    return st.tuples(declared, rest).map(
        lambda pair: {**pair[0], **{k: v for k, v in pair[1].items() if k not in fields}}
    )


def _arrays(schema: dict[str, Any], definitions: dict[str, Values]) -> Values:
    if "prefixItems" in schema:
        parts = [_values(part, definitions) for part in schema["prefixItems"]]
        least = schema.get("minItems", 0)
        return st.tuples(*parts).flatmap(lambda items: st.integers(least, len(items)).map(lambda n: list(items[:n])))
    least = schema.get("minItems", 0)
    most = min(schema.get("maxItems", least + 3), least + 3)
    return st.lists(_values(schema.get("items", {}), definitions), min_size=least, max_size=most)


def _strings(schema: dict[str, Any]) -> Values:
    match schema:
        case {"enum": list(options)}:
            return st.sampled_from(options)
        case {"format": "date"}:
            return st.dates().map(str)
        case {"format": "date-time"}:
            return st.datetimes(timezones=st.one_of(st.none(), st.timezones())).map(lambda moment: moment.isoformat())
        case {"format": "time"}:
            return st.times().map(str)
        case {"format": "uuid"}:
            return st.uuids().map(str)
        case {"pattern": str(pattern)}:
            found = st.from_regex(pattern, fullmatch=True, alphabet=string.printable + "éß日")
            return found.filter(lambda text: len(text) <= schema.get("maxLength", len(text)))
        case _:
            return st.text(min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 12))


def _integers(schema: dict[str, Any]) -> Values:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -LARGEST_INTEGER - 1) + 1)
    most = schema.get("maximum", schema.get("exclusiveMaximum", LARGEST_INTEGER + 1) - 1)
    step = schema.get("multipleOf", 1)
    return st.integers(-(-int(least) // step), int(most) // step).map(lambda number: number * step)


def _numbers(schema: dict[str, Any]) -> Values:
    return st.floats(
        schema.get("minimum", schema.get("exclusiveMinimum")),
        schema.get("maximum", schema.get("exclusiveMaximum")),
        exclude_min="exclusiveMinimum" in schema,
        exclude_max="exclusiveMaximum" in schema,
        allow_nan=False,
        allow_infinity=False,
    )
