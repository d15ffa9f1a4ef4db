"""Programs for regular expressions: what a thread does next (Thompson, Regular Expression Search Algorithm, 1968).

A program is written from the end of a term to its start, so that each instruction knows what follows it. Equal ones are
written once, so that alternatives share how they end, and so do the states of the automaton::

    nor(th|th)|sou(th|th)      reads one t, and one h
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.regex import syntax as regex
from schema_compiler.regular.text.codepoints import CodePoints

__all__ = ["MATCH", "Char", "Edge", "Instruction", "Look", "Match", "Program", "Split"]

PROGRAM_BUDGET = 50_000

MATCH = 0
"""The number of the first instruction of every program."""


@dataclass(frozen=True, slots=True)
class Char:
    """Read a character of set number ``members``."""

    members: int
    following: int


@dataclass(slots=True)
class Split:
    """Go on at every target; filled in late for loops."""

    targets: list[int]


@dataclass(frozen=True, slots=True)
class Edge:
    """Go on if the neighbours are in these sets."""

    before: int
    at_start: bool
    after: int
    at_end: bool
    following: int


@dataclass(frozen=True, slots=True)
class Look:
    """Go on, owing the run that starts at ``body``."""

    body: int
    negative: bool
    following: int


@dataclass(frozen=True, slots=True)
class Match:
    """Everything has been read that had to be."""


Instruction: TypeAlias = Char | Split | Edge | Look | Match


@dataclass(slots=True)
class Program:
    """Instructions by number, and the sets of characters that they ask for."""

    code: list[Instruction] = field(default_factory=lambda: [Match()])
    sets: dict[CodePoints, int] = field(default_factory=dict)
    chars: dict[tuple[int, int], int] = field(default_factory=dict)
    splits: dict[tuple[int, ...], int] = field(default_factory=dict)
    positions: int = 0

    def emit(self, instruction: Instruction) -> int:
        self.spend()
        self.code.append(instruction)
        return len(self.code) - 1

    def spend(self) -> None:
        self.positions += 1
        if self.positions >= PROGRAM_BUDGET:
            raise CompileBudgetError(f"a pattern expands to more than {PROGRAM_BUDGET} positions, the limit")

    def char(self, members: int, following: int) -> int:
        """Reads a character of this set."""
        known = self.chars.get((members, following))
        if known is None:
            known = self.chars[members, following] = self.emit(Char(members, following))
        else:
            self.spend()
        return known

    def split(self, targets: Iterable[int]) -> int:
        """Goes on at any of these instructions."""
        distinct = tuple(dict.fromkeys(targets))
        known = distinct[0] if len(distinct) == 1 else self.splits.get(distinct)
        if known is None:
            known = self.splits[distinct] = self.emit(Split(list(distinct)))
        else:
            self.spend()
        return known

    def number(self, members: CodePoints) -> int:
        return self.sets.setdefault(members, len(self.sets))

    def compile(self, term: regex.Regex, following: int) -> int:
        """The first instruction of ``term``, which goes on at ``following``."""
        match term:
            case regex.Chars(members):
                return self.char(self.number(members), following)
            case regex.Sequence(parts):
                for part in reversed(parts):
                    following = self.compile(part, following)
                return following
            case regex.Choice(options):
                return self.split([self.compile(option, following) for option in options])
            case regex.Repeat(body, minimum, maximum):
                return self.repeat(body, minimum, maximum, following)
            case regex.Edge(before, at_start, after, at_end):
                return self.emit(Edge(self.number(before), at_start, self.number(after), at_end, following))
            case regex.Look(body, negative):
                return self.emit(Look(self.compile(body, MATCH), negative, following))
            case _:
                assert_never(term)

    def repeat(self, body: regex.Regex, minimum: int, maximum: int | None, following: int) -> int:
        if max(minimum, maximum or 0) > PROGRAM_BUDGET:
            raise CompileBudgetError(
                f"a pattern repeats something {minimum} times or more, the limit is {PROGRAM_BUDGET}"
            )
        entry = following
        if maximum is None:
            loop = Split([following])
            entry = self.emit(loop)
            loop.targets.append(self.compile(body, entry))
        else:
            for _ in range(maximum - minimum):
                entry = self.split([self.compile(body, entry), following])
        for _ in range(minimum):
            entry = self.compile(body, entry)
        return entry
