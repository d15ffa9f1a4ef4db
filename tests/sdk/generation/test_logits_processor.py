"""``generate`` under the processor writes what the grammar admits, and what our own loop writes."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from pydantic import BaseModel, Field
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedModel

from schema_compiler import compile_schema, compile_type
from sdk.errors import GenerationError
from sdk.generation.logits_processor import GrammarLogitsProcessor
from sdk.generation.loop.generator import Generator
from sdk.generation.loop.sequence import TextSequence
from sdk.generation.models.attention import use_packed_attention
from sdk.generation.models.key_value_slots import KeyValueSlots
from sdk.generation.samplers import Greedy
from sdk.generation.slots import Slots
from tests.fakes import EOS, RandomModel, byte_vocabulary


class Person(BaseModel):
    name: str = Field(max_length=12)
    ages: list[int] = Field(max_length=3)


VOCABULARY = byte_vocabulary([b'{"', b'": ', b'", "', b"name", b"ages"])
COMPILED = compile_type(Person, VOCABULARY)
PROMPTS = [[65, 66, 67], [70, 71, 72], [80, 65, 90], [1, 2, 3]]


@pytest.fixture(scope="module")
def module() -> PreTrainedModel:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(VOCABULARY) + 3,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        initializer_range=0.5,
        eos_token_id=EOS,
        pad_token_id=0,
    )
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


def generated(module: PreTrainedModel, prompts: list[list[int]], **options: Any) -> list[list[int]]:
    """Tokens of output up to the end, without it."""
    rows = module.generate(
        torch.tensor(prompts),
        attention_mask=torch.ones(len(prompts), 3, dtype=torch.long),
        max_new_tokens=200,
        logits_processor=[GrammarLogitsProcessor(COMPILED)],
        **options,
    )[:, 3:].tolist()
    return [row[: row.index(EOS)] for row in rows]


@pytest.mark.parametrize("options", [{"do_sample": False}, {"do_sample": True}, {"do_sample": False, "num_beams": 3}])
def test_every_row_is_a_document(module, options):
    for row in generated(module, PROMPTS, **options):
        Person.model_validate_json(b"".join(VOCABULARY.tokens[token_id] or b"" for token_id in row))


LEGAL = {
    "two documents": ({"enum": ["Iris", "Ines"]}, ['"Iris"', '"Ines"']),
    "one document": ({"const": "x"}, ['"x"']),
    "short and long": ({"enum": ["a", "ab", "a long text"]}, ['"a"', '"ab"', '"a long text"']),
}
NEVER_FINISHED = -1e6
"""Below are the scores of ``generate`` for rows that fill places where no document was finished, from -1e9 on."""


@pytest.mark.parametrize("case", LEGAL.values(), ids=LEGAL)
@pytest.mark.parametrize(
    "options",
    [
        {"do_sample": True},
        {"do_sample": True, "num_beams": 5, "top_p": 0.8, "length_penalty": 0.0},
        {"do_sample": True, "top_k": 3, "renormalize_logits": True, "early_stopping": True},
        {"do_sample": False},
    ],
    ids=str,
)
def test_more_beams_than_documents(module, case, options):
    schema, documents = case
    compiled = compile_schema(schema, VOCABULARY)
    finished = set()
    for seed in range(5):
        torch.manual_seed(seed)
        output = module.generate(
            torch.tensor(PROMPTS),
            attention_mask=torch.ones(len(PROMPTS), 3, dtype=torch.long),
            max_new_tokens=8,
            logits_processor=[GrammarLogitsProcessor(compiled)],
            return_dict_in_generate=True,
            output_scores=True,
            **{"num_beams": 3, "num_return_sequences": 3} | options,
        )
        assert not output.sequences_scores.isnan().any()
        for row, score in zip(output.sequences[:, 3:].tolist(), output.sequences_scores.tolist(), strict=True):
            length = row.index(EOS) if EOS in row else len(row)
            text = bytes(row[:length]).decode()
            if score > NEVER_FINISHED and length < 8:
                assert text in documents
                finished.add(text)
            else:
                assert any(document.startswith(text) for document in documents)
    assert finished == {document for document in documents if len(document) < 8}


def test_rows_with_few_documents_do_not_disturb_others(module):
    """Scores of the second prompt are those that it has alone, whatever becomes of the beams of the first."""
    compiled = compile_schema({"enum": ["Iris", "Ines", "x"]}, VOCABULARY)
    scores = []
    for prompts in (PROMPTS[:2], PROMPTS[1:2]):
        output = module.generate(
            torch.tensor(prompts),
            attention_mask=torch.ones(len(prompts), 3, dtype=torch.long),
            max_new_tokens=8,
            logits_processor=[GrammarLogitsProcessor(compiled)],
            num_beams=3,
            num_return_sequences=3,
            do_sample=False,
            return_dict_in_generate=True,
            output_scores=True,
        )
        scores.append(output.sequences_scores[-3:])
    torch.testing.assert_close(*scores)


def test_a_dead_row_keeps_its_scores_and_stays_dead():
    processor = GrammarLogitsProcessor(compile_schema({"enum": ["Iris", "Ines"]}, VOCABULARY))
    scores = torch.zeros(2, len(VOCABULARY))
    text: list[list[int]] = [[7], [7]]
    processor(torch.tensor(text), scores)
    for dead, alive in ((0, b'"'), (ord('"'), b"I"), (ord("I"), b"r")):
        text = [[*text[0], dead], [*text[1], *alive]]
        result = processor(torch.tensor(text), scores)
        assert torch.equal(result[0], scores[0])
        assert (result[1] == 0).any()
        assert (result[1] == float("-inf")).any()


def test_a_processor_of_another_call_is_an_error():
    processor = GrammarLogitsProcessor(compile_schema({"enum": ["Iris", "Ines"]}, VOCABULARY))
    processor(torch.tensor([[1]]), torch.zeros(1, len(VOCABULARY)))
    with pytest.raises(GenerationError, match="none among 1 of 2 tokens; a processor serves one call"):
        processor(torch.tensor([[1, 2, 3]]), torch.zeros(1, len(VOCABULARY)))


def test_a_batch_writes_what_single_calls_and_our_own_loop_write(module):
    own = copy.deepcopy(module)
    use_packed_attention(own)

    class Wide(RandomModel):
        def slots(self, count: int) -> Slots:  # type: ignore[override]
            return KeyValueSlots(own, count)

    vocabulary = type(VOCABULARY)([*VOCABULARY.tokens, None, None, None], [EOS])
    generator = Generator(Wide(0, vocabulary))
    sequences = [
        TextSequence(
            prompt=prompt,
            matcher=compile_type(Person, vocabulary).matcher(),
            vocabulary=vocabulary,
            sampler=Greedy(),
            generator=torch.Generator(),
            budget=200,
            drafter=generator.drafter("name 12"),
        )
        for prompt in PROMPTS
    ]
    for _ in generator.run(sequences, 3):
        pass
    batch = generated(module, PROMPTS, do_sample=False)
    assert batch == [generated(module, [prompt], do_sample=False)[0] for prompt in PROMPTS]
    assert [sequence.output for sequence in sequences] == batch
