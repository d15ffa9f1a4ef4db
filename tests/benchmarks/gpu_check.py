"""Whether generation works on a GPU and what masks cost there: some minutes, nothing to download.

    python -m tests.benchmarks.gpu_check

A model of the shape of Llama 3.2 1B with random weights in bfloat16, and a made-up vocabulary of its size. Checked:
tokens equal to the CPU's (a smaller model in float32). Measured, for batches of up to 256: passes and tokens a second
of the bare model (forward, arg max, tokens to the host), of our loop (masks, share of probability removed, sequences)
and with drafts; the share of a step in which masks are made; and how often and for how long a step of our loop makes
the host wait for the device. Where vLLM is installed, it runs the same model on the same prompts with its own
structured outputs. Without CUDA, the same code runs on a small model on the CPU.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter

import torch
import typer
from pydantic import BaseModel, Field
from rich.console import Console
from rich.table import Table
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import WordLevel
from torch.profiler import ProfilerActivity, profile
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedModel, PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import bytes_to_unicode

from schema_compiler import CompiledGrammar, Vocabulary, compile_type
from sdk.generation.loop.generator import Drafting, Generator
from sdk.generation.loop.sequence import TextSequence
from sdk.generation.models.attention import use_packed_attention
from sdk.generation.models.key_value_slots import KeyValueSlots
from sdk.generation.samplers import Greedy
from sdk.generation.slots import Chunk, Slots
from sdk.generation.trace import Pass

__all__ = ["Model", "main", "measured", "tokenizer_of"]

_COLUMNS = (
    "bare step ms",
    "our step ms",
    "masks",
    "choosing ms",
    "waits a step",
    "waiting ms",
    "bare tokens/s",
    "our tokens/s",
    "drafted tokens/s",
)
_WAITS = ("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize", "cudaMemcpy")
"""Calls of the CUDA runtime that return when the device is done (``aten::_local_scalar_dense`` makes one of them)."""

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

    def think(self, messages: Sequence[Mapping[str, str]]) -> None:
        """There is no place for a thought."""

    def encode(self, text: str) -> list[int]:
        return self.vocabulary.tokenize(text.encode())

    def slots(self, count: int) -> Slots:
        return KeyValueSlots(self.module, count)


def main() -> None:
    """Check and measure."""
    console = Console(width=140)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    console.print(f"{torch.cuda.get_device_name() if device == 'cuda' else 'no CUDA: a small model on the CPU'}")
    console.print(_equality(device))
    large = device == "cuda"
    vocabulary = _vocabulary(128_256 if large else 4_096)
    model = Model(_module(large, len(vocabulary), device, torch.bfloat16 if large else torch.float32), vocabulary)
    batches = (1, 16, 64, 256) if large else (1, 4, 16)
    table = Table(title=f"{sum(map(torch.numel, model.module.parameters())) / 1e6:,.1f} million parameters")
    for column in ("batch", *_COLUMNS):
        table.add_column(column, justify="right")
    for batch in batches:
        table.add_row(str(batch), *measured(model, batch, steps=60 if large else 8))
    console.print(table)
    if find_spec("vllm") is None:
        console.print("vLLM is not installed, so there is no comparison with it")
    else:
        console.print(_compared(model, batches, tokens=128 if large else 16))


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


def measured(model: Model, batch: int, steps: int) -> list[str]:
    """The cells of ``_COLUMNS``."""
    bare = _bare(model, batch, steps)
    compiled = compile_type(Letter, model.vocabulary)
    _looped(model, compiled, batch, steps, "off")
    passes, seconds, _ = _looped(model, compiled, batch, steps, "off")
    ours = seconds / len(passes)
    _, drafted_seconds, tokens = _looped(model, compiled, batch, steps, "document")
    return [
        f"{1e3 * bare:.2f}",
        f"{1e3 * ours:.2f}",
        f"{fmean(made.masks for made in passes) / ours:.1%}",
        f"{1e3 * fmean(made.choosing for made in passes):.2f}",
        *(_waits(model, compiled, batch, steps) if model.module.device.type == "cuda" else ("-", "-")),
        f"{batch / bare:.0f}",
        f"{batch / ours:.0f}",
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
    model: Model,
    compiled: CompiledGrammar,
    batch: int,
    steps: int,
    drafting: Drafting,
    watcher: profile | None = None,
) -> tuple[list[Pass], float, int]:
    """The passes of our loop after the prompts, their seconds, and the tokens they brought, under the ``watcher``."""
    generator = Generator(model, drafting=drafting, share_prefixes=False)
    passes, tokens, started = [], 0, 0.0
    for count, step in enumerate(generator.run(_sequences(generator, compiled, batch), batch)):
        if count == batch - 1:
            started, tokens = perf_counter(), 0
            if watcher is not None:
                watcher.start()
        elif count % batch == batch - 1:
            passes.append(step.trace)
        tokens += len(step.trace.tokens)
        if len(passes) == steps:
            break
    seconds = perf_counter() - started
    if watcher is not None:
        watcher.stop()
    return passes, seconds, tokens


def _waits(model: Model, compiled: CompiledGrammar, batch: int, steps: int) -> tuple[str, str]:
    """How often a step of our loop waits for the device, and for how many milliseconds."""
    watcher = profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])
    _looped(model, compiled, batch, steps, "off", watcher)
    waits = [event for event in watcher.key_averages() if event.key in _WAITS]
    return (
        f"{sum(event.count for event in waits) / steps:.1f}",
        f"{sum(event.self_cpu_time_total for event in waits) / steps / 1e3:.2f}",
    )


def _compared(model: Model, batches: Sequence[int], tokens: int) -> Table:
    """Tokens a second, the reading of prompts included, of our loop and of vLLM's, which ends documents nowhere."""
    from vllm import LLM, SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    compiled = compile_type(Letter, model.vocabulary)
    ours = {
        drafting: [_whole(model, compiled, batch, tokens, drafting) for batch in batches]
        for drafting in ("off", "document")
    }
    with TemporaryDirectory() as folder:
        model.module.save_pretrained(folder)
        tokenizer_of(model.vocabulary).save_pretrained(folder)
        peer = LLM(
            folder,
            dtype=str(model.module.dtype).removeprefix("torch."),
            max_model_len=8192 if model.module.device.type == "cuda" else 1024,
            max_num_seqs=max(batches),
            gpu_memory_utilization=0.5,
            enable_prefix_caching=False,
        )
        wanted = StructuredOutputsParams(json=Letter.model_json_schema())
        options = SamplingParams(temperature=0.0, max_tokens=tokens, structured_outputs=wanted, detokenize=False)
        theirs = []
        for batch in batches:
            prompts = [{"prompt_token_ids": _prompt(number, len(model.vocabulary))} for number in range(batch)]
            peer.generate(prompts[:1], options, use_tqdm=False)
            started = perf_counter()
            outputs = peer.generate(prompts, options, use_tqdm=False)
            written = sum(len(output.outputs[0].token_ids) for output in outputs)
            theirs.append(written / (perf_counter() - started))
    table = Table(title=f"tokens a second, prompts of {_PROMPT} tokens and {tokens} of output")
    for column in ("batch", "vLLM", "ours", "ours, drafted"):
        table.add_column(column, justify="right")
    for row in zip(batches, theirs, *ours.values(), strict=True):
        table.add_row(*(f"{number:.0f}" for number in row))
    return table


