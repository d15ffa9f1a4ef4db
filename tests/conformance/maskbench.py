"""Real-world schemas with instances: ``python -m tests.conformance.maskbench --limit 300 --stride 10``.

Schema mode, flexible white space. The sample is that of MaskBench (guidance-ai/jsonschemabench). What ``passed`` here
includes what ``tests.benchmarks.maskbench`` counts apart, as *other order* and *checked afterwards*; whole schemas are
read here, so that more may be refused than there with ``ours-lazy``.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from tests.conformance.__main__ import print_results
from tests.conformance.suites import maskbench
from tests.conformance.verdicts import judge, tally


def main(
    limit: Annotated[int | None, typer.Option(help="How many schemas at most.")] = None,
    stride: Annotated[int, typer.Option(help="Take every n-th schema.")] = 1,
    offset: Annotated[int, typer.Option(help="The first schema to take.")] = 0,
    seconds: Annotated[float, typer.Option(help="Time for one schema and its instances.")] = 10,
    slowest: Annotated[int, typer.Option(help="How many of the slowest schemas to name.")] = 5,
    details: bool = True,
    output: Annotated[Path | None, typer.Option(help="Where to write the counts as JSON.")] = None,
) -> None:
    """Judge every instance of every schema."""
    console, start = Console(), time.perf_counter()
    cases = list(maskbench(limit, stride, offset))
    progress = track(cases, "maskbench", console=console, transient=True)
    results = [judge(case, whitespace="flexible", limit=seconds) for case in progress]
    print_results("maskbench", results, console, details=details)
    for result in sorted(results, key=lambda one: -one.seconds)[:slowest]:
        console.print(f"{result.seconds:6.2f} s  {result.case.name}", highlight=False)
    console.print(f"{time.perf_counter() - start:.0f} s in all")
    if output:
        output.write_text(json.dumps(tally(results), indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
