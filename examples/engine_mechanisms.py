"""What each mechanism of the engine saves, on a small vocabulary. Draws a picture; takes seconds, needs no model.

    python engine_mechanisms.py [FOLDER]          # pip install 'extraction-sdk[plots]'

The vocabulary is made from the documents next to this file: every byte, and the pieces of text that occur most. Four
models are compiled with everything on, and with one mechanism off in turn:

    rule inlining         a rule that is used like a macro is copied to where it is used, so that nothing is called
    node merging          alternatives that begin alike share their nodes until they part
    shared leaf scans     what a string or a number does to every token is worked out once a vocabulary, not a schema
    interned states       equal situations are one state, whose mask is a look-up

A cold step is a token's mask and its acceptance in a place that is new, a warm one in a place seen before. Times are
of the processor, so that other programs do not count.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from statistics import fmean
from time import thread_time
from typing import Literal

from matplotlib.figure import Figure
from pydantic import BaseModel, Field

from schema_compiler import Vocabulary
from schema_compiler.compiler import type_stages
from schema_compiler.engine.pushdown.automaton import Automaton
from schema_compiler.engine.pushdown.masks import PushdownEngine
from schema_compiler.engine.pushdown.states import State
from schema_compiler.engine.vocabulary.leaves import Leaves
from schema_compiler.grammar.graph import Graph

TEXTS = [path.read_bytes() for path in sorted(Path(__file__).with_name("documents").glob("*.txt"))]

Country = Literal["Austria", "Australia", "Belarus", "Belgium", "Ireland", "Iran", "Iraq", "Italy", "Mali", "Malta"]


class Address(BaseModel):
    street: str
    city: str
    country: Country


class Person(BaseModel):
    name: str
    born: date | None = None
    home: Address
    work: Address | None = None


class Item(BaseModel):
    name: str = Field(min_length=1, max_length=80)
    price: Decimal = Field(ge=0, decimal_places=2)
    kind: Literal["book", "booklet", "board game", "other"]


class Order(BaseModel):
    number: str = Field(pattern=r"^[A-Z]{2}-\d{4,6}$")
    buyer: Person
    payer: Person | Literal["the buyer", "the buyer's company"]
    items: list[Item] = Field(min_length=1)


HOME = {"street": "1 High Street", "city": "Cork", "country": "Ireland"}
ANN = {"name": "Ann Lee", "born": "1990-02-28", "home": HOME, "work": None}
ANSWERS = {
    Item: {"name": "The Sea", "price": "12.90", "kind": "book"},
    Address: HOME,
    Person: ANN,
    Order: {
        "number": "AB-12345",
        "buyer": ANN,
        "payer": {"name": "Bo Ek", "born": None, "home": HOME, "work": {**HOME, "country": "Malta"}},
        "items": [
            {"name": "The Sea", "price": "12.90", "kind": "booklet"},
            {"name": "The Lake", "price": "3.50", "kind": "other"},
        ],
    },
}

ROUNDS = 5


class ForgetfulEngine(PushdownEngine):
    """Makes a new state for each step."""

    def follow(self, state: State, token_id: int) -> State | None:
        found = super().follow(state, token_id)
        return found if found is None or found is self.ended else State(found.threads, next(self._numbers))


@dataclass
class Variant:
    name: str
    inline: bool = True
    merge: bool = True
    share: bool = True
    engine: type[PushdownEngine] = PushdownEngine
    first: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)

    def measure(self, vocabulary: Vocabulary) -> None:
        """Seconds to the first mask of each model, and for each step of its answer, new and seen before."""
        for wanted, answer in ANSWERS.items():
            grammar = type_stages(wanted).pruned()
            started = thread_time()
            leaves = vocabulary.leaves if self.share else Leaves(vocabulary.trie)
            graph = Graph(grammar, inline=self.inline, merge=self.merge)
            engine = self.engine(Automaton(graph, leaves), vocabulary)
            engine.mask(engine.start)
            self.first.append(thread_time() - started)
            for steps in (self.cold, self.warm):
                steps.extend(seconds(engine, vocabulary.tokenize(json.dumps(answer).encode())))


def seconds(engine: PushdownEngine, tokens: list[int]):
    state = engine.start
    for token in tokens:
        started = thread_time()
        following = engine.follow(state, token)
        assert following is not None, "the answer is legal"
        engine.mask(following)
        yield thread_time() - started
        state = following


def vocabulary_of(texts: list[bytes], size: int = 4000) -> Vocabulary:
    pieces = Counter(
        text[start : start + length] for text in texts for start in range(len(text)) for length in range(2, 9)
    )
    common = [piece for piece, _ in pieces.most_common(size)]
    return Vocabulary([*(bytes([byte]) for byte in range(256)), *common, None], [256 + len(common)])


def main() -> None:
    vocabulary = vocabulary_of(TEXTS)
    variants = [
        Variant("everything on"),
        Variant("no rule inlining", inline=False),
        Variant("no node merging", merge=False),
        Variant("no shared leaf scans", share=False),
        Variant("no interned states", engine=ForgetfulEngine),
    ]
    Variant("patterns and tries are made").measure(vocabulary)
    for _ in range(ROUNDS):
        for variant in variants:
            fresh = Vocabulary(vocabulary.tokens, vocabulary.eos_token_ids)
            assert fresh.trie.size == vocabulary.trie.size  # and is made before the clock runs
            variant.measure(fresh)
    figure = Figure(figsize=(13, 4), layout="constrained")
    names = [variant.name for variant in variants]
    panels = figure.subplots(1, 3, sharey=True)
    for axes, title, what in zip(
        panels, ("first mask", "cold step", "warm step"), ("first", "cold", "warm"), strict=True
    ):
        micros = [1e6 * fmean(getattr(variant, what)) for variant in variants]
        axes.bar_label(axes.barh(names, micros), fmt="{:,.1f}", padding=3)
        axes.set(title=title, xlabel="microseconds, mean", xlim=(0, 1.2 * max(micros)))
        print(title, *(f"  {name}: {value:,.1f} µs" for name, value in zip(names, micros, strict=True)), sep="\n")
    panels[0].invert_yaxis()
    path = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()) / "engine_mechanisms.png"
    figure.savefig(path, dpi=120)
    print(path)


if __name__ == "__main__":
    main()