def _whole(model: Model, compiled: CompiledGrammar, batch: int, tokens: int, drafting: Drafting) -> float:
    """Tokens a second of our loop from the prompts on, up to ``tokens`` for each sequence."""
    generator = Generator(model, drafting=drafting, share_prefixes=False)
    started, written = perf_counter(), 0
    for step in generator.run(_sequences(generator, compiled, batch), batch):
        written += len(step.trace.tokens)
        if written >= batch * tokens:
            break
    return written / (perf_counter() - started)


def tokenizer_of(vocabulary: Vocabulary) -> PreTrainedTokenizerFast:
    """A tokenizer whose tokens have the bytes of ``vocabulary``; it is there to decode, and cuts no text."""
    letters = bytes_to_unicode()
    names = ["<end>" if token is None else "".join(letters[byte] for byte in token) for token in vocabulary.tokens]
    tokenizer = Tokenizer(WordLevel({name: token_id for token_id, name in enumerate(names)}, unk_token="<end>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>")


def _sequences(generator: Generator, compiled: CompiledGrammar, count: int) -> list[TextSequence]:
    """Sequences of one task, which share what closes their documents."""
    closings: dict[int, int] = {}
    return [_sequence(generator, compiled, number, budget=4000, closings=closings) for number in range(count)]


def _sequence(
    generator: Generator, compiled: CompiledGrammar, number: int, budget: int, closings: dict[int, int] | None = None
) -> TextSequence:
    vocabulary = generator.model.vocabulary
    return TextSequence(
        prompt=_prompt(number, len(vocabulary)),
        matcher=compiled.matcher(),
        vocabulary=vocabulary,
        sampler=Greedy(),
        generator=torch.Generator().manual_seed(number),
        budget=budget,
        drafter=generator.drafter("name email age 12345"),
        closings={} if closings is None else closings,
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
    use_packed_attention(module)
    return module.to(device).eval()


if __name__ == "__main__":
    typer.run(main)
