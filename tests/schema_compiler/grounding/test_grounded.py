"""Types bound to documents: masks against the oracle, errors before the first token, what is shared and freed."""

from __future__ import annotations

import gc
import random
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import BaseModel, EmailStr, Field

from schema_compiler import (
    CompiledSchema,
    DocumentError,
    Regex,
    Span,
    UnboundLeafError,
    UngroundedError,
    Verbatim,
    compile_schema,
    compile_type,
)
from schema_compiler.grounding.document import Document
from schema_compiler.grounding.fields import pieces_in
from schema_compiler.grounding.leaves import grounded_leaf
from tests.assembly import ids_of
from tests.oracle import Oracle, TokenTree
from tests.properties.masks import next_text
from tests.schema_compiler.grounding.documents import random_document
from tests.schema_compiler.grounding.naive import values
from tests.vocabularies import byte_vocabulary, made_up_vocabulary

RECEIPT = "Ace Books\nDate: 01/03/2024 INV-77\nTea  5.00\nCake  12.50\nPaid by CREDIT\n card 17.50\n a.b@c.de"


class Item(BaseModel):
    name: Annotated[str, Verbatim()]
    price: Annotated[Decimal, Verbatim()]


class Receipt(BaseModel):
    shop: Annotated[str, Verbatim(within="line")]
    day: Annotated[date, Verbatim(day_first=True)]
    code: Annotated[str, Verbatim(), Regex(r"[A-Z]+-\d+")] | None = None
    kind: Annotated[Literal["cash", "credit card"], Verbatim()] | None = None
    count: Annotated[int, Verbatim(), Field(ge=3)] | None = None
    items: list[Item] = []
    mail: Annotated[EmailStr, Verbatim()] | None = None


class Lists(BaseModel):
    words: Annotated[list[Annotated[str, Verbatim(unique=True)]], Field(max_length=3)]
    prices: list[Annotated[float, Verbatim(unique=True)]] = []


class Tree(BaseModel):
    name: Annotated[str, Verbatim()]
    below: list[Tree] = []


TYPES: dict[str, Any] = {
    "word": Annotated[str, Verbatim()],
    "anywhere": Annotated[str, Verbatim(within="anywhere")],
    "line or nothing": Optional[Annotated[str, Verbatim(within="line")]],
    "lines": list[Annotated[str, Verbatim(within="lines", min_chars=2)]],
    "sentence": dict[str, Annotated[str, Verbatim(within="sentence")]],
    "pattern": Annotated[str, Verbatim(within="anywhere"), Regex("[a-z0-9é]+")],
    "length": Annotated[str, Verbatim(), Field(max_length=4)],
    "two kinds": Annotated[str, Verbatim()] | Annotated[int, Verbatim()],
    "at least one": Annotated[list[Annotated[int, Verbatim()]], Field(min_length=1)],
    "model": Receipt,
    "recursive": Tree,
    "different words": list[Annotated[str, Verbatim(unique=True)]],
    "different numbers": Annotated[list[Annotated[float, Verbatim(unique=True)]], Field(min_length=2, max_length=3)],
    "lists": Lists,
}


def listed(compiled: CompiledSchema, document: str) -> dict[str, set[bytes]]:
    """All texts of each leaf: pieces by brute force; of numbers, whose spelling is free, those that the leaf chose."""
    found: dict[str, set[bytes]] = {}
    for name, piece in pieces_in(compiled.stages.normalized.schema).items():
        if piece.readings[0].kind == "number":
            found[name] = set(grounded_leaf(piece, Document(document)).texts(100_000) or ())
        else:
            found[name] = set(values(document, piece))
    return found


@pytest.mark.parametrize("name", TYPES)
def test_masks_equal_the_oracles(name: str) -> None:
    """On random documents; where the oracle finds no document, neither does binding."""
    vocabulary, source = made_up_vocabulary(), random.Random(name)
    tree = TokenTree(vocabulary.tokens)
    compiled = compile_type(TYPES[name], vocabulary)
    for _ in range(12):
        document = random_document(source, source.randint(0, 9))
        oracle = Oracle(compiled.stages.lowered(), listed(compiled, document))
        try:
            grounded = compiled.bind(document)
        except UngroundedError:
            assert "document" not in oracle._productive
            continue
        assert "document" in oracle._productive
        matcher, state = grounded.matcher(), oracle.start
        for _ in range(25):
            legal = oracle.mask(state, tree)
            expected = legal | vocabulary.eos_token_ids if state.complete else legal
            assert ids_of(matcher.mask(), vocabulary) == expected, document
            assert oracle.accepts_from(state, matcher.closing())
            text = next_text(matcher, vocabulary, source)
            following = oracle.read(text, state) if text else None
            if following is None:
                break
            state = following


def write(matcher: Any, text: str) -> bool:
    return all(map(matcher.accept, text.encode()))


def test_a_receipt() -> None:
    text = (
        '{"shop": "Ace Books", "day": "2024-03-01", "code": "INV-77", "kind": "credit card", "count": 5, "items": '
        '[{"name": "Tea", "price": 5.00}, {"name": "Cake", "price": 12.50}], "mail": "a.b@c.de"}'
    )
    grounded = compile_type(Receipt, byte_vocabulary()).bind(RECEIPT)
    matcher = grounded.matcher()
    assert write(matcher, text)
    assert matcher.is_complete()
    Receipt.model_validate_json(text)
    spans = {path: [span.text for span in found] for path, found in grounded.evidence(text).items()}
    assert spans == {
        ("shop",): ["Ace Books"],
        ("day",): ["01/03/2024"],
        ("code",): ["INV-77"],
        ("kind",): ["CREDIT\n card"],
        ("count",): ["5.00"],
        ("items", 0, "name"): ["Tea"],
        ("items", 0, "price"): ["5.00"],
        ("items", 1, "name"): ["Cake"],
        ("items", 1, "price"): ["12.50"],
        ("mail",): ["a.b@c.de"],
    }
    assert grounded.evidence(text)["shop",] == [Span(0, 9, "Ace Books")]
    assert not write(grounded.matcher(), '{"shop": "Ace",')


