"""The benchmarks' own parts: what they count must be right before anyone believes what they time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from schema_compiler.compiler import compile_type
from schema_compiler.engine.pushdown import masks
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from tests.benchmarks import passes
from tests.benchmarks.cases import Case, Instance
from tests.benchmarks.measure import Outcome, Verdict, explained, measure
from tests.benchmarks.models import MODELS
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
    """Admits exactly the documents of a list.

    ``lie``: a token whose bit is never set. ``announced``: what is invalid is refused by a later check.
    """

    documents: Sequence[str]
    lie: int | None = None
    announced: bool = False
    refusals: tuple[type[Exception], ...] = (ValueError,)

    def compile(self, case: Case) -> ListEngine:
        if case.schema == "refuse":
            raise ValueError("refused")
        if case.schema == "impossible":
            raise ValueError("impossible")
        if case.schema == "crash":
            raise KeyError("crashed")
        while case.schema == "hang":
            pass
        return self

    def matcher(self) -> ListCursor:
        return ListCursor(self)

    def finds_impossible(self, error: Exception) -> bool:
        return str(error) == "impossible"

    def refuses_afterwards(self, compiled: ListEngine, data: Any) -> bool:
        assert json.dumps(data) in compiled.documents
        return self.announced


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

    def fork(self) -> ListCursor:
        return ListCursor(self.engine, self.text)


def run(engine: ListEngine, *instances: tuple[Any, bool], schema: Any = None, seconds: float = 5) -> Outcome:
    case = Case("case", schema, json.dumps(schema), tuple(Instance(data, valid) for data, valid in instances))
    outcome = measure(engine, case, CharacterTokenizer(), seconds)  # type: ignore[arg-type]  # a fake
    return explained(engine, case, CharacterTokenizer(), outcome, seconds)  # type: ignore[arg-type]  # a fake


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


def test_what_is_announced_is_not_held_against_an_engine() -> None:
    instances: list[tuple[Any, bool]] = [({"b": 1, "a": 2}, True), ([1], False)]
    documents = ["[1]", '{"a": 2, "b": 1}']
    outcome = run(ListEngine(documents, announced=True), *instances)
    assert outcome.verdict is Verdict.AFTERWARDS
    assert [one.verdict for one in outcome.misjudged] == [Verdict.ORDER, Verdict.AFTERWARDS]
    assert outcome.detail.startswith("other order: instance 0, 2 of 16 tokens, after '{\"'; checked afterwards: ")
    assert run(ListEngine(documents), *instances).verdict is Verdict.INVALID_ACCEPTED


def test_an_impossible_schema_rejects_everything() -> None:
    assert run(ListEngine([]), (1, False), (2, False), schema="impossible").verdict is Verdict.PASSED
    assert run(ListEngine([]), (1, False), (2, True), schema="impossible").verdict is Verdict.VALID_REJECTED


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


def test_passes_prints_a_line_for_each_mechanism(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, tokenizer = shared_data / "data/maskbench-dev.jsonl.gz", shared_data / "data/tokenizers/llama-3.1"
    if not (data.exists() and tokenizer.exists()):
        pytest.skip("the shared data is not there")
    if masks.__file__.endswith(".so"):
        pytest.skip("the classes of extension modules cannot be replaced")
    passes.main(data, tokenizer, schemas=2)
    lines = capsys.readouterr().out.splitlines()
    assert {"everything on", "no rule inlining", "no node merging", "no state interning"} <= {
        line.split("│")[1].strip() for line in lines if line.startswith("│")
    }
