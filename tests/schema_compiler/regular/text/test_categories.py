"""Character classes against the standard library, code point by code point."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from schema_compiler.regular.text.categories import category, fold_simple, python_word
from schema_compiler.regular.text.codepoints import CodePoints


def points(members: CodePoints) -> set[int]:
    return {code for low, high in members.ranges for code in range(low, high + 1)}


@pytest.fixture(scope="module")
def scalars() -> list[int]:
    return [code for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]


def test_categories_are_those_of_unicodedata(scalars: list[int]) -> None:
    expected: dict[str, set[int]] = {}
    for code in scalars:
        expected.setdefault(unicodedata.category(chr(code)), set()).add(code)
    for name, members in expected.items():
        assert points(category(name) or CodePoints(())) == members, name


def test_words_are_alphanumeric_characters_and_the_underscore(scalars: list[int]) -> None:
    assert points(python_word()) == {code for code in scalars if chr(code).isalnum() or chr(code) == "_"}


def test_characters_that_change_case_are_folded(scalars: list[int]) -> None:
    changing = [code for code in scalars if len(chr(code).swapcase()) == 1 and chr(code).swapcase() != chr(code)]
    for code in changing:
        if chr(code).casefold() == chr(code).swapcase().casefold():
            assert ord(chr(code).swapcase()) in fold_simple(CodePoints.of((code, code)))
