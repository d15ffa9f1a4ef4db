"""What a document has for a field, by brute force: every pair of places is tried.

Nothing of the compiler's is used but what a schema means (``holds``) and what a spelling says (``spellings``): the text
is read by a regular expression, characters are those of the ``regex`` package, words and lines are told character by
character, and neither automata nor arrays are known.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

import regex

from schema_compiler.grounding.spellings import read_dates, read_datetimes, read_numbers
from schema_compiler.regular.text.json_strings import string_literal
from schema_compiler.schema.algebra.languages import holds
from schema_compiler.schema.algebra.numbers import contains_number
from schema_compiler.schema.ir import Enumeration, Number, Piece, Reading, String

__all__ = ["is_piece", "read_as", "values"]

BREAK = "\n\v\f\r\x85\u2028\u2029"
_SENTENCE_ENDS = ".!?…‽؟۔।॥"
_IDEOGRAPHIC_ENDS = "。！？｡．"
_CLOSERS = "\"')]}»”’›"


def read_as(document: str) -> str:
    """The document as it is read."""
    text, at = [], 0
    while at < len(document):
        end = at
        while end < len(document) and document[end].isspace():
            end += 1
        run = document[at:end]
        text.append(" " if any(char in BREAK for char in run) else run or document[at])
        at = max(end, at + 1)
    return "".join(text)


def is_piece(document: str, begin: int, end: int, within: str) -> bool:
    """Whether the characters from ``begin`` to ``end``, as read, are a piece."""
    text, broken = _with_breaks(document)
    edges = {"word": _word_edges, "anywhere": _character_edges}.get(within)
    if edges is not None:
        starts, ends = edges(text, broken)
        return begin in starts and end in ends
    segments = _lines(text, broken) if within in ("line", "lines") else _sentences(text, broken)
    if within == "line":
        return (begin, end) in segments
    return begin in {first for first, _ in segments} and end in {last for _, last in segments}


@lru_cache(maxsize=8)
def _with_breaks(document: str) -> tuple[str, tuple[int, ...]]:
    """The text as read, and for each of its characters the number of line breaks that it stands for."""
    text, breaks, at = [], [], 0
    while at < len(document):
        end = at
        while end < len(document) and document[end].isspace():
            end += 1
        run = document[at:end]
        count = len(regex.findall(rf"\r\n|[{BREAK}]", run))
        if count:
            text.append(" ")
            breaks.append(count)
        else:
            text.append(run or document[at])
            breaks += [0] * len(text[-1])
        at = max(end, at + 1)
    return "".join(text), tuple(breaks)


@lru_cache(maxsize=8)
def _character_edges(text: str, broken: tuple[int, ...]) -> tuple[set[int], set[int]]:
    """The clusters of UAX #29, where a joined blank is a line break."""
    marked = "".join("\n" if count else char for char, count in zip(text, broken, strict=True))
    cuts, at = {0}, 0
    for cluster in regex.findall(r"\X", marked):
        at += len(cluster)
        cuts.add(at)
    return cuts - {len(text)}, cuts - {0}


