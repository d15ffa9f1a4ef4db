"""Chat templates for tests: a tokenizer of single bytes with the control tokens of any template."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from tests.vocabularies import SHARED

__all__ = ["CHATML", "byte_tokenizer", "control_names", "message", "template"]

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""The plainest template: it shows everything as it is."""

TEMPLATES = sorted(path.stem for path in (SHARED / "data" / "chat-templates").glob("*.jinja"))
"""The names of templates in the folder of shared test data; none where it is absent."""


def template(name: str) -> str:
    """The source of one of ``TEMPLATES``."""
    return (SHARED / "data" / "chat-templates" / f"{name}.jinja").read_text()


def control_names(source: str) -> list[str]:
    """What looks like a control token in a template, tags among it."""
    return sorted(set(re.findall(r"<\|[^|<>\s']+\|>|<｜[^｜]+｜>|\[/?[A-Z_]+\]|</?[a-z_]+>|◁/?\w+▷", source)))


def byte_tokenizer(source: str | dict[str, str] | None, names: Sequence[str] = ()) -> PreTrainedTokenizerFast:
    """A tokenizer of bytes with the chat template ``source``.

    Tags (``<think>``) are added tokens that are not special; all others, ``<s>`` and ``</s>`` too, are special.
    """
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    backend = Tokenizer(models.BPE({character: number for number, character in enumerate(alphabet)}, []))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<s>", eos_token="</s>")
    tokenizer.add_tokens(
        [AddedToken(name, special=not re.fullmatch("</?[a-z_]+>", name), normalized=False) for name in names]
    )
    tokenizer.chat_template = source
    return tokenizer


def message(role: str, content: str) -> dict[str, str]:
    """A message of a conversation."""
    return {"role": role, "content": content}
