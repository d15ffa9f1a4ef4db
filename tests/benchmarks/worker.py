"""A process of its own for each engine, so that peak memory is the engine's, and a hang or a crash costs one case.

Lines of the data file go in, outcomes come out, one case at a time. The parent loads no tokenizer and no peer: on Linux
a child's peak memory starts from its parent's. As in a serving process, what is alive after the set-up is kept out of
the garbage collector's way (``gc.freeze``), and the collector stays on: what it costs falls into the measured times.
When all is measured, the process may be asked once more what it has misjudged, and why.
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
from tests.benchmarks.measure import Outcome, Verdict, explained, measure

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
            answer = self._answer(line, None)
            if isinstance(answer, Verdict):
                yield _lost(line, answer, self._patience)
            else:
                outcome, peak = answer
                self.peak_mib = max(self.peak_mib, peak)
                yield outcome

    def explain(self, line: str, outcome: Outcome) -> Outcome:
        """The outcome, what was misjudged looked into; to be asked when everything has been measured."""
        answer = self._answer(line, outcome)
        return outcome if isinstance(answer, Verdict) else answer[0]

    def _answer(self, line: str, outcome: Outcome | None) -> tuple[Outcome, float] | Verdict:
        """What the process answers, and its peak memory; how it was lost if it was, and then there is a new one."""
        self._pipe.send((line, outcome))
        lost = Verdict.TIMEOUT
        try:
            if self._pipe.poll(self._patience):
                answer: tuple[Outcome, float] = self._pipe.recv()
                return answer
        except EOFError:
            lost = Verdict.CRASHED
        self.close()
        self._start()
        return lost

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


def _lost(line: str, verdict: Verdict, seconds: float) -> Outcome:
    nothing = np.empty(0, np.int64)
    return Outcome(Case.from_line(line).id, verdict, "the process was lost", None, nothing, nothing, seconds, 0)


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
            line, outcome = pipe.recv()
        except EOFError:
            return
        case = Case.from_line(line)
        if outcome is None:
            outcome = measure(engine, case, tokenizer, limit_seconds)
        else:
            outcome = explained(engine, case, tokenizer, outcome, limit_seconds)
        pipe.send((outcome, _peak_mib()))


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
