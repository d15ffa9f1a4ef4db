"""Which members may come next: names and progress, for small objects under way."""

from __future__ import annotations

import pytest

from schema_compiler.lowering.members import Members, Progress
from schema_compiler.schema.ir import Alternative, Boolean, KeyRule, Null, Object, Property, String

A, B = Property("a", Null(), False), Property("b", Null(), False)
FIRST, MET = frozenset({0}), frozenset[int]()

ONE = Members(Object((A, B), min_properties=1, max_properties=1))
OPEN = Members(Object((A,), (KeyRule(String(), Null()),), max_properties=1))
REQUIRED = Members(Object((Property("a", Null(), True), B), min_properties=2))
OBLIGED = Members(
    Object((A, B), alternatives=(Alternative(FIRST, "a", None), Alternative(FIRST, "b", Boolean()))),
)


@pytest.mark.parametrize(
    ("members", "progress", "segments"),
    [
        (ONE, Progress(0, 0, MET), ["a"]),
        (ONE, Progress(1, 0, MET), ["b"]),
        (ONE, Progress(1, 1, MET), []),
        (REQUIRED, Progress(1, 1, MET), ["b"]),
        (OBLIGED, Progress(0, 0, FIRST), ["a"]),
        (OBLIGED, Progress(1, 1, FIRST), ["b.1"]),
        (OBLIGED, Progress(1, 0, MET), ["b"]),
    ],
)
def test_declared(members: Members, progress: Progress, segments: list[str]) -> None:
    assert [member.segment for member in members.declared(progress)] == segments


def test_undeclared() -> None:
    (member,) = OPEN.undeclared(OPEN.start)
    assert (member.segment, member.after) == ("rule.0", Progress(0, 1, MET))
    assert list(OPEN.undeclared(member.after)) == []
    assert OPEN.is_open
    assert not ONE.is_open


def test_without_next() -> None:
    """A required property cannot be left out; to leave one out may meet an obligation."""
    assert REQUIRED.without_next(REQUIRED.start) is None
    assert ONE.without_next(ONE.start) == Progress(1, 0, MET)
    assert OBLIGED.without_next(OBLIGED.start) == Progress(1, 0, MET)


@pytest.mark.parametrize(
    ("members", "progress", "expected"),
    [
        (ONE, Progress(0, 0, MET), True),
        (ONE, Progress(2, 0, MET), False),
        (ONE, Progress(1, 1, MET), True),
        (REQUIRED, Progress(2, 1, MET), False),
        (OBLIGED, Progress(2, 1, FIRST), False),
        (OBLIGED, Progress(1, 1, FIRST), True),
        (Members(Object((A,))), Progress(1, 0, MET), True),
    ],
)
def test_may_go_on_declared(members: Members, progress: Progress, expected: bool) -> None:
    assert members.may_go_on_declared(progress) is expected
