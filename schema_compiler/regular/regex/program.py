"""Programs for regular expressions: what a thread does next (Thompson, Regular Expression Search Algorithm, 1968).

A program is written from the end of a term to its start, so that each instruction knows what follows it. Equal
instructions are written once, so that alternatives share how they end, and so do the states of the automaton. The term
``ab|cb`` is four instructions, as ``b`` is written once::

    0  Match
    1  Char b, then 0
    2  Char a, then 1
    3  Char c, then 1
    4  Split 2, 3                 the first instruction
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.regex import syntax
from schema_compiler.regular.text.codepoints import CodePoints

__all__ = ["MATCH", "Char", "Edge", "Look", "Match", "Program", "Split"]

PROGRAM_BUDGET = 50_000
"""The most instructions of a program, each counted as often as a term asks for it: ``(a{1000}){1000}`` is refused.

Chosen, not measured. A set of instructions is an integer of so many bits, 6 kB at the most.
"""

MATCH = 0
"""The number of the first instruction of every program."""


@dataclass(frozen=True, slots=True)
class Char:
    """Read a character of set number ``members``."""

    members: int
    following: int


@dataclass(slots=True)
class Split:
    """Go on at every target. The targets of a loop are filled in once its body is written."""

    targets: list[int]


@dataclass(frozen=True, slots=True)
class Edge:
    """Go on if the neighbouring characters are in these sets: a ``syntax.Edge`` with its sets by number."""

    before: int
    at_start: bool
    after: int
    at_end: bool
    following: int


@dataclass(frozen=True, slots=True)
class Look:
    """Go on with a pending look-ahead: a ``syntax.Look`` whose run begins at the instruction ``body``."""

    body: int
    negative: bool
    following: int


@dataclass(frozen=True, slots=True)
class Match:
    """The text matches, whatever follows."""


_Instruction: TypeAlias = Char | Split | Edge | Look | Match


@dataclass(slots=True)
class Program:
    """Instructions by number (``code``), and the numbers of the sets of characters that they ask for (``sets``).

    ``chars`` and ``splits`` are the instructions by what is in them, ``positions`` counts instructions as often as they
    are asked for.
    """

    code: list[_Instruction] = field(default_factory=lambda: [Match()])
    sets: dict[CodePoints, int] = field(default_factory=dict)
    chars: dict[tuple[int, int], int] = field(default_factory=dict)
    splits: dict[tuple[int, ...], int] = field(default_factory=dict)
    positions: int = 0

    def emit(self, instruction: _Instruction) -> int:
        """Write a new instruction: its number."""
        self.count()
        self.code.append(instruction)
        return len(self.code) - 1

    def count(self) -> None:
        """Count one instruction, written now or before; ``CompileBudgetError`` beyond ``PROGRAM_BUDGET``."""
        self.positions += 1
        if self.positions >= PROGRAM_BUDGET:
            raise CompileBudgetError(f"a pattern expands to more than {PROGRAM_BUDGET} positions, the limit")

    def char(self, members: int, following: int) -> int:
        """The instruction that reads a character of set number ``members`` and goes on at ``following``."""
        number = self.chars.get((members, following))
        if number is None:
            number = self.chars[members, following] = self.emit(Char(members, following))
        else:
            self.count()
        return number

    def split(self, targets: Iterable[int]) -> int:
        """The instruction that goes on at each of ``targets``; where there is but one, this one."""
        distinct = tuple(dict.fromkeys(targets))
        number = distinct[0] if len(distinct) == 1 else self.splits.get(distinct)
        if number is None:
            number = self.splits[distinct] = self.emit(Split(list(distinct)))
        else:
            self.count()
        return number

    def number(self, members: CodePoints) -> int:
        """The number of a set of characters."""
        return self.sets.setdefault(members, len(self.sets))

    def compile(self, term: syntax.Regex, following: int) -> int:
        """Write ``term``, which goes on at ``following``: the number of its first instruction.

        Raises ``CompileBudgetError`` when the program grows beyond ``PROGRAM_BUDGET``.
        """
        match term:
            case syntax.Chars(members):
                return self.char(self.number(members), following)
            case syntax.Sequence(parts):
                for part in reversed(parts):
                    following = self.compile(part, following)
                return following
            case syntax.Choice(options):
                return self.split([self.compile(option, following) for option in options])
            case syntax.Repeat(body, minimum, maximum):
                return self.repeat(body, minimum, maximum, following)
            case syntax.Edge(before, at_start, after, at_end):
                return self.emit(Edge(self.number(before), at_start, self.number(after), at_end, following))
            case syntax.Look(body, negative):
                return self.emit(Look(self.compile(body, MATCH), negative, following))
            case _:
                assert_never(term)

    def repeat(self, body: syntax.Regex, minimum: int, maximum: int | None, following: int) -> int:
        """Write ``body`` as often as it is repeated, or as a loop, from the last time to the first."""
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
