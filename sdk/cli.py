"""The command line: documents in, JSON lines out; and what those lines are worth.

    $ extraction-sdk extract --type shop:Receipt receipts/*.txt > results.jsonl
    {"source": "receipts/1.txt", "value": {"shop": "Ace Books", "total": 9.0}}
    $ extraction-sdk report results.jsonl -o report.html
    $ extraction-sdk evaluate results.jsonl --gold gold.jsonl --type shop:Receipt

One line for each document, in order, so that results can be matched to documents and read while a long run goes on;
``sdk.results`` says what is on it. A document that fails gets a line with ``error`` instead of ``value`` and a message
on standard error; the others go on, and the exit code is 1 at the end.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from pydantic import PydanticUserError, TypeAdapter

from schema_compiler import SchemaCompilerError
from schema_compiler import explain as explain_type
from schema_compiler.files import replace_atomically
from sdk.errors import BudgetExceededError, ResultsError, SdkError, TypeNameError
from sdk.extractor import Extractor
from sdk.options import DEFAULTS, documentation
from sdk.results import Failure, Result, read_results

if TYPE_CHECKING:
    from sdk.evaluation import Evaluation
    from sdk.generation.models.quantization import Quantization

__all__ = ["app", "load_type", "main"]

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

_Results = Annotated[Path, typer.Argument(metavar="RESULTS", help="JSON lines as extract writes them.")]
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
    adapter = _adapter(type_, wanted)
    extractor = _load_quietly(model, quantize)
    failed = False
    for source in sources:
        text: str | None = None
        try:
            text = _read(source)
            extraction = extractor.run(
                wanted,
                text,
                instructions=instructions,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
            )
            if extraction.finish_reason == "budget":
                raise BudgetExceededError(extraction)
            value = adapter.dump_python(extraction.value, mode="json", by_alias=True)
            result = replace(extraction.result(source), value=value)
        except (SdkError, OSError, UnicodeDecodeError) as error:
            failed = True
            result = Result(source, error=Failure(type(error).__name__, str(error)), document=text)
            typer.echo(f"{source}: {error}", err=True)
        # What was not read from a file cannot be read again.
        typer.echo((result if source == "-" else replace(result, document=None)).line())
    raise typer.Exit(int(failed))


@app.command()
def report(
    results: _Results,
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")],
    folder: Annotated[Path, typer.Option(help="What the documents' paths are relative to.")] = Path(),
    title: Annotated[str | None, typer.Option(help="The page's title; the results' file name by default.")] = None,
    limit: Annotated[int, typer.Option(help="The most documents on the page.", min=1)] = 500,
    megabytes: Annotated[int, typer.Option(help="The size from which on no document is added.", min=1)] = 20,
) -> None:
    """Write a page that shows each document with the places of its values.

    It is one file without scripts, and says how many documents it leaves out. A document that cannot be read, or that
    has changed since, is shown without its text.
    """
    from sdk.report import write_report

    with replace_atomically(output) as scratch, scratch.open("w", encoding="utf-8", newline="") as page:
        write_report(
            _lines(results),
            page,
            title=title or results.name,
            limit=limit,
            most_characters=megabytes * 1_000_000,
            text_of=lambda result: _with_document(result, folder),
        )


@app.command()
def evaluate(
    results: _Results,
    gold: Annotated[Path, typer.Option(help='JSON lines {"id": ..., "value": ...}; id is the result\'s source.')],
    type_: _Type,
    compare: Annotated[Path | None, typer.Option(help="Other results, to be compared on the same values.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw how confidence and right values go together.")] = None,
    calibrate: Annotated[Path | None, typer.Option(help="Write a calibrator fitted to these results.")] = None,
) -> None:
    """Print how right results are, by field, and what their confidence is worth; see ``sdk.evaluation``.

    Values are compared by their types: dates and numbers by value, text without case, white space and punctuation,
    lists by their best partners. A document without a result counts as one without a value.
    """
    from rich.console import Console

    from sdk.evaluation import Calibrator, differences
    from sdk.evaluation.plot import plot_confidence
    from sdk.evaluation.tables import confidence_tables, difference_table, field_table

    wanted = load_type(type_)
    _adapter(type_, wanted)
    console = Console()
    evaluation, remarks = _evaluation(gold, results, wanted)
    typer.echo(remarks)
    console.print(field_table(evaluation))
    if evaluation.confidence is not None:
        console.print(*confidence_tables(evaluation.confidence))
    if compare is not None:
        other, remarks = _evaluation(gold, compare, wanted)
        typer.echo(remarks)
        typer.echo(f"first: {results}; second: {compare}")
        console.print(difference_table(differences(evaluation, other)))
    if (plot or calibrate) and evaluation.confidence is None:
        raise ResultsError(f"expected confidences, for --plot and --calibrate; found none in {results}")
    if plot is not None and evaluation.confidence is not None:
        plot_confidence(evaluation.confidence, plot)
    if calibrate is not None:
        Calibrator.fit(evaluation.judged).save(calibrate)


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


def _adapter(name: str, wanted: Any) -> TypeAdapter[Any]:
    try:
        return TypeAdapter(wanted)
    except PydanticUserError as error:
        raise TypeNameError(f"--type {name}: expected a type for Pydantic, found {wanted!r}") from error


def _lines(path: Path) -> Iterator[Result]:
    with path.open(encoding="utf-8") as lines:
        yield from read_results(lines, str(path))


def _with_document(result: Result, folder: Path) -> Result:
    """The result with its document, or with the reason why it has none."""
    try:
        return replace(result, document=result.text(folder))
    except ResultsError as error:
        return replace(result, document=None, error=result.error or Failure(type(error).__name__, str(error)))


def _evaluation(gold: Path, results: Path, wanted: Any) -> tuple[Evaluation, str]:
    """The evaluation of a file, and what should be said before its numbers."""
    from sdk.evaluation import evaluate as evaluate_pairs
    from sdk.evaluation import pair_results

    pairing = pair_results(_lines(gold), _lines(results))
    evaluation = evaluate_pairs(pairing.pairs, wanted)
    counts = {
        "with an error": pairing.failed,
        "without a result": pairing.missing,
        "with a value that is not of the type": list(evaluation.invalid),
        "not in gold, left out": pairing.unknown,
    }
    lines = [f"{results}: {len(pairing.pairs):,} documents of gold"]
    for words, names in counts.items():
        if names:
            lines.append(f"  {len(names):,} {words}: {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}")
    return evaluation, "\n".join(lines)


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
    except (SdkError, SchemaCompilerError, ValueError, OSError) as error:
        typer.echo(f"error: {error}", err=True)
        raise SystemExit(1) from error
