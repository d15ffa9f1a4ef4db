"""The parser: LR stacks as persistent lists, and which terminals each of them takes.

A stack is a state and the stack below it, kept once however often it is reached, so a longer text costs no more than
a short one, and forking a parser is copying a reference. A terminal is acceptable when its reductions end in a
shift; the look-ahead sets of LALR alone would promise too much. Example, ``sum: sum "+" NUMBER | NUMBER``::

    stack  NUMBER          "+" reduces to sum, then shifts:  sum "+"
    stack  sum "+" NUMBER  "+" reduces to sum, then shifts:  the same stack again
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from schema_compiler.lexed.lark_tables import LexedGrammar
from schema_compiler.lexed.lr_completion import Endings
from schema_compiler.lexed.lr_stack import Stack

__all__ = ["LrParser", "Parser", "Place", "first_taken"]

Place = TypeVar("Place", bound=Hashable)
"""Where a parser stands."""


class Parser(Protocol[Place]):
    """What an engine asks of a parser; places are where it may stand."""

    @property
    def start(self) -> Place:
        """Before the text."""

    def feed(self, place: Place, terminal: int) -> Place | None:
        """The place behind a terminal, the same one for an ignored terminal; ``None`` where it may not stand."""

    def takes(self, place: Place, terminals: int) -> bool:
        """Whether one of a bit set of terminals, ignored ones aside, may come next; the end of the text is one."""

    def ignores(self, place: Place, terminal: int) -> bool:
        """Whether a terminal has no meaning here."""

    def ending(self, place: Place) -> Sequence[int]:
        """A short sequence of terminals that completes the text."""

    @property
    def size(self) -> int:
        """How many moves are remembered."""


class LrParser:
    """Follows LALR(1) tables."""

    def __init__(self, grammar: LexedGrammar) -> None:
        self._grammar = grammar
        self._lengths = [len(rule.symbols) for rule in grammar.rules]
        self._end = len(grammar.terminals)
        self._endings = Endings(grammar)
        self._ignored = sum(1 << number for number, terminal in enumerate(grammar.terminals) if terminal.ignored)
        self._shifts = [_bits(row, lambda move: move >= 0) for row in grammar.actions]
        self._reduces = [_bits(row, lambda move: move < 0) for row in grammar.actions]
        self.start = Stack(grammar.start, None)
        self.size = 0

    def feed(self, place: Stack, terminal: int) -> Stack | None:
        """The stack behind a terminal: reduce while the tables say so, then shift."""
        if self._ignored >> terminal & 1:
            return place
        if terminal not in place.following:
            place.following[terminal] = self._shift(place, terminal)
            self.size += 1
        return place.following[terminal]

    def _shift(self, stack: Stack, terminal: int) -> Stack | None:
        while True:
            action = self._grammar.actions[stack.state].get(terminal)
            if action is None:
                return None
            if action >= 0:
                return stack.push(action)
            stack = self.reduce(stack, ~action)
            if terminal == self._end and stack.state == self._grammar.end:
                return stack

    def reduce(self, stack: Stack, rule: int) -> Stack:
        """The stack after replacing a rule's symbols by the rule."""
        below = stack.pop(self._lengths[rule])
        return below.push(self._grammar.gotos[below.state][self._grammar.rules[rule].origin])

    def ignores(self, place: Stack, terminal: int) -> bool:  # noqa: ARG002  # the place matters to other parsers
        """Whether the grammar ignores the terminal."""
        return bool(self._ignored >> terminal & 1)

    def ending(self, place: Stack) -> Sequence[int]:
        """As short as the grammar alone can tell; conflicts that were decided by shifting may get in its way."""
        return self._endings.of(place)

    def takes(self, place: Stack, terminals: int) -> bool:
        """Whether the reductions of one of the terminals end in a shift."""
        if terminals & self._shifts[place.state]:
            return True
        uncertain = terminals & self._reduces[place.state]
        while uncertain:
            terminal = uncertain.bit_length() - 1
            if self.feed(place, terminal) is not None:
                return True
            uncertain ^= 1 << terminal
        return False


def first_taken(parser: Parser[Place], place: Place, terminals: Iterable[int]) -> tuple[int, Place] | None:
    """The first of the terminals that may come next, and the place behind it."""
    for terminal in terminals:
        following = parser.feed(place, terminal)
        if following is not None:
            return terminal, following
    return None


def _bits(row: Mapping[int, int], wanted: Callable[[int], bool]) -> int:
    return sum(1 << terminal for terminal, move in row.items() if wanted(move))
