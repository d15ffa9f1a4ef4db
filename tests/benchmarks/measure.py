"""One case through one engine: what it answers, and how long each answer takes.

*Time to first mask* is compiling the schema, making a matcher and its first mask. *Time between masks* is what a
decoding step waits for: accepting the token that was chosen, and the mask after it. The first pass over a case's
instances is *cold*, a second one with the same compiled grammar and fresh matchers is *warm*.

A token is legal when its bit is set; an instance is accepted when every token is legal and the bit of EOS is set at
its end. ``accept`` should agree with the bits; how often it does not is counted apart.

Why an instance was judged otherwise than the schema does is looked into later (``explained``), so that no time is
measured on an engine that the search has warmed.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from time import perf_counter_ns
from types import FrameType

import numpy as np
import numpy.typing as npt

from tests.benchmarks.cases import Case, TokenizerFolder
from tests.benchmarks.engines import Compiled, Cursor, Engine, Mask
from tests.orders import accepted_in_some_order

__all__ = ["Misjudged", "Outcome", "Verdict", "explained", "measure"]

Nanoseconds = npt.NDArray[np.int64]


class Verdict(StrEnum):
    """What became of a case; when several apply, the first of these.

    A schema that the engine finds impossible, as no value satisfies it, is one whose instances are all rejected.
    ``AFTERWARDS``: an invalid instance is accepted, but the engine has announced that a later check will refuse it,
    and that check does. ``ORDER``: a valid one is rejected, but accepted with its members in another order.
    """

    REFUSED = "refused"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    INVALID_ACCEPTED = "invalid accepted"
    VALID_REJECTED = "valid rejected"
    AFTERWARDS = "checked afterwards"
    ORDER = "other order"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Misjudged:
    """An instance, by its number, that the engine judged otherwise than the schema does, and where it stopped."""

    instance: int
    verdict: Verdict
    place: str

    def __str__(self) -> str:
        return f"{self.verdict}: instance {self.instance}, {self.place}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case's result. ``error``: of an engine that refused or crashed.

    ``first_mask_ns``: ``None`` when there was none. ``cold_ns`` and ``warm_ns``: int64, one a step.
    ``seconds``: compiling and the cold pass. ``contradictions``: tokens on which a mask and ``accept`` disagree.
    """

    case_id: str
    verdict: Verdict
    error: str
    first_mask_ns: int | None
    cold_ns: Nanoseconds
    warm_ns: Nanoseconds
    seconds: float
    contradictions: int
    misjudged: tuple[Misjudged, ...] = ()

    @property
    def detail(self) -> str:
        """The error, or which instances were judged wrongly and where."""
        return "; ".join([self.error] * bool(self.error) + list(map(str, self.misjudged)))


class _TimeLimitError(BaseException):
    """The case took too long. Not an ``Exception``, so that no engine's adapter takes it for its own."""


def measure(engine: Engine, case: Case, tokenizer: TokenizerFolder, limit_seconds: float) -> Outcome:
    """Run a case within the time limit; nothing it raises escapes."""
    run = _Run(engine, case, tokenizer)
    error = ""
    try:
        with _time_limit(limit_seconds):
            run.follow_all()
        verdict = _worst(run.misjudged)
    except _TimeLimitError:
        verdict = Verdict.TIMEOUT
    except engine.refusals as refusal:
        verdict, error = Verdict.REFUSED, f"{type(refusal).__name__}: {refusal}"
        if engine.finds_impossible(refusal):
            run.reject_all()
            verdict = _worst(run.misjudged)
    except KeyboardInterrupt:
        raise
    except BaseException as crash:  # a panic of a Rust engine is a BaseException
        verdict, error = Verdict.CRASHED, f"{type(crash).__name__}: {crash}"
    return run.outcome(verdict, error)


def explained(
    engine: Engine, case: Case, tokenizer: TokenizerFolder, outcome: Outcome, limit_seconds: float
) -> Outcome:
    """The outcome with ``AFTERWARDS`` and ``ORDER`` in the place of what they explain within the time limit."""
    if not outcome.misjudged:
        return outcome
    found = list(outcome.misjudged)
    try:
        with _time_limit(limit_seconds):
            compiled = engine.compile(case)
            for number, misjudged in enumerate(found):
                data = case.instances[misjudged.instance].data
                if misjudged.verdict is Verdict.INVALID_ACCEPTED and engine.refuses_afterwards(compiled, data):
                    found[number] = replace(misjudged, verdict=Verdict.AFTERWARDS)
                if misjudged.verdict is Verdict.VALID_REJECTED:
                    reader = _Reader(compiled.matcher(), tokenizer)
                    if accepted_in_some_order(reader, data, case.schema):
                        found[number] = replace(misjudged, verdict=Verdict.ORDER)
    except (_TimeLimitError, *engine.refusals):
        pass
    return replace(outcome, misjudged=tuple(found), verdict=_worst(found))


def _worst(misjudged: Iterable[Misjudged]) -> Verdict:
    return min((one.verdict for one in misjudged), key=list(Verdict).index, default=Verdict.PASSED)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a document in pieces, each tokenised by itself."""

    cursor: Cursor
    tokenizer: TokenizerFolder

    def read(self, text: str) -> _Reader | None:
        cursor = self.cursor.fork()
        accepted = all(cursor.accept(token) for token in self.tokenizer.encode(text).ids)
        return _Reader(cursor, self.tokenizer) if accepted else None

    def is_complete(self) -> bool:
        return _legal(self.cursor.mask(), self.tokenizer.eos_token_id)


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
    misjudged: list[Misjudged] = field(default_factory=list)
    contradictions: int = 0

    def follow_all(self) -> None:
        start = perf_counter_ns()
        compiled = self.engine.compile(self.case)
        compiled.matcher().mask()
        self.first_mask_ns = perf_counter_ns() - start
        documents = [self.tokenizer.tokens(instance.data) for instance in self.case.instances]
        stops = [self._follow(compiled, tokens, self.cold) for tokens in documents]
        for tokens in documents:
            self._follow(compiled, tokens, self.warm)
        for number, (tokens, stop) in enumerate(zip(documents, stops, strict=True)):
            self._judge(number, tokens, stop)

    def reject_all(self) -> None:
        for number, instance in enumerate(self.case.instances):
            if instance.valid:
                self.misjudged.append(Misjudged(number, Verdict.VALID_REJECTED, "no value is said to be possible"))

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

    def _judge(self, number: int, tokens: list[int], stop: int) -> None:
        valid = self.case.instances[number].valid
        if (stop > len(tokens)) is not valid:
            before = self.tokenizer.backend_tokenizer.decode(tokens[:stop])[-60:]
            verdict = Verdict.VALID_REJECTED if valid else Verdict.INVALID_ACCEPTED
            self.misjudged.append(Misjudged(number, verdict, f"{stop} of {len(tokens)} tokens, after {before!r}"))

    def outcome(self, verdict: Verdict, error: str) -> Outcome:
        seconds = ((self.first_mask_ns or 0) + sum(self.cold)) / 1e9
        cold, warm = (np.array(times, np.int64) for times in (self.cold, self.warm))
        misjudged = tuple(self.misjudged)
        return Outcome(
            self.case.id, verdict, error, self.first_mask_ns, cold, warm, seconds, self.contradictions, misjudged
        )


def _legal(row: Mask, token: int) -> bool:
    return bool(int(row[token >> 5]) >> (token & 31) & 1)
