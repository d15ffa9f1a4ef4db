"""Stacks are interned: equal ones are one object, and what a call has used is part of its frame."""

from __future__ import annotations

from schema_compiler.engine.pushdown.stacks import MergedStack, Stacks, frames_of
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary

VOCABULARY = Vocabulary([b"{", b'"a"', b'"b"', b'"a": 1, "b"', None], [4])


def test_equal_frames_are_one_object() -> None:
    stacks = Stacks(VOCABULARY)
    bottom = stacks.frame(0, None)
    assert stacks.frame(7, bottom) is stacks.frame(7, bottom)
    assert stacks.frame(7, bottom) is not stacks.frame(8, bottom)
    assert stacks.frame(7, bottom) is not stacks.frame(7, stacks.frame(7, bottom))


def test_merged_stacks_stand_for_their_frames_in_any_order() -> None:
    stacks = Stacks(VOCABULARY)
    one, other = stacks.frame(7, None), stacks.frame(8, None)
    merged = stacks.merged([one, other])
    assert isinstance(merged, MergedStack)
    assert merged is stacks.merged([other, one, other])
    assert stacks.merged([one, one]) is one
    assert frames_of(None) == ()
    assert frames_of(one) == (one,)
    assert set(frames_of(merged)) == {one, other}


def test_a_text_that_was_read_is_noted_with_the_caller_and_the_tokens_that_hold_it() -> None:
    stacks = Stacks(VOCABULARY)
    caller = stacks.frame(3, stacks.frame(0, None))
    call = stacks.frame(9, caller)
    after = stacks.after_reading(call, b'"a"')
    assert (after.node, after.used) == (9, frozenset())
    (used,) = frames_of(after.below)
    assert (used.node, used.below, used.used) == (3, caller.below, {b'"a"'})
    assert used.held == {1, 3}
    assert after.held == used.held, "held tokens are those of the whole stack"
    assert stacks.after_reading(after, b'"b"').held == {1, 2, 3}
    assert stacks.merged([call, after]).held == used.held


def test_memory_grows_with_what_is_new_only() -> None:
    stacks = Stacks(VOCABULARY)
    frame = stacks.frame(1, None)
    before = stacks.nbytes
    assert stacks.frame(1, None) is frame
    assert stacks.nbytes == before
    stacks.frame(2, frame)
    assert stacks.nbytes > before
