"""The keys of ``dict[K, V]``: in JSON they are strings, from which Pydantic reads a ``K``.

    dict[int, str]            {"3": "three"}
    dict[Literal["a"], int]   {"a": 1}

So the key's schema is that of the texts Pydantic accepts: numbers between quotes, "true" and "false", the text of
dates and UUIDs. What it reads from no string (``None``, tuples) cannot be a key.
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from schema_compiler.frontend.enum_values import key_choices
from schema_compiler.schema.source.keywords import QUOTED

__all__ = ["key_schema"]


def key_schema(core: Any, generator: GenerateJsonSchema, definitions: dict[str, Any]) -> JsonSchemaValue:
    """The JSON Schema of the keys that the core schema ``core`` reads.

    ``definitions`` are core schemas by reference. Raises ``PydanticInvalidForJsonSchema`` where no string can be one.
    """
    match core["type"]:
        case "int" | "float":
            made = generator.generate_inner(_unnamed(core))
            return {**made, "type": "string", QUOTED: made["type"]}
        case "decimal":
            return dict(generator.generate_inner(_unnamed(core))["anyOf"][1])
        case "bool":
            return {"enum": ["true", "false"]}
        case "literal" | "enum" if choices := key_choices(core):
            return {"enum": choices}
        case "union":
            members = (choice[0] if isinstance(choice, tuple) else choice for choice in core["choices"])
            return {"anyOf": [key_schema(member, generator, definitions) for member in members]}
        case "nullable" | "default":
            return key_schema(core["schema"], generator, definitions)
        case "definition-ref":
            return key_schema(definitions[core["schema_ref"]], generator, definitions)
    made = generator.generate_inner(core)
    if made and made.get("type") != "string" and "$ref" not in made:
        return generator.handle_invalid_for_json_schema(core, f"the keys of a mapping ({core['type']})")
    return made


def _unnamed(core: Any) -> Any:
    """The schema itself, where by its name there would be a reference to it."""
    return {key: value for key, value in core.items() if key != "ref"}
