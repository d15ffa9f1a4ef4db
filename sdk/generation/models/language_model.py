"""A causal language model of transformers, with its tokenizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schema_compiler import Vocabulary
from sdk.generation.models.chat import ChatTemplate
from sdk.generation.models.model import Thought
from sdk.generation.models.text_encoder import TextEncoder
from sdk.generation.reasoning import Closing

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from sdk.generation.models.probe import MemoryKind
    from sdk.generation.slots import Slots

__all__ = ["LanguageModel"]


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A causal model of transformers. Shared by threads: each run has slots of its own.

    ``memory``: how its sequences run. ``free_tokens``: see ``Slots``. The chat template is the one that the tokenizer
    has when the model is made.
    """

    name: str
    module: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    vocabulary: Vocabulary
    context_tokens: int | None
    memory: MemoryKind = "batches"
    free_tokens: int = 32

    _template: ChatTemplate = field(init=False, repr=False, compare=False)
    _encoder: TextEncoder = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Try the chat template out; raises ``ModelError`` where it does not show whole conversations."""
        template = ChatTemplate(self.tokenizer, self.name)
        object.__setattr__(self, "_template", template)
        object.__setattr__(self, "_encoder", TextEncoder(self.tokenizer, template.written))

    def chat(self, messages: Sequence[Mapping[str, object]]) -> list[int]:
        """See ``Model``; a tokenizer without a chat template (a base model's) gets the messages as paragraphs.

        Raises ``PromptError`` when the template does not show all messages.
        """
        return self._encoder.encode(self._template.pieces(messages), special_tokens=self._template.is_missing)

    def think(self, messages: Sequence[Mapping[str, object]]) -> Thought | None:
        """See ``Model``; raises ``PromptError`` when the chat template does not show all messages."""
        if self._template.thinking is None:
            return None
        closing = self._encoder.parts(self._template.thinking.closes)
        if not self.vocabulary.eos_token_ids.isdisjoint(closing):  # what ends the whole answer cannot end a part of it
            return None
        prompt = self._encoder.encode(self._template.pieces(messages, thinking=True))
        return Thought(prompt, Closing.of(closing, self.vocabulary))

    def encode(self, text: str) -> list[int]:
        """See ``Model``."""
        return self._encoder.encode(["", text])

    def slots(self, count: int) -> Slots:
        """New, empty memory for ``count`` sequences, or for one where no two can share a pass."""
        from sdk.generation.models.probe import slots_of

        return slots_of(self.module, self.memory, count, self.free_tokens)
