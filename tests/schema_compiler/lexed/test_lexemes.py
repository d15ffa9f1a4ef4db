"""What a lexer makes of text: behaviour as data."""

from __future__ import annotations

from functools import cache

import pytest
from lark import Lark
from lark.exceptions import LarkError

from schema_compiler.lexed.compile import CompiledLexed, compile_lexed
from tests.fakes import EOS, byte_vocabulary
from tests.schema_compiler.lexed.languages import MUNCH, PYTHON, RANGES, STATEMENTS, Language

WHOLE = object()
"""The text is a document; ``None``: it may become one; a number: the first byte that may not stand there."""


@cache
def compiled(language: Language) -> CompiledLexed:
    return compile_lexed(language.grammar, byte_vocabulary([b"iffy", b"= 1; if", b'";print', b"=="]))


def verdict(language: Language, text: bytes) -> object:
    matcher = compiled(language).matcher()
    for index, byte in enumerate(text):
        if not matcher.accept(byte):
            return index
    return WHOLE if matcher.is_complete() else None


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (STATEMENTS, "if=1;", 2),  # a keyword is no name
        (STATEMENTS, "iffy=1;", WHOLE),  # longest match: a name that begins like a keyword
        (STATEMENTS, "ifx:", 3),
        (STATEMENTS, "if x: y=x;", WHOLE),
        (STATEMENTS, "if(x): y=x;", WHOLE),
        (STATEMENTS, "if x: printx;", 12),
        (STATEMENTS, "x==1;", 2),  # == is not = and =
        (STATEMENTS, "x= =1;", 3),
        (STATEMENTS, "if x==1: {}", WHOLE),
        (STATEMENTS, "if x<=1: {}", WHOLE),
        (STATEMENTS, "if x< =1: {}", 6),
        (STATEMENTS, "x=1.", None),  # only 1.5 may come of it
        (STATEMENTS, "x=1.;", 4),
        (STATEMENTS, 'x="if # ;', None),
        (STATEMENTS, 'x="a\n', 4),
        (STATEMENTS, "x=1;# if = ;", WHOLE),
        (STATEMENTS, "x=# c\n1;", WHOLE),
        (RANGES, "1..2", WHOLE),  # 1. could have become 1.5
        (RANGES, "1.5..2", 3),
        (RANGES, "1.a", WHOLE),
        (RANGES, "1.", None),
        (MUNCH, "bca", WHOLE),  # c, a
        (MUNCH, "bcab", WHOLE),  # cab
        (MUNCH, "bcabc", 4),
        (MUNCH, "/*", None),  # no comment until it ends
        (MUNCH, "/*a", WHOLE),
        (MUNCH, "/*a*/", WHOLE),  # now it is one
        (MUNCH, "/**", None),
        (MUNCH, "/**/a", WHOLE),
        (PYTHON, "x = 1.real\n", 6),
        (PYTHON, "x = 1 .real\n", WHOLE),
        (PYTHON, "x = 1.if y else z\n", WHOLE),
        (PYTHON, "not_x = notx is not None\n", WHOLE),
        (PYTHON, "x = 1 notin y\n", 9),
        (PYTHON, "é = 'ü'\n", WHOLE),
        (PYTHON, "x //= 2\n", 4),
    ],
)
def test_texts(language: Language, text: str, expected: object):
    assert verdict(language, text.encode()) == expected


@pytest.mark.parametrize(
    ("text", "basic", "contextual"),
    [
        ("set x to y;", WHOLE, WHOLE),
        ("set set to to;", 7, WHOLE),  # a keyword where a name is expected
        ("set to to set;", 6, WHOLE),
    ],
)
def test_keywords_may_be_names_where_the_parser_takes_no_keyword(text: str, basic: object, contextual: object):
    grammar = 'start: ("set" NAME "to" NAME ";")*\nNAME: /[a-z]+/\n%ignore " "'
    for lexer, expected in (("basic", basic), ("contextual", contextual)):
        matcher = compile_lexed(grammar, byte_vocabulary(), lexer=lexer).matcher()
        read = [matcher.accept(byte) for byte in text.encode()]
        assert (WHOLE if all(read) and matcher.is_complete() else read.index(False)) == expected
        parses = True
        try:
            Lark(grammar, parser="lalr", lexer=lexer).parse(text)
        except LarkError:
            parses = False
        assert parses == (expected is WHOLE)


def test_tokens_may_span_lexemes_and_end_anywhere():
    language = compiled(STATEMENTS)
    ids = {token: number for number, token in enumerate(language.vocabulary.tokens)}
    matcher = language.matcher()
    assert all(matcher.accept(ids[token]) for token in (b"iffy", b"= 1; if", b" ", b"x", b"==", b'"', b'";print'[:1]))
    matcher.rollback(1)
    assert matcher.accept(ids[b"i"])
    assert not matcher.accept(ids[b'";print'])
    assert matcher.accept(ids[b'"'])
    assert matcher.accept(ids[b":"])
    assert all(matcher.accept(byte) for byte in b'x="')
    assert matcher.accept(ids[b'";print'])


def test_the_end_is_legal_exactly_where_a_document_is_whole():
    matcher = compiled(STATEMENTS).matcher()
    seen = []
    for byte in b"x=1;":
        seen.append(matcher.fork().accept(EOS))
        matcher.accept(byte)
    assert seen == [True, False, False, False]
    assert matcher.accept(EOS)
    assert matcher.is_ended()
    assert not matcher.mask().any()
    assert not matcher.accept(EOS)


def test_forced_bytes():
    matcher = compiled(STATEMENTS).matcher()
    assert all(matcher.accept(byte) for byte in b"print 1.5")
    assert matcher.forced() == b""
    matcher = compile_lexed('start: "select" WS NAME\nWS: " "\nNAME: /x+/', byte_vocabulary()).matcher()
    assert matcher.forced() == b"select x"


def test_states_recur_so_that_text_costs_the_same_however_long_it_is():
    matcher = compiled(STATEMENTS).matcher()
    numbers = []
    for _ in range(50):
        assert all(matcher.accept(byte) for byte in b"if a == (b + 1): print c;\n")
        numbers.append(matcher.state_id)
    assert len(set(numbers[1:])) == 1
