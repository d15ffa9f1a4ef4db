"""The README's list of types, made from the matrix; ``python -m tests.matrix`` writes it.

For each page of Pydantic's documentation: what the grammar enforces, what is left to Pydantic, what is refused. A
constraint stands in brackets behind its type; without one, the plain type is meant.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from tests.matrix.case import Case
from tests.matrix.cases import PAGES

__all__ = ["README", "current", "section", "write"]

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- types: python -m tests.matrix -->\n", "<!-- end of types -->\n"


def section() -> str:
    """The text between the marks."""
    return "".join(f"\n**{page}**\n\n{_page(cases)}" for page, cases in PAGES.items()) + "\n"


def current() -> str:
    """What stands between the marks now."""
    return README.read_text().partition(BEGIN)[2].partition(END)[0]


def write() -> None:
    """Put the section between the marks."""
    before, _, rest = README.read_text().partition(BEGIN)
    README.write_text(before + BEGIN + section() + END + rest.partition(END)[2])


def _page(cases: list[Case]) -> str:
    enforced = [case for case in cases if not (case.checked or case.refused)]
    lines = {
        "enforced": dict.fromkeys(f"`{case.name}`" for case in enforced),
        "checked afterwards": _named(case for case in cases if case.checked),
        "refused": _named(case for case in cases if case.refused),
    }
    return "".join(_item(f"{fate}: {', '.join(names)}") for fate, names in lines.items() if names)


def _named(cases: Iterable[Case]) -> list[str]:
    constraints: dict[str, list[str]] = {}
    for case in cases:
        constraints.setdefault(case.name, []).append(case.constraint)
    return [f"`{name}`" + ("" if "" in listed else f" [{'; '.join(listed)}]") for name, listed in constraints.items()]


def _item(text: str) -> str:
    options = {"break_long_words": False, "break_on_hyphens": False}
    return "\n".join(textwrap.wrap(text, 118, initial_indent="- ", subsequent_indent="  ", **options)) + "\n"
