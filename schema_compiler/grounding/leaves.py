"""The values that a document has for a field: pieces as they stand, or what is read from them.

Where the value is the piece, there may be a great many, and the leaf walks the document (``DocumentLeaf``). Where it
is read from the piece, or a grammar says what it may be, the few pieces in question are found beforehand, and the leaf
is a list of texts (``TextsLeaf``)::

    "Invoice 12 of 01/03/2024"       a date       "2024-03-01" from 14:24, "2024-01-03" from 14:24
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache, reduce
from typing import Any, Protocol, assert_never

from schema_compiler.engine.leaves.distinct_pieces import FiniteLeaf
from schema_compiler.engine.leaves.document import DocumentLeaf
from schema_compiler.engine.leaves.pieces import Pieces, pieces_of
from schema_compiler.engine.leaves.texts import TextsLeaf
from schema_compiler.engine.matchers import GrammarMatchers
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import CompileBudgetError
from schema_compiler.grounding.boundaries import Boundaries, meet_boundaries
from schema_compiler.grounding.document import Document, Span
from schema_compiler.grounding.spellings import candidates, read_dates, read_datetimes, read_numbers
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.text.json_strings import any_string, string_literal
from schema_compiler.schema.algebra.languages import holds
from schema_compiler.schema.algebra.numerals import numeral
from schema_compiler.schema.algebra.strings import counted_strings
from schema_compiler.schema.algebra.values import json_key
from schema_compiler.schema.ir import Enumeration, Number, Piece, Reading, Sentence, String

__all__ = ["GroundedLeaf", "grounded_leaf"]

_MOST_GRAMMAR_STEPS = 1 << 18
"""How many characters are put to the recogniser of a grammar for one document: about a second.

Most starts are given up after a few. A power of two; chosen, not measured.
"""

_MOST_PIECES = 1 << 18
"""How many places in one document are read for the values of a field, as dates or numbers say: some seconds.

