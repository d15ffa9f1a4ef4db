"""The benchmarks' own parts: what they count must be right before anyone believes what they time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from schema_compiler.compiler import compile_type
from schema_compiler.engine.vocabulary import Vocabulary
from tests.benchmarks.cases import Case, Instance
from tests.benchmarks.measure import Outcome, Verdict, measure
from tests.benchmarks.models import MODELS
from tests.benchmarks.order import accepted_in_some_order
from tests.benchmarks.summary import Distribution, Summary

EOS = 256


class CharacterTokenizer:
    """ASCII characters as tokens, in place of a ``TokenizerFolder``."""

    eos_token_id = EOS

    def __init__(self) -> None:
        self.backend_tokenizer = SimpleNamespace(decode=lambda ids: "".join(map(chr, ids)))

    def encode(self, text: str) -> Any:
        return SimpleNamespace(ids=list(map(ord, text)), offsets=[(at, at + 1) for at in range(len(text))])

    def tokens(self, data: Any) -> list[int]:
        ids: list[int] = self.encode(json.dumps(data)).ids
        return ids


@dataclass
class ListEngine:
    """Admits exactly the documents of a list; ``lie``: a token whose bit is never set."""

    documents: Sequence[str]
    lie: int | None = None
    refusals: tuple[type[Exception], ...] = (ValueError,)

    def compile(self, case: Case) -> ListEngine:
        if case.schema == "refuse":
            raise ValueError("refused")
        if case.schema == "crash":
            raise KeyError("crashed")
        while case.schema == "hang":
            pass
        return self

    def matcher(self) -> ListCursor:
        return ListCursor(self)


@dataclass
class ListCursor:
    engine: ListEngine
    text: str = ""

    def _next(self) -> Iterator[int]:
        for document in self.engine.documents:
            if document.startswith(self.text):
                yield EOS if document == self.text else ord(document[len(self.text)])

    def mask(self) -> np.ndarray[Any, np.dtype[np.uint32]]:
        bits = np.zeros(288, np.bool_)
        bits[[token for token in self._next() if token != self.engine.lie]] = True
        return np.packbits(bits, bitorder="little").view(np.uint32)

    def accept(self, token_id: int, /) -> bool:
        legal = token_id in self._next()
        self.text += chr(token_id) if legal else ""
        return legal


def run(engine: ListEngine, *instances: tuple[Any, bool], schema: Any = None, seconds: float = 5) -> Outcome:
    case = Case("case", schema, json.dumps(schema), tuple(Instance(data, valid) for data, valid in instances))
    return measure(engine, case, CharacterTokenizer(), seconds)  # type: ignore[arg-type]  # a fake


@pytest.mark.parametrize(
    ("instances", "verdict"),
    [
        ([([1], True), ([2], False)], Verdict.PASSED),
        ([([1], True), ([3], True)], Verdict.VALID_REJECTED),
        ([([1], False)], Verdict.INVALID_ACCEPTED),
        ([([1], False), ([3], True)], Verdict.INVALID_ACCEPTED),
        ([({"b": 1, "a": 2}, True)], Verdict.ORDER),
        ([({"b": 1, "a": 3}, True)], Verdict.VALID_REJECTED),
        ([(1, True)], Verdict.VALID_REJECTED),
    ],
)
def test_verdicts(instances: list[tuple[Any, bool]], verdict: Verdict) -> None:
    assert run(ListEngine(["[1]", '{"a": 2, "b": 1}', "12"]), *instances).verdict is verdict


@pytest.mark.parametrize(
    ("schema", "verdict"), [("refuse", Verdict.REFUSED), ("crash", Verdict.CRASHED), ("hang", Verdict.TIMEOUT)]
)
def test_engines_that_fail(schema: str, verdict: Verdict) -> None:
    outcome = run(ListEngine([]), (1, True), schema=schema, seconds=0.2)
    assert (outcome.verdict, outcome.first_mask_ns) == (verdict, None)


def test_a_step_for_each_accepted_token() -> None:
    outcome = run(ListEngine(["[1]", "[2]"]), ([1], True), ([3], False))
    assert outcome.cold_ns.size == outcome.warm_ns.size == len("[1]") + len("[")


def test_the_mask_decides_and_contradictions_are_counted() -> None:
    outcome = run(ListEngine(["[1]"], lie=ord("1")), ([1], False))
    assert (outcome.verdict, outcome.contradictions) == (Verdict.PASSED, 2)


@given(
    st.recursive(
        st.integers(0, 9),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner),
        max_leaves=8,
    ),
    st.randoms(),
)
def test_any_order_is_found(data: Any, random: Any) -> None:
    """The engine wants the keys of every object sorted; the search finds that from any order."""
    wanted = json.dumps(data, sort_keys=True)

    def stop(text: str) -> int | None:
        return next((at + 1 for at in range(len(wanted)) if text[at] != wanted[at]), None)

    assert accepted_in_some_order(_shuffled(data, random), stop)


def _shuffled(data: Any, random: Any) -> Any:
    match data:
        case dict():
            names = list(data)
            random.shuffle(names)
            return {name: _shuffled(data[name], random) for name in names}
        case list():
            return [_shuffled(item, random) for item in data]
        case _:
            return data


def test_other_data_is_not_an_order() -> None:
    def stop(text: str) -> int | None:
        return text.find("3") + 1 or None

    assert not accepted_in_some_order({"a": 1, "b": {"c": 3}}, stop)


def test_distribution_is_in_microseconds() -> None:
    one = Distribution.of(np.arange(1, 1001) * 1000)
    assert (one.count, one.average, one.p50, one.maximum) == (1000, 500.5, 500.5, 1000.0)
    assert Distribution.of(np.empty(0, np.int64)).count == 0


def test_summary_counts_every_case_once() -> None:
    engine = ListEngine(["[1]"])
    outcomes = [run(engine, ([1], True)), run(engine, ([2], True)), run(engine, schema="refuse")]
    summary = Summary.of(outcomes)
    assert {verdict: count for verdict, count in summary.verdicts.items() if count} == {
        Verdict.PASSED: 1,
        Verdict.VALID_REJECTED: 1,
        Verdict.REFUSED: 1,
    }
    assert (summary.slow, summary.first_mask.count, summary.cold.count) == (0, 2, 4)


@pytest.mark.parametrize("name", MODELS)
def test_documents_belong_to_their_models(name: str) -> None:
    type_, document = MODELS[name]
    TypeAdapter(type_).validate_json(document)
    matcher = compile_type(type_, Vocabulary([bytes([byte]) for byte in range(256)] + [None], [EOS])).matcher()
    assert all(matcher.accept(byte) for byte in document.encode())
    assert matcher.is_complete()
