"""Stacks shared like a tree: a frame is a return node on top of another frame.

Where a grammar is ambiguous, one text leads to many stacks at the same node, and in time to more than can be written
down. They part at a *join*, which stands for all of them: the graph-structured stack of Tomita (1985).
"""

from __future__ import annotations

from typing import TypeAlias

from mypy_extensions import mypyc_attr

__all__ = ["NO_TOKENS", "UNUSED", "Frame", "MergedStack", "Stack", "Thread", "frames_of"]

UNUSED: frozenset[bytes] = frozenset()
NO_TOKENS: frozenset[int] = frozenset()


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
        self.held: frozenset[int] = NO_TOKENS.union(*[frame.held for frame in frames])


Stack: TypeAlias = Frame | MergedStack

Thread: TypeAlias = tuple[int, Stack | None]
"""Where one derivation stands: a node, and what to return to."""


def frames_of(stack: Stack | None) -> tuple[Frame, ...]:
    """The frames on top of a stack: one, or those of a join."""
    if stack is None:
        return ()
    return (stack,) if isinstance(stack, Frame) else tuple(stack.frames)
