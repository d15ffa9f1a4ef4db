"""Stacks shared like a tree: a frame is a return node on top of another frame.

Where a grammar is ambiguous, one text leads to many stacks at the same node, and in time to more than can be written
down. They part at a *merged stack*, which stands for all of them: the graph-structured stack of Tomita (1985)::

    node 7   return to 3, then to 1   |   return to 5, then to 1       one thread at node 7, its stack merged of two

Equal stacks are one object (hash-consing), so that states can be compared and looked up by identity.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from mypy_extensions import mypyc_attr

from schema_compiler.engine.vocabulary.vocabulary import Vocabulary

__all__ = ["Frame", "MergedStack", "Stack", "Stacks", "Thread", "frames_of"]

_NO_TEXTS: frozenset[bytes] = frozenset()
_NO_TOKENS: frozenset[int] = frozenset()

_FRAME_BYTES = 250
"""About what a frame takes with its table entry: the object, its key, the entry (``sys.getsizeof`` of each, added)."""
_MERGED_BYTES = 1000
"""About what a merged stack takes, with two sets of some ten frames each."""


@mypyc_attr(acyclic=True)
class Frame:
    """Where a call returns to, and the caller's own stack (``None``: the document's end).

    ``used``: the texts that leaves of the call have read and may not read again. ``held``: the tokens in which such a
    text, of this call or one further down, may stand whole.
    """

    __slots__ = ("below", "held", "node", "used")

    def __init__(self, node: int, below: Stack | None, used: frozenset[bytes], held: frozenset[int]) -> None:
        self.node = node
        self.below = below
        self.used = used
        self.held = held


@mypyc_attr(acyclic=True)
class MergedStack:
    """Any of several stacks."""

    __slots__ = ("frames", "held")

    def __init__(self, frames: frozenset[Frame]) -> None:
        self.frames = frames
        self.held: frozenset[int] = _NO_TOKENS.union(*[frame.held for frame in frames])


Stack: TypeAlias = Frame | MergedStack

Thread: TypeAlias = tuple[int, Stack | None]
"""Where one derivation stands: a node, and what to return to."""


def frames_of(stack: Stack | None) -> tuple[Frame, ...]:
    """The frames on top of a stack: one, or those of a merged stack."""
    if stack is None:
        return ()
    return (stack,) if isinstance(stack, Frame) else tuple(stack.frames)


class Stacks:
    """Every stack met so far, each once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._frames: dict[tuple[object, ...], Frame] = {}
        self._merged: dict[frozenset[Frame], MergedStack] = {}

    @property
    def nbytes(self) -> int:
        """About how many bytes they take."""
        return len(self._frames) * _FRAME_BYTES + len(self._merged) * _MERGED_BYTES

    def frame(self, node: int, below: Stack | None, used: frozenset[bytes] = _NO_TEXTS) -> Frame:
        """The frame of a call that returns to ``node`` on top of ``below``."""
        key = (node, below, used) if used else (node, below)
        frame = self._frames.get(key)
        if frame is None:
            held = _NO_TOKENS if below is None else below.held
            if used:
                held = held.union(*[self._vocabulary.quoted_tokens.holding(text) for text in used])
            frame = self._frames.setdefault(key, Frame(node, below, used, held))
        return frame

    def after_reading(self, frame: Frame, text: bytes) -> Frame:
        """``frame``, that of a leaf's call, when the leaf has read ``text``: its caller may not read it again."""
        caller = frame.below
        assert isinstance(caller, Frame), "leaves that remember are called from one rule at a time"
        return self.frame(frame.node, self.frame(caller.node, caller.below, caller.used | {text}))

    def merged(self, frames: Iterable[Frame]) -> Stack:
        """A stack that stands for all of ``frames`` (at least one)."""
        distinct = frozenset(frames)
        if len(distinct) == 1:
            return next(iter(distinct))
        stack = self._merged.get(distinct)
        return stack if stack is not None else self._merged.setdefault(distinct, MergedStack(distinct))
