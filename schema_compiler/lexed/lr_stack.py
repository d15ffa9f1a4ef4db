"""LR stacks as persistent lists: a state, and the stack below it, kept once however often it is reached.

    "(" "(" NUMBER      Stack(NUMBER) -> Stack("(") -> Stack("(") -> Stack(start)
    "(" "(" NAME        Stack(NAME) ----^              the part below is the same object

A longer text then costs no more than a short one, and forking a parser copies a reference. Two texts that leave the
parser in the same state leave it with the same object, which is hashed and compared by identity.
"""

from __future__ import annotations

__all__ = ["Stack"]


class Stack:
    """An LR ``state`` on top of the stack ``below``.

    ``above``: the stacks with one more state, by that state. ``following``: the stack behind each terminal that has
    been asked for, ``None`` where it may not stand; the parser fills it.
    """

    __slots__ = ("above", "below", "following", "state")

    def __init__(self, state: int, below: Stack | None) -> None:
        self.state = state
        self.below = below
        self.above: dict[int, Stack] = {}
        self.following: dict[int, Stack | None] = {}

    def push(self, state: int) -> Stack:
        """This stack with one more state, always the same object."""
        stack = self.above.get(state)
        return stack if stack is not None else self.above.setdefault(state, Stack(state, self))

    def pop(self, count: int) -> Stack:
        """This stack without its ``count`` topmost states."""
        stack = self
        for _ in range(count):
            assert stack.below is not None
            stack = stack.below
        return stack
