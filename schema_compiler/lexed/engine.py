"""States of lexer and parser together, and the token mask of each: accept sequences over the mask store.

A *thread* is (place of the parser, configuration of the lexer): one way to split the text so far into lexemes, the
last of them unfinished. Longest match leaves very few: after ``iff``, a NAME that goes on, and a NAME that has ended
and must not go on. A *state* is an interned set of threads, so what has been seen before is a look-up, and a token
costs the same after ten lexemes and after ten thousand.

An *accept sequence* is a sequence of terminals that the parser takes from its place (SynCode, arXiv 2403.01632,
section 4.3). The mask of a state is the union, over its threads and their accept sequences, of the rows that the mask
store has for (configuration, sequence). Sequences share their beginnings, so they are followed as a tree: at each
trie position where a lexeme may have ended, the parser moves or the branch ends. After ``lookahead`` terminals
(SynCode's k; ignored ones are free) a branch admits whatever token goes on; without a limit the tree ends with the
longest token, and the mask is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Generic

from schema_compiler.engine.tokens.token_sets import TokenSet, union_of
from schema_compiler.engine.tokens.trie import ROOT, NodeSet, TokenMask
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.lexed.completion import Completion
from schema_compiler.lexed.lexer import Lexer
from schema_compiler.lexed.mask_store import MaskStore
from schema_compiler.lexed.parser import Parser, Place, first_taken

__all__ = ["LexedEngine", "State"]


class State(Generic[Place]):
    """An interned set of threads. The other slots are filled when first needed."""

    __slots__ = ("following", "number", "row", "threads")

    def __init__(self, threads: frozenset[tuple[Place, int]], number: int) -> None:
        self.threads = threads
        self.number = number
        self.row: TokenMask | None = None
        self.following: dict[int, State[Place]] = {}


class LexedEngine(Generic[Place]):
    """Everything known about one lexed language over one vocabulary; what a ``Matcher`` walks on.

    ``follow`` is exact whatever ``lookahead``; ``mask`` is never short of a legal token, and exact without a limit.
    """

    def __init__(
        self, lexer: Lexer, parser: Parser[Place], store: MaskStore, vocabulary: Vocabulary, lookahead: int | None
    ) -> None:
        self.vocabulary = vocabulary
        self._lookahead = lookahead
        self._lexer = lexer
        self._parser = parser
        self._store = store
        self._rows: list[list[int]] = lexer.table.tolist()
        self._label: list[int] = lexer.label.tolist()
        self._after: list[int] = lexer.after.tolist()
        self._numbers = count(1)
        self._trie = vocabulary.trie
        self._eos = self._trie.row(sorted(vocabulary.eos_token_ids))
        self._states: dict[frozenset[tuple[Place, int]], State[Place]] = {}
        self._completion = Completion(lexer, parser)
        self.ended: State[Place] = State(frozenset(), 0)
        self.start = self._state(self._closed([(parser.start, 0)]))

    @property
    def size(self) -> int:
        """About how many bytes have been added by texts read so far."""
        return len(self._states) * (1500 + self._trie.words * 4) + self._parser.size * 400

    # States

    def _state(self, threads: frozenset[tuple[Place, int]]) -> State[Place]:
        state = self._states.get(threads)
        return state if state is not None else self._states.setdefault(threads, State(threads, next(self._numbers)))

    def _closed(self, threads: Iterable[tuple[Place, int]]) -> frozenset[tuple[Place, int]]:
        """The threads that lead somewhere, and those whose lexeme is taken to end here."""
        found = []
        for place, configuration in threads:
            found.append((place, configuration))
            kind = self._label[configuration]
            if kind >= 0 and (taken := first_taken(self._parser, place, self._lexer.kinds[kind])):
                found.append((taken[1], self._after[configuration]))
        return frozenset(thread for thread in found if self._parser.takes(thread[0], self._lexer.reach[thread[1]]))

    def read(self, state: State[Place], text: bytes) -> State[Place] | None:
        """The state after ``text``; ``None`` when it leads out of the language."""
        threads = state.threads
        for byte in text:
            moves = ((place, self._rows[configuration][byte]) for place, configuration in threads)
            threads = self._closed((place, after) for place, after in moves if after >= 0)
            if not threads:
                return None
        return self._state(threads)

    def complete(self, state: State[Place]) -> bool:
        """Whether the text so far is a whole document."""
        return state is self.ended or any(
            self._lexer.fresh[configuration] and self._parser.takes(place, self._lexer.end)
            for place, configuration in state.threads
        )

    def follow(self, state: State[Place], token_id: int) -> State[Place] | None:
        """The state after a token; ``None`` when the token is illegal."""
        following = state.following.get(token_id)
        if following is None and 0 <= token_id < len(self.vocabulary):
            following = self._follow(state, token_id)
            if following is not None:
                state.following[token_id] = following
        return following

    def _follow(self, state: State[Place], token_id: int) -> State[Place] | None:
        if token_id in self.vocabulary.eos_token_ids:
            return self.ended if state is not self.ended and self.complete(state) else None
        text = self.vocabulary.tokens[token_id]
        return None if text is None else self.read(state, text)

    def bytes_from(self, state: State[Place]) -> set[int]:
        """The bytes that may come next."""
        return {
            byte
            for place, configuration in state.threads
            for byte, after in enumerate(self._rows[configuration])
            if after >= 0 and self._parser.takes(place, self._lexer.reach[after])
        }

    def closing(self, state: State[Place]) -> bytes:
        """A short byte string that completes the document from here; see ``Completion``."""
        return b"" if self.complete(state) else self._completion.closing(state.threads)

    # Masks

    def mask(self, state: State[Place]) -> TokenMask:
        """The packed token mask of a state, EOS included when the document may end. Read-only."""
        if state.row is None:
            token_sets = self._token_sets(state)
            if state is not self.ended and self.complete(state):
                token_sets.append(self._eos)
            row = union_of(token_sets, self._trie)
            row.flags.writeable = False
            state.row = row
        return state.row

    def _token_sets(self, state: State[Place]) -> list[TokenSet]:
        """What the mask store has for every accept sequence of every thread."""
        found: dict[int, TokenSet] = {}
        waiting: list[tuple[NodeSet, Place, int, int | None]] = [
            (ROOT, place, configuration, self._lookahead) for place, configuration in state.threads
        ]
        seen = set(waiting)
        while waiting:
            node_set, place, configuration, left = waiting.pop()
            scan = self._store.scan(node_set, configuration)
            for reach, token_set in scan.inside:
                if id(token_set) not in found and self._parser.takes(place, reach):
                    found[id(token_set)] = token_set
            for ending in scan.endings:
                taken = first_taken(self._parser, place, ending.terminals)
                if taken is None:
                    continue
                terminal, following = taken
                rest = left
                if left is not None and not self._parser.ignores(place, terminal):
                    rest = left - 1
                if rest == 0:
                    found.update((id(token_set), token_set) for token_set in self._store.below(ending.node_set))
                elif (item := (ending.node_set, following, ending.configuration, rest)) not in seen:
                    seen.add(item)
                    waiting.append(item)
        return list(found.values())