def test_what_is_missing_is_named_before_the_first_token() -> None:
    compiled = compile_type(Receipt, byte_vocabulary())
    with pytest.raises(UngroundedError, match=r"none for: day \(a date within word: string <date>\)") as caught:
        compiled.bind("nothing here")
    assert [path for path, _ in caught.value.fields] == ["day"]
    with pytest.raises(UngroundedError) as caught:
        compiled.bind("")
    assert [path for path, _ in caught.value.fields] == ["shop", "day"]


class Orders(BaseModel):
    orders: Annotated[list[Item], Field(min_length=1)]
    codes: Annotated[list[Annotated[str, Verbatim(unique=True), Regex("[A-Z]{2}")]], Field(min_length=3)]


def test_paths_of_what_is_missing_in_lists() -> None:
    with pytest.raises(UngroundedError) as caught:
        compile_type(Orders, byte_vocabulary()).bind("AB CD AB")
    assert dict(caught.value.fields).keys() == {"orders[].price", "codes[]"}
    assert "3 times a text within word" in dict(caught.value.fields)["codes[]"]
    compile_type(Orders, byte_vocabulary()).bind("AB CD EF 1.00")


def test_an_empty_leaf_leaves_the_other_branch() -> None:
    matcher = compile_type(Receipt, byte_vocabulary()).bind("Ace\n01.03.2024").matcher()
    assert write(matcher, '{"shop": "Ace", "day": "2024-03-01", "code": null')
    assert not write(matcher.fork(), ', "kind": "')
    assert not write(matcher.fork(), ', "mail": "')
    assert write(matcher, ', "items": [')
    assert matcher.forced() == b"]"
    empty = compile_type(list[Annotated[int, Verbatim()]], byte_vocabulary()).bind("none").matcher()
    assert empty.closing() == b"[]"
    assert write(empty, "[")
    assert empty.forced() == b"]"


def test_grammars_of_documents_that_lack_the_same_are_shared_and_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schema_compiler.grounding.grounded._MOST_VARIANTS", 2)
    class_ = dict.fromkeys("abc")
    schema = {
        "type": "object",
        "properties": {
            name: {"type": "string", "pattern": name, "x-pydantic-verbatim": [{"reads": "text"}]} for name in class_
        },
    }
    compiled = compile_schema(schema, byte_vocabulary())
    binder = compiled._binder
    assert compiled.bind("a b")._matchers is compiled.bind("b a")._matchers is not compiled.bind("c")._matchers
    assert compiled.bind("a b c")._matchers is compiled._matchers
    for document in ("a", "b", "c", "x"):
        compiled.bind(document)
    assert len(binder._variants) == 2


def test_a_type_without_pieces_is_bound_at_no_cost() -> None:
    compiled = compile_type(list[int], byte_vocabulary())
    grounded = compiled.bind("\ud800 anything")
    assert grounded._matchers is compiled._matchers
    assert grounded.matcher().state_id == compiled.matcher().state_id
    assert grounded.evidence("[1]") == {}


def test_without_a_document_the_leaf_is_named() -> None:
    with pytest.raises(UnboundLeafError, match=r"piece .*text within word"):
        compile_type(Annotated[str, Verbatim()], byte_vocabulary()).matcher().mask()


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"U\+D800 at character 1"):
        compile_type(Annotated[str, Verbatim()], byte_vocabulary()).bind("a\ud800")


def test_documents_leave_nothing_in_vocabulary_and_grammar() -> None:
    """Whatever the documents, the tables that outlive them stop growing."""
    vocabulary, source = made_up_vocabulary(), random.Random(0)
    compiled = compile_type(Receipt, vocabulary)
    general = compiled._matchers._engines.current()
    walks = random.Random(1)

    def use() -> tuple[int, int]:
        for _ in range(40):
            grounded = compiled.bind(f"{random_document(source, 15)} {RECEIPT}")
            matcher = grounded.matcher()
            while next_text(matcher, vocabulary, walks):
                matcher.mask()
                if len(matcher._history) > 60:
                    break
        return len(vocabulary.trie._sets), general.size

    use()
    sets, size = use()
    later_sets, later_size = use()
    assert later_sets - sets <= 3
    assert later_size - size < 200_000


def test_a_bound_grammar_without_users_is_freed_at_once() -> None:
    """Nothing waits for the garbage collector: neither the leaves of a document nor a grammar that lacks some."""

    def read(kind: str, **limits: Any) -> dict[str, Any]:
        return {"type": "string", "x-pydantic-verbatim": [{"reads": kind}], **limits}

    schema = {
        "type": "object",
        "properties": {
            "shop": read("text"),
            "codes": {"type": "array", "uniqueItems": True, "items": read("text", pattern="^[A-Z]+$")},
            "day": read("date", format="date"),
        },
        "required": ["shop"],
    }

    def use() -> None:
        compiled = compile_schema(schema, byte_vocabulary(), additional_properties="closed")
        for document in (RECEIPT, "Ace"):
            grounded = compiled.bind(document)
            matcher = grounded.matcher()
            for byte in b'{"shop": "Ace", "codes": []':
                matcher.mask()
                assert matcher.accept(byte) or document == "Ace"
            assert grounded.evidence(b'{"shop": "Ace"}')["shop",]

    use()
    gc.collect()
    gc.disable()
    try:
        use()
        assert gc.collect() == 0
    finally:
        gc.enable()
