"""Texts that users describe: what Pydantic checks, what the grammar admits and what Lark parses are the same."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from schema_compiler import (
    Grammar,
    GrammarError,
    ImpossibleSchemaError,
    PatternError,
    Regex,
    UnsupportedSchemaError,
    choice,
    compile_schema,
    compile_type,
)
from schema_compiler.compiler import type_stages
from tests.assembly import ids_in
from tests.oracle import TokenTree
from tests.properties.masks import compare
from tests.vocabularies import byte_vocabulary, made_up_vocabulary

SUM = r"""
start: sum
sum: sum "+" term | term
term: NUMBER | TEXT | "(" sum ")"
NUMBER: /[0-9]+/
TEXT: /"[^"]*"/ | /\\é\x01+/
%ignore /[ \n]/
"""


class Query(BaseModel):
    table: Annotated[str, Regex("[a-z]+")]
    sums: list[Annotated[str, Grammar(SUM)]] | None = None
    order: choice(["up", "down"])  # type: ignore[valid-type]


@cache
def lark_parser() -> Any:
    lark = pytest.importorskip("lark")
    return lark.Lark(SUM, parser="earley", lexer="dynamic_complete")


def in_lark(text: str) -> bool:
    lark = pytest.importorskip("lark")
    try:
        lark_parser().parse(text)
    except lark.exceptions.UnexpectedInput:
        return False
    return True


def accepts(type_: Any, text: str) -> bool:
    matcher = compile_type(type_, byte_vocabulary()).matcher()
    return all(map(matcher.accept, text.encode())) and matcher.is_complete()


TEXTS = ['1+"a"', "(1 + (2))\n+3", '"\t\x02é😀"', "\\é\x01", "\\é\x01\x01+1", "1+", "", "\\x", "1 2", '"', "é", "(1"]


@pytest.mark.parametrize("text", TEXTS)
def test_pydantic_the_compiled_grammar_and_lark_agree(text: str):
    sentence = Annotated[str, Grammar(SUM)]
    try:
        TypeAdapter(sentence).validate_python(text)
        valid = True
    except ValidationError:
        valid = False
    assert valid == in_lark(text) == accepts(sentence, json.dumps(text, ensure_ascii=False))


def test_random_documents_validate():
    vocabulary, source = made_up_vocabulary(), random.Random(3)
    compiled = compile_type(Query, vocabulary)
    for _ in range(40):
        matcher, text = compiled.matcher(), b""
        while len(text) < 120:
            legal = [token for token in ids_in(matcher.mask(), vocabulary) if token not in vocabulary.eos_token_ids]
            if not legal:
                break
            token = source.choice(legal)
            assert matcher.accept(token)
            text += vocabulary.tokens[token] or b""
        query = Query.model_validate_json(text + matcher.closing())
        assert all(in_lark(text) for text in query.sums or [])


def test_masks_of_a_sentence_equal_the_oracles():
    vocabulary = made_up_vocabulary()
    assert compare(compile_type(Query, vocabulary), TokenTree(vocabulary.tokens), 0, states=12).states == 12


def test_everything_is_enforced():
    assert not type_stages(Query).report.with_status("checked afterwards")


def test_the_report_notes_what_a_grammar_says_in_vain():
    report = type_stages(Annotated[str, Grammar(SUM + "SPARE: /x/\n")]).report
    assert [row.constraint for row in report.with_status("ignored annotation")] == ["SPARE is not used"]


def test_the_error_says_where_the_text_leaves_the_grammar():
    with pytest.raises(ValidationError, match="from character 2 on: 'é4'"):
        TypeAdapter(Annotated[str, Grammar(SUM)]).validate_python("1+é4")
    with pytest.raises(ValidationError, match="ends too early"):
        TypeAdapter(Annotated[str, Grammar(SUM)]).validate_python("1+")


def test_another_start():
    assert accepts(Annotated[str, Grammar(SUM, start="term")], '"(1+2)"')
    assert not accepts(Annotated[str, Grammar(SUM, start="term")], '"1+2"')


def test_mistakes_are_found_when_the_type_is_written():
    with pytest.raises(GrammarError, match="line 1, column 8"):
        Grammar("start: b")
    with pytest.raises(PatternError):
        Regex("(")
    with pytest.raises(ValueError, match="at least one option"):
        choice([])


@pytest.mark.parametrize(
    "type_",
    [
        Annotated[int, Regex("a")],
        Annotated[int, Grammar(SUM)],
        Annotated[str, Field(pattern="a"), Regex("a")],
        Annotated[str, Field(max_length=3), Grammar(SUM)],
        Annotated[str, Grammar(SUM), Grammar(SUM + "%ignore /x/")],
    ],
)
def test_what_does_not_combine_is_refused(type_: Any):
    with pytest.raises(UnsupportedSchemaError):
        compile_type(type_, byte_vocabulary())


def test_a_regex_matches_the_whole_text():
    type_ = Annotated[str, Regex("a|bc")]
    for text in ("a", "bc", "ab", "abc", ""):
        assert accepts(type_, json.dumps(text)) == (text in ("a", "bc"))


def test_sentences_meet_other_keywords():
    sentence = {"type": "string", "x-pydantic-grammar": {"text": SUM, "start": "start"}}
    same = compile_schema({"allOf": [sentence, {"type": ["string", "null"]}, sentence]}, byte_vocabulary())
    assert all(map(same.matcher().accept, b'"1'))
    for other in ({"enum": ["1", 2]}, {"maxLength": 3}, {"type": "string", "not": {"const": "1"}}):
        with pytest.raises(UnsupportedSchemaError, match="sentence"):
            compile_schema({"allOf": [sentence, other]}, byte_vocabulary())
    with pytest.raises(ImpossibleSchemaError):
        compile_schema({"allOf": [sentence, {"not": sentence}]}, byte_vocabulary())


def test_a_choice_takes_a_list() -> None:
    with pytest.raises(TypeError, match="expected a list of options, found the text 'abc'"):
        choice("abc")
