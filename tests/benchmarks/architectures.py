"""Every kind of model that transformers has: how it runs, and whether it says what it says by itself.

    python -m tests.benchmarks.architectures                    all kinds, some seconds each; writes the README's table
    python -m tests.benchmarks.architectures mamba phi3         some of them

Small random models; see ``tests.architectures``. *Equal*: the texts of nine documents are those of the model's own
most probable legal tokens, read without a cache, one document at a time; with drafts, with the shared beginning of
prompts, in batches of 8, and with all of these.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console
from rich.table import Table
from tqdm import tqdm
from transformers.utils import logging

from tests.architectures import SETTINGS, Outcome, check, kinds

__all__ = ["BEGIN", "END", "main", "summary"]

BEGIN, END = "<!-- architectures: python -m tests.benchmarks.architectures -->\n", "<!-- end of architectures -->\n"

_README = Path(__file__).parents[2] / "README.md"


def main(names: Annotated[list[str] | None, typer.Argument(help="Kinds, all without names.")] = None) -> None:
    """Check kinds of models, and print a row for each."""
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.set_num_threads(1)  # the models are too small for more
    chosen = [kind for kind in kinds() if not names or kind.name in names]
    outcomes = []
    for kind in tqdm(chosen, unit="kind"):
        with tempfile.TemporaryDirectory() as folder:
            outcomes.append(check(kind, Path(folder)))
    Console(width=140).print(_table(outcomes))
    if not names:
        before, _, rest = _README.read_text().partition(BEGIN)
        _, _, after = rest.partition(END)
        _README.write_text(before + BEGIN + summary(outcomes) + END + after)


def _table(outcomes: Sequence[Outcome]) -> Table:
    table = Table(title=f"{len(outcomes)} kinds", title_justify="left")
    for column in ("kind", "runs", *SETTINGS, "why"):
        table.add_column(column, overflow="fold")
    for outcome in outcomes:
        verdicts = [outcome.verdicts[setting] for setting in SETTINGS]
        table.add_row(outcome.kind.name, outcome.memory, *verdicts, outcome.detail)
    return table


def summary(outcomes: Sequence[Outcome]) -> str:
    """The kinds by how they run, and by the worst that happened to them, as a table of Markdown."""
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for outcome in outcomes:
        verdicts = set(outcome.verdicts.values())
        worst = next(verdict for verdict in ("error", "different", "refused", "equal") if verdict in verdicts)
        groups[outcome.memory, worst].append(outcome.kind.name)
    rows = [
        f"| {memory} | {verdict} | {len(names)} | {', '.join(names)} |"
        for (memory, verdict), names in sorted(groups.items())
    ]
    return "\n".join(["| runs | words | kinds | |", "| --- | --- | ---: | --- |", *rows]) + "\n"


if __name__ == "__main__":
    typer.run(main)
