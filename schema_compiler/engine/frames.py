"""Stacks shared like a tree: a frame is a return node on top of another frame."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["UNUSED", "Frame", "Thread"]

UNUSED: frozenset[bytes] = frozenset()


class Frame:
    """Where a call returns to, and the caller's own frame (``None``: the document's end).

    ``used``: the texts that leaves of the call have read and may not read again.
    """

    __slots__ = ("below", "node", "used")

    def __init__(self, node: int, below: Frame | None, used: frozenset[bytes]) -> None:
        self.node = node
        self.below = below
        self.used = used


Thread: TypeAlias = tuple[int, Frame | None]
"""Where one derivation stands: a node, and what to return to."""
