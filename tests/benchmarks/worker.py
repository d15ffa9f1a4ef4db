"""A process of its own for each engine, so that peak memory is the engine's, and a hang or a crash costs one case.

Lines of the data file go in, outcomes come out, one case at a time. The parent loads no tokenizer and no peer: on Linux
a child's peak memory starts from its parent's. As in a serving process, what is alive after the set-up is kept out of
the garbage collector's way (``gc.freeze``), and the collector stays on: what it costs falls into the measured times.
"""

from __future__ import annotations

import gc
import multiprocessing
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter

import numpy as np

from tests.benchmarks.cases import Case, TokenizerFolder
from tests.benchmarks.engines import ENGINES
from tests.benchmarks.measure import Outcome, Verdict, measure

__all__ = ["Setup", "Worker"]

_GRACE_SECONDS = 10.0
_SETUP_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Setup:
    """Preparing the vocabulary: seconds, and the process's peak memory in MiB afterwards."""

    seconds: float
    peak_mib: float


class Worker:
    """An engine's process. ``peak_mib``: the highest memory of any process it needed."""

    def __init__(self, engine: str, tokenizer: Path, limit_seconds: float) -> None:
        self.engine = engine
        self.peak_mib = 0.0
        self._arguments = (engine, tokenizer, limit_seconds)
        self._patience = limit_seconds + _GRACE_SECONDS
        self.setup = self._start()

    def _start(self) -> Setup:
        context = multiprocessing.get_context("spawn")
        self._pipe, remote = context.Pipe()
        self._process = context.Process(target=_serve, args=(remote, *self._arguments), daemon=True)
        self._process.start()
        remote.close()
        if not self._pipe.poll(_SETUP_SECONDS):
            raise RuntimeError(f"{self.engine}: expected a prepared vocabulary within {_SETUP_SECONDS:.0f} s")
        setup: Setup = self._pipe.recv()
        return setup

    def run(self, lines: Sequence[str]) -> Iterator[Outcome]:
        """The outcomes of the cases of ``lines``, in order."""
        for line in lines:
            self._pipe.send(line)
            yield self._receive(line)

    def _receive(self, line: str) -> Outcome:
        verdict = Verdict.TIMEOUT
        try:
            if self._pipe.poll(self._patience):
                outcome: Outcome
                outcome, peak = self._pipe.recv()
                self.peak_mib = max(self.peak_mib, peak)
                return outcome
        except EOFError:
            verdict = Verdict.CRASHED
        exit_code = self._process.exitcode
        self.close()
        self._start()
        return _lost(line, verdict, self._patience, exit_code)

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


def _lost(line: str, verdict: Verdict, seconds: float, exit_code: int | None) -> Outcome:
    nothing = np.empty(0, np.int64)
    detail = f"the process was lost (exit code {exit_code})"
    return Outcome(Case.from_line(line).id, verdict, detail, None, nothing, nothing, seconds, 0)


def _serve(pipe: Connection, name: str, folder: Path, limit_seconds: float) -> None:
    tokenizer = TokenizerFolder(folder)
    start = perf_counter()
    engine = ENGINES[name](tokenizer)
    seconds = perf_counter() - start
    gc.collect()
    gc.freeze()
    pipe.send(Setup(seconds, _peak_mib()))
    while True:
        try:
            line = pipe.recv()
        except EOFError:
            return
        pipe.send((measure(engine, Case.from_line(line), tokenizer, limit_seconds), _peak_mib()))


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
