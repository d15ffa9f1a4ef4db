"""What one rule says about the tokens that continue a position, its callers left aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeGuard, cast

import numpy as np

from schema_compiler.engine.trie import Int32Array, Position, Row, Trie

__all__ = ["Piece", "Scan", "piece_of", "pieces_at", "row_of", "size_of", "without"]

Piece: TypeAlias = "tuple[int, ...] | Int32Array | Row"
"""A set of tokens in the form that suits its size (XGrammar's adaptive storage): a few ids, ids, or a packed row."""

_FEW = 64
"""Sets up to this size are kept as plain integers, which are set in a row faster than numpy is called."""


_MANY = 8
"""A row may take so many times the memory of ids: one operation adds it to another row, whatever its size."""


class Scan:
    """``pieces``: the context-independent tokens, those that end inside the rule.

    ``rest``: where in longer tokens the rule can have ended; its callers decide about those (the
    context-dependent remainder). ``empty``: the rule may also end here, before the token goes on. Never changed.
    """

    __slots__ = ("empty", "pieces", "rest")

    def __init__(self, pieces: tuple[Piece, ...], rest: Position | None, empty: bool) -> None:
        self.pieces = pieces
        self.rest = rest
        self.empty = empty


def piece_of(ids: Int32Array, trie: Trie) -> Piece:
    """The form that suits a token set; ids may repeat."""
    if ids.size * _MANY >= trie.words:
        return trie.row(ids)
    distinct = np.unique(ids)
    return tuple(distinct.tolist()) if distinct.size <= _FEW else distinct


def pieces_at(nodes: Int32Array, trie: Trie) -> tuple[Piece, ...]:
    """The tokens that end at ``nodes``: one piece, or none."""
    if nodes.size * _MANY > trie.words:
        return (trie.row_at(nodes),)
    ids, _ = trie.tokens_at(nodes)
    return (piece_of(ids, trie),) if ids.size else ()


def size_of(piece: Piece) -> int:
    """About how many bytes a piece takes."""
    return 60 + 8 * len(piece) if isinstance(piece, tuple) else piece.nbytes


def without(piece: Piece, lost: Sequence[int]) -> Piece:
    """The piece less a few tokens."""
    if not lost:
        return piece
    if isinstance(piece, tuple):
        return tuple(token for token in piece if token not in lost)
    if not _is_row(piece):
        return np.setdiff1d(piece, lost).astype(np.int32)
    packed = bytearray(piece)
    for token in lost:
        packed[token >> 3] &= ~(1 << (token & 7))
    return np.frombuffer(packed, "<u4").view(np.uint32)


def row_of(pieces: Sequence[Piece], trie: Trie) -> Row:
    """The union of the pieces as one packed row."""
    rows: list[Row] = []
    arrays: list[Int32Array] = []
    few: list[int] = []
    for piece in pieces:
        if isinstance(piece, tuple):
            few.extend(piece)
        elif _is_row(piece):
            rows.append(piece)
        else:
            arrays.append(cast("Int32Array", piece))
    if len(rows) == 1 and not few and not arrays:
        return rows[0]
    packed = bytearray(rows[0]) if rows else bytearray(4 * trie.words)
    for token in few:
        packed[token >> 3] |= 1 << (token & 7)
    row = np.frombuffer(packed, "<u4").view(np.uint32)
    for other in rows[1:]:
        row |= other
    if arrays:
        every = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
        np.bitwise_or.at(row, every >> 5, _BIT[every & 31])
    return row


def _is_row(piece: Int32Array | Row) -> TypeGuard[Row]:
    return piece.dtype == np.uint32


_BIT = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
