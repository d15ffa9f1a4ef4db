"""Compile time and time to first mask of realistic Pydantic models.

    python -m tests.benchmarks.compile_time --tokenizer ../shared/data/tokenizers/llama-3.1

*First* is the first time in a process whose vocabulary has been prepared and used for one other model, as when a
service meets a new type; the medians are over repeated compilations. Masks are over the example document of each
model: *cold* in the first pass over it, *warm* in the second. The vocabulary's set-up is timed without and with its
file in the disk cache, ``import sdk`` in a new process with bytecode at hand.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from schema_compiler.compiler import CompiledGrammar, compile_type
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from tests.benchmarks.cases import SHARED, TokenizerFolder
from tests.benchmarks.models import MODELS

__all__ = ["main"]


class _Warmup(BaseModel):
    name: str


def main(
    tokenizer: Annotated[Path, typer.Option(help="Folder with tokenizer.json.")] = SHARED / "tokenizers" / "llama-3.1",
    repeats: Annotated[int, typer.Option(help="Compilations to take the median of.")] = 20,
    models: Annotated[int, typer.Option(help="How many of the models.")] = 5,
) -> None:
    """Measure compile times."""
    folder = TokenizerFolder(tokenizer)
    vocabulary = folder.vocabulary()
    compile_type(_Warmup, vocabulary).matcher().mask()
    gc.collect()
    gc.freeze()
    table = Table(title=f"{len(vocabulary):,} tokens; milliseconds, steps in microseconds", title_justify="left")
    table.add_column("model")
    for column in ("compile, first", "median", "first mask, first", "median", "steps", "cold step", "warm step"):
        table.add_column(column, justify="right")
    for name, (type_, document) in islice(MODELS.items(), models):
        table.add_row(name, *_row(type_, vocabulary, folder.encode(document).ids, repeats))
    console = Console(width=120)
    console.print(table)
    console.print("Vocabulary set-up, s: {:.3f} without the disk cache, {:.3f} with it".format(*_set_up(vocabulary)))
    console.print(f"import sdk, s: {_import_seconds():.3f}")


def _row(type_: Any, vocabulary: Vocabulary, tokens: list[int], repeats: int) -> Iterator[str]:
    compile_first, compiled = _timed(lambda: compile_type(type_, vocabulary))
    mask_first, _ = _timed(lambda: compiled.matcher().mask())
    compiles, masks = [], []
    for _ in range(repeats):
        seconds, again = _timed(lambda: compile_type(type_, vocabulary))
        compiles.append(seconds)
        masks.append(_timed(again.matcher().mask)[0])
    for seconds in (compile_first, median(compiles), mask_first, median(masks)):
        yield f"{seconds * 1e3:.2f}"
    yield str(len(tokens))
    for _ in ("cold", "warm"):
        yield f"{fmean(_steps(compiled, tokens)) * 1e6:.1f}"


def _steps(compiled: CompiledGrammar, tokens: list[int]) -> Iterator[float]:
    """Seconds to accept each token and compute the mask after it."""
    matcher = compiled.matcher()
    matcher.mask()
    for token in tokens:
        start = perf_counter()
        accepted = matcher.accept(token)
        matcher.mask()
        yield perf_counter() - start
        assert accepted, f"token {token} of a valid document was refused"


def _set_up(vocabulary: Vocabulary) -> Iterator[float]:
    """Seconds to prepare the vocabulary without a file in the disk cache, and with one."""
    with TemporaryDirectory() as folder:
        for _ in range(2):
            seconds, fresh = _timed(lambda: _prepared(vocabulary, Path(folder)))
            yield seconds
            fresh.save()


def _prepared(vocabulary: Vocabulary, folder: Path) -> Vocabulary:
    fresh = Vocabulary(vocabulary.tokens, vocabulary.eos_token_ids, cache_folder=folder)
    compile_type(_Warmup, fresh).matcher().mask()
    return fresh


def _import_seconds() -> float:
    """Processor seconds of ``import sdk``, the best of five processes."""
    with TemporaryDirectory() as folder:
        code = (
            f"import sys, time; sys.dont_write_bytecode, sys.pycache_prefix = False, {folder!r}\n"
            "start = time.process_time(); import sdk; print(time.process_time() - start)"
        )
        command = [sys.executable, "-c", code]
        return min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(5))


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = perf_counter()
    result = call()
    return perf_counter() - start, result


if __name__ == "__main__":
    typer.run(main)
