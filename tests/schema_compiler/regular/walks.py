"""Walks through the table of an automaton: all its short texts, random ones, and how texts can be completed."""

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


def accepted_texts(dfa: Dfa, alphabet: bytes, longest: int, start: int = 0) -> set[bytes]:
    """All accepted texts over ``alphabet`` of at most ``longest`` bytes, from the state ``start`` on."""
    texts, paths = set(), {b"": start}
    for _ in range(longest + 1):
        texts |= {text for text, state in paths.items() if dfa.accepting[state]}
        paths = {
            text + bytes((byte,)): int(dfa.table[state, byte])
            for text, state in paths.items()
            for byte in alphabet
            if dfa.table[state, byte] >= 0
        }
    return texts


def shortest_completions(dfa: Dfa, state: int, longest: int = 14) -> dict[int, int]:
    """By number of further characters, the fewest bytes to an end: breadth first over (state, count)."""
    fewest: dict[int, int] = {}
    level, seen, steps = {(state, 0)}, {(state, 0)}, 0
    while level:
        for place, count in level:
            if dfa.accepting[place]:
                fewest.setdefault(count, steps)
        following = set()
        for place, count in level:
            for target in set(dfa.table[place].tolist()) - {-1}:
                begun = count + int(dfa.boundary[place] and not dfa.accepting[target])
                if begun <= longest:
                    following.add((target, begun))
        level, steps = following - seen, steps + 1
        seen |= following
    return fewest


def _distances(dfa: Dfa) -> np.ndarray:
    """Fewest bytes from each state to acceptance."""
    distance = np.where(dfa.accepting, 0, len(dfa))
    while True:
        through = np.where(dfa.table >= 0, distance[dfa.table], len(dfa)).min(axis=1) + 1
        if (through >= distance).all():
            return distance
        distance = np.minimum(distance, through)
