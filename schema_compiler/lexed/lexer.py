r"""Maximal munch as one automaton: where a lexeme may end, and what that promises about the text behind it.

A lexer takes the longest match, so where a lexeme ends depends on what follows: after ``1.`` the lexeme may go on as
``1.5``, or have been ``1`` before ``..``. Instead of remembering text and going back, a *configuration* is a state of
the automaton of all terminals, and promises: lexemes that were said to have ended must not turn out longer. A
lexeme that ends at state ``q`` leads to the start of the next one with one more promise, "no match longer than at
``q``"; a promise is kept once the longer match is out of reach, and a configuration that breaks one does not exist::

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
"""The symbol, beside the bytes, for "the lexeme ends here"."""

_Kind = tuple[int, ...]  # terminals
_Threads = tuple[tuple[int, int], ...]  # (terminal, state of its automaton)


@dataclass(frozen=True, slots=True, eq=False)
class Lexer:
    """The configurations; 0 is the start of the text.

    ``table``: int32 ``[configurations, 256]``, the next one or -1. ``label``: int32, the kind of a lexeme that ends
    here, or -1; ``kinds``: the terminals that each may be, of which the first that the parser takes wins. ``after``:
    int32, the configuration behind that lexeme, or -1. ``fresh``: whether no lexeme has begun. ``reach``: bit sets of
    the terminals that may come next, of the lexeme begun or behind ignored ones; ``end``, one bit more, for the end of
    the text.
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

    ``ignored``: terminals that the parser never sees. ``contextual``: a lexeme may be any terminal that matches it.

    Raises ``GrammarError`` when a terminal matches the empty text.
    """
    for number, dfa in enumerate(languages):
        if dfa.accepting[0]:
            raise GrammarError(f"expected terminals that match some text, found that number {number} matches none")
    table, labels, kinds = _joined(languages, contextual)
    return _promised(table, labels, kinds, ignored, len(languages))


def _joined(languages: Sequence[Dfa], contextual: bool) -> tuple[Table, list[int], list[_Kind]]:
    """All terminals side by side: the minimal table, for each state the number of its kind, or -1, and the kinds."""
    representatives, classes = columns(np.concatenate([dfa.table for dfa in languages]))
    rows = [dfa.table[:, representatives].tolist() for dfa in languages]
    accepting = [dfa.accepting.tolist() for dfa in languages]

    def follow(threads: _Threads) -> Iterator[tuple[Sequence[int], _Threads]]:
        alive = [(terminal, rows[terminal][state]) for terminal, state in threads]
        for symbol in range(len(representatives)):
            following = tuple((terminal, row[symbol]) for terminal, row in alive if row[symbol] >= 0)
            if following:
                yield (symbol,), following

    start = tuple((terminal, 0) for terminal, dfa in enumerate(languages) if not dfa.is_empty)
    narrow, states = explore(start, follow, width=len(representatives))
    matches = [tuple(t for t, state in threads if accepting[t][state]) for threads in states]
    found = [match if contextual else match[:1] for match in matches]
    kinds = list(dict.fromkeys(kind for kind in found if kind))
    numbers = {(): -1} | {kind: number for number, kind in enumerate(kinds)}
    labels = np.array([numbers[kind] for kind in found])
    minimal, origin = minimize(narrow[:, classes], labels >= 0, labels + 1)
    return minimal, labels[origin].tolist(), kinds


def _promised(
    table: Table, labels: Sequence[int], kinds: Sequence[_Kind], ignored: AbstractSet[int], terminals: int
) -> Lexer:
    """The configurations over a table of lexemes; a kind of their own labels those in which no lexeme has begun."""
    promised, promise_of = _unlabelled(table, labels)
    breaks = {promise_of[state] for state, label in enumerate(labels) if label >= 0}
    representatives, classes = columns(np.concatenate([table, promised]))
    groups = [np.flatnonzero(classes == number).tolist() for number in range(len(representatives))]
    rows, steps = table[:, representatives].tolist(), promised[:, representatives].tolist()
    start = _Configuration(0, frozenset(), True)

    def follow(here: _Configuration) -> Iterator[tuple[Sequence[int], _Configuration]]:
        outcomes: dict[tuple[int, ...], list[int]] = {}
        moves = zip(rows[here.state], *(steps[promise] for promise in here.promises), strict=True)
        for group, outcome in zip(groups, moves, strict=True):
            outcomes.setdefault(outcome, []).extend(group)
        for (target, *kept), symbols in outcomes.items():
            promises = frozenset(kept) - {-1}
            if target >= 0 and breaks.isdisjoint(promises):
                yield symbols, _Configuration(target, promises, False)
        if not here.fresh and labels[here.state] >= 0:
            yield (_ENDING,), _Configuration(0, here.promises | {promise_of[here.state]}, True)

    wide, found = explore(start, follow, width=_ENDING + 1)
    fresh = len(kinds)
    label = np.array([fresh if each.fresh else labels[each.state] for each in found])
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
    state: int
    promises: frozenset[int]
    fresh: bool


def _unlabelled(table: Table, labels: Sequence[int]) -> tuple[Table, list[int]]:
    """The minimal table that only knows whether some lexeme ends, and the state of it that each state stands for."""
    accepting = np.array(labels) >= 0
    minimal, _ = minimize(table, accepting, accepting.astype(np.int_))
    stands = [0] * len(table)
    queue = [0]
    seen = {0}
    for state in queue:
        symbols = np.flatnonzero(table[state] >= 0)
        moves = zip(table[state, symbols].tolist(), minimal[stands[state], symbols].tolist(), strict=True)
        for target, promise in moves:
            if target not in seen:
                seen.add(target)
                stands[target] = promise
                queue.append(target)
    return minimal, stands


def _reach(wide: Table, kinds: Sequence[_Kind], ignored: AbstractSet[int]) -> tuple[int, ...]:
    """For each state the terminals of the states that may follow, itself included, ignored lexemes skipped."""
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
