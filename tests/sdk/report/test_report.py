"""Reports as text: all is shown, nothing becomes markup, and what is left out is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema_compiler import Span
from sdk.fields import Alternative
from sdk.report import fragment, page, write_report
from sdk.report.view import view_of
from sdk.results import Failure, Result

EVIL = "\"'><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">&amp;"
DOCUMENT = f"Ace Books, London\r\nTotal 9.00 {EVIL}\n\nשלום Ada"
RESULT = Result(
    EVIL,
    {"shop": "Ace Books", "city": "London", EVIL: EVIL, "total": 9.0, "who": "Jane Roe", "gift": False, "note": None},
    document=DOCUMENT,
    evidence={("shop",): (Span(0, 9, "Ace Books"),), ("city",): (Span(4, 17, "Books, London"),)},
    confidence={("shop",): 0.93, ("city",): 0.2},
    alternatives={("city",): (Alternative(EVIL, 0.5), Alternative("null", 0.125))},
)
FAILED = Result("b.txt", error=Failure(EVIL, f"expected {EVIL}"))


class Page(HTMLParser):
    """The tags of a page with their attributes, and the texts of its elements, those of styles apart."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._inside: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" not in self._inside:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


@pytest.mark.parametrize("html", [page([RESULT, FAILED], title=EVIL), fragment(RESULT), fragment(FAILED)])
def test_nothing_becomes_markup(html: str) -> None:
    read = Page(html)
    assert not {"script", "img", "iframe", "object", "link"} & {tag for tag, _ in read.tags}
    for _, attributes in read.tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")
        assert "src" not in attributes
    assert not re.search(r"//|url\(|@import", html)  # no address of anything
    assert EVIL in read.text


def test_links_lead_to_elements_and_ids_are_unique() -> None:
    read = Page(page([RESULT, FAILED, RESULT], title="t"))
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {attributes["href"] for tag, attributes in read.tags if tag == "a"}
    assert targets <= {f"#{one}" for one in ids}
    assert len(targets) > 10


def test_what_is_said_of_each_field() -> None:
    read = Page(fragment(RESULT))
    words = " ".join(read.text.split())
    assert "shop Ace Books verbatim 93.0%" in words
    assert "who Jane Roe not in the document" in words
    assert "total 9.0 aligned afterwards" in words
    assert "gift false note null" in words
    assert "2 alternatives" in words
    assert "12.5%" in words
    assert "1 of 7 values not in the document" in words


def test_a_page_sums_up_and_shows_errors() -> None:
    words = " ".join(Page(page([RESULT, FAILED], title="t")).text.split())
    assert "2 documents 1 without a value 2 verbatim 2 aligned afterwards 1 not in the document" in words
    assert f"expected {EVIL}" in words


def test_a_result_without_its_document_has_no_places() -> None:
    view = view_of(replace(RESULT, document=None))
    assert not view.segments
    assert {row.origin for row in view.rows} == {"none"}
    assert "Ace Books" in Page(fragment(replace(RESULT, document=None))).text


def test_evidence_for_what_the_value_does_not_show_has_a_row() -> None:
    hidden = Result("a", {"pin": None}, document="pin 12", evidence={("code",): (Span(4, 6, "12"),)})
    assert [(row.path, row.value) for row in view_of(hidden).rows] == [("pin", "null"), ("code", "12")]


def test_control_characters_are_pictures() -> None:
    assert "a\u2400b\u241bc" in Page(fragment(Result("a", {"x": "y"}, document="a\0b\x1bc"))).text


def _many() -> Iterator[Result]:
    for number in range(10_000):
        yield Result(f"{number}.txt", {"total": number}, document=f"Total {number}")


@pytest.mark.parametrize(("limits", "shown"), [({"limit": 20}, 20), ({"most_characters": 3_000}, 0), ({}, None)])
def test_a_large_file_is_cut_and_the_page_says_so(limits: dict[str, int], shown: int | None) -> None:
    written = StringIO()
    results = list(_many())[: 50 if not limits else None]
    write_report(results, written, title="t", **limits)
    read = Page(written.getvalue())
    articles = sum(tag == "article" for tag, _ in read.tags)
    if shown is None:
        assert articles == 50
        assert "The page shows" not in read.text
    else:
        assert articles == shown or (shown == 0 and 1 <= articles < 10)
        assert f"The page shows the first {articles} of 10,000 documents" in read.text


@given(
    st.text(max_size=20), st.text(max_size=20), st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3)
)
@settings(deadline=None)
def test_any_document_is_shown_as_it_is(source: str, document: str, value: dict[str, str]) -> None:
    html = fragment(Result(source, value, document=document))
    start = html.index('aria-label="Document">') + len('aria-label="Document">')
    shown = Page(html[start : html.index("</div>", start)])
    assert "".join(shown.texts) == document.translate(
        {code: 0x2400 + code for code in (*range(9), 11, 12, *range(14, 32))} | {0x7F: 0x2421}
    )
    assert {tag for tag, _ in shown.tags} <= {"a", "i"}


def test_a_document_with_many_fields_stays_small() -> None:
    html = fragment(Result("a", {"items": list(range(2_000))}, document="1999"))
    assert len(Page(html).tags) > 2_000
    assert ".f499:" in html
    assert ".f500:" not in html


def test_templates_are_packaged() -> None:
    import sdk.report

    folder = Path(sdk.report.__file__).parent / "templates"
    assert {file.name for file in folder.iterdir()} >= {"head.html", "document.html", "style.css"}
