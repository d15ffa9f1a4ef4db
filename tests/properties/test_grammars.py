"""Engine and oracle agree on random grammars: nullable parts, loops, recursion, dead rules, leaves with counters."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.grammar import ir as g
from schema_compiler.grammar.leaves import counted, leaf
from schema_compiler.grammar.printing import print_grammar
from schema_compiler.regular.automata.dfa import crawl, literal
from schema_compiler.regular.text.json_strings import any_string
from tests.assembly import ids_of, matcher_of
from tests.oracle import Oracle, TokenTree
from tests.vocabularies import made_up_vocabulary

VOCABULARY = made_up_vocabulary(3, 300)
TREE = TokenTree(VOCABULARY.tokens)
RULES = ("A", "B", "C", "D")
DIGITS = crawl(0, lambda _: [(b"01", 1)], bool)
SPACES = crawl(0, lambda _: [(b" ", 0)], lambda _: True)
COMMA = g.Leaf("comma", literal(b", "), literal(b", ").digest)
STRING = g.Leaf("string", any_string(), any_string().digest)


def leaves() -> st.SearchStrategy[g.Expression]:
    """Leaf languages: some may be empty, some share bytes with literals."""
    bounds = st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(0, 4)))
    return st.one_of(
        st.just(leaf("digits", DIGITS)),
        st.just(leaf("spaces", SPACES)),
        st.just(STRING),
        st.just(g.Difference(STRING, frozenset([b'"a"', b'"name"', b'"n"', b'""']))),
        st.builds(selection, st.integers(1, 4), st.integers(0, 3)),
        bounds.filter(lambda pair: pair[1] is None or pair[0] <= pair[1]).map(
            lambda pair: counted("string", any_string(), *pair)
        ),
    )


def selection(minimum: int, more: int) -> g.Selection:
    """Lists of values of which some begin others, or have two spellings."""
    return g.Selection(((b'"a"',), (b"1", b"1.0"), (b"10",), (b'"ab"',)), COMMA, minimum, min(minimum + more, 4))


def expressions(later: tuple[str, ...]) -> st.SearchStrategy[g.Expression]:
    """Bodies without left recursion: any rule after a literal, only ``later`` rules before one."""
    literals = st.sampled_from([b"a", b"b", b"{", b"}", b'"', b", ", b'"a"', b"[", b"tr", b"true"]).map(g.Literal)
    guarded = st.tuples(literals, st.sampled_from(RULES).map(g.Reference)).map(lambda pair: g.sequence(*pair))
    atoms = st.one_of(
        literals,
        leaves(),
        guarded,
        st.just(g.EMPTY),
        st.just(g.Bytes(frozenset(b"ab{"))),
        *([st.sampled_from(later).map(g.Reference)] if later else []),
    )
    bounds = st.sampled_from([(0, 1), (0, None), (1, None), (2, 3), (0, 2)])
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: g.sequence(*parts)),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: g.choice(*parts)),
            st.tuples(inner, bounds).map(lambda pair: g.repeat(pair[0], *pair[1])),
        ),
        max_leaves=8,
    )


class Printed:
    """A grammar that shows itself as text when an example fails."""

    def __init__(self, grammar: g.Grammar) -> None:
        self.grammar = grammar

    def __repr__(self) -> str:
        return f"\n{print_grammar(self.grammar)}\n"


@st.composite
def grammars(draw: st.DrawFn) -> Printed:
    """Four rules that may call each other."""
    rules = {name: draw(expressions(RULES[index + 1 :])) for index, name in enumerate(RULES)}
    return Printed(g.Grammar("A", rules))


@settings(max_examples=150, deadline=None)
@given(grammars(), st.integers(0, 1 << 30), st.booleans(), st.booleans())
def test_masks_of_random_grammars(printed: Printed, seed: int, inline: bool, merge: bool) -> None:
    """Along a random walk, every token's bit and what accepting each token gives are the oracle's."""
    grammar = printed.grammar
    oracle, source = Oracle(grammar), random.Random(seed)
    matcher = matcher_of(grammar, VOCABULARY, inline=inline, merge=merge)
    state = oracle.start
    for _ in range(6):
        expected = oracle.mask(state, TREE) | (set(VOCABULARY.eos_token_ids) if state.complete else set())
        assert ids_of(matcher.mask(), VOCABULARY) == expected
        for token_id in range(-1, len(VOCABULARY) + 1):
            taken = matcher.accept(token_id)
            assert taken == (token_id in expected)
            matcher.rollback(int(taken))
        legal = sorted(expected - VOCABULARY.eos_token_ids)
        if not legal:
            break
        token_id = source.choice(legal)
        text = VOCABULARY.tokens[token_id]
        following = oracle.read(text or b"", state)
        assert text is not None
        assert following is not None
        assert matcher.accept(token_id)
        assert matcher.is_complete() == following.complete
        state = following
