"""Stacks shared like a tree: a frame is a return node on top of another frame.

Where a grammar is ambiguous, one text leads to many stacks at the same node, and in time to more than can be written
down. They part at a *join*, which stands for all of them: the graph-structured stack of Tomita (1985).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

__all__ = ["UNUSED", "Frame", "Join", "Stack", "Thread", "branches", "frames_in"]

UNUSED: frozenset[bytes] = frozenset()


class Frame:
    """Where a call returns to, and the caller's own stack (``None``: the document's end).

    ``used``: the texts that leaves of the call have read and may not read again.
    """

    __slots__ = ("below", "node", "used")

    def __init__(self, node: int, below: Stack | None, used: frozenset[bytes]) -> None:
        self.node = node
        self.below = below
        self.used = used


class Join:
    """Any of several stacks."""

    __slots__ = ("frames",)

    def __init__(self, frames: frozenset[Frame]) -> None:
        self.frames = frames


Stack: TypeAlias = Frame | Join

Thread: TypeAlias = tuple[int, Stack | None]
"""Where one derivation stands: a node, and what to return to."""


def branches(stack: Stack | None) -> tuple[Frame, ...]:
    """The frames on top of a stack: one, or those of a join."""
    if stack is None:
        return ()
    return (stack,) if isinstance(stack, Frame) else tuple(stack.frames)


def frames_in(stack: Stack | None) -> Iterator[Frame]:
    """Every frame of a stack, each once, with callers behind some frame that they called."""
    waiting = list(branches(stack))
    seen = set(waiting)
    while waiting:
        frame = waiting.pop()
        yield frame
        fresh = [below for below in branches(frame.below) if below not in seen]
        seen.update(fresh)
        waiting += fresh
