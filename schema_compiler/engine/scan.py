"""What one rule says about the tokens that continue a position, its callers left aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

import numpy as np

from schema_compiler.engine.trie import Int32Array, Position, Row, Trie

__all__ = ["Piece", "Scan", "piece_of", "pieces_at", "row_of", "without"]

Piece: TypeAlias = Int32Array | Row
"""A set of tokens: int32 ids, or a packed row, whichever is smaller (XGrammar's adaptive storage)."""


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """``pieces``: the context-independent tokens, those that end inside the rule.

    ``rest``: where in longer tokens the rule can have ended; its callers decide about those (the
    context-dependent remainder). ``empty``: the rule may also end here, before the token goes on.
    """

    pieces: tuple[Piece, ...]
    rest: Position | None
    empty: bool


def piece_of(ids: Int32Array, trie: Trie) -> Piece:
    """The smaller of the two forms of a token set; ids may repeat."""
    return np.unique(ids) if ids.size < trie.words else trie.row(ids)


def pieces_at(nodes: Int32Array, trie: Trie) -> tuple[Piece, ...]:
    """The tokens that end at ``nodes``: one piece, or none."""
    if nodes.size > trie.words:
        return (trie.row_at(nodes),)
    ids, _ = trie.tokens_at(nodes)
    return (piece_of(ids, trie),) if ids.size else ()


def without(piece: Piece, lost: Int32Array) -> Piece:
    """The piece less some tokens."""
    if lost.size == 0:
        return piece
    if not _is_row(piece):
        return np.setdiff1d(piece, lost).astype(np.int32)
    row = piece.copy()
    np.bitwise_and.at(row, lost >> 5, ~_BIT[lost & 31])
    return row


def row_of(pieces: Sequence[Piece], trie: Trie) -> Row:
    """The union of the pieces as one packed row."""
    rows = [piece for piece in pieces if _is_row(piece)]
    if len(rows) == 1 == len(pieces):
        return rows[0]
    row = rows[0].copy() if rows else np.zeros(trie.words, np.uint32)
    for other in rows[1:]:
        row |= other
    ids = [piece for piece in pieces if not _is_row(piece)]
    if ids:
        every = ids[0] if len(ids) == 1 else np.concatenate(ids)
        np.bitwise_or.at(row, every >> 5, _BIT[every & 31])
    return row


def _is_row(piece: Piece) -> TypeGuard[Row]:
    return piece.dtype == np.uint32


_BIT = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
