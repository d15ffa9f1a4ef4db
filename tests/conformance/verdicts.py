"""What an engine makes of one schema and its instances.

A schema is *refused* by the name of an error, or each of its instances gets a verdict:

- ``right``: valid and accepted to the end with EOS legal, or invalid and refused somewhere;
- ``spelling``: valid, and accepted with its numbers spelled otherwise, ``1`` for ``1.0``;
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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from types import FrameType
from typing import Any, Literal, TypeAlias

from jsonschema import FormatChecker, ValidationError
from jsonschema.validators import validator_for

from schema_compiler.compiler import CompiledSchema, compile_schema
from schema_compiler.engine.matcher import Matcher
from schema_compiler.errors import ImpossibleSchemaError, SchemaCompilerError
from schema_compiler.grammar.lexical import Whitespace
from tests.vocabularies import byte_vocabulary

__all__ = ["Case", "Instance", "Result", "Verdict", "judge", "tally"]

Verdict: TypeAlias = Literal["right", "spelling", "order", "afterwards", "valid rejected", "invalid accepted"]

ORDER_STEPS = 50_000
"""How many members are tried in search of an acceptable order, before an instance counts as rejected."""


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


def judge(case: Case, *, whitespace: Whitespace = "compact", limit: float | None = None) -> Result:
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
    """How many cases had which outcome, and how many instances which verdict."""
    counts = Counter(result.outcome for result in results)
    counts.update(f"instances: {verdict}" for result in results for verdict in result.verdicts)
    return counts


def _accepts(compiled: CompiledSchema, instance: Instance) -> bool:
    matcher = compiled.matcher()
    return _feed(matcher, instance.text) and matcher.is_complete()


def _verdict(compiled: CompiledSchema, case: Case, instance: Instance, accepted: bool) -> Verdict:
    if accepted == instance.valid:
        return "right"
    if not instance.valid:
        return "afterwards" if _checked_afterwards(compiled, case, instance) else "invalid accepted"
    if instance.raw is None and _accepts_rewritten(compiled, instance.value, reorder=False):
        return "spelling"
    orders = (_in_order(instance.value, [*names(case.schema)]) for names in (_declared, _mentioned))
    if instance.raw is None and any(_accepts_rewritten(compiled, value, reorder=True) for value in orders):
        return "order"
    return "valid rejected"


def _feed(matcher: Matcher, text: str) -> bool:
    """Offer the text byte by byte; a lone surrogate has no bytes and is refused."""
    try:
        return all(map(matcher.accept, text.encode()))
    except UnicodeEncodeError:
        return False


def _accepts_rewritten(compiled: CompiledSchema, value: Any, *, reorder: bool) -> bool:
    writer = _Writer(reorder=reorder)
    return any(after.is_complete() for after in writer.write(compiled.matcher(), value))


def _in_order(value: Any, names: list[str]) -> Any:
    """The value, members in the order of ``names``: the most promising to try first."""
    rank = {name: number for number, name in enumerate(dict.fromkeys(names))}

    def sort(part: Any) -> Any:
        if isinstance(part, list):
            return [sort(item) for item in part]
        if not isinstance(part, dict):
            return part
        return {name: sort(part[name]) for name in sorted(part, key=lambda name: rank.get(name, len(rank)))}

    return sort(value)


def _declared(schema: Any) -> Iterator[str]:
    """Names of properties, in the order in which they are declared."""
    for part in _parts(schema):
        if isinstance(part.get("properties"), dict):
            yield from part["properties"]


def _mentioned(schema: Any) -> Iterator[str]:
    """All names, definitions and keywords too, in the order of the document."""
    for part in _parts(schema):
        yield from part


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _parts(part)


class _Writer:
    """Writes a value in the spellings of its numbers, and the orders of its members, that the grammar admits.

    Of each nested array or object only the first way that works is followed up, which keeps the search short.
    """

    def __init__(self, *, reorder: bool) -> None:
        self._reorder = reorder
        self._steps = 0

    def write(self, matcher: Matcher, value: Any) -> Iterator[Matcher]:
        """The matchers after the value."""
        match value:
            case dict():
                for opened in _after(matcher, "{"):
                    yield from islice(self._members(opened, value, ""), 1)
            case list():
                for opened in _after(matcher, "["):
                    yield from islice(self._items(opened, value, ""), 1)
            case _:
                for spelling in _spellings(value):
                    yield from _after(matcher, spelling)

    def _members(self, matcher: Matcher, members: dict[str, Any], comma: str) -> Iterator[Matcher]:
        """Members that shut out no other come first: those that stand first in the order of declaration."""
        if not members:
            yield from _after(matcher, "}")
        named = {key: after for key in self._next(members) for after in _after(matcher, _key(key, comma))}
        postponed = []
        for key, after_key in named.items():
            self._steps += 1
            if self._steps > ORDER_STEPS:
                return
            for after in self.write(after_key, members[key]):
                if any(other != key and not any(_after(after, _key(other, ", "))) for other in named):
                    postponed.append((key, after))
                    continue
                yield from self._members(after, _without(members, key), ", ")
        for key, after in postponed:
            yield from self._members(after, _without(members, key), ", ")

    def _next(self, members: dict[str, Any]) -> list[str]:
        return list(members)[: None if self._reorder else 1]

    def _items(self, matcher: Matcher, items: list[Any], comma: str) -> Iterator[Matcher]:
        if not items:
            yield from _after(matcher, "]")
            return
        for separated in _after(matcher, comma):
            for after in self.write(separated, items[0]):
                yield from self._items(after, items[1:], ", ")


def _key(name: str, comma: str) -> str:
    return f"{comma}{json.dumps(name, ensure_ascii=False)}: "


def _without(members: dict[str, Any], key: str) -> dict[str, Any]:
    return {other: value for other, value in members.items() if other != key}


def _after(matcher: Matcher, text: str) -> Iterator[Matcher]:
    after = matcher.fork()
    if _feed(after, text):
        yield after


def _spellings(value: Any) -> Iterator[str]:
    """``1`` and ``1.0`` are one number, and so are ``1e-06`` and ``0.000001``."""
    yield json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = Decimal(repr(value))
        whole = number == number.to_integral_value()
        yield f"{number:f}" if not whole else str(int(number))
        if whole:
            yield f"{int(number)}.0"


def _checked_afterwards(compiled: CompiledSchema, case: Case, instance: Instance) -> bool:
    """Whether something is checked afterwards, and ``jsonschema`` finds no other fault with the value."""
    listed = {row.constraint.split()[0] for row in compiled.report.with_status("checked afterwards")}
    if not listed or instance.raw is not None:
        return False
    validator = validator_for(case.schema)(case.schema, format_checker=FormatChecker())
    faults = set(_faults(validator.iter_errors(instance.value)))
    return not faults or bool(faults & listed)


def _faults(errors: Iterable[ValidationError]) -> Iterator[str]:
    """The keywords that refuse, inside ``anyOf`` and the like those of the branches."""
    for error in errors:
        if error.context:
            yield from _faults(error.context)
        else:
            yield error.validator


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
