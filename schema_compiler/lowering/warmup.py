"""The patterns and formats that a schema mentions, their tables made ahead of the first document.

Rules are lowered when a document reaches them, inside a mask step, for which a GPU may be waiting. The one part of that
which can take long does not depend on anything around it: the table of a long pattern. So it is made when the schema is
compiled, which nothing waits for but the first token. What a schema mentions is read off its raw keywords, wherever
they stand; a mention that means something else (in a ``default``, say) costs time and nothing more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeGuard

from schema_compiler.errors import CompileBudgetError, SchemaCompilerError
from schema_compiler.regular.automata.lengths import lengths_of
from schema_compiler.regular.formats import format_string
from schema_compiler.regular.regex.dialect import Dialect, Pattern
from schema_compiler.regular.regex.language import counted_pattern, is_matched

__all__ = ["warm_up"]

_MOST = 32
"""More tables would drive each other out of the caches, which hold twice as many."""
_SHORT = 24
"""A pattern of fewer characters that counts nothing is made soon enough when a document gets to it."""
_STATES = 40_000
"""With so many states made, what is left to make has to wait for its document."""


def warm_up(schema: Any, dialect: Dialect = "ecma") -> None:
    """Make the tables that a JSON Schema mentions, up to a number and a size.

    What is refused is passed over: it is for the document that gets there, if one does.
    """
    made = 0
    for make, mention in islice(dict.fromkeys(_mentions(schema, dialect)), _MOST):
        with contextlib.suppress(SchemaCompilerError):
            made += make(mention)
        if made >= _STATES:
            break


def _mentions(schema: Any, dialect: Dialect) -> Iterator[tuple[Callable[[Any], int], Pattern | str]]:
    """What is mentioned, with what makes it and says of how many states it is.

    Where other keys may be added to those that match a pattern, not to match it is mentioned, too.
    """
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if _is_long(part.get("pattern")):
                bounded = "minLength" in part or "maxLength" in part
                yield _with_lengths if bounded else _pattern, Pattern(part["pattern"], dialect)
            if isinstance(part.get("format"), str):
                yield _format, part["format"]
            if isinstance(part.get("patternProperties"), dict):
                alternatives = (False,) if part.get("additionalProperties") is False else (False, True)
                for text in filter(_is_long, part["patternProperties"]):
                    yield from ((_pattern, Pattern(text, dialect, negated)) for negated in alternatives)
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _pattern(pattern: Pattern) -> int:
    try:
        return len(counted_pattern(pattern).dfa)
    except CompileBudgetError:
        is_matched(pattern, 0, None)  # which is asked before the table
        return _STATES


def _with_lengths(pattern: Pattern) -> int:
    dfa = counted_pattern(pattern).dfa
    lengths_of(dfa)
    return len(dfa)


def _format(name: str) -> int:
    return len(format_string(name))


def _is_long(pattern: object) -> TypeGuard[str]:
    return isinstance(pattern, str) and (len(pattern) >= _SHORT or "{" in pattern)
