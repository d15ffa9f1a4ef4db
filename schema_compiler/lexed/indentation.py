r"""Languages that indent: line ends become terminals by their column, and blocks come and go with it.

Lark's ``Indenter`` stands between lexer and parser: it measures the last line of each newline lexeme and tells the
parser of INDENT and DEDENT. For a mask that look must happen before the lexeme is there, so the newline terminal is
split beforehand, one terminal per column; which of them may come is then a question like any other::

    if x:\n····y = 1\n        columns (0, 4)      the next line may begin in column 4, or in column 0 after a DEDENT
    f(a,\n                    inside parentheses  any column, without meaning
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schema_compiler.lexed.lark_tables import LexedGrammar
from schema_compiler.lexed.lr_stack import Stack
from schema_compiler.lexed.parser import LrParser
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.operations import difference, intersect, union
from schema_compiler.regular.regex.language import regex_text

__all__ = ["Columns", "Indentation", "IndentedState", "IndentingParser"]


@dataclass(frozen=True, slots=True)
class Indentation:
    """Names of the terminals that take part; the defaults are those of Lark's Python grammar.

    Lines are indented by at most ``columns`` spaces: each column is a terminal with an automaton of its own. 40 is
    chosen as ten levels of four. Tabs may stand inside parentheses only.
    """

    newline: str = "_NEWLINE"
    indent: str = "_INDENT"
    dedent: str = "_DEDENT"
    opening: tuple[str, ...] = ("LPAR", "LSQB", "LBRACE")
    closing: tuple[str, ...] = ("RPAR", "RSQB", "RBRACE")
    columns: int = 40


@dataclass(frozen=True, slots=True)
class IndentedState:
    """A state of ``IndentingParser``: an LR stack, the columns of the open blocks, how many parentheses are open."""

    stack: Stack
    columns: tuple[int, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Columns:
    """How terminals are numbered once the terminal ``newline`` is split.

    Newlines come by their column, from 0 to ``last``, then all other newlines; the terminals behind move up::

        newline = 1, last = 2      grammar  0 1         2
                                   split    0 1 2 3 4   5       columns 0, 1 and 2, others
    """

    newline: int
    last: int

    def split(self, languages: Sequence[Dfa]) -> list[Dfa]:
        """The languages of the terminals so numbered, from those by the numbers of the grammar."""
        newline = languages[self.newline]
        ends = [regex_text(rf"(?s:.*)\n {{{column}}}") for column in range(self.last + 1)]
        parts = [intersect(newline, end) for end in ends]
        others = difference(newline, union(*ends))
        return [*languages[: self.newline], *parts, others, *languages[self.newline + 1 :]]

    def split_number(self, number: int) -> int:
        """The split number of the terminal that has ``number`` in the grammar; of a newline, that in column 0."""
        return number + (self.last + 1) * (number > self.newline)

    def original(self, terminal: int) -> int:
        """The number in the grammar of the terminal that has a split number."""
        return terminal if terminal < self.newline else max(self.newline, terminal - self.last - 1)

    def column(self, terminal: int) -> int | None:
        """The column of a newline; ``None`` for those that indent nothing."""
        column = terminal - self.newline
        return column if column <= self.last else None


class IndentingParser:
    """An LR parser behind an indenter. Terminals are numbered as ``Columns`` says.

    Raises ``GrammarError`` when the grammar has no terminal of a name that ``indentation`` gives.
    """

    def __init__(self, grammar: LexedGrammar, indentation: Indentation) -> None:
        self._parser = LrParser(grammar)
        self._newline = grammar.number(indentation.newline)
        self._indent = grammar.number(indentation.indent)
        self._dedent = grammar.number(indentation.dedent)
        self._opening = {grammar.number(name) for name in indentation.opening}
        self._closing = {grammar.number(name) for name in indentation.closing}
        self._columns = Columns(self._newline, indentation.columns)
        self._end = len(grammar.terminals)
        self._newlines = ((1 << indentation.columns + 2) - 1) << self._newline
        self.start = IndentedState(self._parser.start, (0,), 0)

    @property
    def size(self) -> int:
        """How many moves are remembered."""
        return self._parser.size

    def feed(self, state: IndentedState, terminal: int) -> IndentedState | None:
        """The state behind a terminal, after the blocks that it opens or closes."""
        if self.ignores(state, terminal):
            return state
        number = self._columns.original(terminal)
        if number == self._newline:
            return self._begin_line(state, self._columns.column(terminal))
        if number == self._end:
            outside = self._close_blocks(state, 0)
            return None if outside is None else self._feed_stack(outside, number)
        depth = state.depth + (number in self._opening) - (number in self._closing)
        return self._feed_stack(IndentedState(state.stack, state.columns, depth), number)

    def _begin_line(self, state: IndentedState, column: int | None) -> IndentedState | None:
        """The state at the beginning of the next line; ``None`` where it may not begin in ``column``, or has none."""
        line = self._feed_stack(state, self._newline)
        if line is None or column is None:
            return None
        if column > line.columns[-1]:
            return self._feed_stack(IndentedState(line.stack, (*line.columns, column), line.depth), self._indent)
        return self._close_blocks(line, column)

    def _close_blocks(self, state: IndentedState, column: int) -> IndentedState | None:
        """The state after all blocks to the right of ``column``, if a block stands there."""
        here: IndentedState | None = state
        while here is not None and column < here.columns[-1]:
            here = self._close_block(here)
        return here if here is not None and column == here.columns[-1] else None

    def _close_block(self, state: IndentedState) -> IndentedState | None:
        return self._feed_stack(IndentedState(state.stack, state.columns[:-1], state.depth), self._dedent)

    def _feed_stack(self, state: IndentedState, number: int) -> IndentedState | None:
        """The state with a terminal of the grammar fed to its stack."""
        stack = self._parser.feed(state.stack, number)
        return None if stack is None else IndentedState(stack, state.columns, state.depth)

    def ignores(self, state: IndentedState, terminal: int) -> bool:
        """Whether the grammar ignores the terminal, or it is a line's end inside parentheses."""
        number = self._columns.original(terminal)
        return state.depth > 0 if number == self._newline else self._parser.ignores(state.stack, number)

    def takes(self, state: IndentedState, terminals: int) -> bool:
        """Whether one of a bit set of terminals, ignored ones aside, may come next; the end of the text is one."""
        # The bits above the newlines, moved to their places in the grammar; the highest is the end of the text.
        above = terminals >> self._columns.split_number(self._newline + 1) << self._newline + 1
        plain = terminals & (1 << self._newline) - 1 | above & ~(1 << self._end)
        return (
            self._parser.takes(state.stack, plain)
            or (terminals & self._newlines and terminals & self._possible_newlines(state)) != 0
            or (above >> self._end != 0 and self.feed(state, self._columns.split_number(self._end)) is not None)
        )

    def _possible_newlines(self, state: IndentedState) -> int:
        """The bit set of newlines that may come: further right, in the same column, or in that of an outer block."""
        if state.depth:
            return self._newlines
        here = self._feed_stack(state, self._newline)
        if here is None:
            return 0
        column = here.columns[-1]
        columns = 1 << column
        if self._parser.feed(here.stack, self._indent) is not None:
            columns = (1 << self._columns.last + 1) - (1 << column)
        while len(here.columns) > 1 and (outer := self._close_block(here)) is not None:
            columns |= 1 << outer.columns[-1]
            here = outer
        return columns << self._newline

    def completion(self, state: IndentedState) -> Sequence[int]:
        """The parser's completion, its blocks written as columns; blocks open at the end close by themselves."""
        columns = list(state.columns)
        terminals: list[int] = []
        for number in self._parser.completion(state.stack):
            if number == self._indent:
                columns.append(columns[-1] + 1)
            elif number == self._dedent and len(columns) > 1:
                columns.pop()
            else:
                terminals.append(self._columns.split_number(number))
            if terminals and self._columns.original(terminals[-1]) == self._newline:
                terminals[-1] = self._newline + columns[-1]
        return terminals
