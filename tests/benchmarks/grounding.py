"""Values that stand in the document, tried out on many documents and measured on a long one.

    python -m tests.benchmarks.grounding --documents 10000

*Exactness*: random documents (ten scripts, controls, emoji, all kinds of line breaks, long lines) for types in turn.
In each, a random text is written under the masks; at its first states every mask is compared with that of the oracle,
to which the values are given by brute force; then every value must be one of these, and every span spell it. *Cost*:
the masks of one field on a document of many characters, before its value and as it is written; and memory.
"""

from __future__ import annotations

import json
import random
import tracemalloc
from dataclasses import dataclass
from statistics import mean, quantiles
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from schema_compiler import CompiledSchema, Matcher, UngroundedError, Verbatim, Vocabulary, compile_type
from sdk.generation.models.embedded import embedded_model_folder
from sdk.generation.models.loading import load_model
from tests.assembly import ids_of
from tests.oracle import Oracle, TokenTree
from tests.properties.masks import next_text
from tests.schema_compiler.grounding.documents import random_document
from tests.schema_compiler.grounding.test_grounded import TYPES, listed
from tests.vocabularies import made_up_vocabulary

__all__ = ["main"]

_COMPARED_STATES = 5
_LONG_LINE = 20


@dataclass(slots=True)
class Tally:
    """What has been compared."""

    documents: int = 0
    without_values: int = 0
    masks: int = 0
    values: int = 0
    spans: int = 0


def main(
    documents: Annotated[int, typer.Option(help="How many random documents.")] = 10_000,
    characters: Annotated[int, typer.Option(help="The length of the long document.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Other documents.")] = 0,
) -> None:
    """Compare with brute force, then measure."""
    console, tally, source = Console(width=120), Tally(), random.Random(seed)
    vocabulary = made_up_vocabulary()
    tree = TokenTree(vocabulary.tokens)
    compiled = {name: compile_type(wanted, vocabulary) for name, wanted in TYPES.items()}
    for number in tqdm(range(documents), unit="document"):
        name = list(TYPES)[number % len(TYPES)]
        parts = source.randint(0, 9) if number % 10 else source.randint(0, _LONG_LINE)
        _compare(compiled[name], random_document(source, parts), tree, vocabulary, source, tally)
    table = Table("documents", "without values", "masks compared", "values", "spans", title="no difference")
    table.add_row(*map(str, (tally.documents, tally.without_values, tally.masks, tally.values, tally.spans)))
    console.print(table)
    if embedded_model_folder() is not None and characters:
        console.print(_costs(characters, source))


def _compare(
    compiled: CompiledSchema,
    document: str,
    tree: TokenTree,
    vocabulary: Vocabulary,
    source: random.Random,
    tally: Tally,
) -> None:
    tally.documents += 1
    values = listed(compiled, document)
    oracle = Oracle(compiled.stages.lowered(), values)
    try:
        grounded = compiled.bind(document)
    except UngroundedError:
        assert "document" not in oracle._productive, document
        tally.without_values += 1
        return
    assert "document" in oracle._productive, document
    matcher, state, written = grounded.matcher(), oracle.start, b""
    for step in range(60):
        if step < _COMPARED_STATES:
            legal = oracle.mask(state, tree)
            expected = legal | vocabulary.eos_token_ids if state.complete else legal
            assert ids_of(matcher.mask(), vocabulary) == expected, (document, written)
            tally.masks += 1
        text = next_text(matcher, vocabulary, source)
        following = oracle.read(text, state) if text else None
        if following is None:
            break
        state, written = following, written + text
    written += matcher.closing()
    every = {_key(json.loads(text)) for texts in values.values() for text in texts}
    for path, spans in grounded.evidence(written).items():
        value = json.loads(written)
        for part in path:
            value = value[part]
        assert spans, (document, written, path)
        assert _key(value) in every, (document, written, path)
        tally.values += 1
        for span in spans:
            assert document[span.start : span.end] == span.text
            tally.spans += 1


def _key(value: Any) -> tuple[bool, Any]:
    """Equal numbers are one value, and no text."""
    return isinstance(value, str), value


def _costs(characters: int, source: random.Random) -> Table:
    vocabulary = load_model().vocabulary
    lines = []
    while sum(map(len, lines)) < characters:
        lines.append(" ".join(random_document(source, 3) for _ in range(source.randint(1, 12))) + "\n")
    document = "".join(lines)[:characters]
    table = Table(title=f"a document of {len(document):,} characters, a vocabulary of {len(vocabulary):,} tokens")
    for column in ("within", "bind ms", "first mask µs", "masks, mean µs", "masks, 99 % µs", "memory MB"):
        table.add_column(column, justify="right")
    for within in ("word", "line", "lines", "sentence", "anywhere"):
        compiled = compile_type(Annotated[str, Verbatim(within=within)], vocabulary)  # type: ignore[arg-type]
        compiled.bind("some words").matcher().mask()
        started = perf_counter()
        grounded = compiled.bind(document)
        bound = perf_counter()
        matcher = grounded.matcher()
        matcher.mask()
        first = perf_counter()
        times = [seconds for _ in range(20) for seconds in _walk(grounded.matcher(), vocabulary, source)]
        memory = _memory(compiled, document, vocabulary, source)
        table.add_row(
            within,
            f"{(bound - started) * 1e3:.0f}",
            f"{(first - bound) * 1e6:.0f}",
            f"{mean(times) * 1e6:.0f}",
            f"{quantiles(times, n=100)[-1] * 1e6:.0f}",
            f"{memory / 1e6:.1f}",
        )
    return table


def _memory(compiled: CompiledSchema, document: str, vocabulary: Vocabulary, source: random.Random) -> int:
    """The bytes that a document takes as long as one text is written about it."""
    tracemalloc.start()
    grounded = compiled.bind(document)
    _walk(grounded.matcher(), vocabulary, source)
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return memory


def _walk(matcher: Matcher, vocabulary: Vocabulary, source: random.Random) -> list[float]:
    """The seconds of each mask along a random text."""
    times: list[Any] = []
    for _ in range(20):
        if not next_text(matcher, vocabulary, source):
            break
        started = perf_counter()
        matcher.mask()
        times.append(perf_counter() - started)
    return times


if __name__ == "__main__":
    typer.run(main)
