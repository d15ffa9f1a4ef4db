"""Random texts of an automaton, for tests that hand them to an independent judge."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from schema_compiler.regular.automata.dfa import Dfa


def random_texts(dfa: Dfa, count: int, *, seed: int = 0, longest: int = 60) -> Iterator[bytes]:
    """``count`` accepted texts: random steps, and beyond ``longest`` bytes the shortest way out."""
    random = Random(seed)
    remaining = _distances(dfa)
    for _ in range(count):
        state, text = 0, bytearray()
        while not (dfa.accepting[state] and (random.random() < 0.2 or not (dfa.table[state] >= 0).any())):
            row = dfa.table[state]
            steps = np.flatnonzero(row >= 0)
            if len(text) > longest:
                if dfa.accepting[state]:
                    break
                steps = steps[remaining[row[steps]] < remaining[state]]
            # first where it leads, then the byte: else rare exits (a closing quote) would hardly be taken
            target = random.choice(np.unique(row[steps]).tolist())
            byte = random.choice(steps[row[steps] == target].tolist())
            text.append(byte)
            state = target
        yield bytes(text)


def _distances(dfa: Dfa) -> np.ndarray:
    """Fewest bytes from each state to acceptance."""
    distance = np.where(dfa.accepting, 0, len(dfa))
    while True:
        through = np.where(dfa.table >= 0, distance[dfa.table], len(dfa)).min(axis=1) + 1
        if (through >= distance).all():
            return distance
        distance = np.minimum(distance, through)
