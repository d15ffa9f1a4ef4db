"""What can be asked of the texts of an automaton: whether they are without end, how short they are, which they are."""

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
    """Whether every state short of acceptance leads to infinitely many texts, and no text begins another one."""
    if (dfa.table[dfa.accepting] >= 0).any():
        return False
    dead = len(dfa.table)
    finite = np.append(np.zeros(dead, np.bool_), True)
    while True:
        grown = np.append(finite[dfa.table].all(axis=1), True)
        if np.array_equal(grown, finite):
            return not (finite[:dead] & ~dfa.accepting).any()
        finite = grown


def texts_of(dfa: Dfa, minimum: int, maximum: int | None) -> Iterator[bytes]:
    """The texts of ``dfa`` with ``minimum`` to ``maximum`` characters, one after the other; every step leads to one."""
    lengths = lengths_of(dfa)
    waiting = [(0, b"", minimum, maximum)]
    while waiting:
        state, text, least, most = waiting.pop()
        if dfa.accepting[state]:
            yield text
        for byte in np.flatnonzero(dfa.table[state] >= 0).tolist():
            target = int(dfa.table[state, byte])
            begun = int(dfa.boundary[state] and not dfa.accepting[target])
            window = max(least - begun, 0), None if most is None else most - begun
            if (window[1] is None or window[1] >= 0) and lengths.viable(target, *window):
                waiting.append((target, text + bytes((byte,)), *window))


def is_infinite(dfa: Dfa) -> bool:
    """Whether there are texts without end: states that are still there once those without successors are peeled off."""
    sources, symbols = np.nonzero(dfa.table >= 0)
    targets = dfa.table[sources, symbols]
    left, final = np.ones(len(dfa), np.bool_), True
    while final:
        going = np.zeros(len(dfa), np.bool_)
        going[sources[left[targets]]] = True
        final, left = bool((left & ~going).any()), left & going
    return bool(left.any())


@lru_cache(maxsize=256)
def byte_classes(dfa: Dfa) -> Integers:
    return columns(dfa.table)[1]


@lru_cache(maxsize=256)
def fewest_characters(dfa: Dfa) -> Integers:
    """The fewest characters begun (intp ``[states]``) on the way to acceptance, which every state can reach."""
    narrow = dfa.table[:, np.unique(byte_classes(dfa), return_index=True)[1]]
    source, column = np.nonzero(narrow >= 0)
    target = narrow[source, column]
    begins = (dfa.boundary[source] & ~dfa.accepting[target]).astype(np.intp)
    distance = np.where(dfa.accepting, 0, len(dfa))
    while True:
        shorter = distance.copy()
        np.minimum.at(shorter, source, distance[target] + begins)
        if np.array_equal(shorter, distance):
            return distance
        distance = shorter
