"""One document, read once for all the fields that are bound to it."""

from __future__ import annotations

from dataclasses import dataclass

from schema_compiler.engine.leaves.passage import Passage
from schema_compiler.grounding.boundaries import Boundaries, boundaries
from schema_compiler.grounding.reading_text import ReadingText
from schema_compiler.schema.ir import Within

__all__ = ["Document", "Span"]


@dataclass(frozen=True, slots=True)
class Span:
    """The characters of a document from ``start`` to before ``end``, code points of the text as it was given."""

    start: int
    end: int
    text: str


class Document:
    """A document's text as it is read, spelled in JSON, and the boundaries of its pieces, each made when asked for.

    Raises ``DocumentError`` for a lone surrogate.
    """

    def __init__(self, text: str) -> None:
        self.reading = ReadingText(text)
        self.passage = Passage(self.reading.text)
        self._boundaries: dict[Within, Boundaries] = {}

    def boundaries(self, within: Within) -> Boundaries:
        """Where pieces begin and end."""
        known = self._boundaries.get(within)
        if known is None:
            known = self._boundaries[within] = boundaries(self.reading, within)
        return known

    def span(self, begin: int, end: int) -> Span:
        """The place in the document of the characters that are read from ``begin`` to before ``end``."""
        start, behind = self.reading.place(begin, end)
        return Span(start, behind, self.reading.document[start:behind])
