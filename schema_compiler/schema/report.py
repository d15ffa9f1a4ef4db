"""What became of every keyword: enforced by the grammar, checked afterwards, or ignored as an annotation.

Nothing is dropped in silence. A report says which constraints every generated text satisfies by construction, and
which only hold once the finished value has been checked::

    /properties/age   minimum      enforced
    /properties/tags  uniqueItems  checked afterwards  the grammar does not compare items
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Report", "ReportRow", "Status"]

Status: TypeAlias = Literal["enforced", "checked afterwards", "ignored annotation"]
"""Who sees to a constraint: the grammar, a check of the finished value, or nobody, as it says nothing about values.

A constraint that is refused has no row: it raises an error.
"""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """What became of one constraint.

    ``path`` is the JSON pointer of its subschema (``""`` is the root), ``constraint`` a keyword or a sentence, ``why``
    the reason for the status, or ``""``.
    """

    path: str
    constraint: str
    status: Status
    why: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All rows, sorted by path. ``str`` gives a table in which the root is ``/``."""

    rows: tuple[ReportRow, ...]

    def with_status(self, status: Status) -> Report:
        """The report of the rows with that status."""
        return Report(tuple(row for row in self.rows if row.status == status))

    def __iter__(self) -> Iterator[ReportRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        lines = [(row.path or "/", row.constraint, row.status, row.why) for row in self.rows]
        widths = [max((len(line[column]) for line in lines), default=0) for column in range(4)]
        return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
