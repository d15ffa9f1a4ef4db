"""The core schemas that others refer to, remembered while JSON Schema is generated.

Pydantic's generator turns ``definition-ref`` into ``$ref`` and looks no further. Some corrections must look: the keys
of a mapping are written unlike the values, so their schema is generated from the core schema again, not referred to;
and whether a constraint can be a keyword depends on what its value is read from.
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema as cs

__all__ = ["DefinitionSchemas"]


class DefinitionSchemas(GenerateJsonSchema):
    """The part of the generator that remembers the core schemas met so far by their references."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._core_definitions: dict[str, Any] = {}

    def definitions_schema(self, schema: cs.DefinitionsSchema) -> JsonSchemaValue:
        """The inner schema; its core definitions are remembered first."""
        self._core_definitions |= {inner["ref"]: inner for inner in schema["definitions"]}
        return super().definitions_schema(schema)
