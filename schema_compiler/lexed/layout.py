r"""Languages that indent: line ends become terminals by their column, and blocks come and go with it.

Lark's ``Indenter`` stands between lexer and parser: it measures the last line of each newline lexeme and tells the
parser of INDENT and DEDENT. For a mask that look must happen before the lexeme is there, so the newline terminal is
split beforehand, one terminal per column; which of them may come is then a question like any other::

    if x:\n····y = 1\n        columns (0, 4)      the next line may begin in column 4, or in column 0 after a DEDENT
    f(a,\n                    inside parentheses  any column, without meaning
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from schema_compiler.grammar.dfa import Dfa, difference, intersect
from schema_compiler.grammar.pattern import regex_text
from schema_compiler.lexed.parser import LrParser
from schema_compiler.lexed.source import LexedGrammar
from schema_compiler.lexed.stack import Stack

__all__ = ["Indentation", "Indented", "IndentingParser", "split_newline"]


@dataclass(frozen=True, slots=True)
class Indentation:
    """Names of the terminals that take part; the defaults are those of Lark's Python grammar.

    Lines are indented by at most ``columns`` spaces. Tabs may stand inside parentheses only.
    """

    newline: str = "_NEWLINE"
    indent: str = "_INDENT"
    dedent: str = "_DEDENT"
    opening: tuple[str, ...] = ("LPAR", "LSQB", "LBRACE")
    closing: tuple[str, ...] = ("RPAR", "RSQB", "RBRACE")
    columns: int = 40


@dataclass(frozen=True, slots=True)
class Indented:
    """A stack of the parser, the columns of the blocks that are open, and how many parentheses are."""

    stack: Stack
    columns: tuple[int, ...]
    depth: int


def split_newline(languages: Sequence[Dfa], newline: int, columns: int) -> list[Dfa]:
    """The languages with newline's replaced by one for each column from 0 on, and one for all other newlines."""
    parts = [intersect(languages[newline], regex_text(rf"(?s:.*)\n {{{column}}}")) for column in range(columns + 1)]
    rest = languages[newline]
    for part in parts:
        rest = difference(rest, part)
    return [*languages[:newline], *parts, rest, *languages[newline + 1 :]]


class IndentingParser:
    """An LR parser behind an indenter. Terminals are numbered as ``split_newline`` leaves them."""

    def __init__(self, grammar: LexedGrammar, indentation: Indentation) -> None:
        self._parser = LrParser(grammar)
        self._newline = grammar.number(indentation.newline)
        self._indent = grammar.number(indentation.indent)
        self._dedent = grammar.number(indentation.dedent)
        self._opening = {grammar.number(name) for name in indentation.opening}
        self._closing = {grammar.number(name) for name in indentation.closing}
        self._split = indentation.columns + 1
        self._end = len(grammar.terminals)
        self._terminals = self._end + self._split
        self._moves: dict[tuple[Indented, int], Indented | None] = {}
        self._accepts: dict[Indented, int] = {}
        self.start = Indented(self._parser.start, (0,), 0)

    @property
    def size(self) -> int:
        """How many moves are remembered."""
        return len(self._moves) + len(self._accepts) + self._parser.size

    def _number(self, terminal: int) -> int:
        """The grammar's number of a terminal."""
        return terminal if terminal < self._newline else max(self._newline, terminal - self._split)

    def _column(self, terminal: int) -> int:
        """The column of a newline; negative for other terminals, ``split`` for newlines that indent nothing."""
        return terminal - self._newline if self._number(terminal) == self._newline else -1

    def feed(self, place: Indented, terminal: int) -> Indented | None:
        """The place behind a terminal, after the blocks that it opens or closes."""
        key = (place, terminal)
        if key not in self._moves:
            self._moves[key] = self._fed(place, terminal)
        return self._moves[key]

    def _fed(self, place: Indented, terminal: int) -> Indented | None:
        if self.ignores(place, terminal):
            return place
        number = self._number(terminal)
        if number == self._newline:
            return self._line(place, self._column(terminal))
        if number == self._end:
            closed = self._closed(place, 0)
            return None if closed is None else self._shifted(closed, number)
        shifted = self._shifted(place, number)
        if shifted is None:
            return None
        return replace(shifted, depth=place.depth + (number in self._opening) - (number in self._closing))

    def _line(self, place: Indented, column: int) -> Indented | None:
        """The place at the beginning of the next line."""
        line = self._shifted(place, self._newline) if column < self._split else None
        if line is None:
            return None
        if column > line.columns[-1]:
            block = self._shifted(line, self._indent)
            return None if block is None else replace(block, columns=(*block.columns, column))
        return self._closed(line, column)

    def _closed(self, place: Indented, column: int) -> Indented | None:
        """The place after all blocks to the right of ``column``, if a block stands there."""
        here: Indented | None = place
        while here is not None and column < here.columns[-1]:
            outer = self._shifted(here, self._dedent)
            here = None if outer is None else replace(outer, columns=here.columns[:-1])
        return here if here is not None and column == here.columns[-1] else None

    def _shifted(self, place: Indented, number: int) -> Indented | None:
        stack = self._parser.feed(place.stack, number)
        return None if stack is None else replace(place, stack=stack)

    def ignores(self, place: Indented, terminal: int) -> bool:
        """Whether the grammar ignores the terminal, or it is a line's end inside parentheses."""
        number = self._number(terminal)
        return place.depth > 0 if number == self._newline else self._parser.ignores(place.stack, number)

    def accepts(self, place: Indented) -> int:
        """The bit set of terminals that may come next, the end of the text among them."""
        accepts = self._accepts.get(place)
        if accepts is None:
            fitting = (terminal for terminal in range(self._terminals + 1) if self.feed(place, terminal) is not None)
            accepts = self._accepts[place] = sum(1 << terminal for terminal in fitting)
        return accepts

    def ending(self, place: Indented) -> Sequence[int]:
        """The parser's ending, its blocks written as columns; blocks that are open at the end close by themselves."""
        columns = list(place.columns)
        terminals: list[int] = []
        for number in self._parser.ending(place.stack):
            if number == self._indent:
                columns.append(columns[-1] + 1)
            elif number == self._dedent and len(columns) > 1:
                columns.pop()
            else:
                terminals.append(number + self._split * (number > self._newline))
            if terminals and self._number(terminals[-1]) == self._newline:
                terminals[-1] = self._newline + columns[-1]
        return terminals
