"""String schemas as one automaton and two lengths.

Every pattern and every format of a ``String`` must hold, so their automata are intersected. Lengths stay numbers for
the engine's counters, whether the schema gives them, a format does, or a pattern contains them::

    String(min_length=3, formats=("hostname",))     the automaton of host names, with 3 to 253 characters
"""

from __future__ import annotations

from schema_compiler.regular.automata.operations import difference, intersect
from schema_compiler.regular.formats import format_string, max_length
from schema_compiler.regular.regex.language import CountedStrings, counted_pattern
from schema_compiler.regular.text.json_strings import any_string
from schema_compiler.schema.ir import String

__all__ = ["counted_strings", "text_name"]


def counted_strings(schema: String) -> CountedStrings:
    """The JSON strings of ``schema``, with their quotes.

    Raises ``PatternError`` for a pattern that cannot be read, ``UnsupportedSchemaError`` for an unknown format, and
    ``CompileBudgetError`` where an automaton gets too large.
    """
    parts = [CountedStrings(any_string(), schema.min_length, schema.max_length)]
    parts += [counted_pattern(pattern) for pattern in schema.patterns]
    parts += [CountedStrings(format_string(name), 0, max_length(name)) for name in schema.formats]
    restrictive = [part.dfa for part in parts if part.dfa is not any_string()]
    dfa = intersect(*restrictive) if restrictive else any_string()
    for name in schema.excluded:
        dfa = difference(dfa, format_string(name))
    return CountedStrings(
        dfa,
        max(part.minimum for part in parts),
        min((part.maximum for part in parts if part.maximum is not None), default=None),
    )


def text_name(schema: String, kind: str) -> str:
    """The name of a leaf rule for the strings of ``schema``: its formats and patterns, or ``kind`` if it has none."""
    patterns = (("not " * pattern.negated) + f"/{pattern.regex}/" for pattern in schema.patterns)
    return " & ".join([*schema.formats, *(f"not {name}" for name in schema.excluded), *patterns]) or kind
