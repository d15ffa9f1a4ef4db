"""A tool: a typed function, and the type of a call to it.

    @tool
    def set_timer(minutes: Annotated[int, Field(ge=1, description="how long")]) -> str:
        "Start a kitchen timer."

A call to it is an instance of ``set_timer.call_type``, ``{"tool": "set_timer", "arguments": {"minutes": 5}}``. Both
objects are TypedDicts, since a parameter may have any name (``schema``, ``copy``, ``_id``), and fields of a Pydantic
model may not. A parameter with a default may be left out, and then the function's own default holds.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, NotRequired, ParamSpec, TypeVar

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from sdk.errors import ToolError

__all__ = ["Tool", "tool"]

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, eq=False)
class Tool(Generic[P, R]):
    """A function that a model can call; calling the tool calls the function.

    ``description``: the first paragraph of the function's docstring. ``call_type``: the type of a call, a TypedDict, to
    extract or to validate.
    """

    function: Callable[P, R]
    name: str
    description: str
    call_type: Any

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The function itself, unchanged."""
        return self.function(*args, **kwargs)


def tool(function: Callable[P, R]) -> Tool[P, R]:
    """Make a function a tool. Bound methods and coroutine functions work too.

    Every parameter needs a type annotation; ``Annotated[..., Field(description=...)]`` describes it to the model.
    Raises ``ToolError`` for a parameter that has no annotation or that cannot be passed by name, and for a function
    without a name or a readable signature.
    """
    name = getattr(function, "__name__", "")
    if not name.isidentifier():
        raise ToolError(f"expected a named function, found {function!r}")
    paragraph, *_ = (inspect.getdoc(function) or "").split("\n\n")
    description = " ".join(paragraph.split())
    arguments = {parameter.name: _argument(name, parameter) for parameter in _parameters(function, name)}
    call = {
        "tool": Annotated[Literal[name], Field(description=description or None)],
        "arguments": _closed_dict(f"{name}_arguments", arguments),
    }
    return Tool(function, name, description, _closed_dict(name, call))


def _parameters(function: Callable[..., Any], name: str) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function, eval_str=True).parameters.values())
    except (NameError, TypeError, ValueError) as error:
        raise ToolError(f"the signature of {name} cannot be read: {error}") from error


def _argument(name: str, parameter: inspect.Parameter) -> Any:
    """The type of one argument, ``NotRequired`` where the function has a default."""
    if parameter.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
        raise ToolError(f"expected parameters that can be passed by name, found {str(parameter)!r} in {name}")
    if parameter.annotation is inspect.Parameter.empty:
        raise ToolError(f"expected a type annotation on every parameter, found none on {parameter.name!r} of {name}")
    required = parameter.default is inspect.Parameter.empty
    return parameter.annotation if required else NotRequired[parameter.annotation]


def _closed_dict(name: str, fields: dict[str, Any]) -> Any:
    """A TypedDict that takes no other keys."""
    functional: Any = TypedDict  # mypy wants the names written out, which are known at run time only
    closed = functional(name, fields)
    closed.__pydantic_config__ = ConfigDict(extra="forbid")
    return closed
