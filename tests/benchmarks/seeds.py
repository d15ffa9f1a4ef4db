"""Whether a seed gives the same text however it is computed: drafts, shared prefixes and batches change no result.

    python -m tests.benchmarks.seeds                             1,000 seeds of a small random model
    python -m tests.benchmarks.seeds --embedded --seeds 24       the embedded model

A model's logits differ in their last bits between passes of different shapes. Counted are the texts that differ from
those made alone, without drafts and without a shared prefix: with our draw (a race, see
``sdk.generation.samplers.race``), and with the usual one, which inverts a cumulated sum. The small model has the
embedded one's tokenizer and random weights; few of its tokens are improbable, so that draws have much to choose from.
A second table shows what a draw costs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

import torch
import typer
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from transformers import AutoModelForCausalLM, LlamaConfig

from sdk import Extraction, Extractor
from sdk.generation.loop.generator import Drafting
from sdk.generation.models.attention import use_packed_attention
from sdk.generation.models.language_model import LanguageModel
from sdk.generation.models.loading import load_model
from sdk.generation.samplers import Draw, Positions, Sampler, Temperature

__all__ = ["ALONE", "WAYS", "Inversion", "Way", "main", "random_model", "texts"]

_DOCUMENT = "Ace Books, 12 Mill Lane. Receipt of 3 March 2024: two notebooks 9.00, a pencil 0.50. Total 9.50"

_TEMPERATURES = (0.7, 1.0, 1.2)


class Receipt(BaseModel):
    shop: str
    items: list[str]
    total: float


@dataclass(frozen=True, slots=True)
class Way:
    """How texts are computed; none of it may change them."""

    drafting: Drafting = "off"
    share_prefixes: bool = False
    max_batch: int = 1


ALONE = Way()
WAYS = {
    "drafts": Way(drafting="document"),
    "shared prefix": Way(share_prefixes=True),
    "batches of 8": Way(max_batch=8),
    "all of these": Way("document", share_prefixes=True, max_batch=8),
}


@dataclass(frozen=True, slots=True)
class Inversion:
    """Inverse transform sampling: the first token at which the cumulated probabilities pass the random number."""

    temperature: float

    def __call__(self, positions: Positions) -> torch.Tensor:
        cumulated = (positions.masked / self.temperature).softmax(-1).cumsum(-1)
        total = cumulated[:, -1:]
        threshold = positions.uniforms.to(total.dtype)[:, None] * total
        threshold = threshold.minimum(total.nextafter(total.new_zeros(())))
        return (cumulated > threshold).int().argmax(-1)


def random_model(model: LanguageModel) -> LanguageModel:
    """A small Llama with random weights, and the vocabulary and tokenizer of ``model``.

    Its linear layers are torch's own, which compute a token's numbers a little differently beside other tokens.
    """
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(model.vocabulary),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        initializer_range=0.4,
        tie_word_embeddings=False,
    )
    module = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    use_packed_attention(module)
    return replace(model, name="random", module=module)


def texts(model: LanguageModel, way: Way, sampler: Sampler, seeds: int, max_tokens: int = 24) -> list[str]:
    """The text of each of the first ``seeds`` seeds."""
    extractor = Extractor(model, drafting=way.drafting, share_prefixes=way.share_prefixes)
    samples = extractor.run_samples(
        Receipt, _DOCUMENT, seeds, max_batch=way.max_batch, seed=0, sampler=sampler, max_tokens=max_tokens
    )
    assert all(isinstance(sample, Extraction) for sample in samples)
    return [sample.text for sample in samples if isinstance(sample, Extraction)]


def main(
    seeds: Annotated[int, typer.Option(help="How many seeds at each temperature.")] = 1000,
    embedded: Annotated[bool, typer.Option(help="The embedded model instead of the small random one.")] = False,
    temperature: Annotated[list[float] | None, typer.Option(help="Other temperatures; repeatable.")] = None,
    ours: Annotated[bool, typer.Option(help="Our draw alone.")] = False,
) -> None:
    """Count the texts that differ."""
    console = Console(width=120)
    model = load_model()
    model = model if embedded else random_model(model)
    table = Table(title=f"texts that differ, of {seeds} ({model.name} model)")
    table.add_column("temperature")
    table.add_column("draw")
    for name in (*WAYS, "distinct texts", "s/text alone"):
        table.add_column(name, justify="right")
    for number in temperature or _TEMPERATURES:
        samplers: dict[str, Sampler] = {"race": Draw((Temperature(number),))}
        if not ours:
            samplers["inverted sum"] = Inversion(number)
        for name, sampler in samplers.items():
            row = list(_row(model, sampler, seeds))
            table.add_row(str(number), name, *row)
            console.print(number, name, *row)
    console.print(table, _costs())


def _row(model: LanguageModel, sampler: Sampler, seeds: int) -> Iterator[str]:
    started = time.perf_counter()
    alone = texts(model, ALONE, sampler, seeds)
    seconds = (time.perf_counter() - started) / seeds
    for way in WAYS.values():
        yield str(sum(text != other for text, other in zip(alone, texts(model, way, sampler, seeds), strict=True)))
    yield str(len(set(alone)))
    yield f"{seconds:.2f}"


def _costs() -> Table:
    table = Table(title="milliseconds a call on the CPU, the least of 50", title_justify="left")
    table.add_column("draw")
    shapes = [(rows, size) for size in (49_152, 151_936) for rows in (1, 8)]
    for rows, size in shapes:
        table.add_column(f"{rows} x {size:,}", justify="right")
    for name, sampler in {"race": Draw((Temperature(1.0),)), "inverted sum": Inversion(1.0)}.items():
        table.add_row(name, *(f"{1e3 * _seconds(sampler, rows, size):.2f}" for rows, size in shapes))
    return table


def _seconds(sampler: Sampler, rows: int, size: int) -> float:
    numbers = torch.rand(rows, dtype=torch.float64)
    positions = Positions(3 * torch.randn(rows, size), torch.ones(rows, size, dtype=torch.bool), numbers, [[]] * rows)
    times = []
    for _ in range(50):
        started = time.perf_counter()
        sampler(positions)
        times.append(time.perf_counter() - started)
    return min(times)


if __name__ == "__main__":
    typer.run(main)
