"""The patterns and formats that a schema mentions, their tables made ahead of the first document.

Rules are lowered when a document reaches them, inside a mask step, for which a GPU may be waiting. The one part of that
which can take long does not depend on anything around it: the table of a pattern. So it is made when the schema is
compiled, which nothing waits for but the first token. What a schema mentions is read off its raw keywords, wherever
they stand; a mention that means something else (in a ``default``, say) costs time and nothing more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeGuard

from schema_compiler.errors import CompileBudgetError, SchemaCompilerError
from schema_compiler.grammar.formats import format_string
from schema_compiler.grammar.lengths import lengths_of
from schema_compiler.grammar.pattern import counted_pattern, is_matched
from schema_compiler.schema.schema import Dialect, Pattern

__all__ = ["prepare"]

_MOST = 32
"""More tables would drive each other out of the caches, which hold twice as many."""


def prepare(schema: Any, dialect: Dialect = "ecma") -> None:
    """Make the tables that a JSON Schema mentions, up to a number.

    What is refused is passed over: it is for the document that gets there, if one does.
    """
    for make, mention in islice(dict.fromkeys(_mentions(schema, dialect)), _MOST):
        with contextlib.suppress(SchemaCompilerError):
            make(mention)


def _mentions(schema: Any, dialect: Dialect) -> Iterator[tuple[Callable[[Any], object], Pattern | str]]:
    """What is mentioned, and what makes it. Where other keys may be added to those that match, not matching counts."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if isinstance(part.get("pattern"), str):
                bounded = "minLength" in part or "maxLength" in part
                yield _with_lengths if bounded else _pattern, Pattern(part["pattern"], dialect)
            if isinstance(part.get("format"), str):
                yield format_string, part["format"]
            if isinstance(part.get("patternProperties"), dict):
                ways = (False,) if part.get("additionalProperties") is False else (False, True)
                for text in filter(_is_text, part["patternProperties"]):
                    yield from ((_pattern, Pattern(text, dialect, negated)) for negated in ways)
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _pattern(pattern: Pattern) -> None:
    try:
        counted_pattern(pattern)
    except CompileBudgetError:
        is_matched(pattern, 0, None)  # which is asked before the table


def _with_lengths(pattern: Pattern) -> None:
    lengths_of(counted_pattern(pattern).dfa)


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)
