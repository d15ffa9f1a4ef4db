"""States of lexer and parser together, and the token mask of each: accept sequences over the mask store.

A *thread* is (state of the parser, configuration of the lexer): one way to split the text so far into lexemes, the
last of them unfinished. Longest match leaves very few: after ``iff``, a NAME that goes on, and a NAME that has ended
and must not go on. A *lexed state* is an interned set of threads, so what has been seen before is a look-up, and a
token costs the same after ten lexemes and after ten thousand.

An *accept sequence* is a sequence of terminals that the parser takes from its state (SynCode, arXiv 2403.01632,
section 4.3). The mask of a lexed state is the union, over its threads and their accept sequences, of the token sets
that the mask store has for (configuration, sequence). Sequences share their beginnings, so they are followed as a tree:
at each node set where a lexeme may have ended, the parser moves or the branch ends. After ``lookahead`` terminals
(SynCode's k; ignored ones are free) a branch admits whatever token goes on; without a limit the tree ends with the
longest token, and the mask is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Generic

from schema_compiler.engine.tokens.token_sets import TokenSet, union_of
from schema_compiler.engine.tokens.trie import ROOT, NodeSet, TokenMask
from schema_compiler.engine.vocabulary.token_steps import after_token
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.lexed.completion import LexedCompletion
from schema_compiler.lexed.lexer import Lexer
from schema_compiler.lexed.mask_store import MaskStore
from schema_compiler.lexed.parser import Parser, ParserState, first_taken

__all__ = ["LexedEngine", "LexedState"]

_STATE_BYTES = 1500
"""About how many bytes a lexed state takes, its mask aside.

