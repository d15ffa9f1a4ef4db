"""What a grammar in Lark's notation says, with the places it says it at.

    sum: NUMBER ("+" NUMBER)*       Definition("sum", Sequence((Name("NUMBER"), Repeat(Sequence(...), 0, None))))
    NUMBER: /[0-9]+/                Definition("NUMBER", Pattern("[0-9]+"))

Only what changes the language is kept: aliases, ``?`` and ``!`` before a rule's name shape Lark's parse trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "Atom",
    "Choice",
    "Definition",
    "Import",
    "Name",
    "Pattern",
    "Place",
    "Range",
    "Repeat",
    "Sequence",
    "Source",
    "Term",
    "Text",
    "atoms_in",
    "names_in",
]


@dataclass(frozen=True, slots=True)
class Place:
    """Line and column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Text:
    """Exactly these characters, in upper or lower case if ``ignore_case``."""

    value: str
    ignore_case: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression of Python's dialect, ``flags`` being some of ``imsux``."""

    regex: str
    flags: str
    place: Place


@dataclass(frozen=True, slots=True)
class Range:
    """One character from ``first`` to ``last``."""

    first: str
    last: str
    place: Place


@dataclass(frozen=True, slots=True)
class Name:
    """What a rule or a terminal stands for."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Any of these."""

    options: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """From ``minimum`` to ``maximum`` times (``None``: any number)."""

    item: Term
    minimum: int
    maximum: int | None


Atom: TypeAlias = Text | Pattern | Range | Name
"""What stands between brackets and signs."""
Term: TypeAlias = Atom | Sequence | Choice | Repeat


@dataclass(frozen=True, slots=True)
class Definition:
    """A rule, or a terminal when its name is in capitals. ``priority``: one is given."""

    name: str
    body: Term
    place: Place
    priority: bool = False

    @property
    def is_terminal(self) -> bool:
        """Whether the name is in capitals."""
        return self.name.isupper()


@dataclass(frozen=True, slots=True)
class Import:
    """A terminal of the common library."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Source:
    """A whole grammar: definitions and imports by name, and what may stand between terminals."""

    definitions: Mapping[str, Definition]
    imports: Mapping[str, Import]
    ignored: tuple[Term, ...]

    def home(self, atom: Atom) -> str:
        """Where an atom stands, for messages: ``rule sum``, ``terminal NUMBER``."""
        for definition in self.definitions.values():
            if atom in atoms_in(definition.body):
                return f"{'terminal' if definition.is_terminal else 'rule'} {definition.name}"
        return "%ignore"


def atoms_in(term: Term) -> Iterator[Atom]:
    """Every name, text, pattern and range."""
    match term:
        case Sequence(parts) | Choice(parts):
            for part in parts:
                yield from atoms_in(part)
        case Repeat(item):
            yield from atoms_in(item)
        case _:
            yield term


def names_in(term: Term) -> Iterator[Name]:
    """Every mention of a rule or terminal."""
    return (atom for atom in atoms_in(term) if isinstance(atom, Name))
