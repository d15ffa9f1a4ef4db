"""Run the suites and print what passed: ``python -m tests.conformance [official|bug-reports] [--wrong]``."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.conformance.suites import SUITES
from tests.conformance.verdicts import Result, judge, tally

__all__ = ["print_results"]


def main(
    suite: Annotated[list[str] | None, typer.Argument(help=f"Any of {', '.join(SUITES)}; all without.")] = None,
    details: Annotated[bool, typer.Option(help="Print what was judged wrongly, and why schemas were refused.")] = True,
) -> None:
    """Run the suites in schema mode, with spaced separators, byte by byte."""
    console = Console()
    for name in suite or SUITES:
        cases = list(SUITES[name]())
        results = [judge(case, limit=20) for case in track(cases, name, console=console, transient=True)]
        print_results(name, results, console, details=details)


def print_results(title: str, results: list[Result], console: Console, *, details: bool) -> None:
    """A table of outcomes, and the cases that did not pass."""
    counts = tally(results)
    table = Table("outcome", "count", title=f"{title}: {len(results)} schemas")
    for outcome in sorted(counts, key=lambda name: (name.startswith("instances"), name)):
        table.add_row(outcome, str(counts[outcome]))
    console.print(table)
    for result in results:
        if details and result.outcome != "passed":
            console.print(
                f"{result.outcome}: {result.case.name}  {result.message}", markup=False, highlight=False, soft_wrap=True
            )
            for instance in result.wrong:
                kind = "valid" if instance.valid else "invalid"
                console.print(
                    f"    {kind} {instance.text[:200]}  ({instance.description})",
                    markup=False,
                    highlight=False,
                    soft_wrap=True,
                )
            if result.wrong:
                console.print(
                    f"    {json.dumps(result.case.schema)[:400]}", markup=False, highlight=False, soft_wrap=True
                )


if __name__ == "__main__":
    typer.run(main)
