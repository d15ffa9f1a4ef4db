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
    """The texts of ``dfa`` with ``minimum`` to ``maximum`` characters (None: any number), in no particular order.

    A search in depth that follows a byte only when it leads to such a text, so the first texts come at once; when there
    are infinitely many, some may never come. Raises ``CompileBudgetError`` as ``lengths_of`` does.
    """
    lengths = lengths_of(dfa)
    waiting = [(0, b"", minimum, maximum)]
    while waiting:
        state, text, least, most = waiting.pop()
        if dfa.accepting[state] and least == 0:
            yield text
        for byte in np.flatnonzero(dfa.table[state] >= 0).tolist():
            target = int(dfa.table[state, byte])
            begun = int(dfa.boundary[state] and not dfa.accepting[target])
            window = max(least - begun, 0), None if most is None else most - begun
            if (window[1] is None or window[1] >= 0) and lengths.viable(target, *window):
                waiting.append((target, text + bytes((byte,)), *window))


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
    narrow = dfa.table[:, np.unique(byte_classes(dfa), return_index=True)[1]]
    source, column = np.nonzero(narrow >= 0)
    target = narrow[source, column]
    begins = (dfa.boundary[source] & ~dfa.accepting[target]).astype(np.intp)
    fewest = np.where(dfa.accepting, 0, len(dfa))
    while True:
        fewer = fewest.copy()
        np.minimum.at(fewer, source, fewest[target] + begins)
        if np.array_equal(fewer, fewest):
            return fewest
        fewest = fewer
