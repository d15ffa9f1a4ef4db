"""Typed structured extraction with local language models: a type and a text in, an instance out.

    from sdk import extract
    extract(Receipt, "Ace Books, 3 March 2024. Total 9.00")

The type is compiled into a grammar, and the model can only write what the grammar admits; what no grammar can say is
checked by Pydantic before the instance is returned. Importing this package loads no model library.
"""

from __future__ import annotations

from schema_compiler import Grammar, Regex, Verbatim, choice
from sdk.api import extract
from sdk.errors import SdkError
from sdk.extraction import Extraction
from sdk.extractor import Extractor
from sdk.generation.logits_processor import GrammarLogitsProcessor
from sdk.prompting import PromptTemplate
from sdk.tools import Tool, ToolCall, call_tool, tool

__all__ = [
    "Extraction",
    "Extractor",
    "Grammar",
    "GrammarLogitsProcessor",
    "PromptTemplate",
    "Regex",
    "SdkError",
    "Tool",
    "ToolCall",
    "Verbatim",
    "call_tool",
    "choice",
    "extract",
    "tool",
]
