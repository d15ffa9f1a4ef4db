"""Sets of tokens, each in the form that suits its size: XGrammar's adaptive storage (arXiv 2411.15100, section 3.1).

A few ids are integers, which are set in a mask faster than numpy is called; more are the words of a mask that are not
empty; most of a vocabulary is a whole mask::

    {3, 40}    (3, 40)        hundreds    words 0, 7, 9 … and their bits        half of all    one packed row
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeGuard, cast

import numpy as np
import numpy.typing as npt
from mypy_extensions import mypyc_attr

from schema_compiler.engine.tokens.trie import Int32Array, TokenMask, Trie, distinct, runs

__all__ = [
    "SparseMask",
    "TokenSet",
    "flatten",
    "mask_without",
    "nbytes_of",
    "token_set_of",
    "token_sets_at",
    "unflatten",
    "union_of",
    "without",
]


_FEW = 12
"""Sets up to this size are kept as plain integers, which are set in a row faster than numpy is called."""

_MANY = 8
"""A set becomes a whole mask even where that takes so many times the memory of its ids.

It is then added to another mask by one operation, whatever its size; ids must be sorted and scattered. Chosen, not
measured.
"""


@mypyc_attr(acyclic=True)
class SparseMask:
    """A token set of moderate size: the words of a mask that it has bits in (intp, ascending), and those (uint32)."""

    __slots__ = ("bits", "words")

    def __init__(self, words: npt.NDArray[np.intp], bits: TokenMask) -> None:
        self.words = words
        self.bits = bits

    @classmethod
    def of(cls, ids: Int32Array) -> SparseMask:
        """The set of ``ids``, ascending and distinct."""
        words = ids >> 5
        starts = runs(words)
        return cls(words[starts].astype(np.intp), np.bitwise_or.reduceat(_BIT[ids & 31], starts))

    def ids(self) -> Int32Array:
        """The ids, ascending."""
        indices, bits = np.nonzero(self.bits[:, None] & _BIT)
        return (self.words[indices] * 32 + bits).astype(np.int32)

    def without(self, lost: Sequence[int]) -> SparseMask:
        """The set less a few tokens."""
        bits = self.bits.copy()
        for token in lost:
            bits[self.words == token >> 5] &= ~_BIT[token & 31]
        return SparseMask(self.words, bits)


TokenSet: TypeAlias = "tuple[int, ...] | SparseMask | TokenMask"
"""A set of tokens in the form that suits its size (XGrammar's adaptive storage): a few ids, words, or a whole mask."""


def token_set_of(ids: Int32Array, trie: Trie) -> TokenSet:
    """The form that suits a token set; ids may repeat."""
    if ids.size * _MANY >= trie.words:
        return trie.row(ids)
    once = distinct(ids)
    return tuple(once.tolist()) if once.size <= _FEW else SparseMask.of(once)


def token_sets_at(nodes: Int32Array, trie: Trie) -> tuple[TokenSet, ...]:
    """The tokens that end at ``nodes``: one set, or none."""
    if nodes.size > trie.words:
        return (trie.row_at(nodes),)
    ids, _ = trie.tokens_at(nodes)
    return (token_set_of(ids, trie),) if ids.size else ()


def flatten(token_set: TokenSet) -> Int32Array | TokenMask:
    """A token set as one array: the ids (int32), or a packed mask (uint32)."""
    if isinstance(token_set, SparseMask):
        return token_set.ids()
    return np.array(token_set, np.int32) if isinstance(token_set, tuple) else token_set


def unflatten(array: Int32Array | TokenMask, trie: Trie) -> tuple[TokenSet, ...]:
    """The token set that ``flatten`` made an array of; none for an empty array."""
    if array.size == 0:
        return ()
    return (array if _is_mask(array) else token_set_of(cast("Int32Array", array), trie),)


def nbytes_of(token_set: TokenSet) -> int:
    """About how many bytes a token set takes."""
    if isinstance(token_set, tuple):
        return 60 + 8 * len(token_set)
    return token_set.words.nbytes + token_set.bits.nbytes if isinstance(token_set, SparseMask) else token_set.nbytes


def without(token_set: TokenSet, lost: Sequence[int]) -> TokenSet:
    """The set less a few tokens."""
    if not lost:
        return token_set
    if isinstance(token_set, tuple):
        return tuple(token for token in token_set if token not in lost)
    if isinstance(token_set, SparseMask):
        return token_set.without(lost)
    return mask_without(token_set, lost)


def mask_without(mask: TokenMask, lost: Sequence[int]) -> TokenMask:
    """A mask less a few tokens."""
    packed = bytearray(mask)
    for token in lost:
        packed[token >> 3] &= ~(1 << (token & 7))
    return _as_mask(packed)


def union_of(token_sets: Sequence[TokenSet], trie: Trie) -> TokenMask:
    """The union of the sets as one packed mask; the very mask where a single one is given."""
    masks: list[TokenMask] = []
    sparse: list[SparseMask] = []
    ids: list[int] = []
    for token_set in token_sets:
        if isinstance(token_set, tuple):
            ids.extend(token_set)
        elif isinstance(token_set, SparseMask):
            sparse.append(token_set)
        else:
            masks.append(token_set)
    if len(masks) == 1 and not ids and not sparse:
        return masks[0]
    packed = bytearray(masks[0]) if masks else bytearray(4 * trie.words)
    for token in ids:
        packed[token >> 3] |= 1 << (token & 7)
    union = _as_mask(packed)
    for mask in masks[1:]:
        union |= mask
    for one in sparse:
        union[one.words] |= one.bits
    return union


def _as_mask(packed: bytearray) -> TokenMask:
    """The bytes as they are: ``frombuffer`` would put a memoryview between, which the garbage collector looks at."""
    return np.ndarray(len(packed) // 4, np.uint32, packed)


def _is_mask(array: Int32Array | TokenMask) -> TypeGuard[TokenMask]:
    return array.dtype == np.uint32


_BIT = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
"""The 32 words of one bit."""
