"""The few values that may be written at a place: all of them, and no others, byte by byte."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import BaseModel, Field

from schema_compiler import Matcher, Regex, UngroundedError, Verbatim, compile_regex, compile_type
from tests.properties.masks import next_text
from tests.schema_compiler.grounding.documents import random_document
from tests.schema_compiler.grounding.test_grounded import TYPES
from tests.vocabularies import byte_vocabulary

RECEIPT = "Ace Books\nAce Road\n3 March 2024, 04/03/2024\nTotal 9.00 or 12"


class Receipt(BaseModel):
    shop: Annotated[str, Verbatim(within="line")]
    day: Annotated[date, Verbatim(day_first=True)] | None
    total: Annotated[Decimal, Verbatim()] | Literal["none", 7, True]
    codes: list[Annotated[str, Verbatim(within="line", unique=True)]]


VOCABULARY = byte_vocabulary()


def after(matcher: Matcher, text: bytes) -> Matcher:
    fork = matcher.fork()
    assert all(map(fork.accept, text)), text
    return fork


def legal_bytes(matcher: Matcher) -> set[int]:
    mask = matcher.mask()
    return {byte for byte in range(256) if mask[byte // 32] >> byte % 32 & 1}


def check(matcher: Matcher, groups: list[list[bytes]]) -> None:
    """From each place inside the values, exactly the listed ones go on; those of a group have the same behind them."""
    texts = [text for group in groups for text in group]
    assert len(set(texts)) == len(texts) > 0
    assert all(texts)
    for begun in {text[:end] for text in texts for end in range(len(text))}:
        following = {text[len(begun)] for text in texts if text.startswith(begun) and text != begun}
        behind = set(b",}] \n\t\r") if begun in texts else set()
        assert legal_bytes(after(matcher, begun)) - behind == following, begun
    for group in groups:
        assert len({frozenset(legal_bytes(after(matcher, text))) - set(b".eE0123456789") for text in group}) == 1


@pytest.mark.parametrize("name", sorted(TYPES.keys() - {"model"}))  # of whose values random documents have few
def test_what_is_listed_is_all_there_is(name: str):
    source, compiled = random.Random(name), compile_type(TYPES[name], VOCABULARY)
    found = 0
    for _ in range(12):
        try:
            matcher = compiled.bind(random_document(source, source.randint(3, 9))).matcher()
        except UngroundedError:
            continue
        for _ in range(60):
            groups = matcher.choices(200)
            if groups is not None:
                found += 1
                check(matcher, groups)
                assert matcher.choices(sum(map(len, groups)) - 1) is None
            if not next_text(matcher, VOCABULARY, source):
                break
    assert found > 2


def test_a_receipt():
    matcher = compile_type(Receipt, VOCABULARY).bind(RECEIPT).matcher()
    assert matcher.choices(50) is None
    matcher = after(matcher, b'{"shop": ')
    lines = [b'"Ace Books"', b'"Ace Road"', b'"3 March 2024, 04/03/2024"', b'"Total 9.00 or 12"']
    assert [sorted(group) for group in matcher.choices(50) or ()] == [sorted(lines)]
    matcher = after(matcher, b'"Ace ')
    assert [sorted(group) for group in matcher.choices(50) or ()] == [[b'Books"', b'Road"']]
    matcher = after(matcher, b'Road", "day": ')
    days = [b'"2024-03-03"', b'"2024-03-04"']
    assert [sorted(group) for group in matcher.choices(50) or ()] == [days, [b"null"]]
    matcher = after(matcher, b'null, "total": ')
    numbers, *constants = matcher.choices(50) or ()
    assert {b"9.00", b"12"} <= set(numbers)
    assert {text for group in constants for text in group} == {b'"none"', b"7", b"true"}
    matcher = after(matcher, b'12, "codes": [')
    assert matcher.choices(50) is None  # the list may be empty
    matcher = after(matcher, b'"Ace Road", ')
    assert sorted((matcher.choices(50) or [[]])[0]) == sorted({*lines} - {b'"Ace Road"'})


def test_other_texts_are_not_listed():
    free = compile_type(Annotated[str, Verbatim()] | str, VOCABULARY).bind("a b").matcher()
    assert free.choices(50) is None
    assert compile_type(Literal["a", "b"], VOCABULARY).matcher().choices(50) is None
    assert compile_regex("a|b", VOCABULARY).matcher().choices(50) is None


def test_a_number_that_may_go_on_is_not_listed():
    matcher = compile_type(list[Annotated[Decimal, Verbatim()]], VOCABULARY).bind("1 and 12.50").matcher()
    assert sorted((after(matcher, b"[1, ").choices(9) or [[]])[0]) == [b"1", b"12.50"]
    assert after(matcher, b"[1").choices(9) is None
    assert after(matcher, b"[12").choices(9) == [[b".50"]]


def test_optional_with_a_pattern():
    code = Optional[Annotated[str, Verbatim(), Regex(r"[A-Z]\d"), Field(max_length=2)]]
    matcher: Any = compile_type(code, VOCABULARY).bind("A1 and B2").matcher()
    assert matcher.choices(9) == [[b'"A1"', b'"B2"'], [b"null"]]
