"""The front door: what it says of arguments and places that are not what was expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from schema_compiler import (
    ImpossibleSchemaError,
    InvalidSchemaError,
    SchemaError,
    compile_regex,
    compile_schema,
    compile_type,
    is_regular,
)
from tests.vocabularies import byte_vocabulary


@pytest.mark.parametrize(
    ("compiling", "message"),
    [
        (
            lambda: compile_schema({}, byte_vocabulary(), whitespace="flexibel"),  # type: ignore[arg-type]  # on purpose
            "expected whitespace to be 'spaced' or 'compact' or 'flexible', found 'flexibel'",
        ),
        (
            lambda: compile_type(int, byte_vocabulary(), whitespace="none"),  # type: ignore[arg-type]  # on purpose
            "expected whitespace to be 'spaced' or 'compact' or 'flexible', found 'none'",
        ),
        (
            lambda: compile_schema({}, byte_vocabulary(), additional_properties="close"),  # type: ignore[arg-type]  # so
            "expected additional_properties to be 'schema' or 'closed', found 'close'",
        ),
        (
            lambda: compile_regex("a", byte_vocabulary(), dialect="perl"),  # type: ignore[arg-type]  # on purpose
            "expected dialect to be 'ecma' or 'rust' or 'python', found 'perl'",
        ),
        (
            lambda: is_regular("a", "perl"),  # type: ignore[arg-type]  # on purpose
            "expected dialect to be 'ecma' or 'rust' or 'python', found 'perl'",
        ),
    ],
)
def test_an_argument_that_is_none_of_the_options(compiling: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compiling()


@pytest.mark.parametrize(
    ("schema", "error", "message"),
    [
        ({"type": "foo"}, InvalidSchemaError, "found 'foo' at the root"),
        ({"items": {"type": "foo"}}, InvalidSchemaError, "found 'foo' at /items"),
        ({"$ref": "#/x"}, InvalidSchemaError, "the reference '#/x' leads nowhere at the root"),
        (False, ImpossibleSchemaError, "no value satisfies the schema: the schema is false at the root"),
    ],
)
def test_places(schema: Any, error: type[SchemaError], message: str) -> None:
    with pytest.raises(error) as caught:
        compile_schema(schema, byte_vocabulary())
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    ("pattern", "regular"),
    [("a+b?", True), (r"\p{L}", True), (r"(a)\1", False), ("(", False), (r"(?<=b)c", True)],
)
def test_regular_patterns_are_told_from_others(pattern: str, regular: bool) -> None:
    assert is_regular(pattern) is regular
