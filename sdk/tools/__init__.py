"""Functions as tools: a model chooses one and writes its arguments, typed and valid by construction."""

from __future__ import annotations

from sdk.tools.call import ToolCall, call_tool
from sdk.tools.tool import Tool, tool

__all__ = ["Tool", "ToolCall", "call_tool", "tool"]
