"""Where pieces begin and end last, against trying every pair of places."""

from __future__ import annotations

import json
import random
import re

import numpy as np
import pytest

from schema_compiler.engine.leaves import pieces as module
from schema_compiler.engine.leaves.passage import Passage
from schema_compiler.engine.leaves.pieces import pieces_of
from schema_compiler.errors import CompileBudgetError
from schema_compiler.regular.regex.language import regex_string

PATTERNS = (None, r"[ab]+", r"a.*", r".*b", r"(?:ab)*", r"a(?s:.){2,5}é", r"\\?\"", r"[^a]*", r"(?:a|é)*\n?b")


@pytest.mark.parametrize("side_by_side", [0, 3, 64])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_last_ends_against_every_pair(pattern: str | None, side_by_side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read side by side, from left to right, or both, and with or without a greatest length."""
    monkeypatch.setattr(module, "_SIDE_BY_SIDE", side_by_side)
    source = random.Random(1)
    for _ in range(60):
        text = "".join(source.choices('abé\n"\\😀 ', k=source.randint(0, 12)))
        size = len(text)
        starts, ends = (np.array(source.choices([True, False], k=size + 1), np.bool_) for _ in range(2))
        bounds = np.array([source.randint(at, size) for at in range(size + 1)], np.int32)
        minimum, maximum = source.choice([1, 2, 4]), source.choice([None, 3, 6])
        bounded = source.random() < 0.5
        found = pieces_of(
            passage := Passage(text),
            starts,
            ends,
            bounds=bounds if bounded else None,
            minimum=minimum,
            maximum=maximum,
            strings=None if pattern is None else regex_string(pattern, "python"),
        )
        expected: dict[int, int] = {}
        for begin in range(size):
            for end in range(begin + 1, size + 1):
                long_enough = minimum <= end - begin <= (maximum or size)
                matches = pattern is None or re.fullmatch(pattern, text[begin:end])
                inside = not bounded or end <= bounds[begin]
                if starts[begin] and ends[end] and long_enough and matches and inside:
                    expected[int(passage.offsets[begin])] = int(passage.offsets[end])
        assert dict(zip(found.begin.tolist(), found.last.tolist(), strict=True)) == expected


def test_a_budget_bounds_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where lengths keep starts apart can it be exceeded."""
    monkeypatch.setattr(module, "_MOST_STEPS", 100)
    everywhere = np.ones(51, np.bool_)
    with pytest.raises(CompileBudgetError, match="more than 100 bytes"):
        pieces_of(Passage("a" * 50), everywhere, everywhere, maximum=40, strings=regex_string("a*"))


@pytest.mark.parametrize("text", ["", "a", 'é"\\\n\t\x01\x7f😀\u2028', "\u0800"])
def test_a_passage_is_the_text_in_json(text: str) -> None:
    passage = Passage(text)
    spelled = [passage.bytes[a:b].tobytes() for a, b in zip(passage.offsets, passage.offsets[1:], strict=False)]
    assert [json.loads(b'"%s"' % one) for one in spelled] == list(text)
    assert passage.characters[passage.offsets].tolist() == list(range(len(text) + 1))
