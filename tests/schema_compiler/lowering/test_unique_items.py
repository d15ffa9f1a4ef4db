"""Arrays whose items must differ: what the grammar admits, against the check and against what the report promises."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from schema_compiler.compiler import compile_schema
from schema_compiler.engine.matcher import Matcher
from tests.vocabularies import byte_vocabulary

LETTERS = {"type": "string", "pattern": "^[ab]+$"}
TOLD_APART: dict[str, Any] = {
    "any string": {"type": "string"},
    "at least one character": {"type": "string", "minLength": 1},
    "a pattern without end": LETTERS,
    "a pattern of some length": LETTERS | {"minLength": 3},
    "either of two patterns": {"anyOf": [LETTERS, {"type": "string", "pattern": "^[bc]+$"}]},
    "a few values": {"enum": ["a", "ab", 1, 1.5, None, [1]]},
    "many values": {"enum": [f"{number:o}" for number in range(600)]},
}
NOT_TOLD_APART: dict[str, Any] = {
    "at most two characters": {"type": "string", "maxLength": 2},
    "a pattern with an end": {"type": "string", "pattern": "^(ab|x.*)$"},
    "numbers": {"type": "number"},
    "objects": {"type": "object"},
    "strings and more": {"type": ["string", "null"]},
}


def array_of(items: Any, **limits: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "uniqueItems": True, **limits}


def status_of(schema: dict[str, Any]) -> str:
    report = compile_schema(schema, byte_vocabulary()).report
    (row,) = [row for row in report.rows if row.constraint == "uniqueItems"]
    return row.status


def is_accepted(schema: dict[str, Any], data: Any) -> bool:
    matcher = compile_schema(schema, byte_vocabulary()).matcher()
    return all(matcher.accept(byte) for byte in json.dumps(data).encode()) and matcher.is_complete()


def test_the_report_says_what_is_told_apart() -> None:
    assert {name: status_of(array_of(items)) for name, items in TOLD_APART.items()} == dict.fromkeys(
        TOLD_APART, "enforced"
    )
    assert {name: status_of(array_of(items)) for name, items in NOT_TOLD_APART.items()} == dict.fromkeys(
        NOT_TOLD_APART, "checked afterwards"
    )


@pytest.mark.parametrize(
    ("name", "items", "valid"),
    [
        ("at least one character", ["ab", "a", "abc"], True),
        ("at least one character", ["ab", "a", "ab"], False),
        ("a pattern of some length", ["aaa", "aab", "aaaa"], True),
        ("a pattern of some length", ["aaa", "aab", "aaa"], False),
        ("either of two patterns", ["b", "bb", "ab", "cb"], True),
        ("either of two patterns", ["b", "a", "b"], False),
        ("many values", ["0", "1", "10", "11"], True),
        ("many values", ["0", "1", "10", "1"], False),
    ],
)
def test_repeated_items_are_refused(name: str, items: list[str], valid: bool) -> None:
    schema = array_of(TOLD_APART[name])
    assert is_accepted(schema, items) is valid is Draft202012Validator(schema).is_valid(items)


@pytest.mark.parametrize("name", TOLD_APART)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_begun_can_be_ended(name: str, seed: int) -> None:
    """Random bytes, then the shortest ending: never stuck, never a value twice."""
    schema = array_of(TOLD_APART[name], minItems=3)
    matcher = compile_schema(schema, byte_vocabulary()).matcher()
    text = walked(matcher, random.Random(seed))
    ending = matcher.closing()
    assert all(map(matcher.accept, ending))
    assert matcher.is_complete()
    assert Draft202012Validator(schema).is_valid(json.loads(text + ending))


def walked(matcher: Matcher, source: random.Random, steps: int = 40) -> bytes:
    text = bytearray()
    for _ in range(steps):
        legal = [byte for byte in range(128) if matcher.mask()[byte >> 5] >> (byte & 31) & 1]
        if not legal:
            assert matcher.is_complete()
            break
        text.append(source.choice([byte for byte in legal if byte in b'",[] ab1'] or legal))
        assert matcher.accept(text[-1])
    return bytes(text)
