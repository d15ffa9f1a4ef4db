"""What generation asks of a language model: token ids in, raw logits out.

A model is whatever answers to this protocol; ``LanguageModel`` is one of transformers.

    prompt = model.chat(messages)
    (logits,) = model.slots(1).forward([Chunk(0, prompt)])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from schema_compiler import Vocabulary

if TYPE_CHECKING:
    from sdk.generation.slots import Slots

__all__ = ["Model"]


class Model(Protocol):
    """What generation needs of a language model."""

    @property
    def name(self) -> str:
        """What the model is called, by users and in saved estimates."""
        ...

    @property
    def vocabulary(self) -> Vocabulary:
        """The bytes of each token; as many tokens as there are logits."""
        ...

    @property
    def context_tokens(self) -> int | None:
        """The most tokens a sequence can have, or ``None`` where the model sets no limit."""
        ...

    def chat(self, messages: Sequence[Mapping[str, object]]) -> list[int]:
        """The token ids of a conversation, up to where the assistant's answer begins."""
        ...

    def encode(self, text: str) -> list[int]:
        """The token ids of a text, cut as the model was trained to see it; no special tokens."""
        ...

    def slots(self, count: int) -> Slots:
        """New, empty memory for at most ``count`` sequences."""
        ...
