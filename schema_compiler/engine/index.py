"""A regular constraint as a table over tokens: for every state, which tokens may come, and where each leads.

Efficient Guided Generation (Willard and Louf 2023, arXiv 2307.09702, section 3) works all of this out before the first
token is sampled. A state then costs a look-up from the start, and there is nothing left to learn at run time; the
price is a walk through the vocabulary for every state that tokens can reach::

    (ab)*    tokens a, b, ab, ba        state 0: a → 1, ab → 0        state 1: b → 0, ba → 1

The main engine makes the same masks on demand, keeps transitions it has seen in a dictionary, and shares scans between
all grammars of a vocabulary. A step it has seen is faster than a look-up here (0.3 µs against 1), but a new one takes
some 5 µs, and the first of a state up to milliseconds; here no step waits. So the index is for languages of some dozen
states that serve many requests, with texts that differ; ``compile_regex`` builds it when asked to.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.pushdown.masks import State
from schema_compiler.engine.tokens.trie import Int32Array, TokenMask, Trie
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import CompileBudgetError
from schema_compiler.grammar.ir import Leaf
from schema_compiler.regular.automata.dfa import Dfa

__all__ = ["BUDGET", "Index"]

BUDGET = 1 << 28
"""How many bytes an index may take."""

_BATCH = 16
"""So many states walk through the vocabulary together."""


class Index:
    """All masks and transitions of a regular language. Immutable, and shared by its matchers and threads.

    ``first``: int64 ``[states + 1]``, where each state's part of ``token_ids`` and ``following`` (int32) begins.
    ``rows``: uint32 ``[states, ceil(V / 32)]``, the packed masks. Places inside tokens have no part and no bits.
    ``seconds``: how long building took. Raises ``CompileBudgetError`` when it would take more than ``budget`` bytes.
    """

    def __init__(self, leaf: Leaf, vocabulary: Vocabulary, *, budget: int = BUDGET) -> None:
        began = time.perf_counter()
        self.vocabulary = vocabulary
        self._language = vocabulary.leaves.plain(leaf.digest, leaf.dfa)
        self._eos = sorted(vocabulary.eos_token_ids)
        self.first, self.token_ids, self.following = _transitions(leaf.dfa, vocabulary.trie, budget)
        self.rows = self._rows(leaf.dfa, vocabulary.trie)
        self._ids = self.token_ids.data
        self._states: list[State] = [self._state(number, row) for number, row in enumerate(self.rows)]
        self.ended = State((), 0)
        self.ended.complete, self.ended.row = True, vocabulary.trie.no_tokens
        self.start = self._states[0]
        self.seconds = time.perf_counter() - began

    @property
    def size(self) -> int:
        """The bytes that the tables take."""
        return sum(table.nbytes for table in (self.first, self.token_ids, self.following, self.rows))

    def _rows(self, dfa: Dfa, trie: Trie) -> npt.NDArray[np.uint32]:
        rows = np.zeros((len(dfa), trie.words), np.uint32)
        for state in np.flatnonzero(np.diff(self.first) | dfa.accepting).tolist():
            ids = self.token_ids[self.first[state] : self.first[state + 1]]
            rows[state] = trie.row(np.append(ids, np.array(self._eos * bool(dfa.accepting[state]), np.int32)))
        rows.flags.writeable = False
        return rows

    def _state(self, number: int, row: TokenMask) -> State:
        state = State(((number, None),), number + 1)
        state.complete, state.row = self._language.accepting(number), row
        return state

    def matcher(self, bound: Mapping[str, LeafLanguage] | None = None) -> Matcher:  # noqa: ARG002 - nothing is bound
        """A new cursor at the start of a text."""
        return Matcher(self)

    # What a matcher asks

    def mask(self, state: State) -> TokenMask:
        """The packed token mask of a state."""
        assert state.row is not None
        return state.row

    def follow(self, state: State, token_id: int) -> State | None:
        """The state after a token; ``None`` where it is illegal."""
        if state is self.ended:
            return None
        if token_id in self.vocabulary.eos_token_ids:
            return self.ended if state.complete else None
        first, last = self.first[state.number - 1 : state.number + 1].tolist()
        place = bisect_left(self._ids, token_id, first, last)
        if place == last or self._ids[place] != token_id:
            return None
        return self._states[int(self.following[place])]

    def complete(self, state: State) -> bool:
        """Whether the text so far is whole."""
        return state.complete

    def read(self, state: State, text: bytes) -> State | None:
        """The state after ``text``; ``None`` when it leads out of the language."""
        inner = state.number - 1
        for byte in text:
            inner = self._language.step(inner, byte)
            if inner < 0:
                return None
        return self._states[inner]

    def bytes_from(self, state: State) -> Collection[int]:
        """The bytes that may come next."""
        return () if state is self.ended else self._language.bytes_from(state.number - 1)

    def closing(self, state: State) -> bytes:
        """The shortest text that completes the one so far."""
        return b"" if state.complete else self._language.closing(state.number - 1)


def _transitions(dfa: Dfa, trie: Trie, budget: int) -> tuple[npt.NDArray[np.int64], Int32Array, Int32Array]:
    """The tables of ``Index``, for the states that tokens reach from the start."""
    counts = np.zeros(len(dfa), np.int64)
    parts: dict[int, tuple[Int32Array, Int32Array]] = {}
    waiting, seen = [0], {0}
    size = 4 * trie.words * len(dfa)
    while waiting:
        batch, waiting = waiting[:_BATCH], waiting[_BATCH:]
        for state, ids, following in _walk(dfa, trie, batch):
            parts[state], counts[state] = (ids, following), ids.size
            size += 8 * ids.size
            fresh = sorted(set(np.unique(following).tolist()) - seen)
            seen.update(fresh)
            waiting += fresh
        if size > budget:
            raise CompileBudgetError(f"an index of {len(dfa)} states takes more than {budget} bytes, the limit")
    ordered = [parts[state] for state in sorted(parts)]
    first = np.concatenate(([0], np.cumsum(counts)))
    return first, np.concatenate([ids for ids, _ in ordered]), np.concatenate([after for _, after in ordered])


def _walk(dfa: Dfa, trie: Trie, states: list[int]) -> Iterator[tuple[int, Int32Array, Int32Array]]:
    """For each of ``states``: the tokens that it admits, in order, and the state after each."""
    origin = np.arange(len(states), dtype=np.int32)
    here = np.array(states, np.int32)
    nodes = np.zeros(len(states), np.int32)
    levels = [(nodes[:0], here[:0], origin[:0])]
    while nodes.size:
        children, owner = trie.children(nodes)
        after = dfa.table[here[owner], trie.byte[children]]
        alive = np.flatnonzero(after >= 0)
        nodes, here, origin = children[alive], after[alive], origin[owner[alive]]
        levels.append((nodes, here, origin))
    nodes, here, origin = (np.concatenate(parts) for parts in zip(*levels, strict=True))
    ids, owner = trie.tokens_at(nodes)
    order = np.lexsort((ids, origin[owner]))
    cuts = np.searchsorted(origin[owner][order], np.arange(1, len(states)))
    split = zip(states, np.split(ids[order], cuts), np.split(here[owner][order], cuts), strict=True)
    yield from split
