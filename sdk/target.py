"""What the caller wants extracted: a type (checked by Pydantic) or a JSON Schema (checked by jsonschema).

Both are compiled into a grammar; they differ in how a generated text becomes a value, and in how an example's
value becomes a text. Everything else in the SDK sees a ``Target`` and does not ask which of the two it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from schema_compiler import CompiledSchema, Vocabulary, compile_schema, compile_type
from sdk.errors import ValidationFailedError
from sdk.formats import format_checker

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

__all__ = ["SchemaTarget", "Target", "TypeTarget", "target_of"]

_REFUSALS = (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class TypeTarget:
    """Any type that Pydantic's ``TypeAdapter`` takes."""

    compiled: CompiledSchema
    adapter: TypeAdapter[Any]

    def parse(self, text: str) -> Any:
        """The instance; raises ``ValidationFailedError`` when a validator refuses ``text``."""
        try:
            return self.adapter.validate_json(text)
        except ValidationError as error:
            raise ValidationFailedError(text, error.errors(), str(error)) from error
        except _REFUSALS as error:  # what validators raise beside Pydantic's own error
            details = {"loc": (), "msg": str(error), "type": type(error).__name__}
            raise ValidationFailedError(text, [details], f"{type(error).__name__}: {error}") from error

    def spell(self, value: Any) -> str:
        """An instance, or data that validates as one, as the text a model would be asked to write.

        Raises ``ValueError`` with Pydantic's message when ``value`` is not an instance (Pydantic's own error is one).
        """
        instance = self.adapter.validate_python(value)
        return _spelled(json.loads(self.adapter.dump_json(instance, by_alias=True, round_trip=True)))


@dataclass(frozen=True)
class SchemaTarget:
    """A JSON Schema; values are plain Python data."""

    compiled: CompiledSchema

    def parse(self, text: str) -> Any:
        """The data; raises ``ValidationFailedError`` when it violates the schema, formats included."""
        violations = [
            {"loc": tuple(violation.absolute_path), "msg": _plain(violation.message), "type": violation.validator}
            for violation in self._validator.iter_errors(_exact(text))
        ]
        if violations:
            raise ValidationFailedError(text, violations, "; ".join(violation["msg"] for violation in violations))
        return json.loads(text)

    def spell(self, value: Any) -> str:
        """Data as the text a model would be asked to write; raises ``ValueError`` when it violates the schema."""
        for violation in self._validator.iter_errors(_exact(json.dumps(value))):
            raise ValueError(f"{_plain(violation.message)} at {violation.json_path}")
        return _spelled(value)

    @cached_property
    def _validator(self) -> Validator:
        from jsonschema.validators import validator_for

        kind = validator_for(self.compiled.schema)
        return kind(_exact(json.dumps(self.compiled.schema)), format_checker=format_checker())


Target: TypeAlias = TypeTarget | SchemaTarget


def target_of(wanted: Any, vocabulary: Vocabulary) -> Target:
    """Compile a type, or a JSON Schema given as a mapping. Raises the errors of ``schema_compiler``."""
    if isinstance(wanted, Mapping):
        return SchemaTarget(compile_schema(dict(wanted), vocabulary))
    return TypeTarget(compile_type(wanted, vocabulary), TypeAdapter(wanted))


def _exact(text: str) -> Any:
    """JSON data with decimals for fractions: as floats, 0.0075 is no multiple of 0.0001."""
    return json.loads(text, parse_float=_number)


def _number(text: str) -> int | Decimal:
    number = float(text)
    return int(number) if number.is_integer() else Decimal(text)


def _plain(message: str) -> str:
    """A message with its decimals written as in JSON."""
    return re.sub(r"Decimal\('([^']*)'\)", r"\1", message)


def _spelled(data: Any) -> str:
    """JSON with the separators and escapes that the grammar admits by default."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)
