"""Whole documents: what each library, and each mechanism of ours, does to the time a user waits.

    python -m tests.benchmarks.end_to_end --documents 8

The same model (the embedded one), documents, prompts, token budget and greedy choice for everybody; other libraries
get the model as transformers loads it, llama.cpp the file from which it is made. Each system runs
once over the first document to warm up, then over all. *Decoding* is everything after the prompts have been read:
wall time minus the passes that read them. *Changed* are fields, and documents with any, that are not as the first
row has them, ours in float32, one document at a time; *weights* is the memory that they take. Documents are receipts
of ``../shared/data``, or with ``--examples`` those of ``examples``, each with a type of its own.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from itertools import islice
from time import perf_counter, process_time
from typing import Annotated

import torch
import typer
from pydantic import BaseModel, Field, ValidationError
from rich.console import Console
from rich.table import Table
from transformers.utils import logging

from sdk.generation.models.language_model import LanguageModel
from tests.benchmarks.cases import SHARED
from tests.benchmarks.generation import SYSTEMS, Case, Forwards, System, prepared, unprepared, weight_bytes
from tests.example_documents import example_documents

__all__ = ["main"]

_COLUMNS = (
    "documents/min",
    "s/document",
    "of it decoding",
    "tokens",
    "passes/token",
    "tokens/s decoding",
    "masks",
    "drafts",
    "valid",
    "changed",
    "weights MB",
)


class Receipt(BaseModel):
    """A receipt."""

    company: str = Field(description="name of the company that issued the receipt")
    date: str = Field(description="date of the receipt")
    address: str = Field(description="address of the company")
    total: str = Field(description="total amount paid")


def main(
    documents: Annotated[int, typer.Option(help="How many receipts.")] = 8,
    examples: Annotated[bool, typer.Option(help="The documents of the examples instead.")] = False,
    max_tokens: Annotated[int, typer.Option(help="The most tokens of output for a document.")] = 128,
    only: Annotated[list[str] | None, typer.Option(help="Run systems whose name contains this; repeatable.")] = None,
    cpu_time: Annotated[bool, typer.Option(help="Seconds of the CPU, steadier where a machine is shared.")] = False,
    threads: Annotated[int | None, typer.Option(help="Threads of torch, its default without.")] = None,
) -> None:
    """Measure all systems on the same documents."""
    logging.disable_progress_bar()
    console = Console(width=160)
    if threads is not None:
        torch.set_num_threads(threads)
    model = prepared("float32")
    plain = unprepared(model)
    reference: list[str] = []
    clock = process_time if cpu_time else perf_counter
    cases = [Case(*case) for case in (example_documents() if examples else _receipts(documents))]
    table = Table(title=f"{model.name}, {len(cases)} documents, at most {max_tokens} tokens each", title_justify="left")
    table.add_column("system")
    for column in _COLUMNS:
        table.add_column(column, justify="right")
    for system in SYSTEMS:
        if any(part in system.name for part in only or [""]):
            console.print(system.name, end=" ")
            chosen = plain if system.peer else model if system.weights == "float32" else prepared(system.weights)
            row = _row(system, chosen, cases, max_tokens, clock, reference)
            console.print(*row)
            table.add_row(system.name, *row)
    console.print(table)


def _receipts(count: int) -> list[tuple[type[BaseModel], str]]:
    with gzip.open(SHARED / "sroie-dev.jsonl.gz") as lines:
        return [(Receipt, "\n".join(json.loads(line)["lines"])) for line in islice(lines, count)]


def _row(
    system: System,
    model: LanguageModel,
    cases: Sequence[Case],
    max_tokens: int,
    clock: Callable[[], float],
    reference: list[str],
) -> list[str]:
    """The cells of a system; the first to run fills ``reference`` with its texts."""
    forwards = Forwards(clock)
    try:
        system.run(model, cases[:1], max_tokens)
        started = clock()
        with forwards.watching(model.module):
            outcome = system.run(model, cases, max_tokens)
        seconds = clock() - started + (outcome.other_cpu_seconds if clock is process_time else 0)
    except Exception as error:  # a peer may fail in any way with this version of transformers
        if not system.peer:
            raise
        return [f"does not run here: {type(error).__name__}: {str(error).splitlines()[0][:60]}"]
    reference.extend(outcome.texts if not reference else ())
    fields = [_changed(*texts) for texts in zip(reference, outcome.texts, strict=True)]
    decoding = seconds * (1 - outcome.prompt_share) - forwards.prompt_seconds
    passes = outcome.passes or forwards.calls
    return [
        f"{60 * len(cases) / seconds:.1f}",
        f"{seconds / len(cases):.2f}",
        f"{decoding / len(cases):.2f}",
        str(outcome.output_tokens),
        f"{passes / outcome.output_tokens:.2f}" if passes else "",
        f"{outcome.output_tokens / decoding:.1f}",
        f"{outcome.mask_seconds / seconds:.1%}" if outcome.mask_seconds else "",
        f"{outcome.draft_seconds / seconds:.1%}" if outcome.draft_seconds else "",
        f"{sum(map(_valid, cases, outcome.texts))}/{len(cases)}",
        f"{sum(fields)} in {sum(map(bool, fields))}",
        f"{(outcome.weight_bytes or weight_bytes(model.module)) / 1e6:.0f}",
    ]


def _changed(expected: str, found: str) -> int:
    """How many fields differ; a text that is no object differs in all."""
    wanted = json.loads(expected)
    try:
        got = json.loads(found)
    except ValueError:
        return len(wanted)
    return sum(got.get(name) != value for name, value in wanted.items())


def _valid(case: Case, text: str) -> bool:
    try:
        case.wanted.model_validate_json(text)
    except ValidationError:
        return False
    return True


if __name__ == "__main__":
    typer.run(main)
