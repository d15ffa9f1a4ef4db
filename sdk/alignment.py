"""Where in a document a value might come from, when nothing forced it to stand there.

    align("ace books ltd", "Sold by ACE Books, Ltd.")      Span(8, 22, "ACE Books, Ltd")
    align("2024-03-01", "London, 1 March 2024")            Span(8, 20, "1 March 2024")
    align(1234.5, "Total  1.234,50")                       Span(7, 15, "1.234,50")

A guess made afterwards, to help a reader, and so never called evidence: that is what a ``Verbatim`` field has. Places
are looked for from the surest kind to the least sure one, and the first kind that finds any ends the search:

1. the value as it is written, as whole words;
2. a number or a date, read as ``Verbatim`` reads them, whatever its spelling;
3. the same words in folded form (see ``folding``);
4. the most similar words, where they are very similar and have the same digits, since a number that is nearly right
   is another number. The measure is the normalised indel similarity of rapidfuzz (the extra ``report``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any, TypeAlias

from schema_compiler import Span
from schema_compiler.grounding.document import Document
from schema_compiler.grounding.spellings import read_dates, read_datetimes, read_numbers
from sdk.errors import InputError, MissingExtraError
from sdk.fields import FieldPath, field_values
from sdk.folding import FoldedText
from sdk.results import Result

__all__ = ["Aligner", "align", "aligned"]

_LIKENESS = 85.0
"""The least similarity, in percent, of words taken for the value: in twenty characters, three may be others.

