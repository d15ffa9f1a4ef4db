"""The finite-state index against the main engine: equal masks, what building takes, and the time for each token.

Both matchers are led through the same random texts. *cold* is the first time an engine sees a text, *warm* the second;
the index has nothing to learn, so it has one figure. Times are of a mask and the step to the next state: the median,
and for the first time the longest.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter_ns

import numpy as np
from rich.table import Table

from schema_compiler import CompiledGrammar, Vocabulary, compile_regex
from schema_compiler.engine.index import Index
from schema_compiler.engine.matcher import Matcher
from schema_compiler.grammar.ir import Leaf
from schema_compiler.regular.regex.language import regex_text

__all__ = ["PATTERNS", "Measured", "measured", "tables"]

PATTERNS = (
    "yes|no|maybe",
    "positive|negative|neutral|mixed",
    "(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day",
    "[0-9]",
    "-?(0|[1-9][0-9]{0,8})",
    r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?",
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
    r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?",
    r"\([0-9]{3}\) [0-9]{3}-[0-9]{4}",
    r"((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])",
    "[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}",
    "#[0-9a-fA-F]{6}",
    "[A-Z]{2}[0-9]{2}( [0-9]{4}){3,5}",
    r"[a-z0-9._+-]{1,20}@[a-z0-9-]{1,20}(\.[a-z]{2,6}){1,2}",
    r"https?://[a-z0-9.-]+(/[a-zA-Z0-9._~-]*)*",
    "[A-Za-z_][A-Za-z0-9_]*",
    "[A-Z][a-z]+( [A-Z][a-z]+){0,3}",
    r'"([^"\\\n]|\\["\\/bfnrt])*"',
    "[a-zé]+(, [a-zé]+)*",
    "[^\n]{0,40}",
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One pattern. Bytes; seconds to build; nanoseconds for each token; ``equal``: all masks along the texts were."""

    pattern: str
    states: int
    size: int
    build: float
    indexed: list[int]
    cold: list[int]
    warm: list[int]
    equal: bool


def measured(pattern: str, vocabulary: Vocabulary, *, texts: int = 20, longest: int = 16, seed: int = 0) -> Measured:
    """Lead both through random texts."""
    dfa = regex_text(pattern)
    index = Index(Leaf(pattern, dfa, dfa.digest), vocabulary)
    source = random.Random(seed)
    walks = [_walk(index.matcher(), vocabulary, source, longest) for _ in range(texts)]
    main = compile_regex(pattern, vocabulary)
    cold, cold_masks = _led(main, walks)
    warm, _ = _led(main, walks)
    indexed, index_masks = _led(index, walks)
    equal = all(map(np.array_equal, cold_masks, index_masks))
    return Measured(
        pattern, int((np.diff(index.first) > 0).sum()), index.size, index.seconds, indexed, cold, warm, equal
    )


def tables(vocabulary: Vocabulary) -> Iterator[Table]:
    """A row for each pattern."""
    table = Table(
        *("pattern", "states", "MiB", "build ms", "index µs", "longest", "cold µs", "longest", "warm µs", "masks"),
        title=f"Finite-state index against the main engine, {len(vocabulary):,} tokens",
        title_justify="left",
    )
    compile_regex("[a-z]", vocabulary).matcher().mask()  # makes the trie
    for row in (measured(pattern, vocabulary) for pattern in PATTERNS):
        figures = (median(row.indexed), max(row.indexed), median(row.cold), max(row.cold), median(row.warm))
        times = (f"{nanoseconds / 1e3:,.1f}" for nanoseconds in figures)
        size, equal = f"{row.size / 2**20:.1f}", "equal" if row.equal else "DIFFERENT"
        table.add_row(
            row.pattern.replace("\n", "\\n").replace("[", "\\["),
            str(row.states),
            size,
            f"{row.build * 1e3:.0f}",
            *times,
            equal,
        )
    yield table


def _walk(matcher: Matcher, vocabulary: Vocabulary, source: random.Random, longest: int) -> list[int]:
    """A random text of at most ``longest`` tokens."""
    ids: list[int] = []
    while len(ids) < longest:
        legal = np.flatnonzero(np.unpackbits(matcher.mask().view(np.uint8), bitorder="little")).tolist()
        token = source.choice(legal)
        matcher.accept(token)
        if token in vocabulary.eos_token_ids:
            break
        ids.append(token)
    return ids


def _led(compiled: CompiledGrammar | Index, walks: list[list[int]]) -> tuple[list[int], list[np.ndarray]]:
    """The times of a mask and a step along all walks, and the masks."""
    times: list[int] = []
    masks: list[np.ndarray] = []
    for walk in walks:
        matcher = compiled.matcher()
        for token in walk:
            start = perf_counter_ns()
            mask = matcher.mask()
            matcher.accept(token)
            times.append(perf_counter_ns() - start)
            masks.append(mask)
    return times, masks
