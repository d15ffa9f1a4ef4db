"""The errors of the compiler: one root, so that a caller can catch everything with one name.

    SchemaCompilerError
    ├── SchemaError                  carries the JSON pointer of the offending place
    │   ├── InvalidSchemaError       a keyword's value is malformed, a $ref leads nowhere or in a circle
    │   ├── UnsupportedSchemaError   a keyword, pattern or type that this compiler refuses, by name
    │   └── ImpossibleSchemaError    no JSON value satisfies the schema
    ├── PatternError                 a regular expression that cannot be read or never matches; carries the position
    ├── GrammarError                 a grammar that cannot be read, or derives no text; carries line and column
    ├── CompileBudgetError           compiling would exceed an explicit budget
    ├── VocabularyError              the token list cannot serve as a vocabulary, or cannot spell a text
    ├── UnboundLeafError             the grammar asks for a leaf that the request does not supply
    ├── DocumentError                a text that has no pieces, as it is not Unicode; carries the offset
    └── UngroundedError              a document has no piece for a field that is required; carries the fields

Messages say what was expected, what was found, and where. An argument that is none of the values listed for it is a
``ValueError``, as elsewhere in Python.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "CompileBudgetError",
    "DocumentError",
    "GrammarError",
    "ImpossibleSchemaError",
    "InvalidSchemaError",
    "PatternError",
    "SchemaCompilerError",
    "SchemaError",
    "UnboundLeafError",
    "UngroundedError",
    "UnsupportedSchemaError",
    "VocabularyError",
    "place_name",
]


def place_name(pointer: str) -> str:
    """How messages call the place that a JSON pointer names."""
    return pointer or "the root"


class SchemaCompilerError(Exception):
    """Root of every error raised by ``schema_compiler``."""


class SchemaError(SchemaCompilerError):
    """A schema cannot be compiled; ``pointer`` is the JSON pointer of the place (``""`` is the root)."""

    def __init__(self, message: str, pointer: str = "") -> None:
        super().__init__(f"{message} at {place_name(pointer)}")
        self.pointer = pointer


class InvalidSchemaError(SchemaError):
    """A keyword's value is not what JSON Schema allows there, or a reference leads nowhere, or back to itself."""


class UnsupportedSchemaError(SchemaError):
    """The schema is legal, but uses something that is refused rather than silently ignored."""


class ImpossibleSchemaError(SchemaError):
    """No JSON value satisfies the schema."""


class PatternError(SchemaCompilerError):
    """A regular expression is malformed, uses an operator that is not regular, or matches no text.

    ``position``: the index into ``pattern`` of the character where that was found.
    """

    def __init__(self, message: str, pattern: str, position: int) -> None:
        super().__init__(f"{message} at position {position} of pattern {pattern!r}")
        self.pattern = pattern
        self.position = position


class GrammarError(SchemaCompilerError):
    """A grammar is malformed, names what it does not define, derives no text, or is not LALR(1) where it must be.

    ``line`` and ``column`` count from 1; ``None`` for what is wrong with the grammar as a whole.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message if line is None else f"{message} at line {line}, column {column}")
        self.line = line
        self.column = column


class CompileBudgetError(SchemaCompilerError):
    """Compiling would need more states, steps or bytes than a budget allows; the message names the budget."""


class UnboundLeafError(SchemaCompilerError):
    """A grammar names a leaf to be supplied with each request, and the request has none of that name."""


class DocumentError(SchemaCompilerError):
    """A document cannot be read as Unicode text; ``offset`` is the first character that is none."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(f"{message} at character {offset} of the document")
        self.offset = offset


class UngroundedError(SchemaCompilerError):
    """A document has no piece from which a required field can be read.

    ``fields``: for each of them its path, such as ``items[].price``, and what was looked for.
    """

    def __init__(self, fields: Sequence[tuple[str, str]]) -> None:
        listed = "; ".join(f"{path or 'the root'} ({sought})" for path, sought in fields)
        super().__init__(f"expected a piece of the document for each required field, found none for: {listed}")
        self.fields = tuple(fields)


class VocabularyError(SchemaCompilerError):
    """The tokens given cannot serve as a vocabulary, or no sequence of them spells a text."""
