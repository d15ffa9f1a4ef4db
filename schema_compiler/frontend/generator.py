"""Pydantic's JSON Schema generator, corrected where its schema says less, or other, than Pydantic enforces.

``GenerateJsonSchema`` has a method for each kind of core schema, and overriding them is its documented extension
point. The corrections are of three sorts::

    Decimal(max_digits=5)      number | string      number or quoted number, of 5 digits
    datetime                   RFC 3339             what Pydantic reads (offset optional)
    AfterValidator(check)      nothing              "x-pydantic-checked": ["after validator check"]

The names of the added keywords stand in ``schema.vocabulary``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import PydanticInvalidForJsonSchema, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, JsonSchemaWarningKind
from pydantic_core import SchemaValidator
from pydantic_core import core_schema as cs

from schema_compiler.frontend.edits import (
    BOUNDS,
    checked,
    decimal_facts,
    demanding,
    described,
    finite,
    given_extra,
    given_schemas,
    is_users,
    json_number,
    said,
    temporal_facts,
    with_flags,
)
from schema_compiler.frontend.enum_values import value_choices
from schema_compiler.frontend.keys import key_schema
from schema_compiler.frontend.patterns import addresses, date_bounds
from schema_compiler.frontend.validators import (
    MEASURES,
    instances,
    is_total,
    is_transparent,
    is_unreadable,
    keywords_of,
    measure,
    text_constraint,
    title,
)
from schema_compiler.schema.source.keywords import (
    CHECKED,
    DIALECT,
    MAX_DIGITS,
    QUOTED,
    UNSUPPORTED,
)

__all__ = ["ExactJsonSchema"]

_RENAMED = {"email": "python-email", **{f"uuid{version}": f"python-uuid{version}" for version in range(1, 9)}}
_FLOAT_DIGITS = 15
"""Decimals of so many digits, and no more, come back from the nearest float (IEEE 754 binary64)."""
_STRIPPED = r"^(?:\S(?:(?s:.)*\S)?)?$"
_ASCII = r"^[\x00-\x7F]*$"
_FRACTION = r"^-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?$"
_REAL = r"[0-9]{1,17}(?:\.[0-9]{1,17})?(?:e[+-]?[0-9]{1,2})?"
_COMPLEX = rf"^-?{_REAL}(?:j|[+-]{_REAL}j)?$"


class ExactJsonSchema(GenerateJsonSchema):
    """Generates what Pydantic accepts as JSON, for validation."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._core_definitions: dict[str, Any] = {}
        self._skipped: list[str] = []

    def definitions_schema(self, schema: cs.DefinitionsSchema) -> JsonSchemaValue:
        """The inner schema; core definitions are kept for keys, which have a schema of their own."""
        self._core_definitions |= {inner["ref"]: inner for inner in schema["definitions"]}
        return super().definitions_schema(schema)

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        """Any schema; formats get the names of what Pydantic reads, functions are noted."""
        how, _, name = schema["type"].partition("-")
        if how == "function" and is_unreadable(schema["function"]["function"]):
            return self.handle_invalid_for_json_schema(schema, title(schema["function"]["function"]))
        made = super().generate_inner(schema)
        if made.get("format") in _RENAMED:
            made = {**made, "format": _RENAMED[made["format"]]}
        if how == "function":
            made = self._constrained(name, schema, made)
        return made if CHECKED in made else self._given(schema, made)

    def _given(self, schema: Any, made: JsonSchemaValue) -> JsonSchemaValue:
        """With a note of what the type's author has made of the schema, unless it is what it would be without."""
        sentences = given_schemas(schema.get("metadata", {}))
        if not sentences:
            return made
        bare = {key: value for key, value in schema.items() if key not in ("metadata", "ref")}
        try:
            same = said(self.generate_inner(bare)) == said(self.resolve_ref_schema(made))
        except PydanticInvalidForJsonSchema:
            same = False
        return made if same else checked(made, *sentences)

    def _constrained(self, how: str, schema: Any, made: JsonSchemaValue) -> JsonSchemaValue:
        """With what the function demands, as keywords where there are some."""
        function = schema["function"]["function"]
        constraint = measure(function)
        if constraint:
            made = {keyword: value for keyword, value in made.items() if keyword not in MEASURES}
            demanded = keywords_of(constraint, schema["schema"], self._core_definitions)
            return checked(made, title(function)) if demanded is None else demanding(made, demanded)
        return made if is_total(function, made) else checked(made, f"{how} validator {title(function)}")

    def function_after_schema(self, schema: cs.AfterValidatorFunctionSchema) -> JsonSchemaValue:
        """The inner schema, out of the way of what Pydantic writes beside it."""
        inner = super().function_after_schema(schema)
        return {"allOf": [inner]} if measure(schema["function"]["function"]) else inner

    def is_subclass_schema(self, schema: cs.IsSubclassSchema) -> JsonSchemaValue:
        """No JSON value is a class."""
        return self.handle_invalid_for_json_schema(schema, f"core_schema.IsSubclassSchema ({schema['cls']})")

    def literal_schema(self, schema: cs.LiteralSchema) -> JsonSchemaValue:
        """The values that JSON can hold."""
        return self._choices(schema)

    def enum_schema(self, schema: cs.EnumSchema) -> JsonSchemaValue:
        """As ``literal_schema``, with the description of the enumeration."""
        return {**super().enum_schema(schema), **self._choices(schema)}

    def _choices(self, schema: Any) -> JsonSchemaValue:
        values = value_choices(schema)
        if values:
            return {"enum": values}
        named = schema["cls"] if schema["type"] == "enum" else schema["expected"]
        return self.handle_invalid_for_json_schema(schema, f"any value of {named}")

    def int_schema(self, schema: cs.IntSchema) -> JsonSchemaValue:
        """Bounds that are infinite are no bounds."""
        return finite(super().int_schema(schema))

    def float_schema(self, schema: cs.FloatSchema) -> JsonSchemaValue:
        """Bounds that are infinite are no bounds; the remainder by a step is rounded, unless it is a power of two."""
        made = finite(super().float_schema(schema))
        exact = abs(math.frexp(made.get("multipleOf", 1))[0]) == 0.5
        return made if exact else checked(made, f"multiple_of {made['multipleOf']} in floating-point arithmetic")

    def decimal_schema(self, schema: cs.DecimalSchema) -> JsonSchemaValue:
        """A number between quotes, as Pydantic writes it, or a plain one of few enough digits.

        Pydantic reads a plain number as a float first: what it compares with the constraints is that float.
        """
        facts = decimal_facts(schema)
        plain = {**facts, MAX_DIGITS: min(_FLOAT_DIGITS, facts.get(MAX_DIGITS, _FLOAT_DIGITS))}
        return {"anyOf": [{"type": "number", **plain}, {"type": "string", QUOTED: "number", **facts}]}

    def fraction_schema(self, schema: cs.FractionSchema) -> JsonSchemaValue:
        """A number, or a ratio between quotes unless there are bounds to compare it with."""
        facts: Mapping[str, Any] = schema
        bounds = {keyword: json_number(facts[key]) for key, keyword in BOUNDS.items() if key in facts}
        ratio = {"type": "string", "pattern": _FRACTION}
        return {"type": "number", **bounds} if bounds else {"anyOf": [{"type": "number"}, ratio]}

    def complex_schema(self, schema: cs.ComplexSchema) -> JsonSchemaValue:  # noqa: ARG002 - given by Pydantic
        """The text of a complex number."""
        return {"type": "string", "pattern": _COMPLEX}

    def str_schema(self, schema: cs.StringSchema) -> JsonSchemaValue:
        """Constraints hold for the text after stripping, so what they are about must be the stripped text."""
        made = super().str_schema(schema)
        pattern = schema.get("pattern")
        if isinstance(pattern, re.Pattern):
            made |= {"pattern": with_flags(pattern), DIALECT: "python"}
        elif pattern is not None and schema.get("regex_engine", self._config.regex_engine) == "python-re":
            made[DIALECT] = "python"
        if schema.get("ascii_only"):
            made = demanding(made, {"pattern": _ASCII, DIALECT: "rust"})
        strips = schema.get("strip_whitespace", self._config.str_strip_whitespace)
        if strips and (made.get("minLength") or pattern is not None):
            made = demanding(made, {"pattern": _STRIPPED, DIALECT: "rust"})
        return made

    def bytes_schema(self, schema: cs.BytesSchema) -> JsonSchemaValue:
        """Text in the encoding that JSON input has; lengths count bytes."""
        made = super().bytes_schema(schema)
        counted = made.keys() & {"minLength", "maxLength"}
        match self._config.val_json_bytes:
            case "base64":
                made = {"type": "string", "format": "base64url"}
            case "hex":
                made = {"type": "string", "pattern": "^(?:[0-9a-f]{2})*$"}
            case _:
                return {**made, "pattern": _ASCII} if "maxLength" in counted else made
        return checked(made, "length in bytes") if counted else made

    def date_schema(self, schema: cs.DateSchema) -> JsonSchemaValue:
        """A calendar date; bounds are patterns, except today."""
        made: JsonSchemaValue = {"type": "string", "format": "date"}
        facts: Mapping[str, Any] = schema
        patterns = date_bounds(facts)
        for pattern in patterns.values():
            made = demanding(made, {"pattern": pattern, DIALECT: "rust"})
        return checked(made, *temporal_facts({key: facts[key] for key in facts if key not in patterns}))

    def time_schema(self, schema: cs.TimeSchema) -> JsonSchemaValue:
        """A time of day, with or without an offset."""
        return checked({"type": "string", "format": "python-time"}, *temporal_facts(schema, "tz_constraint"))

    def datetime_schema(self, schema: cs.DatetimeSchema) -> JsonSchemaValue:
        """A date and a time; the offset as the type demands."""
        zone = schema.get("tz_constraint")
        made = {"type": "string", "format": f"python-{zone}-datetime" if isinstance(zone, str) else "python-datetime"}
        return checked(made, *temporal_facts(schema), *(["tz_constraint"] if isinstance(zone, int) else []))

    def timedelta_schema(self, schema: cs.TimedeltaSchema) -> JsonSchemaValue:
        """An ISO 8601 duration."""
        return checked({"type": "string", "format": "python-timedelta"}, *temporal_facts(schema))

    def uuid_schema(self, schema: cs.UuidSchema) -> JsonSchemaValue:
        """A UUID of the version that the type demands."""
        return {"type": "string", "format": f"python-uuid{schema.get('version') or ''}"}

    def url_schema(self, schema: cs.UrlSchema) -> JsonSchemaValue:
        """A web address; for other schemes, the part of what the URL parser reads that needs no knowledge of them."""
        made = super().url_schema(schema)
        schemes = schema.get("allowed_schemes")
        if schemes is None or {"http", "https"} & set(schemes):
            made["format"] = "python-url"
            return made if schemes is None else {**made, "pattern": f"^(?:{'|'.join(map(re.escape, schemes))}):"}
        return {**made, "format": "uri", "pattern": addresses(schemes, many=False)}

    def multi_host_url_schema(self, schema: cs.MultiHostUrlSchema) -> JsonSchemaValue:
        """As ``url_schema``, with hosts separated by commas."""
        made = super().multi_host_url_schema(schema)
        del made["format"]
        return {**made, "pattern": addresses(schema.get("allowed_schemes", ["https"]), many=True)}

    def set_schema(self, schema: cs.SetSchema) -> JsonSchemaValue:
        """An array; equal items matter only where a least number of them is asked for."""
        return _with_duplicates(super().set_schema(schema))

    def frozenset_schema(self, schema: cs.FrozenSetSchema) -> JsonSchemaValue:
        """As ``set_schema``."""
        return _with_duplicates(super().frozenset_schema(schema))

    def dict_schema(self, schema: cs.DictSchema) -> JsonSchemaValue:
        """An object whose keys are the text of the key type."""
        return self._mapping(schema)

    def frozendict_schema(self, schema: Any) -> JsonSchemaValue:
        """As ``dict_schema``."""
        return self._mapping(schema)

    def ordered_dict_schema(self, schema: Any) -> JsonSchemaValue:
        """As ``dict_schema``."""
        return self._mapping(schema)

    def counter_schema(self, schema: Any) -> JsonSchemaValue:
        """As ``dict_schema``."""
        return self._mapping(schema)

    def json_schema(self, schema: cs.JsonSchema) -> JsonSchemaValue:
        """JSON inside a string: a number is one between quotes, all else is checked afterwards."""
        made = super().json_schema(schema)
        content = made["contentSchema"]
        if content.get("type") in ("integer", "number"):
            return {**content, "type": "string", QUOTED: content["type"]}
        return checked(made, "the text must be JSON of the content schema")

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Members of a union without JSON form are noted where the union stands; nothing is printed."""
        if kind == "skipped-choice":
            self._skipped.append(f"never written: {detail}")

    def union_schema(self, schema: cs.UnionSchema) -> JsonSchemaValue:
        """Any of the choices that have a JSON form."""
        outer, self._skipped = self._skipped, []
        made = checked(super().union_schema(schema), *self._skipped)
        self._skipped = outer
        return made

    def tagged_union_schema(self, schema: cs.TaggedUnionSchema) -> JsonSchemaValue:
        """Any of the choices, with its tag written out: Pydantic does not fall back to a tag's default."""
        made = super().tagged_union_schema(schema)
        tag = made.get("discriminator", {}).get("propertyName")
        if tag is None:
            return checked({"anyOf": made["oneOf"]}, "the discriminator must pick the choice written")
        return {"anyOf": [{"allOf": [choice, {"required": [tag]}]} for choice in made["oneOf"]]}

    def chain_schema(self, schema: cs.ChainSchema) -> JsonSchemaValue:
        """The first step; what the others demand of its result, where that is what JSON has."""
        made = super().chain_schema(schema)
        first, *others = schema["steps"]
        for step in others:
            text = text_constraint(step)
            if text and is_transparent(first, self._core_definitions):
                made = demanding(made, self.generate_inner(text))
            elif step["type"] == "is-instance" and first["type"] == "any":
                made = demanding(made, {"type": instances(step["cls"])})
            else:
                made = checked(made, f"then {described(text or step)}")
        return made

    def model_schema(self, schema: cs.ModelSchema) -> JsonSchemaValue:
        """A model; its own initialisation may refuse what the fields admit."""
        made = super().model_schema(schema)
        made = checked(made, *given_extra(schema["cls"].model_config.get("json_schema_extra")))
        hooks = [schema["cls"].__init__] if schema.get("custom_init") else []
        if schema.get("post_init"):
            hooks.append(getattr(schema["cls"], schema["post_init"]))
        return checked(made, *(hook.__qualname__ for hook in hooks if is_users(hook)))

    def dataclass_schema(self, schema: cs.DataclassSchema) -> JsonSchemaValue:
        """A dataclass; ``__post_init__`` may refuse what the fields admit."""
        made = super().dataclass_schema(schema)
        return checked(made, f"{schema['cls'].__qualname__}.__post_init__") if schema.get("post_init") else made

    def field_is_present(self, field: Any) -> bool:
        """Fields that the constructor does not take are not part of the input."""
        return field.get("init") is not False and super().field_is_present(field)

    def model_field_schema(self, schema: cs.ModelField) -> JsonSchemaValue:
        """A field; if its type has no JSON form, the default is all it can have."""
        return self._field(schema)

    def dataclass_field_schema(self, schema: cs.DataclassField) -> JsonSchemaValue:
        """As ``model_field_schema``."""
        return self._field(schema)

    def typed_dict_field_schema(self, schema: cs.TypedDictField) -> JsonSchemaValue:
        """As ``model_field_schema``."""
        return self._field(schema)

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
        made = super().model_fields_schema(schema)
        if "extras_keys_schema" in schema and "properties" in made:
            names = key_schema(schema["extras_keys_schema"], self, self._core_definitions)
            made["propertyNames"] = {"anyOf": [{"enum": list(made["properties"])}, names]}
        return made

    def _named_required_fields_schema(self, named_required_fields: Sequence[tuple[str, bool, Any]]) -> JsonSchemaValue:
        made = super()._named_required_fields_schema(named_required_fields)
        if len(made["properties"]) < len(named_required_fields):
            names = [name for name, _, _ in named_required_fields]
            return {UNSUPPORTED: f"of the fields {names}, some are read from the same name"}
        return made

    def _field(self, schema: Any) -> JsonSchemaValue:
        alias = schema.get("validation_alias")
        if self._config.validate_by_alias is not False and isinstance(alias, list) and not _has_plain_name(alias):
            return {UNSUPPORTED: f"alias path {alias} leads inside another value"}
        try:
            return self.generate_inner(schema["schema"])
        except PydanticInvalidForJsonSchema as error:
            return {"not": {}} if schema["schema"]["type"] == "default" else {UNSUPPORTED: error.message}

    def _mapping(self, schema: Any) -> JsonSchemaValue:
        made: JsonSchemaValue = {"type": "object", "additionalProperties": True}
        if "values_schema" in schema:
            made["additionalProperties"] = self.generate_inner(schema["values_schema"])
        names = key_schema(schema.get("keys_schema", cs.any_schema()), self, self._core_definitions)
        if names.keys() - {"type"}:
            made["propertyNames"] = names
        self.update_with_validations(made, schema, self.ValidationsMapping.object)
        return made


def _with_duplicates(made: JsonSchemaValue) -> JsonSchemaValue:
    if made.get("minItems", 0) <= 1:
        del made["uniqueItems"]
    return made


def _has_plain_name(alias: list[Any]) -> bool:
    """Whether one of the alias's choices is just a name."""
    return any(isinstance(path, list) and len(path) == 1 and isinstance(path[0], str) for path in alias)
