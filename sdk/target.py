"""What the caller wants extracted: a type (checked by Pydantic) or a JSON Schema (checked by jsonschema).

Both are compiled into a grammar; they differ in how a generated text becomes a value, and in how an example's value
becomes a text:

    target.parse('{"shop": "Ace Books"}')        Receipt(shop='Ace Books')
    target.spell(Receipt(shop="Ace Books"))      {"shop": "Ace Books"}

Everything else in the SDK sees a ``Target`` and does not ask which of the two it is.
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
from sdk.partial import PLAIN, PartialValue, parts_of

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

__all__ = ["SchemaTarget", "Target", "TypeTarget", "target_of"]

_VALIDATOR_ERRORS = (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError)
"""What validators raise beside Pydantic's own error: the built-in errors of code that meets a value it cannot handle.

Errors of the system, such as ``OSError`` and ``MemoryError``, are no refusals and pass through.
"""


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
        except _VALIDATOR_ERRORS as error:
            details = {"loc": (), "msg": str(error), "type": type(error).__name__}
            raise ValidationFailedError(text, [details], f"{type(error).__name__}: {error}") from error

    def spell(self, value: Any) -> str:
        """The JSON of an instance, or of data that validates as one, as the grammar would let a model write it.

        Raises ``ValueError``, which Pydantic's own error is, when ``value`` is neither.
        """
        instance = self.adapter.validate_python(value)
        return _as_json(json.loads(self.adapter.dump_json(instance, by_alias=True, round_trip=True)))

    def partial(self) -> PartialValue:
        """A reader for a document that is being written."""
        return PartialValue(parts_of(self.adapter), self.parse)


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
        """The JSON of data, as the grammar would let a model write it; raises ``ValueError`` for a violation."""
        for violation in self._validator.iter_errors(_exact(json.dumps(value))):
            raise ValueError(f"{_plain(violation.message)} at {violation.json_path}")
        return _as_json(value)

    def partial(self) -> PartialValue:
        """A reader for a document that is being written."""
        return PartialValue(PLAIN, self.parse)

    @cached_property
    def _validator(self) -> Validator:
        from jsonschema.validators import validator_for

        kind = validator_for(self.compiled.schema)
        return kind(_exact(json.dumps(self.compiled.schema)), format_checker=format_checker())


Target: TypeAlias = TypeTarget | SchemaTarget
"""What is to be extracted, compiled."""


def target_of(wanted: Any, vocabulary: Vocabulary, *, grounded: bool = False) -> Target:
    """Compile a type, or a JSON Schema given as a mapping. Raises the errors of ``schema_compiler``.

    ``grounded``: each free text is a piece of the document, see ``compile_type``.
    """
    if isinstance(wanted, Mapping):
        return SchemaTarget(compile_schema(dict(wanted), vocabulary, grounded=grounded))
    return TypeTarget(compile_type(wanted, vocabulary, grounded=grounded), TypeAdapter(wanted))


def _exact(text: str) -> Any:
    """JSON data with ``Decimal`` for fractions, since as a float 0.0075 is no multiple of 0.0001."""
    return json.loads(text, parse_float=_number)


def _number(text: str) -> int | Decimal:
    """A number with a fraction or an exponent; whole ones (``2.0``) are integers in JSON Schema."""
    number = float(text)
    return int(number) if number.is_integer() else Decimal(text)


def _plain(message: str) -> str:
    """A message with its decimals written as in JSON."""
    return re.sub(r"Decimal\('([^']*)'\)", r"\1", message)


def _as_json(data: Any) -> str:
    """JSON with the separators and escapes that the grammar admits by default."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)
