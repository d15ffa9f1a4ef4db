"""The page: a summary, then for each result its document, with marks, beside its fields.

A document, a field's name or an error's message may say anything, ``<script>`` included, so the templates escape
whatever is put in, there is no script, and the page forbids any (Content-Security-Policy). What moves is CSS: a field
that is pointed at, or reached by the keyboard, lights up its marks, and a mark its field, through ``:has()``.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING
from zlib import crc32

from sdk.report.segments import Segment
from sdk.report.view import ORIGINS, View, view_of
from sdk.results import Result

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["fragment", "page", "write_report"]

_IN_MEMORY = 1 << 24
"""How many characters of a page wait in memory for the summary that stands above them; chosen, not measured."""

_MOST_LIT = 500
"""How many fields of a document light up with their marks, and marks with them; links lead to all.

Each takes two rules of CSS, which a browser asks at every movement. Chosen, not measured: few documents have so many.
"""

_CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"} | {0x7F: 0x2421}
"""Control characters, which HTML has not, as their pictures; each stays one character."""


def page(results: Iterable[Result], *, title: str) -> str:
    """A whole page, with all results. Raises what ``view_of`` raises."""
    from io import StringIO

    written = StringIO()
    write_report(results, written, title=title)
    return written.getvalue()


def fragment(result: Result) -> str:
    """One result as an element with its own style, to be put into another page, such as a notebook."""
    view = view_of(result)
    prefix = f"x{crc32(repr(result).encode()):08x}"
    article = _template("document.html").render(view=view, prefix=prefix)
    return _template("fragment.html").render(article=article, lit=min(len(view.rows), _MOST_LIT))


def write_report(
    results: Iterable[Result],
    file: IO[str],
    *,
    title: str,
    limit: int | None = None,
    most_characters: int | None = None,
    text_of: Callable[[Result], Result] = lambda result: result,
) -> None:
    """Write a page with the first ``limit`` results, as long as it has less than ``most_characters``.

    What is left out is counted, and the page says so; ``None`` is no limit. ``results`` are read once, one at a time.
    ``text_of`` adds its document to a result that is shown. Raises what ``view_of`` raises.
    """
    counts = _Counts()
    with SpooledTemporaryFile(_IN_MEMORY, mode="w+", encoding="utf-8", newline="") as body:
        for number, result in enumerate(results):
            counts.documents += 1
            counts.errors += result.error is not None
            if (limit is None or number < limit) and not (most_characters and counts.characters >= most_characters):
                view = view_of(text_of(result))
                prefix = f"d{number}"
                article = _template("document.html").render(view=view, prefix=prefix)
                counts.add(view, prefix, article)
                body.write(article)
        file.write(_template("head.html").render(title=title, counts=counts))
        body.seek(0)
        shutil.copyfileobj(body, file)
        file.write(_template("foot.html").render())


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the contents."""

    source: str
    prefix: str
    remark: str


@dataclass(slots=True)
class _Counts:
    """What the summary says. ``fields``: the most of one document. From ``contents`` on: of the documents shown."""

    documents: int = 0
    errors: int = 0
    fields: int = 0
    characters: int = 0
    contents: list[_Entry] = field(default_factory=list)
    origins: Counter[str] = field(default_factory=Counter)

    @property
    def shown(self) -> int:
        return len(self.contents)

    @property
    def lit(self) -> int:
        return min(self.fields, _MOST_LIT)

    def add(self, view: View, prefix: str, article: str) -> None:
        self.contents.append(_Entry(view.source, prefix, view.error.type if view.error else view.remark))
        self.characters += len(article)
        self.fields = max(self.fields, len(view.rows))
        self.origins.update(row.origin for row in view.rows)


def _describe(view: View, segment: Segment) -> str:
    """The fields that a segment belongs to, once each."""
    return "; ".join(dict.fromkeys(view.rows[mark.field].label for mark in segment.marks))


def _visible(text: str) -> str:
    return text.translate(_CONTROLS)


@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("sdk.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"describe": _describe, "visible": _visible, "origins": ORIGINS}
    return environment.get_template(name)
