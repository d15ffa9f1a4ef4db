"""Whether what the report calls *checked afterwards* is: the grammar admits it, the check of the value refuses it.

    {"type": "array", "items": {"type": "object"}, "uniqueItems": true}

has a report that names ``uniqueItems``. ``[{}, {}]`` can be generated, but is never handed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from jsonschema import ValidationError
from jsonschema.validators import validator_for

from schema_compiler.compiler import CompiledSchema
from schema_compiler.errors import SchemaCompilerError
from sdk.errors import ValidationFailedError
from sdk.formats import format_checker
from sdk.target import SchemaTarget

__all__ = ["refused_afterwards"]


def refused_afterwards(compiled: CompiledSchema, data: Any) -> bool:
    """Whether the last check refuses ``data``, and for a keyword that the report says is checked afterwards."""
    listed = set(_announced(compiled))
    if not listed:
        return False
    try:
        SchemaTarget(compiled).parse(json.dumps(data))
    except ValidationFailedError:
        kind = validator_for(compiled.schema)
        faults = kind(compiled.schema, format_checker=format_checker()).iter_errors(data)
        return not listed.isdisjoint(_keywords(faults))
    return False


def _announced(compiled: CompiledSchema) -> Iterator[str]:
    """The keywords of the report; none where a part of the schema cannot be read, and so has no report."""
    try:
        rows = compiled.report.with_status("checked afterwards").rows
    except SchemaCompilerError:
        return
    for row in rows:
        yield row.constraint.split()[0]


def _keywords(errors: Iterable[ValidationError]) -> Iterator[str]:
    """The keywords that refuse, inside ``anyOf`` and the like those of the branches."""
    for error in errors:
        if error.context:
            yield from _keywords(error.context)
        else:
            yield error.validator
