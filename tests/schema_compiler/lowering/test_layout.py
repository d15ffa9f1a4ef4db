"""The separators of each policy of white space."""

from __future__ import annotations

from dataclasses import fields

import pytest

from schema_compiler.grammar.ir import Leaf
from schema_compiler.grammar.printing import print_expression
from schema_compiler.lowering.layout import Whitespace, layout_of


@pytest.mark.parametrize(
    ("whitespace", "expected"),
    [
        ("spaced", ['""', '"{"', '"}"', '"["', '"]"', '", "', '": "']),
        ("compact", ['""', '"{"', '"}"', '"["', '"]"', '","', '":"']),
        ("flexible", ["<ws>", "<{ws>", "<ws}>", "<[ws>", "<ws]>", "<ws,ws>", "<ws:ws>"]),
    ],
)
def test_separators(whitespace: Whitespace, expected: list[str]) -> None:
    """What stands around a document, braces, brackets, comma, colon."""
    layout = layout_of(whitespace)
    assert [print_expression(getattr(layout, field.name)) for field in fields(layout)] == expected


@pytest.mark.parametrize(
    ("separator", "texts", "others"),
    [
        ("around", [b"", b" ", b"\t\n\r "], [b"\f", b"\x0b", "\xa0".encode(), b","]),
        ("open_brace", [b"{", b"{\n  "], [b" {", b"{{", b""]),
        ("close_bracket", [b"]", b"\r\n]"], [b"] ", b""]),
        ("comma", [b",", b" , ", b",\n\t"], [b" ", b",,", b", ,", b":"]),
    ],
)
def test_flexible_separators_take_white_space(separator: str, texts: list[bytes], others: list[bytes]) -> None:
    """That of JSON, on the sides where it is allowed."""
    leaf = getattr(layout_of("flexible"), separator)
    assert isinstance(leaf, Leaf)
    assert all(map(leaf.dfa.accepts, texts))
    assert not any(map(leaf.dfa.accepts, others))