Of company names on receipts with a tenth of their letters replaced, 97 % are found, at 90 half of them; of names of
other companies 3 in 1,000 are taken for one that is there, at 80 twice as many (``tests.benchmarks.likeness``).
"""

_SHORTEST_SIMILAR = 5
"""The fewest folded characters of a value that is looked for by similarity: shorter ones resemble too much; chosen."""

_MOST_PLACES = 16
"""How many places a value is given, the first ones: more help no reader. Chosen, not measured."""

_DATE_WORDS = 5
"""How many words a date has at most, with its time or weekday: ``1 March 2024 10:30 pm``, ``Fri, 1 March 2024``."""

_NUMBER = re.compile(
    "(?<!\\d)(?<!\\d[.,/:-])"
    "[0-9]+(?:(?:[.,'\u2019][0-9]+)+|(?:[ \u00a0\u2009\u202f][0-9]{3}(?![0-9]))+(?:[.,][0-9]+)?)?"
    "(?!\\d|[./:-]\\d)"
)
"""What may be a number without its sign; parts of dates, times and longer numbers are not."""

_Place: TypeAlias = tuple[int, int]


def align(value: Any, document: str) -> list[Span]:
    """The places of a JSON value without parts in ``document``, in order, at most 16; see the module's docstring.

    Booleans, null and text without words have no place. Raises ``schema_compiler.DocumentError`` for a lone surrogate
    in the document, and ``MissingExtraError`` when similarity is asked for and rapidfuzz is not installed.
    """
    return Aligner(document).spans(value)


def aligned(result: Result) -> dict[FieldPath, tuple[Span, ...]]:
    """The places of the values of a result that have no evidence, by path, where there are any.

    Raises ``InputError`` where the result does not have its document, and what ``align`` raises.
    """
    if result.document is None:
        raise InputError(f"expected a result with its document, to look for values in it; {result.source!r} has none")
    aligner = Aligner(result.document)
    places = {
        path: tuple(aligner.spans(value)) for path, value in field_values(result.value) if path not in result.evidence
    }
    return {path: spans for path, spans in places.items() if spans}


class Aligner:
    """A document, read once for all the values that are looked for in it."""

    def __init__(self, document: str) -> None:
        self._document = document
        self._read = Document(document)
        self._folded: FoldedText | None = None

    def spans(self, value: Any) -> list[Span]:
        """See ``align``."""
        if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
            return []
        if not isinstance(value, str):
            return self._shown(self._numbers(Decimal(str(value))))
        finders: list[Callable[[str], Iterator[_Place]]] = [self._exact, self._typed, self._same_words, self._similar]
        return next((spans for find in finders if (spans := self._shown(find(value)))), [])

    def _shown(self, places: Iterator[_Place]) -> list[Span]:
        return [Span(start, end, self._document[start:end]) for start, end in islice(places, _MOST_PLACES)]

    def _exact(self, value: str) -> Iterator[_Place]:
        """Whole words that are spelled like the value, but for the kind of white space."""
        words, text = " ".join(value.split()), self._read.reading.text
        edges = self._read.boundaries("word")
        for start in _occurrences(words, text):
            if edges.starts[start] and edges.ends[start + len(words)]:
                span = self._read.span(start, start + len(words))
                yield span.start, span.end

    def _typed(self, value: str) -> Iterator[_Place]:
        """What is read as the same date, time or number."""
        try:
            if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
                yield from self._dates(date.fromisoformat(value))
            elif re.match(r"\d{4}-\d\d-\d\dT", value):
                yield from self._dates(datetime.fromisoformat(value))
            elif re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", value):
                yield from self._numbers(Decimal(value))
        except (ValueError, InvalidOperation):
            return  # text that only looks like a date

    def _dates(self, wanted: date) -> Iterator[_Place]:
        words = [(match.start(), match.end()) for match in re.finditer(r"\S+", self._document)]
        year, behind = f"{wanted.year % 100:02}", 0
        for first, (start, _) in enumerate(words):
            for _, end in words[first : first + _DATE_WORDS]:
                begin, end = _without_punctuation(self._document, start, end)
                piece = " ".join(self._document[begin:end].split())
                if begin >= behind and year in piece and _is_date(piece, wanted):
                    yield begin, end
                    behind = end
                    break

    def _numbers(self, wanted: Decimal) -> Iterator[_Place]:
        """Whole words that are read as the number, or else parts of words, such as the 5 of ``5kg``."""
        places = [
            (start, end) for start, end in self._signed_numbers() if wanted in read_numbers(self._document[start:end])
        ]
        whole = [(start, end) for start, end in places if not _touches_letter(self._document, start, end)]
        yield from whole or places

    def _signed_numbers(self) -> Iterator[_Place]:
        text = self._document
        for match in _NUMBER.finditer(text):
            start, end = match.span()
            before = text[start - 1 : start]
            if before and before in "-+\u2212" and not text[start - 2 : start - 1].isalnum():
                yield start - 1, end
                continue
            if before == "(" and text[end : end + 1] == ")":
                yield start - 1, end + 1
            yield start, end

    def _same_words(self, value: str) -> Iterator[_Place]:
        wanted, text = FoldedText(value).text, self._folded_document.text
        for start in _occurrences(f" {wanted} ", f" {text} ") if wanted else ():
            yield self._folded_document.origin(start, start + len(wanted))

    def _similar(self, value: str) -> Iterator[_Place]:
        wanted, text = FoldedText(value).text, self._folded_document.text
        if len(wanted) < _SHORTEST_SIMILAR or not text:
            return
        fuzz = _fuzz()
        found = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=_LIKENESS)
        if found is None:
            return
        start = text.rfind(" ", 0, found.dest_start + 1) + 1
        end = text.find(" ", max(found.dest_end - 1, start + 1))
        words = text[start : end if end >= 0 else len(text)]
        if fuzz.ratio(wanted, words) >= _LIKENESS and _digits(wanted) == _digits(words):
            yield self._folded_document.origin(start, start + len(words))

    @property
    def _folded_document(self) -> FoldedText:
        if self._folded is None:
            self._folded = FoldedText(self._document)
        return self._folded


def _fuzz() -> Any:
    try:
        from rapidfuzz import fuzz
    except ImportError as error:
        raise MissingExtraError("to look for similar text", "rapidfuzz", "report") from error
    return fuzz


def _occurrences(wanted: str, text: str) -> Iterator[int]:
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        yield start
        start = text.find(wanted, start + 1)


def _is_date(piece: str, wanted: date) -> bool:
    found: Iterator[date] = read_datetimes(piece, None) if isinstance(wanted, datetime) else read_dates(piece, None)
    return wanted in found


def _without_punctuation(text: str, start: int, end: int) -> _Place:
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return start, end


def _touches_letter(text: str, start: int, end: int) -> bool:
    return text[max(start - 1, 0) : start].isalpha() or text[end : end + 1].isalpha()


def _digits(text: str) -> list[str]:
    return [character for character in text if character.isdigit()]
