"""The JSON Schema of models, dataclasses and TypedDicts, field by field.

A field, what Pydantic's own generator says, and what is said here::

    c: Callable[[], int] = int                            an error          must be left out
    a: int = Field("x", validate_default=True)            not required      required: the default is refused
    a: int = Field(validation_alias=AliasPath("x", 0))    "x": integer      refused: the path leads inside "x"
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import PydanticInvalidForJsonSchema, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import SchemaValidator
from pydantic_core import core_schema as cs

from schema_compiler.frontend.definitions import DefinitionSchemas
from schema_compiler.frontend.edits import is_authors, json_schema_extra_checks, with_checks
from schema_compiler.frontend.keys import key_schema
from schema_compiler.schema.source.keywords import UNSUPPORTED

__all__ = ["FieldSchemas"]


class FieldSchemas(DefinitionSchemas):
    """The part of the generator for types with fields."""

    def model_schema(self, schema: cs.ModelSchema) -> JsonSchemaValue:
        """A model; its own initialisation may refuse what the fields admit."""
        json_schema = super().model_schema(schema)
        extra_checks = json_schema_extra_checks(schema["cls"].model_config.get("json_schema_extra"))
        hooks = [schema["cls"].__init__] if schema.get("custom_init") else []
        if schema.get("post_init"):
            hooks.append(getattr(schema["cls"], schema["post_init"]))
        return with_checks(json_schema, *extra_checks, *(hook.__qualname__ for hook in hooks if is_authors(hook)))

    def dataclass_schema(self, schema: cs.DataclassSchema) -> JsonSchemaValue:
        """A dataclass; ``__post_init__`` may refuse what the fields admit."""
        json_schema = super().dataclass_schema(schema)
        hooks = [f"{schema['cls'].__qualname__}.__post_init__"] if schema.get("post_init") else []
        return with_checks(json_schema, *hooks)

    def field_is_present(self, field: Any) -> bool:
        """Fields that the constructor does not take are not part of the input."""
        return field.get("init") is not False and super().field_is_present(field)

    def model_field_schema(self, schema: cs.ModelField) -> JsonSchemaValue:
        """A field; if its type has no JSON form, the default is all it can have."""
        return self._field_schema(schema)

    def dataclass_field_schema(self, schema: cs.DataclassField) -> JsonSchemaValue:
        """As ``model_field_schema``."""
        return self._field_schema(schema)

    def typed_dict_field_schema(self, schema: cs.TypedDictField) -> JsonSchemaValue:
        """As ``model_field_schema``."""
        return self._field_schema(schema)

    def _field_schema(self, schema: Any) -> JsonSchemaValue:
        alias = schema.get("validation_alias")
        if self._config.validate_by_alias is not False and isinstance(alias, list) and not _has_plain_name(alias):
            return {UNSUPPORTED: f"alias path {alias} leads inside another value"}
        try:
            return self.generate_inner(schema["schema"])
        except PydanticInvalidForJsonSchema as error:
            return {"not": {}} if schema["schema"]["type"] == "default" else {UNSUPPORTED: error.message}

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Whether leaving it out is refused, which a default may be, too."""
        return super().field_is_required(field, total) or self._refuses_default(field["schema"])

    def _refuses_default(self, schema: Any) -> bool:
        if schema["type"] != "default" or "default" not in schema:
            return False
        if not schema.get("validate_default", self._config.validate_default):
            return False
        whole = cs.definitions_schema(schema["schema"], list(self._core_definitions.values()))
        try:
            SchemaValidator(whole).validate_python(schema["default"])
        except ValidationError:
            return True
        return False

    def model_fields_schema(self, schema: cs.ModelFieldsSchema) -> JsonSchemaValue:
        """The fields, and what names others may have."""
        json_schema = super().model_fields_schema(schema)
        if "extras_keys_schema" in schema and "properties" in json_schema:
            names = key_schema(schema["extras_keys_schema"], self, self._core_definitions)
            json_schema["propertyNames"] = {"anyOf": [{"enum": list(json_schema["properties"])}, names]}
        return json_schema

    def _named_required_fields_schema(self, named_required_fields: Sequence[tuple[str, bool, Any]]) -> JsonSchemaValue:
        """The object of the fields; refused where two of them are read from one name, of which one would be lost."""
        json_schema = super()._named_required_fields_schema(named_required_fields)
        if len(json_schema["properties"]) < len(named_required_fields):
            names = [name for name, _, _ in named_required_fields]
            return {UNSUPPORTED: f"of the fields {names}, some are read from the same name"}
        return json_schema


def _has_plain_name(alias: list[Any]) -> bool:
    """Whether one of the alias's choices is just a name."""
    return any(isinstance(path, list) and len(path) == 1 and isinstance(path[0], str) for path in alias)
