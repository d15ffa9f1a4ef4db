"""What a token means to whoever reads bytes: its text, or the end of the document."""

from __future__ import annotations

from typing import Any, Protocol

from schema_compiler.engine.vocabulary.vocabulary import Vocabulary

__all__ = ["ByteReader", "after_token"]


class ByteReader(Protocol):
    """Whatever reads bytes from state to state; engines differ in what a state is."""

    vocabulary: Vocabulary

    @property
    def ended(self) -> Any:
        """The state after EOS."""

    def complete(self, state: Any) -> bool:
        """Whether the text so far is a whole document."""

    def read(self, state: Any, text: bytes) -> Any:
        """The state after ``text``; ``None`` when it leads out of the language."""


def after_token(reader: ByteReader, state: Any, token_id: int) -> Any:
    """The state after a token: after its text, or the end where it is EOS and the document is complete.

    ``None`` when the token is illegal, stands for no text or is none of the vocabulary's.
    """
    vocabulary = reader.vocabulary
    if not 0 <= token_id < len(vocabulary):
        return None
    if token_id in vocabulary.eos_token_ids:
        return reader.ended if state is not reader.ended and reader.complete(state) else None
    text = vocabulary.tokens[token_id]
    return None if text is None else reader.read(state, text)
