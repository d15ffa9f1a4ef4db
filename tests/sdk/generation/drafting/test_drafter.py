"""Drafts save passes and change nothing: not the tokens, not the random numbers, at no budget, in any company."""

from __future__ import annotations

import gzip
import json
import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from transformers import PreTrainedTokenizerFast

from schema_compiler import compile_type
from sdk import Extraction, Extractor
from sdk.errors import SdkError
from sdk.generation.drafting.drafter import DocumentDrafter
from sdk.generation.drafting.speller import Speller
from sdk.generation.loop.generator import Drafting, Generator
from sdk.generation.loop.sequence import TextSequence, closing_tokens
from sdk.generation.models.embedded import embedded_model_folder
from sdk.generation.models.tokenizer import vocabulary_of
from sdk.generation.samplers import sampler_of
from tests.example_documents import example_documents
from tests.fakes import EOS, RandomModel, ScriptedModel, byte_vocabulary

DOCUMENT = "ACE BOOKS\n12 High Street\nDate: 3 March 2024\nTotal: 19.50\nThank you"


class Line(BaseModel):
    name: str
    price: float


class Receipt(BaseModel):
    company: str
    date: str
    lines: list[Line]
    total: float


ANSWER = b'{"company": "ACE BOOKS", "date": "3 March 2024", "lines": [], "total": 19.50}'
LONGER = [b'{"', b'": ', b'", "', b'[{"', b'"}', b"date", b"total", b"company", b" B", b"OO", b"KS", b"19", b".5"]
VOCABULARIES = [byte_vocabulary(), byte_vocabulary(LONGER)]


def sequence_of(generator: Generator, *, budget: int = 400, temperature: float = 0.0, seed: int = 0) -> TextSequence:
    vocabulary = generator.model.vocabulary
    return TextSequence(
        prompt=[1, EOS],
        matcher=compile_type(Receipt, vocabulary).matcher(),
        vocabulary=vocabulary,
        sampler=sampler_of(temperature=temperature),
        generator=torch.Generator().manual_seed(seed),
        budget=budget,
        drafter=generator.drafter(DOCUMENT),
        shared=1,
    )


def outcome(sequence: TextSequence) -> tuple[list[int], list[float], str | None]:
    return sequence.output, sequence.removed, sequence.finish_reason


def finished(model: ScriptedModel | RandomModel, drafting: Drafting, **options: float) -> TextSequence:
    generator = Generator(model, drafting=drafting)
    sequence = sequence_of(generator, **options)  # type: ignore[arg-type]
    for _ in generator.run([sequence], 1):
        pass
    return sequence


def test_a_document_that_is_copied_takes_few_passes():
    passes = {drafting: finished(ScriptedModel(ANSWER), drafting).passes for drafting in ("off", "grammar", "document")}
    assert passes["off"] == len(ANSWER) + 1  # and one for the shared prefix
    assert passes["grammar"] < 0.7 * passes["off"]
    assert passes["document"] < 0.35 * passes["off"]


def test_the_trace_tells_how_each_token_came_to_be():
    generator = Generator(ScriptedModel(ANSWER.replace(b"ACE BOOKS", b"BOOKS")))
    steps = list(generator.run([sequence_of(generator, budget=60)], 1))
    text: dict[str, bytes] = {}
    for step in steps:
        for token in step.trace.tokens:
            text[token.origin] = text.get(token.origin, b"") + bytes([token.token_id])
    assert b"".join(step.text for step in steps) == steps[0].sequence.text
    assert text["forced"].startswith(b'{"company": "')
    assert b"OOKS" in text["copied"]
    assert text["closing"].endswith(b"}")
    assert text["sampled"].startswith(b"B")


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    slack=st.integers(0, 80),
    temperature=st.sampled_from([0.0, 0.5, 1.0]),
    vocabulary=st.sampled_from(VOCABULARIES),
    scripted=st.booleans(),
)
def test_drafts_change_nothing(seed, slack, temperature, vocabulary, scripted):
    model = ScriptedModel(ANSWER, vocabulary) if scripted else RandomModel(seed, vocabulary)
    budget = len(closing_tokens(compile_type(Receipt, vocabulary).matcher(), vocabulary)) + slack
    plain, *others = (
        finished(model, drafting, budget=budget, temperature=temperature, seed=seed)
        for drafting in ("off", "grammar", "document")
    )
    for drafted in others:
        assert outcome(drafted) == outcome(plain)
        assert drafted.passes <= plain.passes
    Receipt.model_validate_json(plain.text)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 9), slots=st.integers(1, 5))
def test_company_changes_nothing(seed, count, slots):
    model = RandomModel(seed)
    generator = Generator(model)
    together = [
        sequence_of(generator, budget=80 + 7 * number, temperature=number % 3 / 2, seed=number)
        for number in range(count)
    ]
    steps = list(generator.run(together, slots))
    assert max(step.trace.batch for step in steps) <= slots
    for number, sequence in enumerate(together):
        alone = finished(model, "off", budget=80 + 7 * number, temperature=number % 3 / 2, seed=number)
        assert outcome(sequence) == outcome(alone)


def test_a_prefix_is_read_once():
    model = ScriptedModel(ANSWER)
    generator = Generator(model)
    sequences = [sequence_of(generator) for _ in range(3)]
    for _ in generator.run(sequences, 1):
        pass
    assert sequences[0].passes == 1 + sequences[1].passes == 1 + sequences[2].passes


def test_a_models_own_spelling_of_forced_text_is_learned():
    generator = Generator(ScriptedModel(ANSWER, VOCABULARIES[1]))  # byte by byte
    sequences = [sequence_of(generator) for _ in range(3)]
    for _ in generator.run(sequences, 1):
        pass
    first, second, third = (sequence.passes for sequence in sequences)
    assert second < 0.6 * first
    assert third <= second
    assert {sequence.text for sequence in sequences} == {ANSWER}


