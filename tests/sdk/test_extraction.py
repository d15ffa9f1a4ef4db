"""What an extraction says of itself: places of its values, and a page that shows them."""

from __future__ import annotations

import dataclasses
import sys
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from schema_compiler import Span
from sdk import Extraction, Extractor, Verbatim
from sdk.errors import InputError
from sdk.extraction import Alternative, path_text


class Person(BaseModel):
    name: Annotated[str, Verbatim()]
    city: str


TEXT = "My name is Maria Lopez. I live in Lisbon."


def extraction(text: str, document: str, **known: Any) -> Extraction[Any]:
    costs: dict[str, Any] = {"prompt_tokens": 1, "output_tokens": 1, "forward_passes": 1, "seconds": 0.1}
    return Extraction(None, text, "complete", removed_mass=0.0, document=document, **costs, **known)


def test_a_run_knows_its_document_and_aligns_what_has_no_evidence(extractor: Extractor) -> None:
    found = extractor.run(Person, TEXT)
    assert found.document == TEXT
    assert set(found.evidence) == {("name",)}
    assert found.aligned().keys() <= {("city",)}
    assert found.value.city not in TEXT or found.aligned()["city",][0].text == found.value.city
    html = found.to_html()
    assert html.startswith("<!doctype html>")
    assert found.value.name in html
    notebook = found._repr_html_()
    assert notebook is not None
    assert "<html" not in notebook


def test_all_that_is_known_is_shown() -> None:
    found = extraction(
        '{"shop": "Ace", "total": 9.0}',
        "Ace 9.00",
        evidence={("shop",): (Span(0, 3, "Ace"),)},
        confidence={("shop",): 0.93},
        alternatives={("shop",): (Alternative('"Bob"', 0.05),)},
    )
    assert found.aligned() == {("total",): (Span(4, 8, "9.00"),)}
    html = found.to_html("Receipt <1>")
    assert "<title>Receipt &lt;1&gt;</title>" in html
    assert "93.0%" in html
    assert "&#34;Bob&#34;" in html
    assert found.result("a").confidence == {("shop",): 0.93}


def test_without_its_document_it_is_shown_without_places() -> None:
    found = extraction('{"shop": "Ace"}', "")
    with pytest.raises(InputError, match="with its document"):
        found.aligned()
    assert "Ace" in found.to_html()


def test_notebooks_print_it_where_an_extra_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    assert extraction('{"shop": "Ace"}', "Ace")._repr_html_() is not None
    assert extraction('{"shop": "Ace Books"}', "Ace Boks")._repr_html_() is None


def test_it_stays_a_plain_value() -> None:
    found = extraction("{}", "x")
    assert dataclasses.replace(found, document="y").document == "y"
    assert path_text(("items", 2, "price")) == "items[2].price"
