"""JSON strings, against ``json``."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.text.json_strings import any_string, exclude, string_literal
from tests.schema_compiler.regular.walks import random_texts

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
awkward = st.text(st.sampled_from('a"\\/\n\t\x00\x1f\x7fé\u2028\ud7ff\ue000\U0001f600\U0010ffff'), max_size=8)


def boundaries(dfa: Dfa, text: bytes) -> int:
    """How many states on the way of ``text`` are boundaries."""
    state, count = 0, 0
    for byte in text:
        state = int(dfa.table[state, byte])
        count += bool(dfa.boundary[state])
    return count


@given(anything | awkward)
@settings(max_examples=200, deadline=None)
def test_every_string_is_accepted_in_canonical_spelling(value: str) -> None:
    text = string_literal(value)
    assert json.loads(text) == value
    assert any_string().accepts(text)
    assert boundaries(any_string(), text) == len(value) + 1


def test_every_accepted_text_is_canonical() -> None:
    for text in random_texts(any_string(), 500):
        spelled = string_literal(json.loads(text))
        assert text == spelled or text.lower() == spelled.lower()


@pytest.mark.parametrize(
    "text",
    [
        b'"\\/"', b'"\\u0041"', b'"\\u000a"', b'"\\ud83d\\ude00"', b'"\\x41"', b'"\x01"', b'"\xc0\x80"',
        b'"\xe0\x80\x80"', b'"\xed\xa0\x80"', b'"\xf0\x80\x80\x80"', b'"\xf4\x90\x80\x80"', b'"\xff"', b'"\x80"',
        b'"a"b"', b'"a', b'a"', b"", b'"\\"', b'"\xc3"',
    ],
)  # fmt: skip
def test_other_spellings_are_refused(text: bytes) -> None:
    assert not any_string().accepts(text)


def test_hex_digits_in_either_case() -> None:
    assert any_string().accepts(b'"\\u001f\\u001F"')


@given(st.lists(anything | awkward, max_size=6), anything | awkward)
@settings(max_examples=100, deadline=None)
def test_exclude(names: list[str], other: str) -> None:
    dfa = exclude(names)
    for name in (*names, other, *(name[:-1] for name in names), *(name + "a" for name in names)):
        assert dfa.accepts(string_literal(name)) == (name not in names)


def test_an_excluded_name_is_excluded_in_every_spelling() -> None:
    assert not exclude(["a\x1f"]).accepts(b'"a\\u001F"')
    assert exclude([]).digest == any_string().digest


def test_a_lone_surrogate_has_no_spelling_and_excludes_nothing() -> None:
    assert exclude(["\ud800"]).digest == any_string().digest
    with pytest.raises(UnicodeEncodeError):
        string_literal("\ud800")


def test_only_states_inside_the_quotes_are_boundaries() -> None:
    dfa = any_string()
    inside = int(dfa.table[0, ord('"')])
    assert np.flatnonzero(dfa.boundary).tolist() == [inside]
    assert np.flatnonzero(dfa.accepting).tolist() == [int(dfa.table[inside, ord('"')])]
