"""The matcher: one sequence's cursor over a compiled grammar, and the boundary to whatever generates tokens.

    matcher.mask()               which tokens may come next
    matcher.accept(token_id)     take one; False, and nothing changed, when it is illegal
    matcher.rollback(1)          take it back

A matcher holds a state and those before it. What states are, and which tokens lead from one to the next, is for its
*engine*: the pushdown automaton of a grammar, the table of a regular expression, or lexer and parser of a language.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

from schema_compiler.engine.tokens.trie import TokenMask
from schema_compiler.engine.vocabulary.token_steps import ByteReader

__all__ = ["Engine", "Matcher"]


class EngineState(Protocol):
    """A state of any engine; equal numbers mean the same state."""

    number: int


class Engine(ByteReader, Protocol):
    """What a matcher moves on. Each engine has states of its own kind; a matcher asks for their numbers only."""

    @property
    def start(self) -> Any:
        """The state before any text."""

    def mask(self, state: Any) -> TokenMask:
        """The packed token mask of a state, EOS included when the document may end. Read-only."""

    def follow(self, state: Any, token_id: int) -> Any:
        """The state after a token; ``None`` when it is illegal."""

    def bytes_from(self, state: Any) -> Collection[int]:
        """The bytes that may come next."""

    def closing(self, state: Any) -> bytes:
        """A byte string that completes the document, the shortest where the engine can tell; empty when complete."""

    def choices(self, state: Any, limit: int) -> list[list[bytes]] | None:
        """The values that may stand here, or what is missing of them, where these are few."""


class Matcher:
    """Follows one sequence of tokens. Cheap to create and to fork; not shared between threads.

    The contract: ``mask()`` has the bit of a token set if and only if the text so far plus the token's bytes is a
    prefix of some document the grammar accepts; EOS bits if and only if the text so far is such a document.

    Rules that were not read at compile time (``eager=False``) are read when the sequence reaches them. Every method
    but ``rollback`` and ``fork`` can then raise what compiling raises: ``InvalidSchemaError``,
    ``UnsupportedSchemaError`` or ``CompileBudgetError``; and ``UnboundLeafError`` where the grammar asks for a leaf
    that was not supplied. The matcher stays where it was.
    """

    __slots__ = ("_engine", "_history", "_state")

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._state: EngineState = engine.start
        self._history: list[EngineState] = []

    @property
    def state_id(self) -> int:
        """A number for the current state; equal numbers mean equal masks now and ever after."""
        return self._state.number

    def mask(self) -> TokenMask:
        """The tokens that may come next: packed uint32 ``[ceil(V / 32)]``, little-endian bit order, read-only."""
        return self._engine.mask(self._state)

    def accept(self, token_id: int) -> bool:
        """Take a token; ``False``, and nothing changed, when it is illegal. An EOS token ends the sequence."""
        following = self._engine.follow(self._state, token_id)
        if following is None:
            return False
        self._history.append(self._state)
        self._state = following
        return True

    def rollback(self, count: int) -> None:
        """Take back the last ``count`` accepted tokens. Raises ``ValueError`` when there are not so many."""
        if not 0 <= count <= len(self._history):
            raise ValueError(f"expected to roll back 0 to {len(self._history)} tokens, found {count}")
        if count:
            self._state = self._history[-count]
            del self._history[-count:]

    def fork(self) -> Matcher:
        """An independent matcher at the same place."""
        twin = Matcher(self._engine)
        twin._state = self._state
        twin._history = self._history.copy()
        return twin

    def is_complete(self) -> bool:
        """Whether the text so far is a whole document (more may still be legal)."""
        return self._engine.complete(self._state)

    def is_ended(self) -> bool:
        """Whether an EOS token has been accepted."""
        return self._state is self._engine.ended

    def forced(self) -> bytes:
        """The bytes that must come next: empty when there is a choice, or the document may end."""
        text = bytearray()
        state = self._state
        while not self._engine.complete(state):
            following = self._engine.bytes_from(state)
            if len(following) != 1:
                break
            text += bytes(following)
            after = self._engine.read(state, bytes(following))
            assert after is not None
            state = after
        return bytes(text)

    def closing(self) -> bytes:
        """A byte string that completes the document from here, the shortest one for grammars; empty when complete."""
        return self._engine.closing(self._state)

    def choices(self, limit: int) -> list[list[bytes]] | None:
        """The values that may be written here, up to ``limit``, as JSON texts, or what is missing of one under way.

        They are grouped by what may stand behind them. ``None`` unless all that may be written here are values that
        the document has for a ``Verbatim`` field, and constants such as ``null`` beside them.
        """
        return self._engine.choices(self._state, limit)