def test_a_model_that_copies_nothing_gets_no_long_drafts():
    letters = bytes(random.Random(0).choices(b"qxjzvkw", k=300))
    model = ScriptedModel(b'{"company": "' + letters)
    generator = Generator(model)
    steps = list(generator.run([sequence_of(generator, budget=300)], 1))
    late = [step.trace.drafted for step in steps[-100:]]
    assert sum(late) / len(late) < 0.05 * model.slots(1).free_tokens


def test_a_model_that_repeats_itself_takes_few_passes():
    sequence = finished(ScriptedModel(b'{"company": "' + b", 0.00" * 60), "document", budget=300)
    assert sequence.finish_reason == "budget"
    assert sequence.passes < 20


def test_a_date_is_guessed_in_the_spelling_of_its_type():
    class Event(BaseModel):
        day: date
        name: str

    vocabulary = byte_vocabulary()
    speller = Speller(lambda text: vocabulary.tokenize(text.encode()), vocabulary)
    drafter = DocumentDrafter(b"Summer fair\nDay: 3 August 2024", vocabulary, speller)
    draft = drafter.propose(compile_type(Event, vocabulary).matcher(), [], 100, 0.001)
    assert bytes(draft.token_ids).startswith(b'{"day": "2024-08-03", "name": "')


@pytest.fixture(scope="module")
def tokenizers(shared_data: Path) -> dict[str, PreTrainedTokenizerFast]:
    folders = {name: shared_data / "data" / "tokenizers" / name for name in ("llama-3.1", "sentencepiece-32k")}
    folders["smollm2"] = embedded_model_folder()
    return {name: PreTrainedTokenizerFast.from_pretrained(folder) for name, folder in folders.items()}


@pytest.mark.parametrize("name", ["smollm2", "llama-3.1", "sentencepiece-32k"])
def test_what_follows_a_token_is_spelled_as_the_tokenizer_does(name, tokenizers):
    tokenizer = tokenizers[name]
    vocabulary = vocabulary_of(tokenizer, eos_token_ids=[2])
    speller = Speller(lambda text: tokenizer.encode(text, add_special_tokens=False), vocabulary)
    whole = tokenizer.encode('{"company": "ACE", "total": 19.50, "café": "日本"}', add_special_tokens=False)
    texts = [vocabulary.tokens[token_id] or b"" for token_id in whole]
    for start in range(2, len(whole)):
        assert list(speller.following(texts[start - 1], b"".join(texts[start:]))) == whole[start:]
    assert speller.following(b"x", "é".encode()[1:]) == ()


def test_a_draft_is_legal_and_the_matcher_stays_where_it_was():
    vocabulary = VOCABULARIES[1]
    compiled = compile_type(Receipt, vocabulary)
    drafter = DocumentDrafter(
        DOCUMENT.encode(), vocabulary, Speller(lambda text: vocabulary.tokenize(text.encode()), vocabulary)
    )
    written = vocabulary.tokenize(b'{"company": "AC')
    matcher = compiled.matcher()
    assert all(map(matcher.accept, written))
    state = matcher.state_id
    draft = drafter.propose(matcher, written, 100, 0.001)
    assert matcher.state_id == state
    assert all(map(matcher.accept, draft.token_ids))
    text = b"".join(vocabulary.tokens[token_id] or b"" for token_id in draft.token_ids)
    assert text.startswith(b'E BOOKS", "date": "3 March 2024", "lines": [')
    assert len(drafter.propose(compiled.matcher(), [], 3, 0.001).token_ids) == 3


class Short(BaseModel):
    """A receipt."""

    company: str = Field(description="name of the company", max_length=60)
    address: str = Field(description="address of the company", max_length=60)


def documents(shared_data: Path) -> list[str]:
    """20 receipts, cut short to save time, and 12 variations of small documents."""
    with gzip.open(shared_data / "data" / "sroie-dev.jsonl.gz") as lines:
        receipts = [json.loads(line)["lines"][:4] for line, _ in zip(lines, range(20), strict=False)]
    shops = ["Ace Books, 12 High Street", "Café Zoë\n3, rue de l'Été", '7-Eleven ("24h")\nLot 5\\6, Jalan Ria']
    frames = ["{}", "Receipt\n{}\nTotal 9.00", "Thank you for visiting!\n{}", "{}\nTel: 03-1234"]
    return ["\n".join(receipt) for receipt in receipts] + [frame.format(shop) for shop in shops for frame in frames]


def tokens(extraction: Extraction[Any] | SdkError) -> list[int]:
    assert isinstance(extraction, Extraction)
    return [token.token_id for step in extraction.trace for token in step.tokens]


def test_the_embedded_models_tokens_stay_the_same(extractor, shared_data):
    texts = documents(shared_data)
    assert len(texts) == 32
    found = []
    for drafting, size in (("off", 16), ("document", 3)):
        results = Extractor(extractor.model, drafting=drafting).run_batch(
            Short, texts, max_batch=size, max_tokens=20, trace=True
        )
        found.append({number: tokens(result) for number, result in results})
    assert found[0] == found[1]


def test_the_examples_tokens_stay_the_same_and_passes_are_saved(extractor):
    plain, drafted = Extractor(extractor.model, drafting="off"), Extractor(extractor.model)
    for wanted, text in example_documents():
        usual, fewer = (each.run(wanted, text, trace=True) for each in (plain, drafted))
        assert (fewer.text, tokens(fewer)) == (usual.text, tokens(usual))
        assert fewer.forward_passes < 0.45 * usual.forward_passes
