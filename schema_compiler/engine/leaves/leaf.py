"""What a leaf is to the engine: a language that calls no rule, with integers for states.

A leaf is an interface, so that a language need not be a table: a start state, a step by byte, whether a state accepts,
the shortest way out, and the scan, which says for all tokens at once what the language makes of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from schema_compiler.engine.tokens.scan import Scan
from schema_compiler.engine.tokens.trie import NodeSet, Trie

__all__ = ["LeafLanguage"]


class LeafLanguage(ABC):
    """A language over bytes whose every state can still reach acceptance; ``start`` is the first one."""

    start: int
    remembers: bool = False
    """Whether no text may be read twice within one call of the rule around the leaf; ``text`` says what was read."""

    @abstractmethod
    def step(self, state: int, byte: int) -> int:
        """The state after ``byte``, or -1."""

    def run(self, state: int, text: bytes, index: int) -> tuple[int, int]:
        """Read on from ``text[index]`` up to the end, to acceptance or to -1: the state and the index then."""
        while index < len(text):
            state = self.step(state, text[index])
            index += 1
            if state < 0 or self.accepting(state):
                break
        return state, index

    @abstractmethod
    def accepting(self, state: int) -> bool:
        """Whether the text may end here."""

    def text(self, state: int) -> bytes:  # noqa: ARG002 - leaves that remember ask their state
        """What has been read, if the language ``remembers`` it: the same for every spelling of its characters."""
        return b""

    @abstractmethod
    def bytes_from(self, state: int) -> Sequence[int]:
        """The legal next bytes."""

    def value_endings(self, state: int, limit: int) -> list[bytes] | None:  # noqa: ARG002 - leaves that list values do
        """What is missing of each value that may stand at ``state``, up to ``limit``; ``None`` if that is not known."""
        return None

    @abstractmethod
    def closing(self, state: int) -> bytes:
        """The shortest text from here to acceptance."""

    @abstractmethod
    def scan(self, trie: Trie, node_set: NodeSet, state: int) -> Scan:
        """Which tokens going on from ``node_set`` the language admits."""
