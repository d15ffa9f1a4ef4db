"""Receipts through ``extract``: how many are valid, what each costs, and how many fields are those of the gold data.

    python -m tests.benchmarks.receipts --documents 20

Every field is a plain string, as in the gold data, and is compared letter by letter.
"""

from __future__ import annotations

import gzip
import json
from itertools import islice
from statistics import fmean
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from sdk import Extraction, Extractor
from tests.benchmarks.cases import SHARED
from tests.benchmarks.end_to_end import Receipt

__all__ = ["main"]


def main(
    documents: Annotated[int, typer.Option(help="How many receipts.")] = 20,
    max_tokens: Annotated[int, typer.Option(help="The most tokens of output for a receipt.")] = 256,
) -> None:
    """Extract from receipts one by one."""
    with gzip.open(SHARED / "sroie-dev.jsonl.gz") as lines:
        cases = [json.loads(line) for line in islice(lines, documents)]
    extractor = Extractor()
    table = Table("receipt", "value", title_justify="left")
    for column in ("tokens", "passes", "seconds", "finish"):
        table.add_column(column, justify="right")
    found: list[Extraction[Receipt]] = []
    for case in track(cases, description="receipts"):
        extraction = extractor.run(Receipt, "\n".join(case["lines"]), max_tokens=max_tokens)
        found.append(extraction)
        table.add_row(
            case["id"],
            str(extraction.value),
            str(extraction.output_tokens),
            str(extraction.forward_passes),
            f"{extraction.seconds:.2f}",
            extraction.finish_reason,
        )
    console = Console(width=160)
    console.print(table)
    valid = sum(isinstance(extraction.value, Receipt) for extraction in found)
    tokens = sum(extraction.output_tokens for extraction in found)
    console.print(
        f"{valid} of {len(found)} valid; per receipt {tokens / len(found):.1f} output tokens, "
        f"{fmean(extraction.prompt_tokens for extraction in found):.0f} prompt tokens, "
        f"{fmean(extraction.seconds for extraction in found):.2f} s; "
        f"{sum(extraction.forward_passes for extraction in found) / tokens:.2f} forward passes per output token"
    )
    right = {
        name: sum(
            getattr(extraction.value, name) == case["gold"].get(name)
            for extraction, case in zip(found, cases, strict=True)
        )
        for name in Receipt.model_fields
    }
    console.print("equal to the gold data: " + ", ".join(f"{name} {count}" for name, count in right.items()))


if __name__ == "__main__":
    typer.run(main)
