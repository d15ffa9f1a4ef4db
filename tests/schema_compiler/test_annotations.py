"""Texts that users describe: what Pydantic checks, what the grammar admits and what Lark parses are the same."""

from __future__ import annotations

import enum
import json
import random
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import AnyUrl, BaseModel, EmailStr, Field, HttpUrl, PydanticUserError, TypeAdapter, ValidationError

from schema_compiler import (
    Grammar,
    GrammarError,
    ImpossibleSchemaError,
    InvalidSchemaError,
    PatternError,
    Regex,
    UnsupportedSchemaError,
    Verbatim,
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


class Colour(enum.Enum):
    RED = "red"
    DARK_RED = "dark red"


GROUNDED: list[tuple[Any, str, list[str]]] = [
    (Annotated[str, Verbatim(min_chars=4)], "tea milk", ['"tea milk"', '"milk"']),
    (Annotated[str, Verbatim(within="line")], "tea\nmilk ", ['"tea"', '"milk"']),
    (Annotated[str, Verbatim(), Regex(r"\d{2}/\d{2}/\d{4}")], "on 01/03/2024, 1/3/2024", ['"01/03/2024"']),
    (Annotated[str, Regex("[a-z]{3}"), Verbatim()], "tea milk", ['"tea"']),
    (Annotated[str, Field(pattern="^m"), Verbatim()], "tea milk", ['"milk"']),
    (Annotated[str, Verbatim(), Field(max_length=3)], "tea milk", ['"tea"']),
    (Annotated[str, Verbatim(), Grammar(SUM)], "is 1 + 2", ['"1"', '"1 + 2"', '"2"']),
    (Annotated[str, Grammar(SUM), Verbatim(within="line")], "1+2\nx", ['"1+2"']),
    (Annotated[str, Verbatim(), Verbatim(within="line")], "tea cup\nmilk", ['"tea cup"', '"milk"']),
    (Annotated[date, Verbatim()], "01/02/2024", ['"2024-02-01"', '"2024-01-02"']),
    (Annotated[date, Verbatim(day_first=False)], "01/02/2024", ['"2024-01-02"']),
    (Annotated[date, Verbatim(), Field(ge=date(2024, 1, 15))], "01/02/2024", ['"2024-02-01"']),
    (Annotated[datetime, Verbatim()], "1 Mar 2024 10:30", ['"2024-03-01T00:00:00"', '"2024-03-01T10:30:00"']),
    (Annotated[int, Verbatim(), Field(ge=10, multiple_of=5)], "5 10 RM 15.00 17", ["10", "15"]),
    (Annotated[float, Verbatim()], "1,234.50", ["1234.50"]),
    (Annotated[Decimal, Verbatim(), Field(max_digits=4, decimal_places=2)], "(5.00) 123.45", ["-5.00", "5.00"]),
    (Annotated[EmailStr, Verbatim()], "to a.b@c.de or a", ['"a.b@c.de"']),
    (Annotated[HttpUrl, Verbatim(within="line")], "http://c.de/a\nftp://c.de", ['"http://c.de/a"']),
    (Annotated[AnyUrl, Verbatim(within="line")], "http://y\nno", ['"http://y"']),
    (Annotated[UUID, Verbatim()], f"id {UUID(int=5)}", [f'"{UUID(int=5)}"']),
    (Annotated[Colour, Verbatim()], "DARK\nRed", ['"dark red"', '"red"']),
    (Annotated[Literal["a", "b"], Verbatim()], "B or bb", ['"b"']),
    (Annotated[Literal[1, 2], Verbatim()], "2.00 of 3", ["2"]),
]


@pytest.mark.parametrize(("type_", "document", "texts"), GROUNDED)
def test_values_that_stand_in_the_document(type_: Any, document: str, texts: list[str]) -> None:
    """What Pydantic reads is what the leaf writes; the matcher takes these texts, and no others of the same kind."""
    grounded = compile_type(type_, byte_vocabulary()).bind(document)
    (leaf,) = grounded.leaves.values()
    assert leaf.texts(100) == [text.encode() for text in texts]
    for text in texts:
        matcher = grounded.matcher()
        assert all(map(matcher.accept, text.encode()))
        assert matcher.is_complete()
        TypeAdapter(type_).validate_json(text)
        assert list(grounded.evidence(text)) == [()]


@pytest.mark.parametrize(
    "type_",
    [
        Annotated[bool, Verbatim()],
        Annotated[list[str], Verbatim()],
        Annotated[str | None, Verbatim()],
        Annotated[Query, Verbatim()],
        Annotated[str, Verbatim(day_first=True)],
        dict[Annotated[str, Verbatim()], int],
        dict[Annotated[int, Verbatim()], int],
        dict[Annotated[Literal["a"], Verbatim()], int],
        Annotated[str, Verbatim(unique=True)],
        dict[str, Annotated[str, Verbatim(unique=True)]],
        list[Annotated[str, Verbatim(unique=True)] | None],
        tuple[Annotated[str, Verbatim(unique=True)], int],
    ],
)
def test_what_cannot_be_a_piece_is_refused(type_: Any) -> None:
    with pytest.raises(UnsupportedSchemaError, match=r"Verbatim|pieces"):
        compile_type(type_, byte_vocabulary())


def test_pydantic_refuses_what_no_piece_is() -> None:
    with pytest.raises(PydanticUserError, match="for Verbatim, found <class 'bool'>"):
        TypeAdapter(Annotated[bool, Verbatim()])


@pytest.mark.parametrize(("options", "message"), [({"within": "page"}, "within"), ({"min_chars": 0}, "min_chars")])
def test_arguments_of_pieces_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"expected {message}"):
        Verbatim(**options)


