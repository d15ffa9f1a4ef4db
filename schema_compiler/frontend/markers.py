"""What annotations tell the frontend about their checks.

``Annotated[str, Grammar(text)]`` becomes a string with a keyword for the compiler, and a validator for everyone who
reads JSON without the compiler::

    function-after(Grammar.check, str)      {"type": "string", "x-pydantic-grammar": {"text": ..., "start": ...}}

A validator is opaque to the frontend, unless it belongs to an annotation of this class: then the keyword says it all.
Annotations call the compiler, and lie in a layer above it; so the class that both know lies here.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = ["KeywordAnnotation"]


class KeywordAnnotation:
    """An annotation whose methods, as validators, refuse no value that ``keyword`` in the JSON Schema admits."""

    __slots__ = ()
    keyword: ClassVar[str]
