"""What an engine makes of one schema and its instances.

A schema is *refused* by the name of an error, or each of its instances gets a verdict:

- ``right``: valid and accepted to the end with EOS legal, or invalid and refused somewhere;
- ``order``: valid, and accepted with its members in another order, the one of the schema's declaration;
- ``afterwards``: invalid and accepted, but a constraint that the report lists as *checked afterwards* refuses it;
- ``valid rejected`` and ``invalid accepted``: wrong.

A schema called impossible is passed when none of its instances is valid.
"""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Literal, TypeAlias

from schema_compiler.compiler import CompiledSchema, compile_schema
from schema_compiler.engine.matcher import Matcher
from schema_compiler.errors import ImpossibleSchemaError, SchemaCompilerError
from schema_compiler.lowering.layout import Whitespace
from tests.afterwards import refused_afterwards
from tests.orders import accepted_in_some_order
from tests.vocabularies import byte_vocabulary

__all__ = ["Case", "Instance", "Result", "Verdict", "judge", "tally"]

Verdict: TypeAlias = Literal["right", "order", "afterwards", "valid rejected", "invalid accepted"]


@dataclass(frozen=True, slots=True)
class Instance:
    """A document, given as a value or (where it is no JSON, or in another spelling) as text."""

    valid: bool
    value: Any = None
    raw: str | None = None
    description: str = ""

    @property
    def text(self) -> str:
        """The document as it is to be generated."""
        return json.dumps(self.value, ensure_ascii=False) if self.raw is None else self.raw


@dataclass(frozen=True, slots=True)
class Case:
    """A schema and its instances."""

    name: str
    schema: dict[str, Any] | bool
    instances: tuple[Instance, ...]
    resources: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """``refusal``: the name of the error that refused the schema, ``over time`` or ``crash``."""

    case: Case
    refusal: str = ""
    message: str = ""
    verdicts: tuple[Verdict, ...] = ()
    seconds: float = 0.0
    wrong: tuple[Instance, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Collect the instances judged wrongly."""
        pairs = zip(self.case.instances, self.verdicts, strict=False)
        wrong = tuple(instance for instance, verdict in pairs if verdict in {"valid rejected", "invalid accepted"})
        object.__setattr__(self, "wrong", wrong)

    @property
    def outcome(self) -> str:
        """``passed``, ``refused by ...``, ``crash``, ``over time`` or ``wrong``."""
        return self.refusal or ("wrong" if self.wrong else "passed")


def judge(case: Case, *, whitespace: Whitespace = "spaced", limit: float | None = None) -> Result:
    """Compile the case's schema and offer it every instance, within ``limit`` seconds of time."""
    start = time.perf_counter()
    try:
        with _time_limit(limit):
            compiled = compile_schema(case.schema, byte_vocabulary(), whitespace=whitespace, resources=case.resources)
            accepted = [_accepts(compiled, instance) for instance in case.instances]
    except ImpossibleSchemaError as error:
        impossible: dict[bool, Verdict] = {True: "valid rejected", False: "right"}
        verdicts = tuple(impossible[instance.valid] for instance in case.instances)
        return Result(case, "", str(error), verdicts, time.perf_counter() - start)
    except SchemaCompilerError as error:
        return Result(case, f"refused by {type(error).__name__}", str(error), (), time.perf_counter() - start)
    except TimeoutError:
        return Result(case, "over time", "", (), time.perf_counter() - start)
    except Exception as error:  # a crash is a finding, the run goes on
        return Result(case, "crash", f"{type(error).__name__}: {error}", (), time.perf_counter() - start)
    seconds = time.perf_counter() - start
    pairs = zip(case.instances, accepted, strict=True)
    return Result(case, "", "", tuple(_verdict(compiled, case, *pair) for pair in pairs), seconds)


def tally(results: list[Result]) -> Counter[str]:
    """How many cases had which outcome, and how many instances which verdict.

    Of those that passed, some did so with a check afterwards; of the others, some in another order.
    """
    counts = Counter(result.outcome for result in results)
    passed = [set(result.verdicts) for result in results if result.outcome == "passed"]
    checked = [verdicts for verdicts in passed if "afterwards" in verdicts]
    ordered = [verdicts for verdicts in passed if "order" in verdicts and "afterwards" not in verdicts]
    counts["passed, checked afterwards"], counts["passed, in another order"] = len(checked), len(ordered)
    counts.update(f"instances: {verdict}" for result in results for verdict in result.verdicts)
    return counts


def _accepts(compiled: CompiledSchema, instance: Instance) -> bool:
    matcher = compiled.matcher()
    return _feed(matcher, instance.text) and matcher.is_complete()


def _verdict(compiled: CompiledSchema, case: Case, instance: Instance, accepted: bool) -> Verdict:
    if accepted == instance.valid:
        return "right"
    is_data = instance.raw is None
    if not instance.valid:
        return "afterwards" if is_data and refused_afterwards(compiled, instance.value) else "invalid accepted"
    if is_data and accepted_in_some_order(_Bytes(compiled.matcher()), instance.value, case.schema):
        return "order"
    return "valid rejected"


def _feed(matcher: Matcher, text: str) -> bool:
    """Offer the text byte by byte; a lone surrogate has no bytes and is refused."""
    try:
        return all(map(matcher.accept, text.encode()))
    except UnicodeEncodeError:
        return False


class _Bytes:
    """Reads byte by byte."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def read(self, text: str) -> _Bytes | None:
        matcher = self._matcher.fork()
        return _Bytes(matcher) if _feed(matcher, text) else None

    def is_complete(self) -> bool:
        return self._matcher.is_complete()


@contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    if seconds is None:
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
