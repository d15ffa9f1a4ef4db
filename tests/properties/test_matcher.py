"""What a matcher promises besides masks: rollback and fork, forced bytes, shortest endings, state numbers, threads."""

from __future__ import annotations

import random
import threading

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schema_compiler.compiler import compile_type
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from tests.assembly import ids_in, matcher_of
from tests.oracle import Oracle, OracleState
from tests.properties.test_grammars import Printed, grammars
from tests.types_zoo import TYPES
from tests.vocabularies import byte_vocabulary, made_up_vocabulary

WALKED = ("Person", "Node", "Shelter", "AllOptional", "Tags", "Wide", "dict[str,int]", "Folder", "Event", "Drawing")
"""Types with choices, recursion, counters and common prefixes."""


def step(matcher: Matcher, vocabulary: Vocabulary, source: random.Random) -> int | None:
    """Take a random legal token other than EOS."""
    ids = [token_id for token_id in ids_in(matcher.mask(), vocabulary) if token_id not in vocabulary.eos_token_ids]
    if not ids:
        return None
    token_id = source.choice(ids)
    assert matcher.accept(token_id)
    return token_id


def replay(name: str, ids: list[int], vocabulary: Vocabulary) -> Matcher:
    """A fresh matcher, of a grammar compiled anew, after the tokens."""
    matcher = compile_type(TYPES[name], vocabulary).matcher()
    assert all(map(matcher.accept, ids))
    return matcher


def same(left: Matcher, right: Matcher) -> bool:
    """Whether two matchers cannot be told apart."""
    return (
        bool((left.mask() == right.mask()).all())
        and left.is_complete() == right.is_complete()
        and left.forced() == right.forced()
        and len(left.closing()) == len(right.closing())
    )


@pytest.mark.parametrize("name", WALKED)
def test_rollback_and_fork_equal_replay(name: str) -> None:
    """After any mixture of steps, rollbacks and forks, a matcher is where its remaining tokens lead."""
    vocabulary, source = made_up_vocabulary(), random.Random(name)
    matcher = compile_type(TYPES[name], vocabulary).matcher()
    ids: list[int] = []
    others: list[tuple[Matcher, list[int]]] = []
    for _ in range(40):
        match source.choice(("step", "step", "step", "rollback", "fork")):
            case "step":
                token_id = step(matcher, vocabulary, source)
                ids += [] if token_id is None else [token_id]
            case "rollback":
                count = source.randint(0, len(ids))
                matcher.rollback(count)
                del ids[len(ids) - count :]
            case _:
                others.append((matcher.fork(), ids.copy()))
    for one, tokens in [(matcher, ids), *others[:6]]:
        assert same(one, replay(name, tokens, vocabulary))


def test_rollback_checks_its_argument() -> None:
    """Too many or negative counts change nothing."""
    matcher = compile_type(int, byte_vocabulary()).matcher()
    assert matcher.accept(ord("1"))
    for count in (2, -1):
        with pytest.raises(ValueError, match="expected to roll back 0 to 1 tokens"):
            matcher.rollback(count)
    assert matcher.accept(ord("0"))


def test_nothing_follows_eos() -> None:
    """After EOS every token is illegal, EOS itself too; rollback leads back before it."""
    matcher = compile_type(bool, byte_vocabulary()).matcher()
    assert all(map(matcher.accept, b"true"))
    assert not matcher.is_ended()
    assert matcher.accept(256)
    assert matcher.is_ended()
    assert not ids_in(matcher.mask(), byte_vocabulary())
    assert not any(matcher.accept(token_id) for token_id in range(-2, 259))
    matcher.rollback(1)
    assert ids_in(matcher.mask(), byte_vocabulary()) == [256]


def test_special_tokens_are_never_text() -> None:
    """A special token's text, and ids outside the vocabulary, are illegal everywhere."""
    vocabulary = Vocabulary([None, b"1", b"", b"<eos>", b"2"], [3])
    matcher = compile_type(str, vocabulary).matcher()
    assert [matcher.accept(token_id) for token_id in (0, 2, 3, 5, -1)] == [False] * 5
    assert ids_in(compile_type(int, vocabulary).matcher().mask(), vocabulary) == [1, 4]


def only_way(oracle: Oracle, state: OracleState) -> tuple[bytes, OracleState]:
    """The bytes without a choice, by looking at all 256."""
    text = bytearray()
    while not state.complete and len(following := oracle.next_bytes(state)) == 1:
        text += bytes(following)
        after = oracle.read_byte(state, text[-1])
        assert after is not None
        state = after
    return bytes(text), state


