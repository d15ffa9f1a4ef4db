"""Sets of code points, against Python's sets."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.regular.text.codepoints import ANY, NONE, CodePoints, partition

EDGES = [0, 1, 2, 3, 0x7F, 0x80, 0xD7FE, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xE001, 0xFFFF, 0x10000, 0x10FFFE, 0x10FFFF]
ranges = st.tuples(st.sampled_from(EDGES), st.sampled_from(EDGES))
sets = st.lists(ranges, max_size=4).map(lambda pairs: CodePoints.of(*pairs))


def members(points: CodePoints) -> set[int]:
    return {code for code in EDGES if code in points}


SCALARS = {code for code in EDGES if not 0xD800 <= code <= 0xDFFF}


@given(sets, sets)
@settings(max_examples=200, deadline=None)
def test_operations_are_those_of_sets(left: CodePoints, right: CodePoints) -> None:
    assert members(left | right) == members(left) | members(right)
    assert members(left & right) == members(left) & members(right)
    assert members(left - right) == members(left) - members(right)
    assert members(left ^ right) == members(left) ^ members(right)
    assert members(~left) == SCALARS - members(left)
    assert ~~left == left
    assert (left - left, left | ~left) == (NONE, ANY)


@given(st.lists(sets, max_size=4), sets)
@settings(max_examples=100, deadline=None)
def test_a_partition_covers_the_alphabet_and_no_set_splits_a_class(
    parts: list[CodePoints], alphabet: CodePoints
) -> None:
    classes, contains = partition(parts, alphabet)
    assert len(contains) == len(classes)
    assert CodePoints.of(*(span for one in classes for span in one.ranges)) == alphabet
    assert sum(high - low + 1 for one in classes for low, high in one.ranges) == sum(
        high - low + 1 for low, high in alphabet.ranges
    )
    for inside, one in zip(contains, classes, strict=True):
        for number, part in enumerate(parts):
            assert (one & part) == (one if inside >> number & 1 else NONE)
