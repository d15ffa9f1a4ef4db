"""Token masks against the oracle, token by token over whole vocabularies: ``python -m tests.properties.masks``.

States are reached by random walks: mostly random legal tokens, sometimes a token of the shortest way out, so that
walks leave strings and see the structure behind them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from schema_compiler.compiler import CompiledSchema, compile_type
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from tests.assembly import ids_of
from tests.oracle import Oracle, OracleState, TokenTree
from tests.types_zoo import TYPES
from tests.vocabularies import LARGE, smollm2

__all__ = ["Tally", "compare"]

SAMPLE = 1500
"""How many tokens are also offered to ``accept`` where not all are."""


@dataclass(slots=True)
class Tally:
    """What has been compared."""

    types: int = 0
    states: int = 0
    mask_bits: int = 0
    accepts: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.types + other.types,
            self.states + other.states,
            self.mask_bits + other.mask_bits,
            self.accepts + other.accepts,
        )


def compare(compiled: CompiledSchema, tree: TokenTree, seed: int, *, states: int, every_token: bool = False) -> Tally:
    """Walk at random until ``states`` different states of the grammar are compared; any difference fails.

    ``tree`` holds the tokens of the grammar's vocabulary.
    """
    vocabulary = compiled.vocabulary
    oracle, source = Oracle(compiled.stages.lowered()), random.Random(seed)
    tally = Tally(types=1)
    seen: set[int] = set()
    for _ in range(4 * states):
        for matcher, expected_state in walk(compiled.matcher(), oracle, vocabulary, source):
            if matcher.state_id in seen or (seen and source.random() < 0.7):
                continue
            seen.add(matcher.state_id)
            expected = expected_ids(oracle, expected_state, tree, vocabulary)
            found = ids_of(matcher.mask(), vocabulary)
            assert found == expected, difference(found, expected, vocabulary)
            whole = every_token or len(seen) == 1 + seed % states
            tokens = range(len(vocabulary)) if whole else sample(expected, len(vocabulary), source)
            tally += Tally(0, 1, len(vocabulary), check_accepts(matcher, expected, tokens))
            if len(seen) == states:
                return tally
    return tally


def walk(
    matcher: Matcher, oracle: Oracle, vocabulary: Vocabulary, source: random.Random, steps: int = 60
) -> Iterator[tuple[Matcher, OracleState]]:
    """The matcher, and the oracle's state, after each token of a random walk."""
    state = oracle.start
    for _ in range(steps):
        yield matcher, state
        text = next_text(matcher, vocabulary, source)
        following = oracle.read(text, state) if text else None
        if following is None:
            return
        state = following


def next_text(matcher: Matcher, vocabulary: Vocabulary, source: random.Random) -> bytes:
    """Take a random token, or the first of the shortest way out; its text, empty at the end."""
    legal = sorted(ids_of(matcher.mask(), vocabulary) - vocabulary.eos_token_ids)
    closing = matcher.closing()
    if not legal:
        return b""
    token_id = vocabulary.tokenize(closing)[0] if closing and source.random() < 0.4 else source.choice(legal)
    assert matcher.accept(token_id)
    text = vocabulary.tokens[token_id]
    assert text is not None
    return text


def expected_ids(oracle: Oracle, state: OracleState, tree: TokenTree, vocabulary: Vocabulary) -> set[int]:
    """The oracle's mask, EOS included."""
    legal = oracle.mask(state, tree)
    return legal | vocabulary.eos_token_ids if state.complete else legal


def sample(expected: set[int], size: int, source: random.Random) -> Iterable[int]:
    """Legal and other tokens, in equal parts where there are enough."""
    legal = sorted(expected)
    return [*source.sample(legal, min(len(legal), SAMPLE // 2)), *source.sample(range(size), min(size, SAMPLE // 2))]


def check_accepts(matcher: Matcher, expected: set[int], tokens: Iterable[int]) -> int:
    """``accept`` takes exactly the ``expected`` of the ``tokens``, and ``rollback`` takes them back."""
    before = matcher.state_id
    tokens = list(tokens)
    for token_id in tokens:
        taken = matcher.accept(token_id)
        assert taken == (token_id in expected), f"accept({token_id}) is {taken}"
        if taken:
            matcher.rollback(1)
        assert matcher.state_id == before
    return len(tokens)


def difference(found: set[int], expected: set[int], vocabulary: Vocabulary) -> str:
    """Some of the tokens that differ."""
    extra = [vocabulary.tokens[token_id] for token_id in sorted(found - expected)[:5]]
    missing = [vocabulary.tokens[token_id] for token_id in sorted(expected - found)[:5]]
    return (
        f"{len(found - expected)} tokens too many, such as {extra}; {len(expected - found)} missing, such as {missing}"
    )


def main(
    states: Annotated[int, typer.Option(help="States per type.")] = 20,
    seed: int = 0,
    every_token: Annotated[bool, typer.Option(help="Offer every token to accept, in every state.")] = True,
    only: Annotated[str, typer.Option(help="Types whose name contains this.")] = "",
) -> None:
    """Compare masks over every type and every vocabulary at hand."""
    table = Table("vocabulary", "tokens", "types", "states", "mask bits compared", "tokens accepted or refused")
    readers: dict[str, Callable[[], Vocabulary]] = {"smollm2": smollm2, **LARGE}
    for name, read in readers.items():
        tokens = read()
        tree, tally = TokenTree(tokens.tokens), Tally()
        for type_name, type_ in TYPES.items():
            if only in type_name:
                tally += compare(compile_type(type_, tokens), tree, seed, states=states, every_token=every_token)
        counts = (len(tokens), tally.types, tally.states, tally.mask_bits, tally.accepts)
        table.add_row(name, *(f"{count:,}" for count in counts))
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
