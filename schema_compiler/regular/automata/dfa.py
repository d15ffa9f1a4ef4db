"""Deterministic finite automata over bytes: the languages of leaf rules.

A leaf rule (a string's text, a number, white space, a pattern) calls no other rule, so it is a plain DFA. Every
state of a ``Dfa`` can still reach acceptance, which makes "the next byte is legal" one table look-up.

Every construction returns the minimal automaton in canonical numbering, so two languages are equal exactly when their
tables are (``digest``). Example: ``ab``, written once as a text and once as a function from states to next states::

    by_hand = crawl(0, lambda at: [(b"ab"[at : at + 1], at + 1)] if at < 2 else [], lambda at: at == 2)
    by_hand.digest == literal(b"ab").digest

Automata are combined in ``operations``, built from lists of texts in ``literals`` and asked about their texts in
``properties``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from mypy_extensions import mypyc_attr

from schema_compiler.regular.automata.explore import STATE_BUDGET, StateT, Table, explore
from schema_compiler.regular.automata.minimize import Booleans, Integers, minimize

__all__ = ["Dfa", "canonical", "crawl", "empty", "literal"]


@mypyc_attr(acyclic=True)
@dataclass(frozen=True, slots=True, eq=False)
class Dfa:
    """A trimmed DFA; the start state is 0. The empty language is one state without edges that does not accept.

    ``table``: int32 ``[states, 256]``, the next state or -1. ``accepting``: bool ``[states]``.
    ``boundary``: bool ``[states]``, true in states between two characters of a JSON string; all false outside strings.
    A byte read in such a state begins a character, unless it leads to acceptance (the closing quote). These beginnings
    are what length counters count.
    """

    table: Table
    accepting: Booleans
    boundary: Booleans

    def __len__(self) -> int:
        """The number of states."""
        return len(self.table)

    @property
    def is_empty(self) -> bool:
        """Whether no text at all is accepted."""
        return len(self.table) == 1 and not self.accepting[0]

    @property
    def digest(self) -> bytes:
        """16 bytes that identify the language and its boundaries, equal in every process.

        Neighbouring bytes mostly lead to the same state, so only the first entry and the changes of a row are hashed.
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


def canonical(table: Table, accepting: Booleans, boundary: Booleans, classes: Integers | None = None) -> Dfa:
    """The minimal ``Dfa`` of any table that starts in state 0; states that differ in ``boundary`` stay apart.

    ``table``: int32 ``[states, 256]``; or, with ``classes`` (intp ``[256]``, the column of every byte), int32
    ``[states, columns]``, where columns are numbered in the order of their first bytes.
    """
    minimal, origin = minimize(table, accepting, accepting + 2 * boundary)
    wide = minimal if classes is None else minimal.take(classes, axis=1)
    return Dfa(wide, accepting[origin], boundary[origin])


def crawl(
    start: StateT,
    follow: Callable[[StateT], Iterable[tuple[Sequence[int], StateT]]],
    accepting: Callable[[StateT], bool],
    *,
    boundary: Callable[[StateT], bool] = lambda _: False,
    limit: int = STATE_BUDGET,
) -> Dfa:
    """The language of the automaton that ``follow`` describes, as for ``explore``, over bytes.

    ``accepting`` and ``boundary`` say of a state what the fields of ``Dfa`` say. Raises ``CompileBudgetError`` when
    there are more than ``limit`` states before minimisation.
    """
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
