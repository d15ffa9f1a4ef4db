"""What each mechanism brings: the same work with one of them switched off in turn.

    python -m tests.benchmarks.passes --schemas 100

Over ten Pydantic models and some schemas of MaskBench, each with its documents. Every line has a vocabulary of its
own, so that no line profits from what an earlier one has computed; what does not belong to a vocabulary, the tables of
patterns and numbers, is computed before the first line. Needs the plain Python build, whose classes can be replaced.

* *rule inlining*, *node merging*: every reference a call; alternatives apart (``Graph``'s switches);
* *shared leaf scans*: each schema scans strings and numbers for itself;
* *grouped remainders*: each trie node at which a rule can end is scanned apart, instead of all as one position;
* *state interning*: each step makes a state of its own, with nothing remembered from equal ones.

The second table says how much of the vocabulary a node decides by itself. A token is context-dependent where a rule
can end inside it, so that the callers decide. Storage is that of all scans made and all rows; dense storage would be
one row for each node that was scanned. The idea of both figures is XGrammar's (arXiv 2411.15100, section 3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from schema_compiler.compiler import Stages, schema_stages, type_stages
from schema_compiler.engine.pushdown.automaton import Automaton
from schema_compiler.engine.pushdown.masks import PushdownEngine
from schema_compiler.engine.pushdown.states import State
from schema_compiler.engine.tokens.scan import Scan
from schema_compiler.engine.tokens.token_sets import TokenSet, nbytes_of
from schema_compiler.engine.tokens.trie import NOWHERE, ROOT, NodeSet, Trie
from schema_compiler.engine.vocabulary.leaves import Leaves
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import SchemaCompilerError
from schema_compiler.grammar.graph import Graph
from tests.benchmarks.cases import SHARED, Case, TokenizerFolder, read_lines
from tests.benchmarks.models import MODELS

__all__ = ["main"]


class _ApartEngine(PushdownEngine):
    """Scans each trie node of a position apart."""

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary) -> None:
        self._apart: dict[tuple[NodeSet, int], Scan] = {}
        super().__init__(automaton, vocabulary)

    def scan(self, node_set: NodeSet, node: int) -> Scan:
        if self.vocabulary.trie.is_single(node_set):
            return super().scan(node_set, node)
        key = (node_set, node)
        if key not in self._apart:
            trie = self.vocabulary.trie
            scans = [super(_ApartEngine, self).scan(single, node) for single in trie.nodes(node_set).tolist()]
            token_sets = {id(token_set): token_set for scan in scans for token_set in scan.token_sets}
            rests = dict.fromkeys(scan.exits for scan in scans if scan.exits != NOWHERE)
            self._apart[key] = Scan(tuple(token_sets.values()), trie.union(rests), any(scan.nullable for scan in scans))
        return self._apart[key]


class _ForgetfulEngine(PushdownEngine):
    """Makes a new state for each step."""

    def follow(self, state: State, token_id: int) -> State | None:
        found = super().follow(state, token_id)
        return found if found is None or found is self.ended else State(found.threads, next(self._numbers))


class _CountingEngine(PushdownEngine):
    """Remembers all scans."""

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary) -> None:
        self.scans: dict[int, Scan] = {}
        self.nodes: set[int] = set()
        super().__init__(automaton, vocabulary)

    def scan(self, node_set: NodeSet, node: int) -> Scan:
        scan = super().scan(node_set, node)
        self.scans[id(scan)] = scan
        self.nodes.add(node)
        return scan


@dataclass(frozen=True, slots=True)
class _Variant:
    """A way to build the engine."""

    name: str
    inline: bool = True
    merge: bool = True
    share: bool = True
    engine: Callable[[Automaton, Vocabulary], PushdownEngine] = PushdownEngine


_VARIANTS = (
    _Variant("everything on"),
    _Variant("no rule inlining", inline=False),
    _Variant("no node merging", merge=False),
    _Variant("no shared leaf scans", share=False),
    _Variant("no grouped remainders", engine=_ApartEngine),
    _Variant("no state interning", engine=_ForgetfulEngine),
)


@dataclass(frozen=True, slots=True)
class _Subject:
    """Something to compile, and the token ids of documents it admits."""

    stages: Callable[[], Stages]
    documents: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class _Times:
    """Seconds: one entry for each compilation, one for each step. ``nodes``: graph nodes explored, one a subject."""

    nodes: list[int] = field(default_factory=list)
    compiling: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)

    def row(self) -> Iterator[str]:
        yield f"{sum(self.nodes):,}"
        yield f"{fmean(self.compiling) * 1e3:.2f}"
        for steps in (self.cold, self.warm):
            for micros in (fmean(steps), *np.percentile(steps, [50, 99])):
                yield f"{micros * 1e6:,.1f}"


def main(
    data: Annotated[Path, typer.Option(help="Gzipped JSON lines of MaskBench.")] = SHARED / "maskbench-dev.jsonl.gz",
    tokenizer: Annotated[Path, typer.Option(help="Folder with tokenizer.json.")] = SHARED / "tokenizers" / "llama-3.1",
    schemas: Annotated[int, typer.Option(help="How many schemas of MaskBench, spread over the file.")] = 100,
) -> None:
    """Switch the mechanisms off in turn."""
    folder = TokenizerFolder(tokenizer)
    vocabulary = folder.vocabulary()
    subjects = [*_models(folder), *_schemas(data, folder, schemas)]
    times = Table(title=f"{len(subjects)} schemas and models", title_justify="left")
    columns = ("nodes", "compile, ms", "cold step, µs", "p50", "p99", "warm step, µs", "p50", "p99")
    storage = Table(title="Masks", title_justify="left")
    shares = ("decided by the node", "context-dependent tokens a node", "storage, KiB", "dense, KiB", "share")
    for table, names in ((times, columns), (storage, shares)):
        table.add_column("", min_width=22)
        for name in names:
            table.add_column(name, justify="right")
    _measured(_VARIANTS[0], vocabulary, subjects)
    for variant in track(_VARIANTS, console=Console(stderr=True)):
        times.add_row(variant.name, *_measured(variant, vocabulary, subjects).row())
        if variant.engine is PushdownEngine and variant.share:
            storage.add_row(variant.name, *_storage(variant, vocabulary, subjects))
    console = Console(width=130)
    console.print(times)
    console.print(storage)


def _models(folder: TokenizerFolder) -> Iterator[_Subject]:
    for type_, document in MODELS.values():
        yield _Subject(partial(type_stages, type_), (tuple(folder.encode(document).ids),))


def _schemas(data: Path, folder: TokenizerFolder, count: int) -> Iterator[_Subject]:
    """Those that compile; the first compilation also fills what is cached for a process, such as patterns."""
    lines = list(read_lines(data, limit=None, offset=0, stride=1))
    for line in lines[:: max(1, len(lines) // count)]:
        case = Case.from_line(line)
        documents = tuple(tuple(folder.tokens(one.data)) for one in case.instances if one.valid)
        subject = _Subject(partial(schema_stages, case.schema, whitespace="flexible"), documents)
        try:
            _ = subject.stages().report
        except SchemaCompilerError:
            continue
        if documents:
            yield subject


def _engine(variant: _Variant, vocabulary: Vocabulary, stages: Stages) -> PushdownEngine:
    leaves = vocabulary.leaves if variant.share else Leaves(vocabulary.trie)
    automaton = Automaton(Graph(stages.pruned(), inline=variant.inline, merge=variant.merge), leaves)
    return variant.engine(automaton, vocabulary)


def _measured(variant: _Variant, like: Vocabulary, subjects: Sequence[_Subject]) -> _Times:
    vocabulary = Vocabulary(like.tokens, like.eos_token_ids)
    times = _Times()
    for subject in subjects:
        start = perf_counter()
        engine = _engine(variant, vocabulary, subject.stages())
        engine.mask(engine.start)
        times.compiling.append(perf_counter() - start)
        for steps in (times.cold, times.warm):
            for document in subject.documents:
                steps.extend(_steps(engine, document))
        times.nodes.append(sum(node is not None for node in engine.automaton.nodes))
    return times


def _steps(engine: PushdownEngine, document: Sequence[int]) -> Iterator[float]:
    """Seconds for each step, up to the first token that is refused."""
    state = engine.start
    for token in document:
        start = perf_counter()
        following = engine.follow(state, token)
        if following is None:
            return
        engine.mask(following)
        yield perf_counter() - start
        state = following


def _storage(variant: _Variant, like: Vocabulary, subjects: Sequence[_Subject]) -> Iterator[str]:
    vocabulary = Vocabulary(like.tokens, like.eos_token_ids)
    below = _tokens_below(vocabulary.trie)
    dependent: list[int] = []
    kept: dict[int, TokenSet] = {}
    dense = 0
    for subject in subjects:
        engine = _engine(replace(variant, engine=_CountingEngine), vocabulary, subject.stages())
        assert isinstance(engine, _CountingEngine)
        for document in subject.documents:
            for state in _states(engine, document):
                row = engine.mask(state)
                kept[id(row)] = row
                for node, _ in state.threads:
                    rest = engine.scan(ROOT, node).exits
                    dependent.append(int(below[vocabulary.trie.nodes(rest)].sum()))
        kept |= {id(token_set): token_set for scan in engine.scans.values() for token_set in scan.token_sets}
        dense += len(engine.nodes) * vocabulary.trie.words * 4
    stored = sum(map(nbytes_of, kept.values()))
    yield f"{1 - fmean(dependent) / len(vocabulary):.2%}"
    yield f"{fmean(dependent):,.0f}"
    yield f"{stored / 1024:,.0f}"
    yield f"{dense / 1024:,.0f}"
    yield f"{stored / dense:.1%}"


def _states(engine: PushdownEngine, document: Sequence[int]) -> Iterator[State]:
    state: State | None = engine.start
    for token in document:
        if state is None:
            return
        yield state
        state = engine.follow(state, token)


def _tokens_below(trie: Trie) -> npt.NDArray[np.int64]:
    """How many tokens go on from each trie node: int64 ``[nodes]``."""
    ending = np.diff(trie.token_start).astype(np.int64)
    below = np.zeros(trie.size, np.int64)
    for start, stop in reversed(list(trie.levels_below(0))):
        np.add.at(below, trie.parents[start:stop], below[start:stop] + ending[start:stop])
    return below


if __name__ == "__main__":
    typer.run(main)
