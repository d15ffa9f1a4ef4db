"""The keys of ``dict[K, V]``: in JSON they are strings, from which Pydantic reads a ``K``.

    dict[int, str]            {"3": "three"}
    dict[Literal["a"], int]   {"a": 1}

So the key's schema is that of the texts Pydantic accepts: numbers between quotes, "true" and "false", the text of
dates and UUIDs. What it reads from no string (``None``, tuples) cannot be a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from schema_compiler.frontend.enum_values import readable_keys
from schema_compiler.schema.source.keywords import QUOTED, VERBATIM

__all__ = ["key_schema"]


def key_schema(core: Any, generator: GenerateJsonSchema, definitions: Mapping[str, Any]) -> JsonSchemaValue:
    """The JSON Schema of the keys that the core schema ``core`` reads.

    ``definitions`` are core schemas by reference. Raises ``PydanticInvalidForJsonSchema`` where no string can be one.
    """
    if VERBATIM in core.get("metadata", {}).get("pydantic_js_updates", {}):
        return generator.handle_invalid_for_json_schema(core, "the keys of a mapping (as pieces of a document)")
    match core["type"]:
        case "int" | "float":
            number = generator.generate_inner(_unnamed(core))
            return {**number, "type": "string", QUOTED: number["type"]}
        case "decimal":
            return dict(generator.generate_inner(_unnamed(core))["anyOf"][1])  # the first is the plain number
        case "bool":
            return {"enum": ["true", "false"]}
        case "literal" | "enum" if keys := readable_keys(core):
            return {"enum": keys}
        case "union":
            members = (choice[0] if isinstance(choice, tuple) else choice for choice in core["choices"])
            return {"anyOf": [key_schema(member, generator, definitions) for member in members]}
        case "nullable" | "default":
            return key_schema(core["schema"], generator, definitions)
        case "definition-ref":
            return key_schema(definitions[core["schema_ref"]], generator, definitions)
    json_schema = generator.generate_inner(core)
    if json_schema and json_schema.get("type") != "string" and "$ref" not in json_schema:
        return generator.handle_invalid_for_json_schema(core, f"the keys of a mapping ({core['type']})")
    return json_schema


def _unnamed(core: Any) -> Any:
    """The core schema without its name: for one with a name, the generator returns a reference."""
    return {key: value for key, value in core.items() if key != "ref"}
