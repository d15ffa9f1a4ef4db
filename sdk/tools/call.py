"""Choosing a tool for a text: extraction of a union of calls, told apart by the tool's name.

{"tool": "set_timer", "arguments": {"minutes": 5}}  or  {"tool": "add_item", "arguments": {"name": "milk"}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Union, Unpack

from pydantic import Field

from sdk.api import extract
from sdk.errors import ToolError
from sdk.extractor import Extractor
from sdk.options import Options
from sdk.prompting import PromptTemplate
from sdk.tools.tool import Tool

__all__ = ["ToolCall", "call_tool"]

_TEMPLATE = PromptTemplate(
    system="""\
You are an assistant that calls tools. Answer the request with the call of one tool, as JSON.
{{ instructions }}
The call is: {{ outline }}""",
    document="Request: {{ text }}",
)
"""The words around a request; ``instructions`` are the caller's, and the outline has the tools."""

_CALL_TYPES = 128
"""How many sets of tools keep their type of a call, as many as an extractor keeps compiled types."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool with the arguments the model gave it, typed as the function's parameters are."""

    tool: Tool[..., Any]
    arguments: Mapping[str, Any]

    def run(self) -> Any:
        """Call the function; a coroutine function gives a coroutine to await. Raises what the function raises."""
        return self.tool(**self.arguments)


def call_tool(
    text: str, tools: Sequence[Tool[..., Any]], *, extractor: Extractor | None = None, **options: Unpack[Options]
) -> ToolCall:
    """Let the model choose one of ``tools`` for ``text`` and write its arguments; nothing is executed yet.

    ``extractor``: the model to ask, the default one when ``None``. ``options``: those of ``sdk.options.Options``; the
    default ``template`` has words for requests and tools.
    Raises ``ToolError`` when there is no tool, something else than a tool, or two of one name, and what ``extract``
    raises.
    """
    by_name = _by_name(tools)
    ask = extract if extractor is None else extractor.extract
    completed: Options = {"template": _TEMPLATE, **options}
    call = ask(_call_type(tuple(tools)), text, **completed)
    return ToolCall(by_name[call["tool"]], call["arguments"])


def _by_name(tools: Sequence[Tool[..., Any]]) -> dict[str, Tool[..., Any]]:
    for tool in tools:
        if not isinstance(tool, Tool):
            raise ToolError(f"expected tools, functions marked with @tool, found {tool!r}")
    by_name = {tool.name: tool for tool in tools}
    if not by_name:
        raise ToolError("expected at least one tool, found none")
    if len(by_name) < len(tools):
        names = [tool.name for tool in tools]
        raise ToolError(f"expected different names, found {sorted({name for name in names if names.count(name) > 1})}")
    return by_name


@lru_cache(_CALL_TYPES)
def _call_type(tools: tuple[Tool[..., Any], ...]) -> Any:
    """The type of a call to any of ``tools``: one object for the same tools, so that extractors compile it once."""
    kinds = tuple(tool.call_type for tool in tools)
    return kinds[0] if len(kinds) == 1 else Annotated[Union[kinds], Field(discriminator="tool")]  # noqa: UP007
