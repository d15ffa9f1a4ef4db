"""Whether generation works on a GPU and what masks cost there: under four minutes, nothing to download.

    python -m tests.benchmarks.gpu_check

A model of the shape of Llama 3.2 1B with random weights, and a made-up vocabulary of its size. Checked: tokens equal
to the CPU's (a smaller model in float32). Measured, at batch 1, 16 and 64: passes per second of the bare model
(forward, arg max, tokens to the host), of our loop (masks, share of probability removed, sequences), and with drafts,
and what the loop adds to a step. Without CUDA, the same code runs on a small model on the CPU.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from time import perf_counter

import torch
import typer
from pydantic import BaseModel, Field
from rich.console import Console
from rich.table import Table
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedModel

from schema_compiler import CompiledGrammar, Vocabulary, compile_type
from sdk.generation.loop.generator import Drafting, Generator
from sdk.generation.loop.sequence import TextSequence
from sdk.generation.models.key_value_slots import KeyValueSlots
from sdk.generation.samplers import Greedy
from sdk.generation.slots import Chunk, Slots
from sdk.generation.trace import Pass

__all__ = ["main"]

_COLUMNS = (
    "bare step",
    "our step",
    "added",
    "of it masks",
    "choosing",
    "bare steps/s",
    "our steps/s",
    "drafted tokens/s",
)
_LETTERS = b" abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM.,-0123456789"
_PROMPT = 300


class Person(BaseModel):
    name: str
    email: str
    age: int


class Letter(BaseModel):
    subject: str
    people: list[Person] = Field(min_length=40)


@dataclass(frozen=True)
class Model:
    """What the SDK asks of a model, without a tokenizer."""

    module: PreTrainedModel
    vocabulary: Vocabulary
    name: str = "random"
    context_tokens: int | None = None

    def chat(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        return self.encode("\n".join(message["content"] for message in messages))

    def encode(self, text: str) -> list[int]:
        return self.vocabulary.tokenize(text.encode())

    def slots(self, count: int) -> Slots:
        return KeyValueSlots(self.module, count)


def main() -> None:
    """Check and measure."""
    console = Console(width=120)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    console.print(f"{torch.cuda.get_device_name() if device == 'cuda' else 'no CUDA: a small model on the CPU'}")
    console.print(_equality(device))
    large = device == "cuda"
    vocabulary = _vocabulary(128_256 if large else 4_096)
    model = Model(_module(large, len(vocabulary), device, torch.bfloat16 if large else torch.float32), vocabulary)
    table = Table(title=f"{sum(map(torch.numel, model.module.parameters())) / 1e9:.2f}B parameters, milliseconds")
    table.add_column("batch")
    for column in _COLUMNS:
        table.add_column(column, justify="right")
    for batch in (1, 16, 64) if large else (1, 4):
        table.add_row(str(batch), *_measured(model, batch, steps=60 if large else 8))
    console.print(table)


def _equality(device: str) -> str:
    """Greedy tokens of a small float32 model on the device and on the CPU."""
    vocabulary = _vocabulary(2_048)
    outputs = [
        [sequence.output for sequence in _finished(Model(_module(False, 2_048, place, torch.float32), vocabulary))]
        for place in ("cpu", device)
    ]
    same = sum(cpu == other for cpu, other in zip(*outputs, strict=True))
    return f"tokens equal to the CPU's: {same} of {len(outputs[0])} documents"


def _finished(model: Model) -> list[TextSequence]:
    generator = Generator(model)
    compiled = compile_type(Person, model.vocabulary)
    sequences = [_sequence(generator, compiled, number, budget=80) for number in range(12)]
    for _ in generator.run(sequences, 5):
        pass
    return sequences


def _measured(model: Model, batch: int, steps: int) -> list[str]:
    bare = _bare(model, batch, steps)
    compiled = compile_type(Letter, model.vocabulary)
    _looped(model, compiled, batch, steps, "off")
    passes, seconds, _ = _looped(model, compiled, batch, steps, "off")
    ours = seconds / len(passes)
    _, drafted_seconds, tokens = _looped(model, compiled, batch, steps, "document")
    return [
        f"{1e3 * bare:.2f}",
        f"{1e3 * ours:.2f}",
        f"{1e3 * (ours - bare):.2f}",
        f"{1e3 * fmean(made.masks for made in passes):.3f}",
        f"{1e3 * fmean(made.choosing for made in passes):.2f}",
        f"{1 / bare:.1f}",
        f"{1 / ours:.1f}",
        f"{tokens / drafted_seconds:.0f}",
    ]


def _bare(model: Model, batch: int, steps: int) -> float:
    """Seconds a step of the model alone, after the prompts."""
    slots = model.slots(batch)
    tokens = [slots.forward([Chunk(slot, _prompt(slot, len(model.vocabulary)))])[0] for slot in range(batch)]
    chosen = torch.cat(tokens).argmax(-1).tolist()
    started = perf_counter()
    for _ in range(steps):
        logits = slots.forward([Chunk(slot, [token]) for slot, token in enumerate(chosen)])
        chosen = torch.cat(logits).argmax(-1).tolist()
    return (perf_counter() - started) / steps


def _looped(
    model: Model, compiled: CompiledGrammar, batch: int, steps: int, drafting: Drafting
) -> tuple[list[Pass], float, int]:
    """The passes of our loop after the prompts, their seconds, and the tokens they brought."""
    generator = Generator(model, drafting=drafting, share_prefixes=False)
    sequences = [_sequence(generator, compiled, number, budget=4000) for number in range(batch)]
    passes, tokens, started = [], 0, 0.0
    for count, step in enumerate(generator.run(sequences, batch)):
        if count == batch - 1:
            started, tokens = perf_counter(), 0
        elif count % batch == batch - 1:
            passes.append(step.trace)
        tokens += len(step.trace.tokens)
        if len(passes) == steps:
            break
    return passes, perf_counter() - started, tokens


def _sequence(generator: Generator, compiled: CompiledGrammar, number: int, budget: int) -> TextSequence:
    vocabulary = generator.model.vocabulary
    return TextSequence(
        prompt=_prompt(number, len(vocabulary)),
        matcher=compiled.matcher(),
        vocabulary=vocabulary,
        sampler=Greedy(),
        generator=torch.Generator().manual_seed(number),
        budget=budget,
        drafter=generator.drafter("name email age 12345"),
    )


def _prompt(number: int, size: int) -> list[int]:
    numbers = random.Random(number)
    return [numbers.randrange(256, size) for _ in range(_PROMPT)]


def _vocabulary(size: int) -> Vocabulary:
    """All bytes, an end, words of random letters, and the punctuation of JSON."""
    numbers = random.Random(0)
    words = {b'{"', b'": ', b'": "', b'", "', b'"}', b"[{", b"name", b"age", b"email"}
    while len(words) < size - 257:
        words.add(bytes(numbers.choices(_LETTERS, k=numbers.randint(2, 9))))
    return Vocabulary([*(bytes([byte]) for byte in range(256)), None, *sorted(words)], [256])


def _module(large: bool, size: int, device: str, dtype: torch.dtype) -> PreTrainedModel:
    torch.manual_seed(0)
    shape = {"hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32}
    small = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    config = LlamaConfig(
        vocab_size=size,
        num_key_value_heads=8 if large else 2,
        max_position_embeddings=8192,
        initializer_range=0.02 if large else 0.3,
        **(shape if large else small),
    )
    with torch.device("cpu" if not large else device):
        module = AutoModelForCausalLM.from_config(config, dtype=dtype)
    return module.to(device).eval()


if __name__ == "__main__":
    typer.run(main)