A document of 100,000 characters that is all short numbers has 50,000. A power of two; chosen, not measured.
"""

_Places = list[tuple[int, int]]
"""The first character of each piece, and the one behind it, as the document is read."""


class GroundedLeaf(Protocol):
    """What one document has for the fields of one kind.

    ``language``: what may be written; ``None`` where the document has no value.
    """

    language: FiniteLeaf | None

    def spans(self, value: Any) -> list[Span]:
        """The places from which ``value``, as ``json.loads`` gives it, is read, in the order of the document."""

    def texts(self, limit: int) -> list[bytes] | None:
        """The values as JSON texts, in the order of the document; ``None`` where it has more than ``limit`` places."""


def grounded_leaf(piece: Piece, document: Document) -> GroundedLeaf:
    """The leaf of the fields of ``piece``. Raises ``CompileBudgetError`` where it takes too long to find its values."""
    if isinstance(piece.base, String) and all(reading.kind == "text" for reading in piece.readings):
        return _PiecesAsTheyStand(piece.base, piece.readings, document)
    return _ValuesRead(piece, document)


class _PiecesAsTheyStand:
    """Texts that are pieces of the document."""

    def __init__(self, base: String, readings: tuple[Reading, ...], document: Document) -> None:
        self._document = document
        strings = counted_strings(base)
        pieces = _pieces(
            document,
            reduce(meet_boundaries, (document.boundaries(reading.within) for reading in readings)),
            minimum=max(strings.minimum, *(reading.min_chars for reading in readings)),
            maximum=strings.maximum,
            strings=None if strings.dfa is any_string() else strings.dfa,
        )
        self._leaf = DocumentLeaf(document.passage, pieces) if pieces.begin.size else None
        self.language: FiniteLeaf | None = self._leaf

    def spans(self, value: Any) -> list[Span]:
        """See ``GroundedLeaf``."""
        if self._leaf is None or not isinstance(value, str) or not value:
            return []
        return [self._span(place) for place in self._leaf.occurrences(_literal(value)[1:-1])]

    def texts(self, limit: int) -> list[bytes] | None:
        """See ``GroundedLeaf``."""
        places = self._leaf.pieces(limit) if self._leaf else []
        if places is None:
            return None
        spelled = self._document.passage.bytes.tobytes()
        return list(dict.fromkeys(b'"%s"' % spelled[begin:end] for begin, end in places))

    def _span(self, place: tuple[int, int]) -> Span:
        characters = self._document.passage.characters
        return self._document.span(int(characters[place[0]]), int(characters[place[1]]))


class _ValuesRead:
    """Values that are read from pieces of the document, each in one spelling of JSON.

    Of equal numbers, the spelling is that of the first.
    """

    def __init__(self, piece: Piece, document: Document) -> None:
        self._document = document
        self._texts: dict[object, bytes] = {}
        self._places: dict[object, _Places] = {}
        for value, text, place in _read_by_all(piece, document):
            key = json_key(value)
            self._texts.setdefault(key, text)
            places = self._places.setdefault(key, [])
            if place not in places[-8:]:
                places.append(place)
        self.language: FiniteLeaf | None = TextsLeaf(self._texts.values()) if self._texts else None

    def spans(self, value: Any) -> list[Span]:
        """See ``GroundedLeaf``."""
        return [self._document.span(*place) for place in sorted(set(self._places.get(json_key(value), ())))]

    def texts(self, limit: int) -> list[bytes] | None:
        """See ``GroundedLeaf``."""
        count = sum(map(len, self._places.values()))
        return None if count > limit else list(self._texts.values())


_Read = tuple[Any, bytes, tuple[int, int]]
"""A value, its JSON text, and the place it is read from."""


def _read_by_all(piece: Piece, document: Document) -> Iterable[_Read]:
    """What all readings of ``piece`` read, in the order of the document."""
    typed = [reading for reading in piece.readings if reading.kind != "text"]
    found = list(_read(piece, typed[0] if typed else piece.readings[0], document))
    for reading in typed[1:]:
        others = {(text, place) for _, text, place in _read(piece, reading, document)}
        found = [one for one in found if one[1:] in others]
    for reading in piece.readings:
        if reading.kind == "text" and typed:
            found = [one for one in found if _is_piece(one, reading, document)]
    return found


def _is_piece(one: _Read, reading: Reading, document: Document) -> bool:
    """Whether the value of ``one`` is the text of its place, and that a piece as ``reading`` has them."""
    value, _, (begin, end) = one
    edges = document.boundaries(reading.within)
    return (
        value == document.reading.text[begin:end]
        and bool(edges.starts[begin] and edges.ends[end])
        and (edges.bounds is None or end <= int(edges.bounds[begin]))
        and end - begin >= reading.min_chars
    )


def _read(piece: Piece, reading: Reading, document: Document) -> Iterator[_Read]:
    """What ``reading`` alone reads, and ``piece.base`` admits."""
    base, text = piece.base, document.reading.text
    match reading.kind:
        case "text":
            assert isinstance(base, Sentence), "other texts are read as they stand"
            for begin, end in _sentences(base, reading, document):
                yield text[begin:end], _literal(text[begin:end]), (begin, end)
        case "date":
            yield from _read_typed(
                piece, reading, document, lambda part: (one.isoformat() for one in read_dates(part, reading.day_first))
            )
        case "datetime":
            yield from _read_typed(
                piece, reading, document, lambda part: (_iso(one) for one in read_datetimes(part, reading.day_first))
            )
        case "number":
            yield from _read_typed(piece, reading, document, read_numbers)
        case "choice":
            yield from _choices(base, reading, document)
        case _:
            assert_never(reading.kind)


def _iso(value: Any) -> str:
    return str(value.isoformat()).replace("+00:00", "Z")


def _read_typed(
    piece: Piece, reading: Reading, document: Document, values_of: Callable[[str], Iterable[str | Decimal]]
) -> Iterator[_Read]:
    """The values that ``values_of`` gives for each piece that may be a spelling."""
    text = document.reading.text
    values: dict[str, list[tuple[Any, bytes]]] = {}
    for begin, end in _places(document, reading, candidates(reading.kind)):
        part = text[begin:end]
        if part not in values:
            values[part] = [read for value in dict.fromkeys(values_of(part)) for read in _admitted(piece.base, value)]
        yield from ((value, spelled, (begin, end)) for value, spelled in values[part])


def _admitted(base: Any, value: str | Decimal) -> Iterator[tuple[Any, bytes]]:
    """``value`` and its JSON text, if it is in ``base``."""
    match base:
        case String() if isinstance(value, str) and holds(base, value):
            yield value, _literal(value)
        case Number() if isinstance(value, Decimal):
            spelled = _numeral(base, value)
            if spelled is not None:
                yield value, spelled
        case Enumeration(values):
            for listed in values:
                if json_key(listed) == json_key(value):
                    yield listed, _literal(listed)


def _numeral(base: Number, value: Decimal) -> bytes | None:
    """The spelling of a number with the decimals that it has in the document, or else with the fewest."""
    strings = numeral(base)
    whole = value == value.to_integral_value()
    for one in (value, value.to_integral_value() if whole else value.normalize()):
        spelled = f"{one:f}".encode()
        if strings.accepts(spelled):
            return spelled
    return None


def _choices(base: Any, reading: Reading, document: Document) -> Iterator[_Read]:
    """The listed values whose names stand in the document, in any case; numbers in any of their spellings."""
    assert isinstance(base, Enumeration), "values are chosen from a list"
    if not isinstance(base.values[0], str):
        yield from _read_typed(Piece(base, (reading,)), replace(reading, kind="number"), document, read_numbers)
        return
    folded = _folded(document.reading.text)
    edges = document.boundaries(reading.within)
    found: list[_Read] = []
    for value in base.values:
        name = _folded(value)
        begin = folded.find(name) if name else -1
        while begin >= 0:
            end = begin + len(name)
            if (
                len(name) >= reading.min_chars
                and edges.starts[begin]
                and edges.ends[end]
                and (edges.bounds is None or end <= edges.bounds[begin])
            ):
                found.append((value, _literal(value), (begin, end)))
            begin = folded.find(name, begin + 1)
    yield from sorted(found, key=lambda one: one[2])


def _folded(text: str) -> str:
    """The text in small letters, as many characters as before."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(one.lower() if len(one.lower()) == 1 else one for one in text)