def _kind(text: str, at: int) -> str:
    """Of the cluster that begins at ``at``."""
    char = text[at]
    category = unicodedata.category(char)
    if char.isspace():
        return "space"
    if category == "So":
        return "alone"
    if category[0] in "LMN" or category in ("Pc", "Co", "Cn"):
        name = unicodedata.name(char, "")
        blankless = name.startswith(("CJK ", "HIRAGANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "IDEOGRAPHIC"))
        return "alone" if blankless and category != "Nd" else "word"
    return "other"


@lru_cache(maxsize=8)
def _word_edges(text: str, broken: tuple[int, ...]) -> tuple[set[int], set[int]]:
    starts, ends = _character_edges(text, broken)
    cuts = sorted(starts | ends)
    clusters = list(pairwise(cuts))
    kinds = [_kind(text, a) for a, _ in clusters]
    joined = list(kinds)
    for index in range(1, len(clusters) - 1):
        if kinds[index] == "other" and kinds[index - 1] == kinds[index + 1] == "word":
            char = text[clusters[index][0]]
            left, right = (unicodedata.category(text[clusters[i][0]]) == "Nd" for i in (index - 1, index + 1))
            invisible = unicodedata.category(char) == "Cf" and char != "\u200b"
            joins = char in ".@'’-‐‑\u00ad&·" or invisible
            joins |= char in ",:٫٬" and left and right
            joins |= char in "/⁄" and (left or right)
            joined[index] = "word" if joins else "other"
    begin, end = set(), set()
    for index, (a, b) in enumerate(clusters):
        before = joined[index - 1] if index else "space"
        after = joined[index + 1] if index + 1 < len(joined) else "space"
        if joined[index] in ("word", "alone"):
            if not (joined[index] == before == "word"):
                begin.add(a)
            if not (joined[index] == after == "word"):
                end.add(b)
        elif joined[index] == "other":
            left = _run(joined[:index][::-1])
            right = _run(joined[index + 1 :])
            if not {"word", "alone"} & set(left) and {"word", "alone"} & set(right):
                begin.add(a)
            if not {"word", "alone"} & set(right) and {"word", "alone"} & set(left):
                end.add(b)
    return begin, end


def _run(kinds: list[str]) -> list[str]:
    return kinds[: kinds.index("space")] if "space" in kinds else kinds


def _stripped(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and text[end - 1].isspace():
        end -= 1
    if begin < end:
        yield begin, end


def _lines(text: str, broken: tuple[int, ...]) -> set[tuple[int, int]]:
    cuts = [-1, *(at for at, count in enumerate(broken) if count), len(text)]
    return {span for a, b in pairwise(cuts) for span in _stripped(text, a + 1, b)}


def _sentences(text: str, broken: tuple[int, ...]) -> set[tuple[int, int]]:
    spans, begin, at = set(), 0, 0
    while at < len(text):
        if broken[at] > 1:
            spans.update(_stripped(text, begin, at))
            begin = at
        for ends, closers in ((_SENTENCE_ENDS, _CLOSERS), (_IDEOGRAPHIC_ENDS, "\"')]}»”’」』）】")):
            behind = at
            while behind < len(text) and text[behind] in ends:
                behind += 1
            if behind == at:
                continue
            while behind < len(text) and text[behind] in closers:
                behind += 1
            follows = text[behind:].lstrip()
            free = behind == len(text) or text[behind].isspace() or ends is _IDEOGRAPHIC_ENDS
            if free and follows and not follows[0].islower():
                spans.update(_stripped(text, begin, behind))
                begin = behind
            if free:
                at = behind - 1
        at += 1
    spans.update(_stripped(text, begin, len(text)))
    return spans


def values(document: str, piece: Piece) -> dict[bytes, set[tuple[int, int]]]:
    """Every JSON text of ``piece``, each with the places, as read, from which it is read."""
    text = read_as(document)
    found: dict[bytes, set[tuple[int, int]]] = {}
    spans = [
        (begin, end)
        for begin in range(len(text))
        for end in range(begin + 1, len(text) + 1)
        if all(is_piece(document, begin, end, one.within) and end - begin >= one.min_chars for one in piece.readings)
    ]
    for span in spans:
        part = text[slice(*span)]
        read = [set(_read(piece, reading, part)) for reading in piece.readings]
        for spelled in set.intersection(*read):
            found.setdefault(spelled, set()).add(span)
    return found


def _read(piece: Piece, reading: Reading, part: str) -> Iterator[bytes]:
    base = piece.base
    match reading.kind, base:
        case "text", String():
            if holds(base, part):
                yield string_literal(part)
        case "choice", Enumeration(listed):
            yield from (string_literal(value) for value in listed if value.lower() == part.lower())
        case "date", String():
            isoformats = (one.isoformat() for one in read_dates(part, reading.day_first))
            yield from (string_literal(one) for one in isoformats if holds(base, one))
        case "datetime", String():
            isoformats = (one.isoformat().replace("+00:00", "Z") for one in read_datetimes(part, reading.day_first))
            yield from (string_literal(one) for one in isoformats if holds(base, one))
        case "number", Number():
            yield from (_value(number) for number in read_numbers(part) if contains_number(base, number))


def _value(number: Decimal) -> bytes:
    """A name for a number's value: equal numbers have equal names."""
    return str(number.normalize() + 0).encode() if number else b"0"


def value_of(text: bytes) -> bytes:
    """The same name for a number that is written as JSON."""
    return _value(Decimal(json.loads(text, parse_float=str, parse_int=str)))