@pytest.mark.parametrize("name", WALKED)
def test_forced_bytes_are_the_only_way(name: str) -> None:
    """At each forced byte the oracle knows no other; after them there is a choice, or the document may end."""
    vocabulary, source = byte_vocabulary(), random.Random(name)
    compiled = compile_type(TYPES[name], vocabulary)
    oracle, matcher = Oracle(compiled.stages.lowered()), compiled.matcher()
    state = oracle.start
    for _ in range(80):
        assert matcher.forced() == only_way(oracle, state)[0]
        token_id = step(matcher, vocabulary, source)
        if token_id is None:
            break
        following = oracle.read_byte(state, token_id)
        assert following is not None
        state = following


@pytest.mark.parametrize("name", ["Shelter", "Node", "Range", "Level", "Colour", "list[list[int]]", "Cat|Dog", "bool"])
def test_closing_is_the_shortest_ending(name: str) -> None:
    """Against a breadth-first search over the oracle's states."""
    vocabulary, source = byte_vocabulary(), random.Random(name)
    compiled = compile_type(TYPES[name], vocabulary)
    oracle, matcher = Oracle(compiled.stages.lowered()), compiled.matcher()
    state = oracle.start
    for _ in range(30):
        check_closing(matcher, oracle, state)
        token_id = step(matcher, vocabulary, source)
        if token_id is None:
            break
        following = oracle.read_byte(state, token_id)
        assert following is not None
        state = following


def check_closing(matcher: Matcher, oracle: Oracle, state: OracleState) -> None:
    """The ending completes the document, and no shorter one does."""
    closing = matcher.closing()
    ended = oracle.read(closing, state)
    assert ended is not None
    assert ended.complete
    assert len(closing) == oracle.shortest_completion(state)
    twin = matcher.fork()
    assert all(map(twin.accept, closing))
    assert twin.is_complete()


@settings(max_examples=60, deadline=None)
@given(grammars(), st.integers(0, 1 << 30), st.booleans())
def test_forced_and_closing_of_random_grammars(printed: Printed, seed: int, merge: bool) -> None:
    """The same for grammars no schema would make."""
    vocabulary, source = byte_vocabulary(), random.Random(seed)
    oracle, matcher = Oracle(printed.grammar), matcher_of(printed.grammar, vocabulary, merge=merge)
    state = oracle.start
    assume(state.stacks or state.complete)
    for _ in range(8):
        assert matcher.forced() == only_way(oracle, state)[0]
        check_closing(matcher, oracle, state)
        token_id = step(matcher, vocabulary, source)
        if token_id is None:
            break
        following = oracle.read_byte(state, token_id)
        assert following is not None
        state = following


@pytest.mark.parametrize("name", WALKED)
def test_equal_state_numbers_mean_equal_masks(name: str) -> None:
    """Over many walks of one grammar, whichever way a state is reached."""
    vocabulary, source = made_up_vocabulary(), random.Random(name)
    compiled = compile_type(TYPES[name], vocabulary)
    masks: dict[int, bytes] = {}
    for _ in range(15):
        matcher = compiled.matcher()
        for _ in range(12):
            assert masks.setdefault(matcher.state_id, matcher.mask().tobytes()) == matcher.mask().tobytes()
            if step(matcher, vocabulary, source) is None:
                break
    assert len(masks) > 10


def test_rows_are_read_only() -> None:
    """A caller cannot spoil what all matchers share."""
    row = compile_type(int, byte_vocabulary()).matcher().mask()
    with pytest.raises(ValueError, match="read-only"):
        row[0] = 0


@pytest.mark.parametrize("name", ["Person", "Wide", "Invoice", "Meeting"])
def test_threads_share_one_grammar(name: str) -> None:
    """Many threads on a fresh compiled grammar see the masks that one alone sees."""
    vocabulary = Vocabulary(made_up_vocabulary().tokens, made_up_vocabulary().eos_token_ids)
    compiled = compile_type(TYPES[name], vocabulary)
    found: dict[int, list[bytes]] = {}
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        found[number] = walk_masks(compiled.matcher(), vocabulary, number % 4)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(8):
        alone = compile_type(TYPES[name], made_up_vocabulary()).matcher()
        assert found[number] == walk_masks(alone, made_up_vocabulary(), number % 4)


def walk_masks(matcher: Matcher, vocabulary: Vocabulary, seed: int) -> list[bytes]:
    """The masks of a random walk."""
    source, masks = random.Random(seed), []
    for _ in range(60):
        masks.append(matcher.mask().tobytes())
        if step(matcher, vocabulary, source) is None:
            break
    return masks