def _sentences(base: Sentence, reading: Reading, document: Document) -> Iterator[tuple[int, int]]:
    """The pieces that a grammar derives: its recogniser reads on from each start as long as it can.

    Raises ``CompileBudgetError`` where that is too long.
    """
    edges = document.boundaries(reading.within)
    text, steps = document.reading.text, 0
    for begin in range(len(text)):
        if not edges.starts[begin]:
            continue
        matcher = _recogniser(base.grammar, base.start).matcher()
        end = len(text) if edges.bounds is None else int(edges.bounds[begin])
        for at in range(begin, end):
            steps += 1
            if steps > _MOST_GRAMMAR_STEPS:
                raise CompileBudgetError(
                    f"the grammar was tried on more than {_MOST_GRAMMAR_STEPS} characters of the document, the limit"
                )
            if not all(map(matcher.accept, text[at].encode())):
                break
            if edges.ends[at + 1] and at + 1 - begin >= reading.min_chars and matcher.is_complete():
                yield begin, at + 1


@lru_cache(maxsize=64)
def _recogniser(grammar: str, start: str) -> GrammarMatchers:
    """The matchers of a grammar's texts, a byte a token. As many are kept as by the annotations' own checks."""
    from schema_compiler.grammar.ebnf.lowering import text_grammar  # few schemas hold grammars

    read = text_grammar(grammar, start=start)
    tokens = [*(bytes((byte,)) for byte in range(256)), None]
    return GrammarMatchers(lambda: read.grammar, Vocabulary(tokens, [256]))


def _places(document: Document, reading: Reading, strings: Dfa) -> _Places:
    """The pieces that ``strings`` admits. Raises ``CompileBudgetError`` where there are too many."""
    edges = document.boundaries(reading.within)
    pieces = _pieces(document, edges, minimum=reading.min_chars, maximum=None, strings=strings)
    if not pieces.begin.size:
        return []
    found = DocumentLeaf(document.passage, pieces).pieces(_MOST_PIECES)
    if found is None:
        raise CompileBudgetError(f"more than {_MOST_PIECES} pieces of the document may be a {reading.kind}, the limit")
    characters = document.passage.characters
    return [(int(characters[begin]), int(characters[end])) for begin, end in found]


def _pieces(document: Document, edges: Boundaries, *, minimum: int, maximum: int | None, strings: Dfa | None) -> Pieces:
    return pieces_of(
        document.passage,
        edges.starts,
        edges.ends,
        bounds=edges.bounds,
        minimum=minimum,
        maximum=maximum,
        strings=strings,
    )


def _literal(value: Any) -> bytes:
    return string_literal(value) if isinstance(value, str) else json.dumps(value).encode()