def test_pieces_are_enforced_and_their_schema_is_plain_json() -> None:
    class Model(BaseModel):
        shop: Annotated[str, Verbatim()]
        colours: list[Annotated[Colour, Verbatim(unique=True)]]

    report = type_stages(Model).report
    assert not report.with_status("checked afterwards")
    pointers = [row.path for row in report if row.constraint == "x-pydantic-verbatim"]
    assert pointers == ["/properties/colours/items", "/properties/shop"]
    jsonschema = pytest.importorskip("jsonschema")
    schema = Model.model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema
    jsonschema.validate({"shop": "a", "colours": ["red"]}, schema)


PIECE: dict[str, Any] = {"type": "string", "x-pydantic-verbatim": [{"reads": "text"}]}


def test_pieces_meet_other_keywords() -> None:
    both = {"allOf": [PIECE, {"pattern": "^t"}, {"x-pydantic-verbatim": [{"reads": "text", "within": "line"}]}]}
    (leaf,) = compile_schema(both, byte_vocabulary()).bind("tea cup\nmilk").leaves.values()
    assert leaf.texts(9) == [b'"tea cup"']
    listed = {"$ref": "#/$defs/p", "enum": ["tea", "milk", 3], "$defs": {"p": PIECE}}
    assert str(compile_schema(listed, byte_vocabulary()).stages.normalized.schema.root).startswith("piece (one of")
    for negated in ({"not": PIECE}, {"allOf": [PIECE, {"not": PIECE}]}, {"if": PIECE, "then": {"maxLength": 3}}):
        with pytest.raises(UnsupportedSchemaError, match="values that are no piece"):
            compile_schema(negated, byte_vocabulary())
    for type_ in ("boolean", ["string", "null"]):
        with pytest.raises(UnsupportedSchemaError, match="beside the type"):
            compile_schema({**PIECE, "type": type_}, byte_vocabulary())


@pytest.mark.parametrize(
    "readings",
    [
        {}, [], ["text"], [{"reads": "prose"}], [{"within": "page"}], [{"min_chars": 0}], [{"min_chars": True}],
        [{"unique": 1}], [{"other": 1}],
    ],
)  # fmt: skip
def test_malformed_readings_are_refused(readings: Any) -> None:
    with pytest.raises(InvalidSchemaError, match="x-pydantic-verbatim"):
        compile_schema({"type": "string", "x-pydantic-verbatim": readings}, byte_vocabulary())


class Everything(BaseModel):
    name: str
    note: Annotated[str, Field(max_length=9)] | None = None
    parts: dict[str, list[str]] = {}
    code: Annotated[str, Field(pattern="^a")] = "a"
    kind: Literal["x"] = "x"
    line: Annotated[str, Verbatim(within="line")] = ""


def test_all_free_texts_of_a_type_can_be_pieces() -> None:
    """Not the keys of a mapping, nor what a pattern or a list of values tells."""
    compiled = compile_type(Everything, byte_vocabulary(), grounded=True)
    assert str(compiled.stages.normalized) == "\n".join(
        [
            '@root = {"name": piece (string; text within word), '
            '"note"?: piece (string{0,9}; text within word) | null, "parts"?: @/properties/parts, '
            '"code"?: string /^a/rust, "kind"?: one of ["x"], "line"?: piece (string; text within line)}',
            "@/properties/parts = {string: @/properties/parts/additionalProperties}",
            "@/properties/parts/additionalProperties = [piece (string; text within word)*]",
        ]
    ).replace("@root", "@#").replace("@/", "@#/")
    plain = compile_type(Everything, byte_vocabulary())
    assert len(plain.bind("text").leaves) == 1
