"""The command line: documents in, JSON lines out.

    $ extraction-sdk extract --type shop:Receipt receipts/*.txt
    {"source": "receipts/1.txt", "value": {"shop": "Ace Books", "total": 9.0}}

One line for each document, in order, so that results can be matched to documents and read while a long run goes on. A
document that fails gets a line with ``error`` instead of ``value`` and a message on standard error; the others go on,
and the exit code is 1 at the end.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from pydantic import PydanticUserError, TypeAdapter

from schema_compiler import SchemaCompilerError
from schema_compiler import explain as explain_type
from sdk.errors import SdkError, TypeNameError
from sdk.extractor import Extractor
from sdk.options import DEFAULTS, documentation

if TYPE_CHECKING:
    from sdk.generation.models.quantization import Quantization

__all__ = ["app", "load_type", "main"]

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

_Type = Annotated[str, typer.Option("--type", help="What to extract, as module:Name (or module:Outer.Inner).")]


def _option(name: str) -> Any:
    """The command-line option for one of ``TaskOptions``."""
    return typer.Option(help=documentation(name))


@app.command()
def extract(
    sources: Annotated[list[str], typer.Argument(metavar="FILE...", help="Text files; - is standard input.")],
    type_: _Type,
    model: Annotated[str | None, typer.Option(help="Name, folder or GGUF file of a causal language model.")] = None,
    quantize: Annotated[str | None, typer.Option(help="int8 or int4: small weights, to take less memory.")] = None,
    instructions: Annotated[str | None, _option("instructions")] = DEFAULTS["instructions"],
    max_tokens: Annotated[int, _option("max_tokens")] = DEFAULTS["max_tokens"],
    temperature: Annotated[float, _option("temperature")] = DEFAULTS["temperature"],
    seed: Annotated[int | None, _option("seed")] = DEFAULTS["seed"],
) -> None:
    """Extract a typed value from each document; print one JSON object a line.

    What is wrong with one document is on its line; the command itself fails, with a message, for a type that cannot
    be found or compiled, a model that cannot be loaded, and an option out of its range.
    """
    wanted = load_type(type_)
    try:
        adapter = TypeAdapter(wanted)
    except PydanticUserError as error:
        raise TypeNameError(f"--type {type_}: expected a type for Pydantic, found {wanted!r}") from error
    extractor = _load_quietly(model, quantize)
    failed = False
    for source in sources:
        try:
            value = extractor.extract(
                wanted,
                _read(source),
                instructions=instructions,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
            )
            line = {"source": source, "value": adapter.dump_python(value, mode="json", by_alias=True)}
        except (SdkError, OSError, UnicodeDecodeError) as error:
            failed = True
            line = {"source": source, "error": {"type": type(error).__name__, "message": str(error)}}
            typer.echo(f"{source}: {error}", err=True)
        typer.echo(json.dumps(line, ensure_ascii=False))
    raise typer.Exit(int(failed))


@app.command()
def explain(type_: _Type) -> None:
    """Print what a type is compiled to: its JSON Schema, its grammar, and what is enforced."""
    typer.echo(explain_type(load_type(type_)))


def load_type(name: str) -> Any:
    """The object that ``module:Name`` leads to; the working folder is searched too. Raises ``TypeNameError``."""
    module_name, colon, path = name.partition(":")
    if not (module_name and colon and path):
        raise TypeNameError(f"expected --type module:Name, found {name!r}")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        value: Any = importlib.import_module(module_name)
    except ImportError as error:
        raise TypeNameError(f"--type {name}: the module {module_name!r} cannot be imported: {error}") from error
    for step in path.split("."):
        if not hasattr(value, step):
            raise TypeNameError(f"--type {name}: there is no {step!r} in {getattr(value, '__name__', value)}")
        value = getattr(value, step)
    return value


def _load_quietly(model: str | None, quantize: str | None) -> Extractor:
    """Load the model without transformers' progress bars."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    return Extractor(model, quantize=cast("Quantization | None", quantize))  # another word is refused there


def _read(source: str) -> str:
    return sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")


def main() -> None:
    """Run the command line; what is wrong with the command itself is one line on standard error, exit code 1."""
    try:
        app()
    except (SdkError, SchemaCompilerError, ValueError) as error:
        typer.echo(f"error: {error}", err=True)
        raise SystemExit(1) from error
