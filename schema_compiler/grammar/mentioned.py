"""The patterns and formats that a schema mentions, their tables made ahead of the first document.

Rules are lowered when a document reaches them, inside a mask step, for which a GPU may be waiting. The one part of that
which can take long does not depend on anything around it: the table of a pattern. So it is made when the schema is
compiled, which nothing waits for but the first token. What a schema mentions is read off its raw keywords, wherever
they stand; a mention that means something else (in a ``default``, say) costs time and nothing more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import islice
from typing import Any

from schema_compiler.errors import SchemaCompilerError
from schema_compiler.grammar.formats import FORMATS, format_string
from schema_compiler.grammar.pattern import counted_pattern
from schema_compiler.schema.schema import Dialect, Pattern

__all__ = ["prepare"]

_MOST = 32
"""More tables would drive each other out of the caches, which hold twice as many."""


def prepare(schema: Any, dialect: Dialect = "ecma") -> None:
    """Make the tables that a JSON Schema mentions, up to a number.

    What is refused is passed over: it is for the document that gets there, if one does.
    """
    mentions = dict.fromkeys(_mentions(schema))
    for keyword, text in islice(mentions, _MOST):
        with contextlib.suppress(SchemaCompilerError):
            if keyword == "pattern":
                counted_pattern(Pattern(text, dialect))
            elif text in FORMATS:
                format_string(text)


def _mentions(schema: Any) -> Iterator[tuple[str, str]]:
    """Every pattern and format, with the keyword."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            for keyword in ("pattern", "format"):
                text = part.get(keyword)
                if isinstance(text, str):
                    yield keyword, text
            patterns = part.get("patternProperties")
            if isinstance(patterns, dict):
                yield from (("pattern", text) for text in patterns if isinstance(text, str))
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
