"""The tables of the patterns and formats that a schema mentions, computed ahead of the first document.

Rules are lowered when a document reaches them, inside a mask step, for which a GPU may be waiting. The one part of that
which can take long depends on nothing around it: the table of a long pattern. So it is computed when the schema is
compiled, and kept in the caches of ``regular``; no document is under way then. What a schema mentions is read off its
raw keywords, wherever they stand; a mention that means something else (in a ``default``, say) costs time, and nothing
more::

    {"properties": {"plate": {"pattern": "^[A-Z]{2}-[0-9]{2,4}$"}, "at": {"format": "date-time"}}}     two tables
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
from schema_compiler.schema.source.keywords import DIALECT

__all__ = ["warm_up"]

_MOST_TABLES = 32
"""How many tables are computed ahead: half of what the cache of patterns holds, so that none drives another one out."""

_LONG_PATTERN = 24
"""How many characters make a pattern worth a table ahead of time; a brace, of ``{2,4}`` or ``\\p{L}``, does so, too.

A shorter one is soon computed when a document gets there: of eight, each took 0.4 to 3.3 ms (measured once on one CPU
core), where ``\\p{L}+\\s\\p{N}+`` took 142 ms.
"""

_MOST_STATES = 40_000
"""After how many states in all no further table is computed ahead: compiling would take too long, and too much memory.

A table takes a kilobyte for each state. A round number: eleven patterns like ``^(\\S+\\s){100}$`` reach it in 0.4 s
(measured once on one CPU core).
"""


def warm_up(schema: Any, dialect: Dialect = "ecma") -> None:
    """Compute the tables that a raw JSON Schema mentions, up to a number of tables and of states.

    Raises nothing: what is refused is passed over, as only a document that gets there has to know.
    """
    states = 0
    for compute, mention in islice(dict.fromkeys(_mentions(schema, dialect)), _MOST_TABLES):
        with contextlib.suppress(SchemaCompilerError):
            states += compute(mention)
        if states >= _MOST_STATES:
            break


def _mentions(schema: Any, dialect: Dialect) -> Iterator[tuple[Callable[[Any], int], Pattern | str]]:
    """What is mentioned, each with the function that computes its table and returns the number of states.

    Where other keys may be added to those that match a pattern, the keys that do not match it are mentioned, too.
    """
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            own = part.get(DIALECT, dialect)
            if _is_long(part.get("pattern")):
                is_counted = "minLength" in part or "maxLength" in part
                yield _compute_with_lengths if is_counted else _compute_pattern, Pattern(part["pattern"], own)
            if isinstance(part.get("format"), str):
                yield _compute_format, part["format"]
            if isinstance(part.get("patternProperties"), dict):
                negations = (False,) if part.get("additionalProperties") is False else (False, True)
                for regex in filter(_is_long, part["patternProperties"]):
                    yield from ((_compute_pattern, Pattern(regex, own, negated)) for negated in negations)
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _compute_pattern(pattern: Pattern) -> int:
    try:
        return len(counted_pattern(pattern).dfa)
    except CompileBudgetError:
        is_matched(pattern, 0, None)  # where there is no table, a schema is still asked whether any text matches
        return _MOST_STATES


def _compute_with_lengths(pattern: Pattern) -> int:
    dfa = counted_pattern(pattern).dfa
    lengths_of(dfa)
    return len(dfa)


def _compute_format(name: str) -> int:
    return len(format_string(name))


def _is_long(regex: object) -> TypeGuard[str]:
    return isinstance(regex, str) and (len(regex) >= _LONG_PATTERN or "{" in regex)
