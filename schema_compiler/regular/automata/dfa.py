"""Deterministic finite automata over bytes: the languages of leaf rules.

A leaf rule (a string's text, a number, white space, a pattern) calls no other rule, so it is a plain DFA. Every
state of a ``Dfa`` can still reach acceptance, which makes "the next byte is legal" one table look-up.

Every operation returns the minimal automaton in canonical numbering: two languages are equal exactly when their
tables are (``digest``). Example: the texts ``ab`` and ``cb``, without ``cb``::

    difference(union(literal(b"ab"), literal(b"cb")), literal(b"cb")).shortest() == b"ab"
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

import numpy as np
from mypy_extensions import mypyc_attr

from schema_compiler.regular.automata.explore import STATE_BUDGET, Table, explore
from schema_compiler.regular.automata.minimize import Flags, Integers, minimize

__all__ = ["Dfa", "canonical", "crawl", "empty", "literal"]


State = TypeVar("State", bound=Hashable)


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True, eq=False)
class Dfa:
    """A trimmed DFA; the start state is 0. The empty language is one state without edges that does not accept.

    ``table``: int32 ``[states, 256]``, the next state or -1. ``accepting``: bool ``[states]``.
    ``boundary``: bool ``[states]``, true where reading a byte that does not end the text begins a new character
    of a JSON string; all false outside strings. It is what length counters count.
    """

    table: Table
    accepting: Flags
    boundary: Flags

    def __len__(self) -> int:
        """The number of states."""
        return len(self.table)

    @property
    def is_empty(self) -> bool:
        """Whether no text at all is accepted."""
        return len(self.table) == 1 and not self.accepting[0]

    @property
    def digest(self) -> bytes:
        """16 bytes that identify the language and its boundaries, the same in every process.

        Neighbouring bytes mostly lead to the same place, so that only where they do not is read.
        """
        table = np.ascontiguousarray(self.table, "<i4")
        changes = table[:, 1:] != table[:, :-1]
        content = blake2b(len(table).to_bytes(8, "little"), digest_size=16)
        for part in (np.packbits(changes), table[:, 0], table[:, 1:][changes], self.accepting, self.boundary):
            content.update(part.tobytes())
        return content.digest()

    def accepts(self, text: bytes) -> bool:
        """Whether ``text`` as a whole is in the language."""
        state = 0
        for byte in text:
            state = int(self.table[state, byte])
            if state < 0:
                return False
        return bool(self.accepting[state])

    def shortest(self) -> bytes:
        """The shortest text of the language, the first in byte order; ``ValueError`` when it is empty."""
        texts = {0: b""}
        queue = [0]
        for state in queue:
            if self.accepting[state]:
                return texts[state]
            row = self.table[state]
            for byte in np.flatnonzero(row >= 0).tolist():
                target = int(row[byte])
                if target not in texts:
                    texts[target] = texts[state] + bytes((byte,))
                    queue.append(target)
        raise ValueError("the empty language has no shortest text")


def canonical(table: Table, accepting: Flags, boundary: Flags, classes: Integers | None = None) -> Dfa:
    """The minimal ``Dfa`` of any table that starts in state 0.

    ``table``: int32 ``[states, 256]``, or ``[states, n]`` with the column of every byte in ``classes``, intp ``[256]``,
    first columns first.
    """
    minimal, origin = minimize(table, accepting, accepting + 2 * boundary)
    wide = minimal if classes is None else minimal.take(classes, axis=1)
    return Dfa(wide, accepting[origin], boundary[origin])


def crawl(
    start: State,
    follow: Callable[[State], Iterable[tuple[Sequence[int], State]]],
    accepting: Callable[[State], bool],
    *,
    boundary: Callable[[State], bool] = lambda _: False,
    limit: int = STATE_BUDGET,
) -> Dfa:
    """The language of the automaton that ``follow`` describes; see ``explore``."""
    table, states = explore(start, follow, width=256, limit=limit)
    return canonical(
        table,
        np.fromiter(map(accepting, states), np.bool_, len(states)),
        np.fromiter(map(boundary, states), np.bool_, len(states)),
    )


def empty() -> Dfa:
    """The language without any text."""
    return crawl(0, lambda _: (), lambda _: False)


def literal(text: bytes) -> Dfa:
    """The language of this one text."""
    return crawl(
        0,
        lambda at: [((text[at],), at + 1)] if at < len(text) else (),
        lambda at: at == len(text),
        limit=len(text) + 1,
    )
