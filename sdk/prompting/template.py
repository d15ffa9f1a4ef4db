r"""The prompt as a conversation: a system message, a question and an answer for each example, then the document.

    system     what to do, the instructions, the outline of the answer
    user       the text of an example          } for each example
    assistant  its value, as JSON              }
    user       the document

What all documents have in common comes first and the document last, so that the model reads the common part once for
many documents. The words are two Jinja templates, either of which can be replaced:

    PromptTemplate(document="Letter:\n{{ text }}")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from sdk.errors import PromptError

__all__ = ["Message", "PromptTemplate", "lone_surrogate"]

_SYSTEM = """\
You extract data from a document. Answer with one JSON value and nothing else.
{% if instructions %}{{ instructions }}
{% endif %}The value is: {{ outline }}
Copy values as they are written in the document."""
"""The system message, unless told otherwise; short, since a small model follows few sentences."""

_DOCUMENT = """\
Document:
{{ text }}"""
"""The message with a document, unless told otherwise."""


class Message(TypedDict):
    """One turn of a conversation, as chat templates take it."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """The words around a document.

    ``system``: Jinja source with the variables ``instructions`` (may be empty) and ``outline``. ``document``: Jinja
    source with the variable ``text``.
    """

    system: str = _SYSTEM
    document: str = _DOCUMENT

    def messages(
        self, text: str, *, outline: str, instructions: str | None = None, examples: Sequence[tuple[str, str]] = ()
    ) -> list[Message]:
        """The conversation about ``text``; ``examples`` are pairs of a text and its answer as JSON.

        Raises ``PromptError`` when a template is malformed or names a variable it does not have, and for text that is
        no Unicode.
        """
        system = _render(self.system, outline=outline, instructions=instructions or "")
        conversation = [Message(role="system", content=system)]
        for question, answer in examples:
            conversation.append(Message(role="user", content=_render(self.document, text=question)))
            conversation.append(Message(role="assistant", content=answer))
        return [*conversation, Message(role="user", content=_render(self.document, text=text))]


def lone_surrogate(text: str) -> int | None:
    """Where a text holds half of a character beyond U+FFFF, which no tokenizer takes; ``None`` for Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


def _render(source: str, **variables: str) -> str:
    from jinja2 import Environment, StrictUndefined, TemplateError

    try:
        text = Environment(undefined=StrictUndefined, autoescape=False).from_string(source).render(variables)
    except TemplateError as error:
        raise PromptError(f"the prompt template cannot be used: {error}; the template: {source!r}") from error
    if (offset := lone_surrogate(text)) is not None:
        before = text[max(offset - 20, 0) : offset]
        raise PromptError(f"expected a prompt in Unicode, found the lone surrogate {text[offset]!a} after {before!r}")
    return text
