"""A Lark grammar as plain tables: terminals in order of precedence, and the LALR(1) automaton over their numbers.

Programming languages are defined in two steps, a lexer and a parser, and Lark has both a notation for them and the
LALR construction (DeRemer and Pennello, 1982). Only this module knows the library; what leaves it are integers and
names::

    start: NAME "=" NUMBER          terminals  EQUAL, NAME, NUMBER: 0, 1, 2   end of text: 3
                                    actions    ..., {1: 2}, {0: 0}, ...       state 1 shifts a NAME, to state 2
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schema_compiler.errors import GrammarError

if TYPE_CHECKING:
    from lark import Lark
    from lark.lexer import TerminalDef

__all__ = ["LexedGrammar", "Rule", "Terminal", "read_lark"]

_END = "$END"
"""Lark's name for the end of the text."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A kind of lexeme. ``regex``: in Python's notation; ``None`` for one that no text has (``%declare``)."""

    name: str
    regex: str | None
    ignored: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """A production of the rule ``origin``; symbols are numbers of terminals, and names of rules."""

    origin: str
    symbols: tuple[int | str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LexedGrammar:
    """Terminals and LALR(1) tables.

    ``terminals``: where two match the same text, the earlier one wins. Number ``len(terminals)`` is the text's end.
    ``actions[state][terminal]``: the state to shift to, or ``~rule`` to reduce.
    ``gotos[state][origin]``: the state after a reduction.
    ``start``, ``end``: the first state, and the one in which the text may end.
    """

    terminals: tuple[Terminal, ...]
    rules: tuple[Rule, ...]
    actions: tuple[Mapping[int, int], ...]
    gotos: tuple[Mapping[str, int], ...]
    start: int
    end: int

    def number(self, name: str) -> int:
        """The number of a terminal. Raises ``GrammarError`` when there is none of that name."""
        for number, terminal in enumerate(self.terminals):
            if terminal.name == name:
                return number
        known = ", ".join(sorted(terminal.name for terminal in self.terminals))
        raise GrammarError(f"expected the name of a terminal, found {name!r}; the grammar has {known}")


def read_lark(grammar: str | Path, start: str) -> LexedGrammar:
    """Read a grammar in Lark's notation, as text or from a file.

    Shift/reduce conflicts shift, as Lark does. Raises ``GrammarError`` when Lark refuses the grammar (its message has
    line and column), a rule can never end, or the package ``lark`` is not installed.
    """
    try:
        from lark import Lark
        from lark.exceptions import LarkError
    except ImportError as error:
        raise GrammarError("expected the package lark for a lexed language: install the extra 'grammars'") from error
    options: dict[str, Any] = {"parser": "lalr", "lexer": "basic", "start": start}
    try:
        lark = Lark.open(str(grammar), **options) if isinstance(grammar, Path) else Lark(grammar, **options)
    except (LarkError, OSError, re.error) as error:
        raise GrammarError(f"expected an LALR(1) grammar in Lark's notation, found {error}") from error
    return _tables(lark, start)


def _tables(lark: Lark, start: str) -> LexedGrammar:
    table = lark.parser.parser._parse_table  # Lark has no public name for it
    origins = {str(rule.origin.name) for rule in lark.rules}
    terminals = [_terminal(definition, lark) for definition in sorted(lark.terminals, key=_precedence)]
    numbers = {terminal.name: number for number, terminal in enumerate(terminals)}
    for name in sorted({name for row in table.states.values() for name in row} - origins - {_END, *numbers}):
        if not name.startswith("$"):  # declared, but without a pattern
            numbers[name] = len(terminals)
            terminals.append(Terminal(name, None, ignored=False))
    numbers[_END] = len(terminals)
    ids = {rule: number for number, rule in enumerate(lark.rules)}
    rules = tuple(
        Rule(str(rule.origin.name), tuple(numbers.get(symbol.name, str(symbol.name)) for symbol in rule.expansion))
        for rule in lark.rules
    )
    _check_productive(rules)
    rows = [table.states[state] for state in range(len(table.states))]
    # A shift or goto has the number of a state for its argument, a reduction a rule.
    moves = [{name: arg if isinstance(arg, int) else ~ids[arg] for name, (_, arg) in row.items()} for row in rows]
    return LexedGrammar(
        tuple(terminals),
        rules,
        tuple({numbers[name]: move for name, move in row.items() if name in numbers} for row in moves),
        tuple({str(name): move for name, move in row.items() if name in origins} for row in moves),
        table.start_states[start],
        table.end_states[start],
    )


def _terminal(definition: TerminalDef, lark: Lark) -> Terminal:
    return Terminal(definition.name, definition.pattern.to_regexp(), definition.name in lark.ignore_tokens)


def _precedence(definition: TerminalDef) -> tuple[int, bool, int, int, str]:
    """Lark's own order for equal lengths: priority, then strings before patterns (keywords before names)."""
    pattern = definition.pattern
    return (
        -definition.priority,
        pattern.type != "str",
        -pattern.max_width,
        -len(pattern.value),
        definition.name,
    )


def _check_productive(rules: Sequence[Rule]) -> None:
    """Every rule must derive some text: else the parser would lead where no text ends."""
    productive: set[int | str] = set()
    before = -1
    while before != len(productive):
        before = len(productive)
        productive.update(
            rule.origin
            for rule in rules
            if all(isinstance(symbol, int) or symbol in productive for symbol in rule.symbols)
        )
    for rule in rules:
        if rule.origin not in productive:
            raise GrammarError(f"expected every rule to derive some text, found that {rule.origin!r} never ends")
