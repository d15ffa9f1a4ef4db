"""What can be asked of the texts of an automaton: whether they end, which they are, how short they are.

The answers come from the table alone; no other automaton is built. For JSON strings whose text matches a pattern,
quotes included::

    pattern        is_infinite   is_endless   texts_of(dfa, 1, 2)     fewest_characters(dfa)[0]
    ^a*$           yes           yes          "a", "aa"               0
    ^(b|ca*)$      yes           no           "b", "c", "ca"          1
    ^(ab|c)$       no            no           "ab", "c"               1

``^(b|ca*)$`` is infinite, but not endless: after ``"b`` only the closing quote is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.explore import Table
from schema_compiler.regular.automata.lengths import lengths_of
from schema_compiler.regular.automata.minimize import Integers, columns

__all__ = ["byte_classes", "fewest_characters", "is_endless", "is_infinite", "texts_of"]


@lru_cache(maxsize=64)
def is_endless(dfa: Dfa) -> bool:
    """Whether every proper beginning of a text begins infinitely many, and no text is the beginning of another.

    So whatever finite set of texts is taken away, an incomplete text can always be completed to another one.
    """
    if (dfa.table[dfa.accepting] >= 0).any():
        return False
    dead = len(dfa.table)
    finite = np.append(np.zeros(dead, np.bool_), True)  # states with finitely many completions; -1 is the last
    while True:
        grown = np.append(finite[dfa.table].all(axis=1), True)
        if np.array_equal(grown, finite):
            return not (finite[:dead] & ~dfa.accepting).any()
        finite = grown


def texts_of(dfa: Dfa, minimum: int, maximum: int | None) -> Iterator[bytes]:
    """The texts of ``dfa`` with ``minimum`` to ``maximum`` characters (None: any number), each once, in no set order.

    A search in depth that follows a byte only when it leads to such a text, and first those that lead to one soon: the
    first text comes after few more than ``minimum`` characters, whatever ``maximum`` is. Of infinitely many texts some
    never come. Raises ``CompileBudgetError`` as ``lengths_of`` does.
    """
    remaining = _least_cost(dfa, np.ones_like(dfa.table))
    if dfa.accepting[0] and minimum == 0:
        yield b""
    text = bytearray()
    stack = [_steps(dfa, remaining, 0, minimum, maximum)]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            del text[-1:]
            continue
        byte, state, least, most = step
        text.append(byte)
        stack.append(_steps(dfa, remaining, state, least, most))
        if dfa.accepting[state] and least == 0:
            yield bytes(text)


def _steps(
    dfa: Dfa, remaining: Integers, state: int, least: int, most: int | None
) -> Iterator[tuple[int, int, int, int | None]]:
    """The bytes that lead from ``state`` to a text within a window, with the next state and what is left of the window.

    Bytes come in the order of what is ``remaining`` after them: the fewest bytes from each state to acceptance.
    """
    lengths = lengths_of(dfa)
    legal = np.flatnonzero(dfa.table[state] >= 0)
    for byte in legal[np.argsort(remaining[dfa.table[state, legal]], kind="stable")].tolist():
        target = int(dfa.table[state, byte])
        begun = int(dfa.boundary[state] and not dfa.accepting[target])
        least_left, most_left = max(least - begun, 0), None if most is None else most - begun
        if (most_left is None or most_left >= 0) and lengths.viable(target, least_left, most_left):
            yield byte, target, least_left, most_left


def is_infinite(dfa: Dfa) -> bool:
    """Whether there are infinitely many texts, which is whether the automaton has a cycle.

    States without successors are taken away until none is left, or only such as lead to a cycle.
    """
    sources, symbols = np.nonzero(dfa.table >= 0)
    targets = dfa.table[sources, symbols]
    present = np.ones(len(dfa), np.bool_)
    while True:
        with_successor = np.zeros(len(dfa), np.bool_)
        with_successor[sources[present[targets]]] = True
        remaining = present & with_successor
        if np.array_equal(remaining, present):
            return bool(present.any())
        present = remaining


@lru_cache(maxsize=256)
def byte_classes(dfa: Dfa) -> Integers:
    """The class of every byte (intp ``[256]``): bytes of one class lead to the same next state, whatever the state."""
    return columns(dfa.table)[1]


@lru_cache(maxsize=256)
def fewest_characters(dfa: Dfa) -> Integers:
    """For every state (intp ``[states]``), the fewest characters that a completion to a text begins.

    All zeros outside JSON strings, where nothing counts as a character. The start of the empty language, from which no
    text can be completed, has 1.
    """
    begins = dfa.boundary[:, None] & ~dfa.accepting[dfa.table]
    return _least_cost(dfa, begins.astype(np.int32))


def _least_cost(dfa: Dfa, costs: Table) -> Integers:
    """For every state (intp ``[states]``), the least sum of costs (int32 ``[states, 256]``) on the way to acceptance.

    Bytes of one class must cost the same. Where acceptance cannot be reached, the number of states (Bellman and Ford).
    """
    representatives = np.unique(byte_classes(dfa), return_index=True)[1]
    narrow = dfa.table[:, representatives]
    source, column = np.nonzero(narrow >= 0)
    target = narrow[source, column]
    cost = costs[source, representatives[column]]
    least = np.where(dfa.accepting, 0, len(dfa))
    while True:
        lower = least.copy()
        np.minimum.at(lower, source, least[target] + cost)
        if np.array_equal(lower, least):
            return least
        least = lower
