"""What a grammar in Lark's notation says, and where in its text.

    sum: NUMBER ("+" NUMBER)*       Definition("sum", Sequence((Name("NUMBER"), Repeat(Sequence(...), 0, None))))
    NUMBER: /[0-9]+/                Definition("NUMBER", Pattern("[0-9]+"))

Only what changes the language is kept. Aliases, and ``?`` and ``!`` before a rule's name, shape Lark's parse trees and
are left out. Terms carry their ``Location``, for messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from schema_compiler.errors import GrammarError

__all__ = [
    "Atom",
    "Choice",
    "Definition",
    "Import",
    "Location",
    "Name",
    "Pattern",
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
class Location:
    """Where something stands in the text of a grammar: line and column, both counted from 1."""

    line: int
    column: int

    def error(self, message: str) -> GrammarError:
        """The error to raise for what is wrong here."""
        return GrammarError(message, self.line, self.column)


@dataclass(frozen=True, slots=True)
class Text:
    """Exactly these characters, in upper or lower case if ``ignore_case``."""

    value: str
    ignore_case: bool
    location: Location


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression of Python's dialect, ``flags`` being some of ``imsux``."""

    regex: str
    flags: str
    location: Location


@dataclass(frozen=True, slots=True)
class Range:
    """One character from ``first`` to ``last``."""

    first: str
    last: str
    location: Location


@dataclass(frozen=True, slots=True)
class Name:
    """A mention of the rule or terminal ``name``: its texts."""

    name: str
    location: Location


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
"""A term without parts."""
Term: TypeAlias = Atom | Sequence | Choice | Repeat
"""What a rule or a terminal may be defined as."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A rule, or a terminal when its name is in capitals. ``priority``: whether Lark is told one."""

    name: str
    body: Term
    location: Location
    priority: bool = False

    @property
    def is_terminal(self) -> bool:
        """Whether the name is in capitals."""
        return self.name.isupper()


@dataclass(frozen=True, slots=True)
class Import:
    """The terminal ``name`` of the library ``common``, under this name or another one."""

    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class Source:
    """A whole grammar: definitions and imports by the names they have in it, and what may stand between terminals."""

    definitions: Mapping[str, Definition]
    imports: Mapping[str, Import]
    ignored: tuple[Term, ...]

    def home(self, atom: Atom) -> str:
        """What an atom is part of, for messages: ``rule sum``, ``terminal NUMBER``, ``%ignore``."""
        for definition in self.definitions.values():
            if atom in tuple(atoms_in(definition.body)):
                return f"{'terminal' if definition.is_terminal else 'rule'} {definition.name}"
        return "%ignore"


def atoms_in(term: Term) -> Iterator[Atom]:
    """Every name, text, pattern and range in ``term``, from left to right."""
    match term:
        case Sequence(parts) | Choice(parts):
            for part in parts:
                yield from atoms_in(part)
        case Repeat(item):
            yield from atoms_in(item)
        case _:
            yield term


def names_in(term: Term) -> Iterator[Name]:
    """Every mention of a rule or terminal in ``term``, from left to right."""
    return (atom for atom in atoms_in(term) if isinstance(atom, Name))
