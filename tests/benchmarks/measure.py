"""One case through one engine: what it answers, and how long each answer takes.

*Time to first mask* is compiling the schema, making a matcher and its first mask. *Time between masks* is what a
decoding step waits for: accepting the token that was chosen, and the mask after it. The first pass over a case's
instances is *cold*, a second one with the same compiled grammar and fresh matchers is *warm*.

A token is legal when its bit is set; an instance is accepted when every token is legal and the bit of EOS is set at
its end. ``accept`` should agree with the bits; how often it does not is counted apart.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from time import perf_counter_ns
from types import FrameType
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.benchmarks.cases import Case, TokenizerFolder
from tests.benchmarks.engines import Compiled, Engine, Mask
from tests.benchmarks.order import accepted_in_some_order

__all__ = ["Outcome", "Verdict", "measure"]

Nanoseconds = npt.NDArray[np.int64]


class Verdict(StrEnum):
    """What became of a case; when several apply, the first of these."""

    REFUSED = "refused"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    INVALID_ACCEPTED = "invalid accepted"
    VALID_REJECTED = "valid rejected"
    ORDER = "other order"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case's result. ``detail``: the error, or which instance was judged wrongly and where.

    ``first_mask_ns``: ``None`` when there was none. ``cold_ns`` and ``warm_ns``: int64, one a step.
    ``seconds``: compiling and the cold pass. ``contradictions``: tokens on which a mask and ``accept`` disagree.
    """

    case_id: str
    verdict: Verdict
    detail: str
    first_mask_ns: int | None
    cold_ns: Nanoseconds
    warm_ns: Nanoseconds
    seconds: float
    contradictions: int


class _TimeLimitError(BaseException):
    """The case took too long. Not an ``Exception``, so that no engine's adapter takes it for its own."""


def measure(engine: Engine, case: Case, tokenizer: TokenizerFolder, limit_seconds: float) -> Outcome:
    """Run a case within the time limit; nothing it raises escapes."""
    run = _Run(engine, case, tokenizer)
    try:
        with _time_limit(limit_seconds):
            verdict = run.judge()
    except _TimeLimitError:
        verdict = Verdict.TIMEOUT
    except engine.refusals as error:
        verdict = Verdict.REFUSED
        run.details.insert(0, f"{type(error).__name__}: {error}")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic of a Rust engine is a BaseException
        verdict = Verdict.CRASHED
        run.details.insert(0, f"{type(error).__name__}: {error}")
    return run.outcome(verdict)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def expire(_signal: int, _frame: FrameType | None) -> None:
        raise _TimeLimitError

    previous = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@dataclass(slots=True)
class _Run:
    engine: Engine
    case: Case
    tokenizer: TokenizerFolder
    first_mask_ns: int | None = None
    cold: list[int] = field(default_factory=list)
    warm: list[int] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    contradictions: int = 0

    def judge(self) -> Verdict:
        start = perf_counter_ns()
        compiled = self.engine.compile(self.case)
        compiled.matcher().mask()
        self.first_mask_ns = perf_counter_ns() - start
        documents = [self.tokenizer.tokens(instance.data) for instance in self.case.instances]
        stops = [self._follow(compiled, tokens, self.cold) for tokens in documents]
        for tokens in documents:
            self._follow(compiled, tokens, self.warm)
        return self._verdict(compiled, documents, stops)

    def _follow(self, compiled: Compiled, tokens: list[int], times: list[int]) -> int:
        """How many tokens the engine takes; EOS, when legal at the end, counts as one more."""
        cursor = compiled.matcher()
        mask, accept = cursor.mask, cursor.accept
        row = mask()
        for index, token in enumerate(tokens):
            if not _legal(row, token):
                self.contradictions += accept(token)
                return index
            start = perf_counter_ns()
            accepted = accept(token)
            row = mask()
            times.append(perf_counter_ns() - start)
            if not accepted:
                self.contradictions += 1
                return index
        return len(tokens) + _legal(row, self.tokenizer.eos_token_id)

    def _verdict(self, compiled: Compiled, documents: list[list[int]], stops: list[int]) -> Verdict:
        verdicts = {Verdict.PASSED}
        for index, (instance, tokens, stop) in enumerate(zip(self.case.instances, documents, stops, strict=True)):
            if (stop > len(tokens)) == instance.valid:
                continue
            verdict = Verdict.INVALID_ACCEPTED
            if instance.valid:
                verdict = Verdict.ORDER if self._accepts_reordered(compiled, instance.data) else Verdict.VALID_REJECTED
            verdicts.add(verdict)
            before = self.tokenizer.backend_tokenizer.decode(tokens[:stop])[-60:]
            self.details.append(f"{verdict}: instance {index}, {stop} of {len(tokens)} tokens, after {before!r}")
        return min(verdicts, key=list(Verdict).index)

    def _accepts_reordered(self, compiled: Compiled, data: Any) -> bool:
        def stop(text: str) -> int | None:
            encoding = self.tokenizer.encode(text)
            taken = self._follow(compiled, encoding.ids, [])
            return encoding.offsets[min(taken, len(encoding.ids) - 1)][1] if taken <= len(encoding.ids) else None

        return accepted_in_some_order(data, stop)

    def outcome(self, verdict: Verdict) -> Outcome:
        seconds = ((self.first_mask_ns or 0) + sum(self.cold)) / 1e9
        cold, warm = (np.array(times, np.int64) for times in (self.cold, self.warm))
        return Outcome(
            self.case.id, verdict, "; ".join(self.details), self.first_mask_ns, cold, warm, seconds, self.contradictions
        )


def _legal(row: Mask, token: int) -> bool:
    return bool(int(row[token >> 5]) >> (token & 31) & 1)
