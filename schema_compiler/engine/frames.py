"""Stacks shared like a tree: a frame is a return node on top of another frame."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["Frame", "Thread"]


class Frame:
    """Where a call returns to, and the caller's own frame (``None``: the document's end)."""

    __slots__ = ("below", "node")

    def __init__(self, node: int, below: Frame | None) -> None:
        self.node = node
        self.below = below


Thread: TypeAlias = tuple[int, Frame | None]
"""Where one derivation stands: a node, and what to return to."""
