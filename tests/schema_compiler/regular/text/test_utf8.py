"""Trees of bytes, against Python's UTF-8 and JSON."""

from __future__ import annotations

import json

import pytest

from schema_compiler.regular.text.utf8 import ESCAPED, TableBuilder, byte_row, escape_tree, multibyte_tree

EDGES = (0x80, 0xBF, 0xC0, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000, 0x10FFFF)
SPANS = [(0x80, 0xD7FF), (0xE000, 0x10FFFF), (0x80, 0x80), (0x7FF, 0x800), (0xE9, 0x65E5), (0x10FFFF, 0x10FFFF)]


def read(builder: TableBuilder, start: int, text: bytes) -> int:
    """The number of the row after ``text``, -1 where it cannot be read."""
    table = builder.table(range(len(builder.rows)))
    state = start
    for byte in text:
        state = int(table[state, byte]) if state >= 0 else -1
    return state


@pytest.mark.parametrize(("low", "high"), SPANS)
def test_characters_beyond_ascii(low: int, high: int) -> None:
    """A range of code points leads to one exit, the code points on both sides of it to another."""
    parts = [(0x80, low - 1, 1), (low, high, 0), (high + 1, 0x10FFFF, 1)]
    scalars = [
        span
        for first, last, exit_ in parts
        for span in ((first, min(last, 0xD7FF), exit_), (max(first, 0xE000), last, exit_))
        if span[0] <= span[1]
    ]
    builder = TableBuilder(2)
    start = builder.add(builder.attach(multibyte_tree(tuple(scalars)), [0, 1]))
    for code in {*EDGES, low, high}:
        assert read(builder, start, chr(code).encode()) == (0 if low <= code <= high else 1), hex(code)
    for other in (b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b"a"):
        assert read(builder, start, other) == -1


def test_escapes() -> None:
    builder = TableBuilder(len(ESCAPED))
    start = builder.add(builder.attach(escape_tree(tuple(range(len(ESCAPED)))), range(len(ESCAPED))))
    for number, code in enumerate(ESCAPED):
        spelled = json.dumps(chr(code))[2:-1].encode()
        assert read(builder, start, spelled) == number
        assert read(builder, start, spelled[:2] + spelled[2:].upper()) == number
    assert [read(builder, start, other) for other in (b"/", b"u0041", b"u0020", b"u000a", b"x")] == [-1] * 5


def test_characters_that_lead_nowhere_have_no_escape() -> None:
    builder = TableBuilder(1)
    exits = tuple([0 if code == 0x0A else -1 for code in ESCAPED])
    start = builder.add(builder.attach(escape_tree(exits), [0]))
    assert (read(builder, start, b"n"), read(builder, start, b"t"), read(builder, start, b"u0001")) == (0, -1, -1)


def test_equal_rows_have_one_number() -> None:
    builder = TableBuilder(2)
    row = byte_row([(0x61, 0x6D, 1), (0x6E, 0x7A, 0)])
    assert row[1] == (1, 0)
    assert builder.add(row) == builder.add(byte_row([(0x6E, 0x7A, 0), (0x61, 0x6D, 1)])) == 2
    assert builder.breadth_first(2) == [2, 1, 0]
    assert builder.table([2, 1, 0])[0, [0x60, 0x61, 0x6E]].tolist() == [-1, 1, 2]
