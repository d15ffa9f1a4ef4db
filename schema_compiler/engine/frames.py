"""Stacks shared like a tree: a frame is a return node on top of another frame.

Where a grammar is ambiguous, one text leads to many stacks at the same node, and in time to more than can be written
down. They part at a *join*, which stands for all of them: the graph-structured stack of Tomita (1985).
"""

from __future__ import annotations

from typing import TypeAlias

from mypy_extensions import mypyc_attr

__all__ = ["UNUSED", "Frame", "Join", "Stack", "Thread", "branches", "texts_used"]

UNUSED: frozenset[bytes] = frozenset()


@mypyc_attr(acyclic=True)
class Frame:
    """Where a call returns to, and the caller's own stack (``None``: the document's end).

    ``used``: the texts that leaves of the call have read and may not read again. ``marked``: whether there are such
    texts here or further down.
    """

    __slots__ = ("below", "marked", "node", "used")

    def __init__(self, node: int, below: Stack | None, used: frozenset[bytes]) -> None:
        self.node = node
        self.below = below
        self.used = used
        self.marked: bool = bool(used) or (below is not None and below.marked)


@mypyc_attr(acyclic=True)
class Join:
    """Any of several stacks."""

    __slots__ = ("frames", "marked")

    def __init__(self, frames: frozenset[Frame]) -> None:
        self.frames = frames
        self.marked: bool = any(frame.marked for frame in frames)


Stack: TypeAlias = Frame | Join

Thread: TypeAlias = tuple[int, Stack | None]
"""Where one derivation stands: a node, and what to return to."""


def branches(stack: Stack | None) -> tuple[Frame, ...]:
    """The frames on top of a stack: one, or those of a join."""
    if stack is None:
        return ()
    return (stack,) if isinstance(stack, Frame) else tuple(stack.frames)


def texts_used(stack: Stack | None) -> set[bytes]:
    """The used texts of all frames of a stack."""
    found: set[bytes] = set()
    waiting = [stack] if stack is not None and stack.marked else []
    seen = set(waiting)
    while waiting:
        for frame in branches(waiting.pop()):
            found |= frame.used
            if frame.below is not None and frame.below.marked and frame.below not in seen:
                seen.add(frame.below)
                waiting.append(frame.below)
    return found
