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
from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.pushdown.states import State
from schema_compiler.engine.tokens.trie import ROOT, Int32Array, TokenMask, Trie
from schema_compiler.engine.tokens.walk import walk
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import CompileBudgetError
from schema_compiler.grammar.ir import Leaf
from schema_compiler.regular.automata.dfa import Dfa

__all__ = ["Index"]

INDEX_BUDGET = 1 << 28
"""How many bytes an index may take: 256 MiB, as many as an engine that learns may grow to before it is replaced."""


class Index:
    """All masks and transitions of a regular language. Immutable, and shared by its matchers and threads.

    ``first``: int64 ``[states + 1]``, where each state's part of ``token_ids`` and ``following`` (int32) begins.
    ``rows``: uint32 ``[states, ceil(V / 32)]``, the packed masks. States that are reached only inside tokens have no
    part and no bits. ``seconds``: how long building took. Raises ``CompileBudgetError`` when it would take more than
    ``budget`` bytes.
    """

    def __init__(self, leaf: Leaf, vocabulary: Vocabulary, *, budget: int = INDEX_BUDGET) -> None:
        began = time.perf_counter()
        self.vocabulary = vocabulary
        self._language = vocabulary.leaves.plain(leaf.digest, leaf.dfa)
        self._eos = sorted(vocabulary.eos_token_ids)
        self.first, self.token_ids, self.following = _transitions(leaf.dfa, vocabulary.trie, budget)
        self.rows = self._rows(leaf.dfa, vocabulary.trie)
        self._ids = self.token_ids.data
        self._states: list[State] = [self._state(number, row) for number, row in enumerate(self.rows)]
        self.ended = State((), 0)
        self.ended.complete, self.ended.mask = True, vocabulary.trie.no_tokens
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
        state.complete, state.mask = self._language.accepting(number), row
        return state

    def matcher(self, bound: Mapping[str, LeafLanguage] | None = None) -> Matcher:
        """A new cursor at the start of a text. Raises ``ValueError`` for leaves: no regular expression asks for any."""
        if bound:
            raise ValueError(f"expected no leaves, since a regular expression asks for none; found {sorted(bound)}")
        return Matcher(self)

    # What a matcher asks

    def mask(self, state: State) -> TokenMask:
        """The packed token mask of a state."""
        assert state.mask is not None
        return state.mask

    def follow(self, state: State, token_id: int) -> State | None:
        """The state after a token; ``None`` where it is illegal."""
        if state is self.ended:
            return None
        if token_id in self.vocabulary.eos_token_ids:
            return self.ended if state.complete else None
        first, last = self.first[state.number - 1 : state.number + 1].tolist()
        at = bisect_left(self._ids, token_id, first, last)
        if at == last or self._ids[at] != token_id:
            return None
        return self._states[int(self.following[at])]

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

    def choices(self, state: State, limit: int) -> list[list[bytes]] | None:  # noqa: ARG002 - as engines with leaves of a request
        """None: there are no leaves of a request."""
        return None

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
        state = waiting.pop()
        ids, following = _tokens_from(dfa, trie, state)
        parts[state], counts[state] = (ids, following), ids.size
        size += 8 * ids.size
        if size > budget:
            raise CompileBudgetError(f"an index of {len(dfa)} states takes more than {budget} bytes, the limit")
        fresh = sorted(set(np.unique(following).tolist()) - seen)
        seen.update(fresh)
        waiting += fresh
    ordered = [parts[state] for state in sorted(parts)]
    first = np.concatenate(([0], np.cumsum(counts)))
    return first, np.concatenate([ids for ids, _ in ordered]), np.concatenate([after for _, after in ordered])


def _tokens_from(dfa: Dfa, trie: Trie, state: int) -> tuple[Int32Array, Int32Array]:
    """The tokens that a state admits, ascending, and the state after each."""
    ids, after, _ = walk(trie, ROOT, dfa, state, count=False).tokens()
    order = np.argsort(ids)
    return ids[order], after[order]
