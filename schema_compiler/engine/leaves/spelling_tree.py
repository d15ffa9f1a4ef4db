"""The spellings of a finite set of values as one tree, each prefix with the values that can still come of it.

"cat", "cow", "dog"      prefix "c    below: cat, cow       prefix "ca    below: cat
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["NO_VALUE", "Prefix", "SpellingTree"]

NO_VALUE = -1


class Prefix:
    """A prefix of spellings.

    ``following``: the longer prefixes by their next byte. ``value``: the value spelled by it, or ``NO_VALUE``.
    ``below``: the values spelled by it or by a longer one, as bits.
    """

    __slots__ = ("below", "following", "value")

    def __init__(self) -> None:
        self.following: dict[int, int] = {}
        self.value = NO_VALUE
        self.below = 0


class SpellingTree:
    """``prefixes`` by number, the empty one first. ``values``: the spellings of each value; no two values share one."""

    def __init__(self, values: Sequence[Sequence[bytes]]) -> None:
        self.prefixes = [Prefix()]
        for number, spellings in enumerate(values):
            for spelling in spellings:
                self._add(spelling, number)

    def _add(self, spelling: bytes, value: int) -> None:
        prefix = self.prefixes[0]
        prefix.below |= 1 << value
        for byte in spelling:
            number = prefix.following.get(byte)
            if number is None:
                number = prefix.following[byte] = len(self.prefixes)
                self.prefixes.append(Prefix())
            prefix = self.prefixes[number]
            prefix.below |= 1 << value
        prefix.value = value

    def shortest_endings(self, number: int, used: int) -> dict[int, bytes]:
        """For each value below a prefix, but for those whose bits are in ``used``: the shortest text that ends it."""
        endings: dict[int, bytes] = {}
        waiting = [(number, b"")]
        for index, text in waiting:
            prefix = self.prefixes[index]
            if prefix.value != NO_VALUE and not used >> prefix.value & 1:
                endings.setdefault(prefix.value, text)
            waiting += [(after, text + bytes((byte,))) for byte, after in prefix.following.items()]
        return endings
