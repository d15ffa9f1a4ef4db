"""Whatever Pydantic rejects is impossible to generate, or checked afterwards and reported, or refused by name."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from schema_compiler.compiler import CompiledGrammar, compile_type
from schema_compiler.engine.matcher import Matcher
from schema_compiler.errors import UnsupportedSchemaError
from tests.assembly import ids_in
from tests.matrix.case import Case
from tests.matrix.cases import CASES, PAGES
from tests.matrix.section import current, section
from tests.vocabularies import byte_vocabulary

WALKS = 16
LONGEST = 40
EOS = 256
PLAIN = frozenset(range(0x20, 0x7F))
MANY_DIGITS = re.compile(rb"\d{18}")
"""Numbers have at most 19 digits unless bounds ask for more; Pydantic may write an exponent out."""

COMPILED = [case for case in CASES if not case.refused]
REFUSED = [case for case in CASES if case.refused]


@cache
def compiled(case: Case) -> CompiledGrammar:
    """One compilation serves all tests."""
    return compile_type(case.type_, byte_vocabulary())


@cache
def adapter(case: Case) -> TypeAdapter[Any]:
    """Pydantic's view of the type."""
    return TypeAdapter(case.type_)


def walk(matcher: Matcher, source: random.Random, length: int) -> bytes:
    """Random bytes under the mask, most of them plain ASCII, then the shortest way to the end."""
    text = bytearray()
    for _ in range(length):
        legal = ids_in(matcher.mask(), byte_vocabulary())
        plain = [token for token in legal if token in PLAIN]
        token = source.choice(plain if plain and source.random() < 0.8 else legal)
        assert matcher.accept(token)
        if token == EOS:
            return bytes(text)
        text.append(token)
    closing = matcher.closing()
    assert all(map(matcher.accept, closing))
    assert matcher.is_complete()
    return bytes(text + closing)


def accepts(case: Case, text: bytes) -> bool:
    """Whether ``text`` is a document of the grammar."""
    matcher = compiled(case).matcher()
    return all(map(matcher.accept, text)) and matcher.is_complete()


def spelled(data: Any) -> bytes:
    """The grammar's spelling of JSON data."""
    return json.dumps(data, ensure_ascii=False).encode()


def assert_reads_what_pydantic_writes(case: Case, value: Any) -> None:
    """The grammar accepts Pydantic's own JSON of the instance ``value``."""
    if not case.rewritten:
        text = spelled(adapter(case).dump_python(value, mode="json", by_alias=True, round_trip=True))
        accepted = accepts(case, text) or MANY_DIGITS.search(text)
        assert accepted, text


@pytest.mark.parametrize("case", COMPILED, ids=str)
def test_the_report_names_what_is_left_to_pydantic(case: Case) -> None:
    rows = compiled(case).report.with_status("checked afterwards")
    assert sorted(row.constraint for row in rows) == sorted(case.checked)


@pytest.mark.parametrize("case", COMPILED, ids=str)
def test_random_documents_validate(case: Case) -> None:
    source = random.Random(str(case))
    for _ in range(WALKS):
        text = walk(compiled(case).matcher(), source, source.randint(0, LONGEST))
        try:
            value = adapter(case).validate_json(text)
        except (ValidationError, OverflowError, RuntimeError):  # some of the extra types let the latter through
            assert case.checked, text
        else:
            assert_reads_what_pydantic_writes(case, value)


@pytest.mark.parametrize("case", COMPILED, ids=str)
def test_both_sides_of_the_constraint(case: Case) -> None:
    for data in case.good:
        value = adapter(case).validate_json(spelled(data))
        accepted = accepts(case, spelled(data))
        assert accepted, data
        assert_reads_what_pydantic_writes(case, value)
    for data in case.bad:
        with pytest.raises(ValidationError):
            adapter(case).validate_json(spelled(data))
        accepted = accepts(case, spelled(data))
        assert case.checked or not accepted, data
    for data in case.narrower:
        adapter(case).validate_json(spelled(data))
        accepted = accepts(case, spelled(data))
        assert not accepted, data


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_refused_by_name(case: Case) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        compile_type(case.type_, byte_vocabulary())
    assert (case.refused in str(caught.value), caught.value.pointer) == (True, case.pointer), caught.value


@pytest.mark.parametrize("case", COMPILED, ids=str)
def test_strict_accepts_exact_types_only(case: Case) -> None:
    if not case.checked:
        compile_type(case.type_, byte_vocabulary(), strict=True)
        return
    with pytest.raises(UnsupportedSchemaError) as caught:
        compile_type(case.type_, byte_vocabulary(), strict=True)
    assert all(constraint in str(caught.value) for constraint in case.checked), caught.value


@pytest.mark.parametrize("page", PAGES)
def test_names_are_unique(page: str) -> None:
    names = [str(case) for case in PAGES[page]]
    assert len(set(names)) == len(names)


def test_the_readme_lists_what_is_tested() -> None:
    assert current() == section(), "run: python -m tests.matrix"
