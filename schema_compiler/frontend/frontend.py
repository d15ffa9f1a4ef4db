"""Pydantic types in, raw JSON Schema out: all that the rest of the compiler ever sees of a type.

    class Receipt(BaseModel):
        total: Decimal = Field(max_digits=6, decimal_places=2)

    {"properties": {"total": {"anyOf": [{"type": "number", "x-pydantic-max-digits": 6, ...}, ...]}}, ...}

The schema is the one Pydantic documents, where that says all that Pydantic enforces, and more exact where it does
not (see ``generator``). What no schema can say stands in it as "x-pydantic-checked" sentences.
"""

from __future__ import annotations

from typing import Any

from pydantic import PydanticInvalidForJsonSchema, PydanticUserError, TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation
from pydantic_core import SchemaError

from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.frontend.generator import ExactJsonSchema

__all__ = ["json_schema_of"]


def json_schema_of(type_: Any) -> dict[str, Any]:
    """The JSON Schema of what ``TypeAdapter(type_)`` validates, in the keywords of ``schema.source.keywords``.

    Raises ``UnsupportedSchemaError`` if Pydantic cannot take the type, or the type has no JSON form.
    """
    name = getattr(type_, "__qualname__", None) or repr(type_)
    try:
        return TypeAdapter(type_).json_schema(schema_generator=ExactJsonSchema)
    except PydanticInvalidForJsonSchema as error:
        raise UnsupportedSchemaError(f"type {name} has no JSON form: {error.message}") from error
    except (PydanticSchemaGenerationError, PydanticUndefinedAnnotation, PydanticUserError, SchemaError) as error:
        reason = str(error).partition("\n\n")[0]
        raise UnsupportedSchemaError(f"Pydantic does not accept type {name}: {reason}") from error
