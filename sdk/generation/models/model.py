"""What generation asks of a language model: token ids in, raw logits out.

A model is whatever answers to this protocol; ``LanguageModel`` is one of transformers.

    prompt = model.chat(messages)
    (logits,) = model.slots(1).forward([Chunk(0, prompt)])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from schema_compiler import Vocabulary
from sdk.generation.reasoning import Closing

if TYPE_CHECKING:
    from sdk.generation.slots import Slots

__all__ = ["Model", "Thought"]


@dataclass(frozen=True, slots=True)
class Thought:
    """Where a model thinks before it answers: token ids up to there, and what closes the thought."""

    prompt: list[int]
    closing: Closing


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
        """The token ids of a conversation, up to where the assistant's answer begins, without a thought before it.

        No content gives a control token, whatever its text.
        """
        ...

    def think(self, messages: Sequence[Mapping[str, object]]) -> Thought | None:
        """As ``chat``, up to where a thought begins; ``None`` for a model that has no place for one."""
        ...

    def encode(self, text: str) -> list[int]:
        """The token ids of a text, cut as the model was trained to see it; no control tokens."""
        ...

    def slots(self, count: int) -> Slots:
        """New, empty memory for at most ``count`` sequences."""
        ...
