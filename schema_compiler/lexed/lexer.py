r"""Maximal munch as one automaton: where a lexeme may end, and what that promises about the text behind it.

A lexer takes the longest match, so where a lexeme ends depends on what follows: after ``1.`` the lexeme may go on as
``1.5``, or have been ``1`` before ``..``. Instead of remembering text and going back, the lexer guesses that a lexeme
ends, and promises that no longer one matches. A *configuration* is a state of the automaton of all terminals, and the
promises still open. A lexeme that ends at state ``q`` leads to the start of the next one with one more promise, "no
match longer than at ``q``". A promise is fulfilled once the longer match is out of reach; a configuration that breaks
one does not exist::

    INT: /[0-9]+/  FLOAT: /[0-9]+\.[0-9]+/  RANGE: ".."        text  1.
        continuing  FLOAT after its point, no promises
        ended       RANGE after its first point, promising that FLOAT does not match

Configurations are finitely many, so they form one table. What SynCode (arXiv 2403.01632, section 4.2) calls the
remainder and its two cases, continued or complete, are configurations here. Equal lengths go to the terminal that
comes first, or to the first that the parser takes (Lark's contextual lexer).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from schema_compiler.errors import GrammarError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.explore import Table, explore
from schema_compiler.regular.automata.minimize import columns, minimize

__all__ = ["Lexer", "lexer_of"]

_ENDING = 256
"""The symbol, beside the 256 bytes, for "the lexeme ends here"."""

_Kind = tuple[int, ...]
"""The terminals that a lexeme may be, in order of precedence."""
_TerminalStates = tuple[tuple[int, int], ...]
"""Terminals that a lexeme may still become, and the state of the automaton of each."""


@dataclass(frozen=True, slots=True, eq=False)
class Lexer:
    """The configurations, as tables by their numbers; 0 is the start of the text.

    ``table``: int32 ``[configurations, 256]``, the configuration behind each byte, or -1.
    ``label``: int32 ``[configurations]``, the kind of a lexeme that ends here, or -1.
    ``kinds``: for each kind the terminals that the lexeme may be; the first that the parser takes wins.
    ``after``: int32 ``[configurations]``, the configuration behind a lexeme that ends here, or -1.
    ``fresh``: whether no lexeme has begun.
    ``reach``: bit sets of the terminals that may come next, of the lexeme begun or behind ignored ones.
    ``end``: the bit in ``reach``, beside those of the terminals, for the end of the text.
    """

    table: Table
    label: npt.NDArray[np.int32]
    kinds: tuple[_Kind, ...]
    after: npt.NDArray[np.int32]
    fresh: tuple[bool, ...]
    reach: tuple[int, ...]
    end: int

    def __len__(self) -> int:
        """The number of configurations."""
        return len(self.table)


def lexer_of(languages: Sequence[Dfa], ignored: AbstractSet[int], *, contextual: bool = False) -> Lexer:
    """The lexer of terminals in order of precedence; the empty language for those that no text has.

    ``ignored``: terminals that the parser never sees. ``contextual``: a lexeme may be any terminal that matches it;
    else it is the first of them.
    Raises ``GrammarError`` when a terminal matches the empty text, or ``CompileBudgetError``.
    """
    for number, dfa in enumerate(languages):
        if dfa.accepting[0]:
            raise GrammarError(f"expected terminals that do not match the empty text, found that number {number} does")
    table, labels, kinds = _join_terminals(languages, contextual)
    return _add_promises(table, labels, kinds, ignored, len(languages))


def _join_terminals(languages: Sequence[Dfa], contextual: bool) -> tuple[Table, list[int], list[_Kind]]:
    """All terminals side by side: the minimal table, for each state the number of its kind, or -1, and the kinds."""
    representatives, classes = columns(np.concatenate([dfa.table for dfa in languages]))
    rows = [dfa.table[:, representatives].tolist() for dfa in languages]
    accepting = [dfa.accepting.tolist() for dfa in languages]

    def follow(here: _TerminalStates) -> Iterator[tuple[Sequence[int], _TerminalStates]]:
        alive = [(terminal, rows[terminal][state]) for terminal, state in here]
        for symbol in range(len(representatives)):
            following = tuple((terminal, row[symbol]) for terminal, row in alive if row[symbol] >= 0)
            if following:
                yield (symbol,), following

    start = tuple((terminal, 0) for terminal, dfa in enumerate(languages) if not dfa.is_empty)
    narrow, states = explore(start, follow, width=len(representatives))
    matching = [tuple(terminal for terminal, state in here if accepting[terminal][state]) for here in states]
    kind_of = [terminals if contextual else terminals[:1] for terminals in matching]
    kinds = list(dict.fromkeys(kind for kind in kind_of if kind))
    numbers = {(): -1} | {kind: number for number, kind in enumerate(kinds)}
    labels = np.array([numbers[kind] for kind in kind_of])
    minimal, origin = minimize(narrow[:, classes], labels >= 0, labels + 1)
    return minimal, labels[origin].tolist(), kinds


def _add_promises(
    table: Table, labels: Sequence[int], kinds: Sequence[_Kind], ignored: AbstractSet[int], terminals: int
) -> Lexer:
    """The configurations over a table of lexemes; a kind of their own labels those in which no lexeme has begun.

    A promise is the state that the lexeme said to have ended would be in, had it gone on: -1 fulfils it, an accepting
    state breaks it.
    """
    promise_table, promise_of = _promise_table(table, labels)
    broken = {promise_of[state] for state, label in enumerate(labels) if label >= 0}
    representatives, classes = columns(np.concatenate([table, promise_table]))
    groups = [np.flatnonzero(classes == number).tolist() for number in range(len(representatives))]
    rows, steps = table[:, representatives].tolist(), promise_table[:, representatives].tolist()
    start = _Configuration(0, frozenset(), True)

    def follow(here: _Configuration) -> Iterator[tuple[Sequence[int], _Configuration]]:
        outcomes: dict[tuple[int, ...], list[int]] = {}
        moves = zip(rows[here.state], *(steps[promise] for promise in here.promises), strict=True)
        for group, outcome in zip(groups, moves, strict=True):
            outcomes.setdefault(outcome, []).extend(group)
        for (target, *onward), symbols in outcomes.items():
            promises = frozenset(onward) - {-1}
            if target >= 0 and broken.isdisjoint(promises):
                yield symbols, _Configuration(target, promises, False)
        if not here.fresh and labels[here.state] >= 0:
            yield (_ENDING,), _Configuration(0, here.promises | {promise_of[here.state]}, True)

    wide, configurations = explore(start, follow, width=_ENDING + 1)
    fresh = len(kinds)
    label = np.array([fresh if each.fresh else labels[each.state] for each in configurations])
    minimal, origin = minimize(wide, label >= 0, label + 1)
    label = label[origin]
    return Lexer(
        np.ascontiguousarray(minimal[:, :_ENDING]),
        np.where(label == fresh, -1, label).astype(np.int32),
        tuple(kinds),
        np.ascontiguousarray(minimal[:, _ENDING]),
        tuple((label == fresh).tolist()),
        _reach(minimal, [(*kinds, (terminals,), ())[number] for number in label.tolist()], ignored),
        1 << terminals,
    )


@dataclass(frozen=True, slots=True)
class _Configuration:
    """A state of the table of lexemes, the promises still open, and whether no lexeme has begun."""

    state: int
    promises: frozenset[int]
    fresh: bool


def _promise_table(table: Table, labels: Sequence[int]) -> tuple[Table, list[int]]:
    """The minimal table that only knows whether some lexeme ends, and for each state of ``table`` the state there.

    Promises do not care which terminal matches; in this smaller table more of them are equal.
    """
    accepting = np.array(labels) >= 0
    minimal, _ = minimize(table, accepting, accepting.astype(np.int_))
    promise_of = [0] * len(table)
    queue = [0]
    seen = {0}
    for state in queue:
        symbols = np.flatnonzero(table[state] >= 0)
        moves = zip(table[state, symbols].tolist(), minimal[promise_of[state], symbols].tolist(), strict=True)
        for target, promise in moves:
            if target not in seen:
                seen.add(target)
                promise_of[target] = promise
                queue.append(target)
    return minimal, promise_of


def _reach(wide: Table, kinds: Sequence[_Kind], ignored: AbstractSet[int]) -> tuple[int, ...]:
    """For each configuration the bit set of the terminals that may come next, ignored lexemes skipped.

    ``wide``: int32 ``[configurations, 257]``, what follows each byte and the end of the lexeme. The sets flow backwards
    along it until nothing changes.
    """
    sources: list[list[int]] = [[] for _ in kinds]
    for state, (*row, after) in enumerate(wide.tolist()):
        for target in {*row, -1 if ignored.isdisjoint(kinds[state]) else after} - {-1}:
            sources[target].append(state)
    reach = [sum(1 << terminal for terminal in kind if terminal not in ignored) for kind in kinds]
    queue = list(range(len(kinds)))
    for state in queue:
        for source in sources[state]:
            if reach[state] & ~reach[source]:
                reach[source] |= reach[state]
                queue.append(source)
    return tuple(reach)
