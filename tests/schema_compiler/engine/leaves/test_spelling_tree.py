"""The tree of spellings: what lies below each prefix, and the shortest way to the end of a value."""

from __future__ import annotations

import pytest

from schema_compiler.engine.leaves.spelling_tree import NO_VALUE, SpellingTree

VALUES = [[b"cat"], [b"cow", b"c"], [b"dog"]]


def at(tree: SpellingTree, text: bytes) -> int:
    number = 0
    for byte in text:
        number = tree.prefixes[number].following[byte]
    return number


@pytest.mark.parametrize(
    ("text", "below", "value"),
    [
        (b"", {0, 1, 2}, NO_VALUE),
        (b"c", {0, 1}, 1),
        (b"ca", {0}, NO_VALUE),
        (b"cow", {1}, 1),
        (b"d", {2}, NO_VALUE),
        (b"dog", {2}, 2),
    ],
)
def test_prefixes(text: bytes, below: set[int], value: int) -> None:
    tree = SpellingTree(VALUES)
    prefix = tree.prefixes[at(tree, text)]
    assert {number for number in range(3) if prefix.below >> number & 1} == below
    assert prefix.value == value


@pytest.mark.parametrize(
    ("text", "used", "endings"),
    [
        (b"", 0, {0: b"cat", 1: b"c", 2: b"dog"}),
        (b"", 0b010, {0: b"cat", 2: b"dog"}),
        (b"c", 0, {0: b"at", 1: b""}),
        (b"co", 0, {1: b"w"}),
        (b"co", 0b010, {}),
    ],
)
def test_shortest_endings(text: bytes, used: int, endings: dict[int, bytes]) -> None:
    tree = SpellingTree(VALUES)
    assert tree.shortest_endings(at(tree, text), used) == endings
