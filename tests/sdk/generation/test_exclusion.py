"""A cursor without some texts: masks, closings and choices against all documents of small grammars, one by one."""

from __future__ import annotations

import itertools
import random
from typing import Annotated, Any, Literal

import pytest

from schema_compiler import Regex, Verbatim, compile_type
from sdk.generation.exclusion import Exclusion
from tests.fakes import EOS, byte_vocabulary

VOCABULARY = byte_vocabulary([b"12", b'"a', b'b"', b'"]', b"1,", b", ", b'a"', b"ru", b'""', b'"ab"', b'"ab", "b'])

LISTS: dict[str, tuple[Any, list[str]]] = {
    "names": (list[Literal["a", "ab", "b", "", True, None]], ['"a"', '"ab"', '"b"', '""', "true", "null"]),
    "numbers": (list[Literal[1, 12, 121, 2]], ["1", "12", "121", "2"]),
    "top": (Literal["a", "ab", 1, 12], ['"a"', '"ab"', "1", "12"]),
    "pattern": (Annotated[str, Regex("a?b?")], ['"a"', '"ab"', '"b"', '""']),
}


def documents(name: str) -> list[bytes]:
    """All of them, up to two items."""
    _, values = LISTS[name]
    if name in ("top", "pattern"):
        return [value.encode() for value in values]
    lists = [items for count in range(3) for items in itertools.product(values, repeat=count)]
    return [f"[{', '.join(items)}]".encode() for items in lists]


def legal(texts: list[bytes], read: bytes) -> set[int]:
    """The tokens after ``read`` by which one of the texts goes on, or ends."""
    found = {EOS} if read in texts else set()
    for token_id, token in enumerate(VOCABULARY.tokens):
        if token and any(text.startswith(read + token) for text in texts):
            found.add(token_id)
    return found


def allowed(cursor: Any) -> set[int]:
    mask = cursor.mask()
    return {token_id for token_id in range(len(VOCABULARY)) if mask[token_id // 32] >> token_id % 32 & 1}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("seed", range(12))
def test_masks_are_those_of_the_documents_that_are_left(name: str, seed: int):
    numbers = random.Random(seed)
    wanted, values = LISTS[name]
    compiled = compile_type(wanted, VOCABULARY)
    refused = numbers.sample(values, numbers.randint(1, len(values) - 1))
    start = b"" if name in ("top", "pattern") else numbers.choice([b"[", b"[" + values[0].encode() + b", "])
    cursor = compiled.matcher()
    assert all(map(cursor.accept, start))
    exclusion = Exclusion(cursor, VOCABULARY, [value.encode() for value in refused])
    ends = {value.encode() + end for value in refused for end in (b"]", b",", b"")}
    left = [
        text
        for text in documents(name)
        if text.startswith(start) and not any(_begins(text[len(start) :], end) for end in ends)
    ]
    for _ in range(6):
        fork, read = exclusion.fork(), start
        for _ in range(12):
            count = read.count(b",") if start else 0
            if count >= 2 or (start and count == 1 and start == b"["):
                break  # documents of more items are not listed
            expected = legal(left, read)
            here = {token for token in allowed(fork) if _within(read, token)}
            assert here == {token for token in expected if _within(read, token)}, read
            assert fork.is_complete() == (read in left)
            if left:
                closed = read + fork.closing()
                assert closed in left or closed.count(b",") > 1
            if not expected or (EOS in expected and numbers.random() < 0.3):
                break
            token = numbers.choice(sorted(expected - {EOS}) or [EOS])
            if token == EOS:
                break
            assert fork.accept(token)
            read += VOCABULARY.tokens[token] or b""
        taken = len(read) - len(start)
        assert taken >= 0
    untouched = exclusion.fork()
    before = allowed(untouched)
    for token in sorted(before - {EOS})[:5]:
        assert untouched.accept(token)
        untouched.rollback(1)
        assert allowed(untouched) == before
    for token in set(range(len(VOCABULARY))) - before:
        assert not untouched.accept(token)


def _within(read: bytes, token_id: int) -> bool:
    """Whether a token stays within what ``documents`` lists."""
    return (read + (VOCABULARY.tokens[token_id] or b"")).count(b",") < 2


def _begins(text: bytes, value: bytes) -> bool:
    if value[-1:] in b"],":
        return text.startswith(value)
    return text == value or (value.endswith(b'"') and text.startswith(value))


def test_nothing_is_left():
    exclusion = Exclusion(compile_type(Literal["a", "b"], VOCABULARY).matcher(), VOCABULARY, [b'"a"', b'"b"'])
    assert exclusion.is_dead
    assert not exclusion.accept(ord('"'))


def test_choices_and_forced_texts_keep_away():
    line = Annotated[str, Verbatim(within="line")]
    matcher = compile_type(line, VOCABULARY).bind("ab\na\nb").matcher()
    exclusion = Exclusion(matcher, VOCABULARY, [b'"ab"', b'"b"'])
    assert exclusion.choices(9) == [[b'"a"']]
    assert exclusion.forced() == b'"'
    assert exclusion.closing() == b'"a"'
    for byte in b'"a"':
        assert exclusion.accept(byte)
    assert exclusion.is_complete()
