r"""Texts that may not come twice: the keys of one object, the items of a list that must differ.

A leaf that remembers what it has read returns it to its caller, whose frame keeps it among its used texts. From then on
a step of the leaf that would complete a used text is illegal::

    {"a": 1, "           used {"a"}           a" is illegal here, ab" is not

Reading byte by byte that is one look-up. A mask is another matter: scans know nothing of used texts, so the tokens that
may complete one are found beforehand, and each is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schema_compiler.engine.leaves.leaf import LeafLanguage
from schema_compiler.engine.pushdown.automaton import LEAF, Automaton
from schema_compiler.engine.pushdown.stacks import Frame, Stack, Thread
from schema_compiler.engine.tokens.trie import TokenMask
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary

__all__ = ["Repeats", "completes_used_text"]


def completes_used_text(language: LeafLanguage, state: int, stack: Stack | None) -> bool:
    """Whether a leaf that is called on ``stack`` has in ``state`` read a whole text that its caller has used."""
    if not isinstance(stack, Frame) or not isinstance(stack.below, Frame) or not stack.below.used:
        return False
    return language.accepting(state) and language.text(state) in stack.below.used


class Repeats:
    """Finds the tokens that may complete a used text."""

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary) -> None:
        self._automaton = automaton
        self._vocabulary = vocabulary

    def suspects(self, threads: Iterable[Thread], mask: TokenMask) -> set[int]:
        """Tokens of ``mask`` that hold a used text whole, or the rest of one, or the same text twice.

        ``threads``: those of a state after all calls and returns. Some suspects are legal.
        """
        quoted_tokens = self._vocabulary.quoted_tokens
        suspects = set(quoted_tokens.repeating)
        for node, stack in threads:
            if stack is not None and stack.held:
                suspects |= stack.held
            if node < LEAF:
                continue
            language, state = self._automaton.language(node)
            if language.remembers and isinstance(stack, Frame) and isinstance(stack.below, Frame):
                begun = language.text(state)
                suspects.update(quoted_tokens.repeating_after(begun))
                suspects.update(self._completing(begun, stack.below.used))
        return {token for token in suspects if mask[token >> 5] >> (token & 31) & 1}

    def _completing(self, begun: bytes, used: Iterable[bytes]) -> Iterator[int]:
        """The tokens that begin with what is missing of a used text after ``begun``."""
        for text in used:
            if b"\\u" in text:  # which may be spelled in upper case, too
                yield from range(len(self._vocabulary))
            elif text.startswith(begun):
                yield from self._vocabulary.trie.tokens_below(text[len(begun) :])
