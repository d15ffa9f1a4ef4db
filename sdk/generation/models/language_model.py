"""A causal language model of transformers, with its tokenizer."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schema_compiler import Vocabulary

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from sdk.generation.slots import Slots

__all__ = ["LanguageModel"]


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A causal model of transformers. Shared by threads: each run has slots of its own."""

    name: str
    module: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    vocabulary: Vocabulary
    context_tokens: int | None

    def chat(self, messages: Sequence[Mapping[str, object]]) -> list[int]:
        """The token ids of a conversation, by the tokenizer's chat template.

        A tokenizer without one (a base model's) gets the messages as paragraphs.
        """
        if self.tokenizer.chat_template is None:
            text = "".join(f"{message['content']}\n\n" for message in messages)
            return list(self.tokenizer.encode(text))
        text = self.tokenizer.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=True)
        return list(self.tokenizer.encode(text, add_special_tokens=False))

    def encode(self, text: str) -> list[int]:
        """See ``Model``."""
        return list(self.tokenizer.encode(text, add_special_tokens=False))

    def slots(self, count: int) -> Slots:
        """New, empty memory for ``count`` sequences; for one, with a warning, where layers keep no keys and values."""
        from sdk.generation.models.key_value_slots import KeyValueSlots
        from sdk.generation.models.single_slot import SingleSlot

        if KeyValueSlots.fits(self.module):
            return KeyValueSlots(self.module, count)
        warnings.warn(
            f"{self.name} has layers other than full or sliding-window attention, so that it runs one sequence at a "
            "time, without drafts",
            stacklevel=2,
        )
        return SingleSlot(self.module)
