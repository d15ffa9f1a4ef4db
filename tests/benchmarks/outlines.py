"""What it costs to tell a model about its tools: tokens of the outline, beside those of the JSON Schemas.

    python -m tests.benchmarks.outlines            60 tools; --show prints the outline, too

The tools are functions of BFCL (``../shared/data``, the first ones of different names), made with ``sdk.tool`` as users
make theirs, and their calls one union, as ``call_tool`` has it. Tokens are those of the embedded model.
"""

from __future__ import annotations

import gzip
import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Union

import typer
from pydantic import Field, WithJsonSchema
from rich.console import Console
from rich.table import Table
from transformers.utils import logging

from schema_compiler.frontend.frontend import json_schema_of
from sdk import Tool, tool
from sdk.generation.models.loading import load_model
from sdk.prompting import outline
from tests.benchmarks.cases import SHARED

__all__ = ["bfcl_functions", "call_schema", "main", "tool_of"]

_TYPES = {"dict": "object", "float": "number", "tuple": "array"}
"""The names that BFCL has for types of JSON Schema; ``any`` is no type."""


def main(
    count: Annotated[int, typer.Option("--tools", help="How many tools.")] = 60,
    show: Annotated[bool, typer.Option("--show", help="Print the outline, too.")] = False,
) -> None:
    """Print a row for each way to tell of the tools."""
    logging.disable_progress_bar()
    functions = list(islice(bfcl_functions(), count))
    tools = [tool_of(function) for function in functions]
    told = outline(call_schema(tools))
    ways = {
        "names and descriptions alone": "\n".join(f"- {each.name}: {each.description}" for each in tools),
        "outline": told,
        "JSON Schemas of the functions": "\n".join(map(json.dumps, functions)),
    }
    model = load_model()
    table = Table(f"{len(tools)} tools", "tokens", "characters")
    for name, text in ways.items():
        table.add_row(name, f"{len(model.encode(text)):,}", f"{len(text):,}")
    Console().print(table)
    if show:
        print(told)


def bfcl_functions() -> Iterator[Mapping[str, Any]]:
    """The functions of BFCL's questions, ``{"name": ..., "description": ..., "parameters": ...}``, each name once."""
    seen = set()
    with gzip.open(SHARED / "bfcl-dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            for function in json.loads(line)["functions"]:
                if function["name"] not in seen:
                    seen.add(function["name"])
                    yield {**function, "parameters": _json_schema(function["parameters"])}


def tool_of(function: Mapping[str, Any]) -> Tool[..., Any]:
    """A tool with the parameters of a function of BFCL; dots in its name become underscores."""

    def nothing(**_: Any) -> None: ...

    parameters = function["parameters"]
    nothing.__name__ = function["name"].replace(".", "_")
    nothing.__doc__ = function["description"]
    nothing.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what inspect.signature then returns
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=Annotated[Any, WithJsonSchema(schema)],
                default=inspect.Parameter.empty if name in parameters.get("required", ()) else None,
            )
            for name, schema in parameters.get("properties", {}).items()
        ]
    )
    return tool(nothing)


def call_schema(tools: Sequence[Tool[..., Any]]) -> dict[str, Any]:
    """The JSON Schema of a call to one of ``tools``."""
    kinds = tuple(each.call_type for each in tools)
    return json_schema_of(Annotated[Union[kinds], Field(discriminator="tool")])


def _json_schema(schema: Any) -> Any:
    """A schema with the types of JSON Schema in place of BFCL's names."""
    if isinstance(schema, list):
        return [_json_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: _json_schema(value) for key, value in schema.items()}
    if isinstance(kind := parts.get("type"), str):
        parts["type"] = _TYPES.get(kind, kind)
        if kind == "any":
            del parts["type"]
    return parts


if __name__ == "__main__":
    typer.run(main)
