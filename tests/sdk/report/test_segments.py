"""Overlapping marks, against a naive reading character by character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sdk.report.segments import Mark, Segment, segments

MARKS = st.lists(
    st.builds(
        lambda start, size, field, place: Mark(start, start + size, field, place),
        st.integers(0, 9),
        st.integers(0, 4),
        st.integers(0, 3),
        st.integers(0, 1),
    ),
    max_size=8,
    unique=True,
)


def test_the_shorter_mark_comes_first() -> None:
    outer, inner = Mark(0, 9, 0, 0), Mark(4, 9, 1, 0)
    assert list(segments("Ace Books, London", [outer, inner])) == [
        Segment("Ace ", (outer,), (outer,)),
        Segment("Books", (inner, outer), (inner,)),
        Segment(", London"),
    ]


@given(st.text("abc\n", min_size=13, max_size=20), MARKS)
def test_each_character_has_its_marks_and_each_mark_begins_once(text: str, marks: list[Mark]) -> None:
    found = list(segments(text, marks))
    assert "".join(segment.text for segment in found) == text
    position = 0
    for segment in found:
        for index in range(position, position + len(segment.text)):
            assert set(segment.marks) == {mark for mark in marks if mark.start <= index < mark.end}
        assert set(segment.begins) == {mark for mark in segment.marks if mark.start == position}
        lengths = [mark.end - mark.start for mark in segment.marks]
        assert lengths == sorted(lengths)
        position += len(segment.text)


def test_no_text_has_no_segments() -> None:
    assert list(segments("", [])) == []
