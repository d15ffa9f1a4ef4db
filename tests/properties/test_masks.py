"""``mask[t] == accept(t) == oracle`` over whole vocabularies, in states of many types reached by random walks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from schema_compiler.compiler import compile_schema, compile_type
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import SchemaCompilerError
from schema_compiler.lowering.layout import Whitespace
from tests.conformance.suites import bug_reports, official
from tests.oracle import TokenTree
from tests.properties.masks import Tally, compare
from tests.types_zoo import TYPES
from tests.vocabularies import deepseek, made_up_vocabulary, smollm2

VOCABULARIES: dict[str, tuple[Callable[[], Vocabulary], int, int]] = {
    "smollm2": (smollm2, 8, 40_000),
    "deepseek": (deepseek, 6, 128_000),
}
"""The vocabulary, states per type, and the least number of tokens it must have."""


@pytest.mark.parametrize("name", VOCABULARIES)
def test_masks_are_exact(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """At least 300 states of at least 30 types."""
    read, states, least = VOCABULARIES[name]
    vocabulary = read()
    assert len(vocabulary) >= least
    tree, tally = TokenTree(vocabulary.tokens), Tally()
    for number, type_ in enumerate(TYPES.values()):
        tally += compare(compile_type(type_, vocabulary), tree, number, states=states)
    with capsys.disabled():
        print(f"\n{name}: {tally}")
    assert tally.types >= 30
    assert tally.states >= 300


@pytest.mark.parametrize("whitespace", ["spaced", "compact", "flexible"])
def test_masks_of_schemas_are_exact(whitespace: Whitespace) -> None:
    """Every schema of the suites that compiles, over a small vocabulary whose tokens cross all borders."""
    vocabulary = made_up_vocabulary(5, 300)
    tree, tally = TokenTree(vocabulary.tokens), Tally()
    for number, case in enumerate([*bug_reports(), *official()]):
        if case.name == "max-items-30000":
            continue  # the oracle looks at all rules, here thirty thousand
        try:
            compiled = compile_schema(case.schema, vocabulary, whitespace=whitespace)
        except SchemaCompilerError:
            continue
        tally += compare(compiled, tree, number, states=3)
    assert tally.types >= 350
