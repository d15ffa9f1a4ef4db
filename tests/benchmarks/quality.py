"""How right values are, on receipts that nobody has seen: what each library, and each mechanism of ours, brings.

    python -m tests.benchmarks.quality --documents 167

The same model (the embedded one), documents, instructions and greedy choice for everybody. *Plain* is a type of four
texts; *grounded* says of each where it may stand and what it is: a line, a date, lines, an amount. Gold values and
predictions are compared by their type, so a date or an amount is right in any spelling, also as a plain text.
Confidence is measured on all values, and after calibration on the half of the documents it was not learned from; values
that no document has, and those that a document lacks, are no matter of the library and are left in.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import islice
from time import perf_counter
from typing import Annotated, Any

import typer
from pydantic import BaseModel, Field
from rich.console import Console
from rich.table import Table
from transformers.utils import logging

from schema_compiler.grounding.spellings import read_dates, read_datetimes, read_numbers
from sdk import Extractor, Verbatim
from sdk.errors import SdkError
from sdk.evaluation import Calibrator, Confidence, Evaluation, Pair, evaluate, measure
from sdk.extraction import Extraction
from sdk.fields import FieldPath
from tests.benchmarks.cases import SHARED
from tests.benchmarks.generation import SYSTEMS, Case, prepared, unprepared

__all__ = ["main"]

_FIELDS = ("company", "date", "address", "total")


class Receipt(BaseModel):
    """A receipt."""

    company: str = Field(description="name of the company that issued the receipt")
    date: str = Field(description="date of the receipt")
    address: str = Field(description="address of the company")
    total: str = Field(description="total amount paid")


_Date = date


class GroundedReceipt(BaseModel):
    """A receipt."""

    company: Annotated[str, Verbatim(within="line")] = Field(description="name of the company that issued the receipt")
    date: Annotated[_Date, Verbatim(day_first=True)] = Field(description="date of the receipt")
    address: Annotated[str, Verbatim(within="lines")] = Field(description="address of the company")
    total: Annotated[Decimal, Verbatim()] = Field(description="total amount paid")


class _Compared(BaseModel):
    """What is compared: dates and amounts in one spelling each."""

    company: str | None = None
    date: str | None = None
    address: str | None = None
    total: str | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """What a system made of each document: its value as plain data, confidences, and passes for a token of output."""

    values: Sequence[Mapping[str, Any] | None]
    confidence: Sequence[Mapping[FieldPath, float]] = ()
    passes: float = 0.0
    found: Sequence[str] = field(default_factory=list)


def main(
    documents: Annotated[int, typer.Option(help="How many receipts.")] = 167,
    only: Annotated[list[str] | None, typer.Option(help="Run systems whose name contains this; repeatable.")] = None,
    max_tokens: Annotated[int, typer.Option(help="The most tokens of output for a document.")] = 160,
) -> None:
    """Measure all systems on the same documents."""
    logging.disable_progress_bar()
    console = Console(width=170)
    with gzip.open(SHARED / "sroie-dev.jsonl.gz") as lines:
        rows = [json.loads(line) for line in islice(lines, documents)]
    texts = ["\n".join(row["lines"]) for row in rows]
    gold = [_compared(row["gold"]) for row in rows]
    table = Table(title=f"{documents} receipts, right values (token F1)", title_justify="left")
    for column in ("system", *_FIELDS, "micro", "documents failed", "s/document", "passes/token"):
        table.add_column(column, justify="left" if column == "system" else "right")
    for name, run in _systems(max_tokens):
        if any(part in name for part in only or [""]):
            started = perf_counter()
            row = run(texts)
            seconds = (perf_counter() - started) / documents
            evaluation = _evaluation(row, gold)
            cells = [_cell(evaluation, name) for name in _FIELDS]
            micro = f"{evaluation.micro.normalised:.1%} ({evaluation.micro.token_f1:.2f})"
            failed = str(sum(value is None for value in row.values))
            table.add_row(name, *cells, micro, failed, f"{seconds:.2f}", f"{row.passes:.2f}" if row.passes else "")
            console.print(name, *cells, micro, failed, f"{seconds:.2f}", f"{row.passes:.2f}")
            if row.confidence:
                _print_confidence(console, name, row, gold)
    console.print(table)


def _systems(max_tokens: int) -> Iterator[tuple[str, Callable[[Sequence[str]], _Row]]]:
    model = prepared("float32")
    extractor = Extractor(model)

    def ours(wanted: Any, **options: Any) -> Callable[[Sequence[str]], _Row]:
        def run(texts: Sequence[str]) -> _Row:
            found = dict(extractor.run_batch(wanted, texts, max_tokens=max_tokens, **options))
            return _row_of([found[number] for number in range(len(texts))])

        return run

    def peer(texts: Sequence[str]) -> _Row:
        (system,) = [one for one in SYSTEMS if one.name.startswith("xgrammar") and one.name.endswith("batch 1")]
        return _Row(
            [
                _loaded(text)
                for text in system.run(unprepared(model), [Case(Receipt, text) for text in texts], max_tokens).texts
            ]
        )

    yield "ours, plain", ours(Receipt)
    yield "ours, plain, grounded=True", ours(Receipt, grounded=True)
    yield "ours, grounded, greedy", ours(GroundedReceipt, choose="greedy")
    yield "ours, grounded", ours(GroundedReceipt)
    yield "xgrammar + transformers, plain", peer


def _row_of(results: Sequence[Extraction[Any] | SdkError]) -> _Row:
    done = [one for one in results if isinstance(one, Extraction)]
    return _Row(
        [one.value.model_dump(mode="json") if isinstance(one, Extraction) else None for one in results],
        [one.confidence if isinstance(one, Extraction) else {} for one in results],
        sum(one.forward_passes for one in done) / max(1, sum(one.output_tokens for one in done)),
    )


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _compared(value: Mapping[str, Any]) -> dict[str, str]:
    """A value with its date and its amount in one spelling each, where they can be read."""
    found = {name: str(value[name]) for name in _FIELDS if value.get(name)}
    if "date" in found:
        text = found["date"].strip()
        days = [*read_dates(text, True), *(moment.date() for moment in read_datetimes(text, True))]
        found["date"] = days[0].isoformat() if days else text
    if "total" in found:
        amounts = list(read_numbers(found["total"].strip()))
        found["total"] = f"{amounts[0].normalize():f}" if amounts else found["total"]
    return found


def _evaluation(row: _Row, gold: Sequence[Mapping[str, str]]) -> Evaluation:
    return evaluate(_pairs(row, gold), _Compared)


def _pairs(row: _Row, gold: Sequence[Mapping[str, str]]) -> list[Pair]:
    confidences = row.confidence or [{} for _ in row.values]
    return [
        Pair(str(number), wanted, None if value is None else _compared(value), confidence)
        for number, (wanted, value, confidence) in enumerate(zip(gold, row.values, confidences, strict=True))
    ]


def _cell(evaluation: Evaluation, name: str) -> str:
    scores = evaluation.fields[name]
    return f"{scores.normalised:.1%} ({scores.token_f1:.2f})"


def _print_confidence(console: Console, name: str, row: _Row, gold: Sequence[Mapping[str, str]]) -> None:
    pairs = _pairs(row, gold)
    raw = evaluate(pairs, _Compared).confidence
    learned, rest = (evaluate(pairs[half::2], _Compared).judged for half in (0, 1))
    if raw is None or not learned or not rest:
        return
    calibrator = Calibrator.fit(learned)
    after = measure([(calibrator(confidence), right) for confidence, right in rest])
    console.print(f"  {name}: {_told(raw)}; calibrated on one half, on the other: {_told(after)}")


def _told(confidence: Confidence) -> str:
    auroc = "unknown" if confidence.auroc is None else f"{confidence.auroc:.3f}"
    return (
        f"AUROC {auroc}, ECE {confidence.ece:.3f}, Brier {confidence.brier:.3f}, "
        f"right at half the coverage {confidence.accuracy_at(0.5):.1%}"
    )


if __name__ == "__main__":
    typer.run(main)
