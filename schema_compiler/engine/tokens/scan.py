"""What one rule says about the tokens that continue a position, its callers left aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeGuard, cast

import numpy as np
import numpy.typing as npt
from mypy_extensions import mypyc_attr

from schema_compiler.engine.tokens.trie import Int32Array, Position, Row, Trie, distinct, runs

__all__ = [
    "Piece",
    "Scan",
    "Words",
    "flat",
    "key_of",
    "piece_of",
    "pieces_at",
    "place_of",
    "row_of",
    "size_of",
    "unflattened",
    "without",
]

_POSITION_BITS = 32

_FEW = 12
"""Sets up to this size are kept as plain integers, which are set in a row faster than numpy is called."""

_MANY = 8
"""A row may take so many times the memory of ids: one operation adds it to another row, whatever its size."""


@mypyc_attr(acyclic=True)
class Words:
    """A token set of moderate size: the words of a row that it has bits in (intp, ascending), and those (uint32)."""

    __slots__ = ("bits", "words")

    def __init__(self, words: npt.NDArray[np.intp], bits: Row) -> None:
        self.words = words
        self.bits = bits

    @classmethod
    def of(cls, ids: Int32Array) -> Words:
        """The set of ``ids``, ascending and distinct."""
        words = ids >> 5
        starts = runs(words)
        return cls(words[starts].astype(np.intp), np.bitwise_or.reduceat(_BIT[ids & 31], starts))

    def ids(self) -> Int32Array:
        """The ids, ascending."""
        places, bits = np.nonzero(self.bits[:, None] & _BIT)
        return (self.words[places] * 32 + bits).astype(np.int32)

    def without(self, lost: Sequence[int]) -> Words:
        """The set less a few tokens."""
        bits = self.bits.copy()
        for token in lost:
            bits[self.words == token >> 5] &= ~_BIT[token & 31]
        return Words(self.words, bits)


Piece: TypeAlias = "tuple[int, ...] | Words | Row"
"""A set of tokens in the form that suits its size (XGrammar's adaptive storage): a few ids, words, or a whole row."""


@mypyc_attr(acyclic=True)
class Scan:
    """``pieces``: the context-independent tokens, those that end inside the rule.

    ``rest``: where in longer tokens the rule can have ended; its callers decide about those (the
    context-dependent remainder). ``empty``: the rule may also end here, before the token goes on. Never changed.
    """

    __slots__ = ("empty", "pieces", "rest")

    def __init__(self, pieces: tuple[Piece, ...], rest: Position, empty: bool) -> None:
        self.pieces = pieces
        self.rest = rest
        self.empty = empty


def key_of(position: Position, state: int) -> int:
    """The key of a scan from ``position`` in ``state``: one integer, which no garbage collector looks at."""
    return state << _POSITION_BITS | position


def place_of(key: int) -> tuple[Position, int]:
    """The position and the state of a key."""
    return key & (1 << _POSITION_BITS) - 1, key >> _POSITION_BITS


def piece_of(ids: Int32Array, trie: Trie) -> Piece:
    """The form that suits a token set; ids may repeat."""
    if ids.size * _MANY >= trie.words:
        return trie.row(ids)
    once = distinct(ids)
    return tuple(once.tolist()) if once.size <= _FEW else Words.of(once)


def pieces_at(nodes: Int32Array, trie: Trie) -> tuple[Piece, ...]:
    """The tokens that end at ``nodes``: one piece, or none."""
    if nodes.size > trie.words:
        return (trie.row_at(nodes),)
    ids, _ = trie.tokens_at(nodes)
    return (piece_of(ids, trie),) if ids.size else ()


def flat(piece: Piece) -> Int32Array | Row:
    """A piece as one array: the ids (int32), or a packed row (uint32)."""
    if isinstance(piece, Words):
        return piece.ids()
    return np.array(piece, np.int32) if isinstance(piece, tuple) else piece


def unflattened(array: Int32Array | Row, trie: Trie) -> tuple[Piece, ...]:
    """The piece that ``flat`` made an array of; none for an empty array."""
    if array.size == 0:
        return ()
    return (array if _is_row(array) else piece_of(cast("Int32Array", array), trie),)


def size_of(piece: Piece) -> int:
    """About how many bytes a piece takes."""
    if isinstance(piece, tuple):
        return 60 + 8 * len(piece)
    return piece.words.nbytes + piece.bits.nbytes if isinstance(piece, Words) else piece.nbytes


def without(piece: Piece, lost: Sequence[int]) -> Piece:
    """The piece less a few tokens."""
    if not lost:
        return piece
    if isinstance(piece, tuple):
        return tuple(token for token in piece if token not in lost)
    if isinstance(piece, Words):
        return piece.without(lost)
    packed = bytearray(piece)
    for token in lost:
        packed[token >> 3] &= ~(1 << (token & 7))
    return _as_row(packed)


def row_of(pieces: Sequence[Piece], trie: Trie) -> Row:
    """The union of the pieces as one packed row."""
    rows: list[Row] = []
    words: list[Words] = []
    few: list[int] = []
    for piece in pieces:
        if isinstance(piece, tuple):
            few.extend(piece)
        elif isinstance(piece, Words):
            words.append(piece)
        else:
            rows.append(piece)
    if len(rows) == 1 and not few and not words:
        return rows[0]
    packed = bytearray(rows[0]) if rows else bytearray(4 * trie.words)
    for token in few:
        packed[token >> 3] |= 1 << (token & 7)
    row = _as_row(packed)
    for other in rows[1:]:
        row |= other
    for some in words:
        row[some.words] |= some.bits
    return row


def _as_row(packed: bytearray) -> Row:
    """The bytes as they are: ``frombuffer`` would put a memoryview between, which the garbage collector looks at."""
    return np.ndarray(len(packed) // 4, np.uint32, packed)


def _is_row(array: Int32Array | Row) -> TypeGuard[Row]:
    return array.dtype == np.uint32


_BIT = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
