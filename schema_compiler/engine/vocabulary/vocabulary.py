"""A language model's vocabulary, seen as bytes: which text each token id stands for.

Engines that work on decoded strings go wrong where a token is half a character; bytes have no such cases. A
token is ``None`` where it stands for no text: special tokens, padding rows of the model's output layer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from schema_compiler.engine.tokens.trie import NOWHERE, ROOT, Trie
from schema_compiler.engine.vocabulary import store
from schema_compiler.engine.vocabulary.leaves import Leaves
from schema_compiler.engine.vocabulary.quoted_tokens import QuotedTokens
from schema_compiler.errors import VocabularyError
from schema_compiler.regular.text.json_strings import QUOTE

__all__ = ["LEAF_BUDGET", "Vocabulary"]

LEAF_BUDGET = 1 << 26
"""How many bytes node sets, leaf tables and their scans may come to, by their own estimate: 64 MiB.

A type of five fields of different kinds comes to 1.7 MB over 129,000 tokens, most of it shared with other types, so
that only ever new patterns get there. Chosen as what a process can spare.
"""


class Vocabulary:
    """Token texts by id, and the ids that end a sequence.

    ``tokens[i]`` is the text of token ``i``, or ``None`` (also ``b""``) when it never stands for text. EOS ids are
    special whatever their text. ``len(vocabulary)`` is the width of the model's output layer. ``cache_folder``: where
    the tables made for this vocabulary may be kept for later processes; see ``save``.
    Raises ``VocabularyError`` when there are no tokens, or an EOS id lies outside.
    """

    def __init__(
        self,
        tokens: Sequence[bytes | None],
        eos_token_ids: Collection[int],
        *,
        cache_folder: Path | None = None,
    ) -> None:
        self._cache_folder = cache_folder
        self._leaves: Leaves | None = None
        if not eos_token_ids:
            raise VocabularyError("expected at least one EOS token id, found none")
        for token_id in eos_token_ids:
            if not 0 <= token_id < len(tokens):
                raise VocabularyError(f"EOS token id {token_id} is outside the vocabulary of {len(tokens)} tokens")
        self.eos_token_ids = frozenset(eos_token_ids)
        self.tokens: tuple[bytes | None, ...] = tuple(
            None if not text or token_id in self.eos_token_ids else text for token_id, text in enumerate(tokens)
        )
        if not any(self.tokens):
            raise VocabularyError(f"none of the {len(tokens)} tokens stands for text")

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def trie(self) -> Trie:
        """The byte trie of the texts."""
        return self.leaves.trie

    @property
    def leaves(self) -> Leaves:
        """The leaf languages in use over this vocabulary, with their scans.

        All grammars share them. When they have outgrown ``LEAF_BUDGET``, grammars compiled from then on start anew.
        """
        if self._leaves is None:
            self._leaves = self._first_leaves()
        elif self._leaves.trie.grown > LEAF_BUDGET:
            self._leaves = Leaves(self._leaves.trie.renewed(len(self)))
        return self._leaves

    def _first_leaves(self) -> Leaves:
        stored = store.load(self._file, len(self)) if self._file else None
        return Leaves(Trie.of(self.tokens)) if stored is None else stored

    @property
    def _file(self) -> Path | None:
        return self._cache_folder / f"{self.fingerprint}.vocabulary" if self._cache_folder else None

    @cached_property
    def quoted_tokens(self) -> QuotedTokens:
        """Which tokens hold a whole JSON string."""
        ids = self.trie.tokens_holding(QUOTE)
        return QuotedTokens((token_id, text) for token_id in ids if (text := self.tokens[token_id]))

    def save(self) -> None:
        """Keep the trie and all leaf scans made so far in the cache folder, for later processes.

        Does nothing without a cache folder. Raises ``OSError`` when the folder is not writable.
        """
        if self._file:
            store.save(self._file, self.leaves)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything masks depend on: each token's text, the EOS ids, the engine's version."""
        digest = hashlib.blake2b(f"{store.VERSION}".encode(), digest_size=16)
        lengths = [-1 if text is None else len(text) for text in self.tokens]
        digest.update(np.array([*sorted(self.eos_token_ids), -2, *lengths], np.int64).tobytes())
        digest.update(b"".join(text for text in self.tokens if text))
        return digest.hexdigest()

    def spelling(self, text: bytes) -> Sequence[int]:
        """The tokens whose text is ``text``; more than one where a vocabulary repeats itself."""
        node_set = ROOT
        for byte in text:
            node_set = self.trie.child(node_set, byte)
            if node_set == NOWHERE:
                return ()
        return self.trie.tokens(node_set)

    def tokenize(self, data: bytes) -> list[int]:
        """Token ids whose texts concatenate to ``data``, longest match first, backing off where that strands.

        Raises ``VocabularyError`` when no sequence of tokens spells ``data``.
        """
        trie = self.trie
        best: list[tuple[int, int] | None] = [None] * len(data)
        reachable = [False] * len(data) + [True]
        for start in range(len(data) - 1, -1, -1):
            node_set = ROOT
            for end in range(start + 1, len(data) + 1):
                following = trie.child(node_set, data[end - 1])
                if following == NOWHERE:
                    break
                node_set = following
                if reachable[end] and (ids := trie.tokens(node_set)):
                    best[start], reachable[start] = (ids[0], end), True
        if not reachable[0]:
            raise VocabularyError(f"no sequence of tokens spells {data!r}")
        spelled, start = [], 0
        while start < len(data):
            choice = best[start]
            assert choice is not None
            spelled.append(choice[0])
            start = choice[1]
        return spelled
