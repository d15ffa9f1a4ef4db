"""What became of every keyword: enforced by the grammar, checked afterwards, or ignored as an annotation.

Nothing is dropped in silence, so whoever reads a report knows which promises the generated text keeps by
construction and which are only kept by the check that follows::

    /properties/age    minimum    enforced
    /properties/tags   uniqueItems  checked afterwards   the grammar does not compare items
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Report", "ReportRow", "Status"]

Status: TypeAlias = Literal["enforced", "checked afterwards", "refused", "ignored annotation"]


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One constraint: ``path`` is the JSON pointer of the subschema, ``constraint`` a keyword or a sentence."""

    path: str
    constraint: str
    status: Status
    why: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All rows, sorted by path; ``str`` gives a table."""

    rows: tuple[ReportRow, ...]

    def with_status(self, status: Status) -> Report:
        """The rows that ended as ``status``."""
        return Report(tuple(row for row in self.rows if row.status == status))

    def __iter__(self) -> Iterator[ReportRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        cells = [(row.path or "/", row.constraint, row.status, row.why) for row in self.rows]
        widths = [max((len(line[column]) for line in cells), default=0) for column in range(4)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in cells)
