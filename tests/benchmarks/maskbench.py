"""MaskBench: how long a language model waits for its token masks, engine by engine, on real-world schemas.

    python -m tests.benchmarks.maskbench --limit 300
    python -m tests.benchmarks.maskbench --engines ours,llguidance --json results.json

Every engine runs alone, in one thread of one process of its own; they take turns of a few schemas, so that a machine
that grows slower does so for all. An interrupt ends the run and prints what every engine has done. ``measure`` says
what the times mean, ``engines`` how each peer is set up.

A schema has *passed* when every instance is judged as the schema judges it, just as it is written. *Other order*: a
valid instance was rejected, and is accepted with its members in another order; all else was right. *Checked
afterwards*: an invalid one can be generated, but the engine has said so, and its check of the value refuses it. Either
is counted apart, never as passed: *%* is the share of passed alone, *% in any order* that of both it and other order.

outlines-core indexes the whole vocabulary for each schema, which takes seconds to minutes, and is therefore only run
when it is named in ``--engines``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from schema_compiler.engine.pushdown import masks
from tests.benchmarks.cases import SHARED, read_lines
from tests.benchmarks.engines import ENGINES
from tests.benchmarks.measure import Outcome, Verdict
from tests.benchmarks.summary import SLOW_SECONDS, Distribution, Summary, per_case
from tests.benchmarks.worker import Worker

__all__ = ["main"]

_Outcomes: TypeAlias = Mapping[str, Sequence[Outcome]]


def main(
    data: Annotated[Path, typer.Option(help="Gzipped JSON lines: id, schema, tests.")] = SHARED
    / "maskbench-dev.jsonl.gz",
    tokenizer: Annotated[Path, typer.Option(help="Folder with tokenizer.json.")] = SHARED / "tokenizers" / "llama-3.1",
    engines: Annotated[str, typer.Option(help=f"Comma-separated, of {', '.join(ENGINES)}.")] = (
        "ours,llguidance,xgrammar,xgrammar-compliant"
    ),
    limit: Annotated[int | None, typer.Option(help="At most this many schemas.")] = None,
    offset: Annotated[int, typer.Option(help="Begin with this schema.")] = 0,
    stride: Annotated[int, typer.Option(help="Take every n-th schema.")] = 1,
    seconds: Annotated[float, typer.Option(help="Time limit for each schema.")] = 20.0,
    turn: Annotated[int, typer.Option(help="Schemas that an engine takes in one turn.")] = 20,
    results: Annotated[Path | None, typer.Option("--json", help="Write all figures to this file.")] = None,
) -> None:
    """Measure the engines on MaskBench."""
    names = engines.split(",")
    if unknown := sorted(set(names) - set(ENGINES)):
        raise typer.BadParameter(f"expected engines of {', '.join(ENGINES)}, found {', '.join(unknown)}")
    lines = list(read_lines(data, limit=limit, offset=offset, stride=stride))
    workers = [Worker(name, tokenizer, seconds) for name in names]
    outcomes: dict[str, list[Outcome]] = {name: [] for name in names}
    with suppress(KeyboardInterrupt):
        for some in track(list(_turns(lines, turn)), description=f"{len(lines)} schemas", console=Console(stderr=True)):
            done = [list(worker.run(some)) for worker in workers]
            for worker, new in zip(workers, done, strict=True):
                outcomes[worker.engine].extend(new)
    for worker in workers:
        for number, (line, outcome) in enumerate(zip(lines, outcomes[worker.engine], strict=False)):
            outcomes[worker.engine][number] = worker.explain(line, outcome)
        worker.close()
    summaries = {name: Summary.of(outcomes[name]) for name in names}
    _print(workers, summaries, outcomes)
    if results is not None:
        results.write_text(json.dumps(_as_json(workers, summaries, outcomes), indent=1), encoding="utf-8")


def _turns(lines: Sequence[str], size: int) -> Iterator[list[str]]:
    remaining = iter(lines)
    while some := list(islice(remaining, size)):
        yield some


def _as_json(workers: Sequence[Worker], summaries: Mapping[str, Summary], outcomes: _Outcomes) -> dict[str, Any]:
    return {
        worker.engine: summaries[worker.engine].as_json(worker.setup, worker.peak_mib)
        | {"cases": [per_case(outcome) for outcome in outcomes[worker.engine]]}
        for worker in workers
    }


def _print(workers: Sequence[Worker], summaries: Mapping[str, Summary], outcomes: _Outcomes) -> None:
    console = Console(width=190)
    build = "extension modules" if masks.__file__.endswith(".so") else "plain Python"
    console.print(f"Ours: {build}. Peers: {', '.join(_peers())}.")
    console.print(_verdicts(summaries))
    console.print(_times("Time to first mask, µs", {name: one.first_mask for name, one in summaries.items()}))
    console.print(_times("Time between masks, cold, µs", {name: one.cold for name, one in summaries.items()}))
    console.print(_times("Time between masks, warm, µs", {name: one.warm for name, one in summaries.items()}))
    console.print(_processes(workers))
    first, *others = workers
    if others:
        console.print(_ratios(first, others, outcomes))


def _peers() -> Iterator[str]:
    for name in ("llguidance", "xgrammar", "outlines-core"):
        with suppress(PackageNotFoundError):
            yield f"{name} {version(name)}"


def _verdicts(summaries: Mapping[str, Summary]) -> Table:
    shares = ("%", "% in any order")
    table = _table("Schemas", *Verdict, f"over {SLOW_SECONDS:.0f} s", "mask ≠ accept", *shares)
    for name, summary in summaries.items():
        counts = summary.verdicts
        passed, ordered = counts[Verdict.PASSED], counts[Verdict.PASSED] + counts[Verdict.ORDER]
        percents = (f"{100 * count / max(1, sum(counts.values())):.1f}" for count in (passed, ordered))
        table.add_row(name, *map(str, counts.values()), str(summary.slow), str(summary.contradictions), *percents)
    return table


def _times(title: str, distributions: Mapping[str, Distribution]) -> Table:
    table = _table(title, "count", "average", "p50", "p90", "p99", "p99.9", "maximum")
    for name, one in distributions.items():
        times = (one.average, one.p50, one.p90, one.p99, one.p999, one.maximum)
        table.add_row(name, str(one.count), *(f"{time:,.1f}" for time in times))
    return table


def _processes(workers: Sequence[Worker]) -> Table:
    table = _table("Processes", "vocabulary set-up, s", "memory then, MiB", "peak memory, MiB", "grown by, MiB")
    for worker in workers:
        before, peak = worker.setup.peak_mib, worker.peak_mib
        table.add_row(
            worker.engine, f"{worker.setup.seconds:.2f}", *(f"{x:.0f}" for x in (before, peak, peak - before))
        )
    return table


def _ratios(first: Worker, others: Sequence[Worker], outcomes: _Outcomes) -> Table:
    """Of the first engine to each other, on all schemas and on those that both passed."""
    columns = ("TTFM avg", "TTFM p50", "TTFM p99", "cold avg", "cold p50", "cold p99", "cold max", "warm avg", "memory")
    table = _table(f"{first.engine}, as a share of", *columns)
    for other in others:
        memory = first.peak_mib / other.peak_mib if other.peak_mib else float("nan")
        pairs = list(zip(outcomes[first.engine], outcomes[other.engine], strict=True))
        both = [pair for pair in pairs if all(outcome.verdict is Verdict.PASSED for outcome in pair)]
        for name, chosen in ((other.engine, pairs), (f"{other.engine} (both passed)", both)):
            ours, theirs = (Summary.of([pair[side] for pair in chosen]) for side in (0, 1))
            table.add_row(name, *(f"{x:.2f}" for x in (*_compared(ours, theirs), memory)))
    return table


def _compared(ours: Summary, theirs: Summary) -> Iterator[float]:
    for mine, other in ((ours.first_mask, theirs.first_mask), (ours.cold, theirs.cold)):
        yield mine.average / other.average
        yield mine.p50 / other.p50
        yield mine.p99 / other.p99
    yield ours.cold.maximum / theirs.cold.maximum
    yield ours.warm.average / theirs.warm.average


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("engine", min_width=20)
    for column in columns:
        table.add_column(column, justify="right")
    return table


if __name__ == "__main__":
    typer.run(main)
