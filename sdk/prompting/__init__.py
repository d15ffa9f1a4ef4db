"""What the model reads: instructions, the fields to fill in, examples, and last the document."""

from __future__ import annotations

from sdk.prompting.examples import Example, checked_examples
from sdk.prompting.outline import outline
from sdk.prompting.template import Message, PromptTemplate, lone_surrogate

__all__ = ["Example", "Message", "PromptTemplate", "checked_examples", "lone_surrogate", "outline"]
