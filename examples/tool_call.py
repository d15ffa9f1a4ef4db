"""Requests to function calls: the model chooses the tool and writes its arguments, Python runs it.

$ python examples/tool_call.py
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sdk import Extractor, call_tool, tool


@tool
def set_timer(minutes: Annotated[int, Field(ge=1, description="how many minutes")]) -> str:
    """Start a kitchen timer."""
    return f"The timer rings in {minutes} minutes."


@tool
def switch_light(room: Literal["kitchen", "bedroom", "garden"], on: bool) -> str:
    """Switch the light of a room on or off."""
    return f"The light in the {room} is now {'on' if on else 'off'}."


def main() -> None:
    extractor = Extractor()
    for request in ("Set a timer for 12 minutes, please.", "Turn on the light in the kitchen."):
        call = call_tool(request, [set_timer, switch_light], extractor=extractor)
        print(f"{request}\n  {call.tool.name}({dict(call.arguments)}) -> {call.run()}")


if __name__ == "__main__":
    main()
