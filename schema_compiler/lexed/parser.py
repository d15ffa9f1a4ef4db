"""The parser: which terminals an LR stack takes, and the stack behind each.

The tables of LALR(1) say "reduce" for terminals that turn out illegal a few reductions later: their look-ahead sets are
unions over contexts. So a terminal is taken to be legal when its reductions end in a shift, which the stack decides.
Example, ``sum: sum "+" NUMBER | NUMBER``::

    stack  NUMBER          "+" reduces to sum, then shifts:  sum "+"
    stack  sum "+" NUMBER  "+" reduces to sum, then shifts:  sum "+", the same stack again
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from schema_compiler.lexed.lark_tables import LexedGrammar
from schema_compiler.lexed.lr_completion import LrCompletion
from schema_compiler.lexed.lr_stack import Stack

__all__ = ["LrParser", "Parser", "ParserState", "first_taken"]

ParserState = TypeVar("ParserState", bound=Hashable)
"""A state of a parser: all that it knows of the terminals read so far."""


class Parser(Protocol[ParserState]):
    """What an engine asks of a parser. Terminals are numbers, sets of them are bit sets."""

    @property
    def start(self) -> ParserState:
        """The state before the text."""

    def feed(self, state: ParserState, terminal: int) -> ParserState | None:
        """The state behind a terminal, the same one for an ignored terminal; ``None`` where it may not stand."""

    def takes(self, state: ParserState, terminals: int) -> bool:
        """Whether one of a bit set of terminals, ignored ones aside, may come next; the end of the text is one."""

    def ignores(self, state: ParserState, terminal: int) -> bool:
        """Whether a terminal has no meaning in a state."""

    def completion(self, state: ParserState) -> Sequence[int]:
        """A short sequence of terminals that completes the text."""

    @property
    def size(self) -> int:
        """How many moves are remembered."""


class LrParser:
    """Follows LALR(1) tables. ``size``: how many moves from a stack behind a terminal are remembered."""

    def __init__(self, grammar: LexedGrammar) -> None:
        self._grammar = grammar
        self._lengths = [len(rule.symbols) for rule in grammar.rules]
        self._end = len(grammar.terminals)
        self._completion = LrCompletion(grammar)
        self._ignored = sum(1 << number for number, terminal in enumerate(grammar.terminals) if terminal.ignored)
        self._shifts = [_bit_set(row, lambda action: action >= 0) for row in grammar.actions]
        self._reduces = [_bit_set(row, lambda action: action < 0) for row in grammar.actions]
        self.start = Stack(grammar.start, None)
        self.size = 0

    def feed(self, stack: Stack, terminal: int) -> Stack | None:
        """The stack behind a terminal: reduce while the tables say so, then shift."""
        if self._ignored >> terminal & 1:
            return stack
        if terminal not in stack.following:
            stack.following[terminal] = self._shift(stack, terminal)
            self.size += 1
        return stack.following[terminal]

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

    def ignores(self, stack: Stack, terminal: int) -> bool:  # noqa: ARG002  # other parsers ask their state
        """Whether the grammar ignores the terminal."""
        return bool(self._ignored >> terminal & 1)

    def completion(self, stack: Stack) -> Sequence[int]:
        """As short as the grammar alone can tell; conflicts that were decided by shifting may get in its way."""
        return self._completion.of(stack)

    def takes(self, stack: Stack, terminals: int) -> bool:
        """Whether the reductions of one of the terminals end in a shift."""
        if terminals & self._shifts[stack.state]:
            return True
        uncertain = terminals & self._reduces[stack.state]
        while uncertain:
            terminal = uncertain.bit_length() - 1
            if self.feed(stack, terminal) is not None:
                return True
            uncertain ^= 1 << terminal
        return False


def first_taken(
    parser: Parser[ParserState], state: ParserState, terminals: Iterable[int]
) -> tuple[int, ParserState] | None:
    """The first of the terminals that may come next, and the state behind it; ``None`` if none may."""
    for terminal in terminals:
        following = parser.feed(state, terminal)
        if following is not None:
            return terminal, following
    return None


def _bit_set(actions: Mapping[int, int], wanted: Callable[[int], bool]) -> int:
    """The terminals with a wanted action."""
    return sum(1 << terminal for terminal, action in actions.items() if wanted(action))
