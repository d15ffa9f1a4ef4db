"""Integers for the states of leaves whose states are more than a row of a table.

Each state is numbered when it is first met::

    interner.of((0, b"ab")) == 0        interner[0] == (0, b"ab")
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

__all__ = ["Interner"]

T = TypeVar("T", bound=Hashable)


class Interner(Generic[T]):
    """Equal values get equal numbers, from 0 on. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: list[T] = []
        self._numbers: dict[T, int] = {}

    def of(self, value: T) -> int:
        """The number of a value."""
        number = self._numbers.get(value)
        if number is None:
            with self._lock:
                number = self._numbers.get(value)
                if number is None:
                    number = len(self._values)
                    self._values.append(value)
                    self._numbers[value] = number
        return number

    def __getitem__(self, number: int) -> T:
        """The value of a number."""
        return self._values[number]
