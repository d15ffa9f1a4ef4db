"""Values of grounded fields chosen as wholes: the same whatever a pass reads, with probabilities and what came next."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from schema_compiler import compile_type
from sdk import Extractor, Verbatim
from sdk.generation.loop.generator import Generator
from sdk.generation.models.uncached_slot import UncachedSlot
from tests.fakes import FakeSlots, RandomModel

DOCUMENTS = [
    "Ace Books\n12 Long Road, London\nDate: 03/04/2024\nTea  4.50\nTotal  RM 15.90",
    "Tax Invoice\nWood & Sons\n7 Hill St\n1 May 2023, 2 June 2023\n9.00 8.00 1.00",
    "1/2/2024 x 3",
]


class Receipt(BaseModel):
    """A receipt."""

    shop: Annotated[str, Verbatim(within="line")]
    day: Annotated[date, Verbatim(day_first=True)] | None
    total: Annotated[Decimal, Verbatim()]
    words: list[Annotated[str, Verbatim(within="word", unique=True)]] = []


def results(extractor: Extractor, **options: Any) -> list[Any]:
    found = dict(extractor.run_batch(Receipt, DOCUMENTS, max_tokens=100, **options))
    return [found[number] for number in range(len(DOCUMENTS))]


@pytest.mark.parametrize("seed", range(4))
def test_no_way_to_read_the_values_changes_the_best(seed: int, monkeypatch: pytest.MonkeyPatch):
    extractor = Extractor(RandomModel(seed=seed))
    wanted = results(extractor)
    assert any("scored" in str(item.trace) for item in results(extractor, trace=True))
    for branches, free_tokens, batch in [(True, 1, 1), (True, 7, 3), (False, 100, 2), (False, 1, 1)]:
        slots = partial(FakeSlots, branches=branches, free_tokens=free_tokens)
        monkeypatch.setattr(RandomModel, "slots", lambda self, count, slots=slots: slots(self, count))
        for item, expected in zip(results(extractor, max_batch=batch), wanted, strict=True):
            assert item.text == expected.text
            assert item.confidence == pytest.approx(expected.confidence)
            assert item.removed_mass == pytest.approx(expected.removed_mass)
            assert item.evidence == expected.evidence


def test_the_models_memory_changes_nothing(extractor: Extractor, monkeypatch: pytest.MonkeyPatch):
    """Trees in batches, and branch by branch without a cache."""
    monkeypatch.setattr("tests.sdk.test_choosing.DOCUMENTS", DOCUMENTS[2:])
    wanted = results(extractor, max_batch=3)
    monkeypatch.setattr(type(extractor.model), "slots", lambda self, _: UncachedSlot(self.module))
    for item, expected in zip(results(Extractor(extractor.model)), wanted, strict=True):
        assert item.text == expected.text
        assert item.confidence == pytest.approx(expected.confidence, rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_the_values_that_come_near_share_what_a_sampler_gives_them(seed: int):
    """Each value of the field is written by a sampler that is told to, whose confidence is the probability to do so."""
    extractor = Extractor(RandomModel(seed=seed))
    line = Annotated[str, Verbatim(within="line")]
    document = "abc\nabd\nbcd\nb"
    best = extractor.run(line, document)
    chances = {}
    for wanted in document.splitlines():
        told = extractor.run(line, document, sampler=_Told(f'"{wanted}"'))
        assert told.value == wanted
        chances[wanted] = told.confidence[()]
    assert sum(chances.values()) == pytest.approx(1)
    near = {best.value, *(other.text.strip('"') for other in best.alternatives[()])}
    assert all(chances[other] < max(chances.values()) / 20 for other in chances.keys() - near)
    shares = [best.confidence[()], *(other.probability for other in best.alternatives[()])]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(sum(chances[value] for value in near))


class _Told:
    """Takes the tokens of a text, then EOS."""

    def __init__(self, text: str) -> None:
        self._text = text.encode()

    def __call__(self, positions: Any) -> Any:
        import torch

        texts = [self._text + bytes((0,)) for _ in positions.outputs]
        return torch.tensor(
            [text[min(len(out), len(text) - 1)] or 256 for text, out in zip(texts, positions.outputs, strict=True)]
        )


def test_greedy_is_token_by_token(extractor: Extractor):
    options: Any = {"max_tokens": 60, "trace": True}
    best, greedy = (extractor.run(Receipt, DOCUMENTS[1], choose=choose, **options) for choose in ("best", "greedy"))
    assert "scored" not in str(greedy.trace)
    assert greedy.alternatives == {}
    assert best.alternatives.keys() <= best.confidence.keys()
    assert extractor.run(Receipt, DOCUMENTS[1], max_tokens=60).text == best.text


def test_what_draws_tokens_does_not_choose_values(extractor: Extractor):
    with pytest.raises(ValueError, match="choose='best' only where no tokens are drawn"):
        extractor.run(Receipt, DOCUMENTS[0], choose="best", temperature=0.7)
    drawn = extractor.run(Receipt, DOCUMENTS[0], temperature=0.7, seed=1)
    assert drawn.confidence.keys() >= {("shop",), ("total",)}
    with pytest.raises(ValueError, match="choose"):
        extractor.run(Receipt, DOCUMENTS[0], choose="worst")  # type: ignore[arg-type]


def test_confidence_of_values_that_are_not_grounded():
    model = RandomModel(seed=3)
    result = Extractor(model).run(bool, "x")
    shares = model.logits([]).softmax(-1)
    assert result.confidence[()] == pytest.approx(
        float(max(shares[ord("t")], shares[ord("f")]) / shares[list(b"tf")].sum())
    )


class Optionals(BaseModel):
    shop: Annotated[str, Verbatim()] | None
    note: str | None
    count: int | None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("choose", ["best", "greedy"])
def test_a_bias_towards_null_and_away_from_it(seed: int, choose: Any):
    extractor = Extractor(RandomModel(seed=seed))
    options: Any = {"max_tokens": 300, "choose": choose}
    assert extractor.run(Optionals, "a b c", null_bias=50.0, **options).value == Optionals(
        shop=None, note=None, count=None
    )
    value = extractor.run(Optionals, "a b c", null_bias=-50.0, **options).value
    assert None not in (value.shop, value.note, value.count)
    plain = extractor.run(Optionals, "a b c", **options)
    assert plain.text == extractor.run(Optionals, "a b c", null_bias=0.0, **options).text


def test_generator_chooses_where_the_document_has_values():
    model = RandomModel(seed=0)
    generator, compiled = Generator(model), compile_type(Annotated[str, Verbatim()], model.vocabulary)
    search = generator.chooser(0.0).search(compiled.bind("a b").matcher(), [], branches=True)
    assert search is not None