With ``_MOVE_BYTES`` a rough upper estimate for the engine's budget. ``tracemalloc`` counts 0.7 to 0.8 of it where
modules of the standard library are read byte by byte by Lark's Python grammar; about half of it over small languages.
"""
_MOVE_BYTES = 400
"""About how many bytes a move of the parser takes, the stack behind it included; see ``_STATE_BYTES``."""


class LexedState(Generic[ParserState]):
    """An interned set of threads.

    ``mask``: the packed token mask, made when first asked for. ``following``: the states after tokens accepted here.
    """

    __slots__ = ("following", "mask", "number", "threads")

    def __init__(self, threads: frozenset[tuple[ParserState, int]], number: int) -> None:
        self.threads = threads
        self.number = number
        self.mask: TokenMask | None = None
        self.following: dict[int, LexedState[ParserState]] = {}


class LexedEngine(Generic[ParserState]):
    """Everything known about one lexed language over one vocabulary; what a ``Matcher`` walks on.

    ``follow`` is exact whatever ``lookahead``; ``mask`` is never short of a legal token, and exact without a limit.
    """

    def __init__(
        self, lexer: Lexer, parser: Parser[ParserState], store: MaskStore, vocabulary: Vocabulary, lookahead: int | None
    ) -> None:
        self.vocabulary = vocabulary
        self._lookahead = lookahead
        self._lexer = lexer
        self._parser = parser
        self._store = store
        # Lists answer single look-ups sooner than arrays.
        self._table: list[list[int]] = lexer.table.tolist()
        self._label: list[int] = lexer.label.tolist()
        self._after: list[int] = lexer.after.tolist()
        self._numbers = count(1)
        self._trie = vocabulary.trie
        self._eos = self._trie.row(sorted(vocabulary.eos_token_ids))
        self._states: dict[frozenset[tuple[ParserState, int]], LexedState[ParserState]] = {}
        self._completion = LexedCompletion(lexer, parser)
        self.ended: LexedState[ParserState] = LexedState(frozenset(), 0)
        self.start = self._state(self._live_threads([(parser.start, 0)]))

    @property
    def size(self) -> int:
        """About how many bytes have been added by texts read so far."""
        return len(self._states) * (_STATE_BYTES + self._trie.words * 4) + self._parser.size * _MOVE_BYTES

    # States

    def _state(self, threads: frozenset[tuple[ParserState, int]]) -> LexedState[ParserState]:
        state = self._states.get(threads)
        return state or self._states.setdefault(threads, LexedState(threads, next(self._numbers)))

    def _live_threads(self, threads: Iterable[tuple[ParserState, int]]) -> frozenset[tuple[ParserState, int]]:
        """The threads that lead somewhere: those given, and each of them with its lexeme taken to end here."""
        candidates = []
        for parser_state, configuration in threads:
            candidates.append((parser_state, configuration))
            kind = self._label[configuration]
            if kind >= 0 and (taken := first_taken(self._parser, parser_state, self._lexer.kinds[kind])):
                candidates.append((taken[1], self._after[configuration]))
        return frozenset(thread for thread in candidates if self._parser.takes(thread[0], self._lexer.reach[thread[1]]))

    def read(self, state: LexedState[ParserState], text: bytes) -> LexedState[ParserState] | None:
        """The state after ``text``; ``None`` when it leads out of the language."""
        threads = state.threads
        for byte in text:
            moves = ((parser_state, self._table[configuration][byte]) for parser_state, configuration in threads)
            threads = self._live_threads((parser_state, after) for parser_state, after in moves if after >= 0)
            if not threads:
                return None
        return self._state(threads)

    def complete(self, state: LexedState[ParserState]) -> bool:
        """Whether the text so far is a whole document."""
        return state is self.ended or any(
            self._lexer.fresh[configuration] and self._parser.takes(parser_state, self._lexer.end)
            for parser_state, configuration in state.threads
        )

    def follow(self, state: LexedState[ParserState], token_id: int) -> LexedState[ParserState] | None:
        """The state after a token; ``None`` when the token is illegal."""
        following = state.following.get(token_id)
        if following is None:
            following = after_token(self, state, token_id)
            if following is not None:
                state.following[token_id] = following
        return following

    def bytes_from(self, state: LexedState[ParserState]) -> set[int]:
        """The bytes that may come next."""
        return {
            byte
            for parser_state, configuration in state.threads
            for byte, after in enumerate(self._table[configuration])
            if after >= 0 and self._parser.takes(parser_state, self._lexer.reach[after])
        }

    def choices(self, state: LexedState[ParserState], limit: int) -> list[list[bytes]] | None:  # noqa: ARG002 - as engines with leaves of a request
        """None: there are no leaves of a request."""
        return None

    def closing(self, state: LexedState[ParserState]) -> bytes:
        """A short byte string that completes the document; see ``LexedCompletion``.

        Raises ``GrammarError`` when none can be found.
        """
        return b"" if self.complete(state) else self._completion.closing(state.threads)

    # Masks

    def mask(self, state: LexedState[ParserState]) -> TokenMask:
        """The packed token mask of a state, EOS included when the document may end. Read-only."""
        if state.mask is None:
            token_sets = self._token_sets(state)
            if state is not self.ended and self.complete(state):
                token_sets.append(self._eos)
            mask = union_of(token_sets, self._trie)
            mask.flags.writeable = False
            state.mask = mask
        return state.mask

    def _token_sets(self, state: LexedState[ParserState]) -> list[TokenSet]:
        """What the mask store has for every accept sequence of every thread."""
        token_sets: dict[int, TokenSet] = {}
        waiting: list[tuple[NodeSet, ParserState, int, int | None]] = [
            (ROOT, parser_state, configuration, self._lookahead) for parser_state, configuration in state.threads
        ]
        seen = set(waiting)
        while waiting:
            node_set, parser_state, configuration, lookahead = waiting.pop()
            scan = self._store.scan(node_set, configuration)
            for reach, token_set in scan.inside:
                if id(token_set) not in token_sets and self._parser.takes(parser_state, reach):
                    token_sets[id(token_set)] = token_set
            for ending in scan.endings:
                taken = first_taken(self._parser, parser_state, ending.terminals)
                if taken is None:
                    continue
                terminal, following = taken
                remaining = lookahead
                if lookahead is not None and not self._parser.ignores(parser_state, terminal):
                    remaining = lookahead - 1
                if remaining == 0:
                    token_sets.update((id(token_set), token_set) for token_set in self._store.below(ending.node_set))
                elif (branch := (ending.node_set, following, ending.configuration, remaining)) not in seen:
                    seen.add(branch)
                    waiting.append(branch)
        return list(token_sets.values())
