"""The JSON Schema of Pydantic's sets, mappings, enumerations and unions.

A type, what Pydantic's own generator says, and what is said here::

    set[int]                       uniqueItems       equal items are admitted: Pydantic drops all but one
    dict[int, str]                 any names         names that are numbers
    int | Callable[[], int]        a warning         integer, and a note that the other is never written
    Cat | Dog, discriminator       oneOf             anyOf, and the tag is required although it has a default
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import JsonSchemaValue, JsonSchemaWarningKind
from pydantic_core import core_schema as cs

from schema_compiler.frontend.definitions import DefinitionSchemas
from schema_compiler.frontend.edits import with_checks
from schema_compiler.frontend.enum_values import readable_values
from schema_compiler.frontend.keys import key_schema

__all__ = ["ContainerSchemas"]


class ContainerSchemas(DefinitionSchemas):
    """The part of the generator for types that are made of other types, or of values."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._skipped_choices: list[str] = []

    def set_schema(self, schema: cs.SetSchema) -> JsonSchemaValue:
        """An array; equal items matter only where a least number of them is asked for."""
        return _with_equal_items(super().set_schema(schema))

    def frozenset_schema(self, schema: cs.FrozenSetSchema) -> JsonSchemaValue:
        """As ``set_schema``."""
        return _with_equal_items(super().frozenset_schema(schema))

    def dict_schema(self, schema: cs.DictSchema) -> JsonSchemaValue:
        """An object whose keys are the text of the key type."""
        return self._mapping_schema(schema)

    def frozendict_schema(self, schema: Any) -> JsonSchemaValue:
        """As ``dict_schema``."""
        return self._mapping_schema(schema)

    def ordered_dict_schema(self, schema: Any) -> JsonSchemaValue:
        """As ``dict_schema``."""
        return self._mapping_schema(schema)

    def counter_schema(self, schema: Any) -> JsonSchemaValue:
        """As ``dict_schema``."""
        return self._mapping_schema(schema)

    def _mapping_schema(self, schema: Any) -> JsonSchemaValue:
        json_schema: JsonSchemaValue = {"type": "object", "additionalProperties": True}
        if "values_schema" in schema:
            json_schema["additionalProperties"] = self.generate_inner(schema["values_schema"])
        names = key_schema(schema.get("keys_schema", cs.any_schema()), self, self._core_definitions)
        if names.keys() - {"type"}:
            json_schema["propertyNames"] = names
        self.update_with_validations(json_schema, schema, self.ValidationsMapping.object)
        return json_schema

    def literal_schema(self, schema: cs.LiteralSchema) -> JsonSchemaValue:
        """The values that JSON can hold."""
        return self._values_schema(schema)

    def enum_schema(self, schema: cs.EnumSchema) -> JsonSchemaValue:
        """As ``literal_schema``, with the description of the enumeration."""
        return {**super().enum_schema(schema), **self._values_schema(schema)}

    def _values_schema(self, schema: Any) -> JsonSchemaValue:
        values = readable_values(schema)
        if values:
            return {"enum": values}
        listed = schema["cls"] if schema["type"] == "enum" else schema["expected"]
        return self.handle_invalid_for_json_schema(schema, f"any value of {listed}")

    def union_schema(self, schema: cs.UnionSchema) -> JsonSchemaValue:
        """Any of the choices that have a JSON form."""
        outer, self._skipped_choices = self._skipped_choices, []
        json_schema = with_checks(super().union_schema(schema), *self._skipped_choices)
        self._skipped_choices = outer
        return json_schema

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Members of a union without JSON form are noted where the union stands; nothing is printed."""
        if kind == "skipped-choice":
            self._skipped_choices.append(f"never written: {detail}")

    def tagged_union_schema(self, schema: cs.TaggedUnionSchema) -> JsonSchemaValue:
        """Any of the choices, with its tag written out: Pydantic does not fall back to a tag's default."""
        json_schema = super().tagged_union_schema(schema)
        tag = json_schema.get("discriminator", {}).get("propertyName")
        if tag is None:
            return with_checks({"anyOf": json_schema["oneOf"]}, "the discriminator must pick the choice written")
        return {"anyOf": [{"allOf": [choice, {"required": [tag]}]} for choice in json_schema["oneOf"]]}


def _with_equal_items(json_schema: JsonSchemaValue) -> JsonSchemaValue:
    """The array without ``uniqueItems``, unless equal items could leave too few different ones."""
    if json_schema.get("minItems", 0) <= 1:
        del json_schema["uniqueItems"]
    return json_schema
