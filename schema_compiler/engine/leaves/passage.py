r"""A document's text as JSON spells it, and how far the tokens of a vocabulary go along with it from each of its bytes.

The leaves of one document differ in where their pieces begin and end, not in the text. So what costs time in proportion
to the text is done once for all of them: the text is spelled, and from every byte of it the vocabulary's trie is walked
as far as text and tokens agree::

    text  to be     tokens  t  to  be  b         reach from t: the node of "to", from b: that of "be"

The node that is reached tells all the nodes passed on the way: its ancestors. Which tokens occur in the text behind a
thousand places at once is then a walk up the trie from a thousand nodes, which soon become few.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.trie import Int32Array, Trie
from schema_compiler.regular.text.json_strings import string_literal

__all__ = ["Passage"]

_SHORT_ESCAPES = '"\\\b\f\n\r\t'
"""The characters that JSON spells as a backslash and one more character."""


class Passage:
    """A text, spelled. ``size``: the number of its bytes.

    ``bytes``: uint8 ``[size + 1]``, the spelling; the last entry stands for the end and is no byte of any text.
    ``offsets``: int32 ``[characters + 1]``, where each character begins, and the end. ``characters``: int32
    ``[size + 1]``, the number of the character that begins at a byte, 0 where none does. Raises ``UnicodeEncodeError``
    for a lone surrogate.
    """

    def __init__(self, text: str) -> None:
        spelled = string_literal(text)[1:-1]
        codes = np.frombuffer(text.encode("utf-32-le"), "<u4")
        widths = 1 + (codes >= 0x80).astype(np.int32) + (codes >= 0x800) + (codes >= 0x10000)
        widths[codes < 0x20] = 6
        for character in _SHORT_ESCAPES:
            widths[codes == ord(character)] = 2
        self.size = len(spelled)
        self.bytes = np.frombuffer(spelled + b"\xff", np.uint8)
        self.offsets: Int32Array = np.concatenate(([0], np.cumsum(widths))).astype(np.int32)
        self.characters: Int32Array = np.zeros(self.size + 1, np.int32)
        self.characters[self.offsets] = np.arange(self.offsets.size, dtype=np.int32)
        self._reach: dict[int, tuple[Trie, Int32Array, Int32Array]] = {}

    def reach(self, trie: Trie) -> tuple[Int32Array, Int32Array]:
        """For each byte the node farthest from the root that the text leads to from there, and its depth: int32.

        Worked out once for each trie; the root where no token begins with the byte.
        """
        known = self._reach.get(id(trie))
        if known is None:
            known = self._reach[id(trie)] = (trie, *_walk(self.bytes, trie))
        return known[1], known[2]


def _walk(text: npt.NDArray[np.uint8], trie: Trie) -> tuple[Int32Array, Int32Array]:
    """The nodes and depths of ``Passage.reach``, level by level from all bytes at once."""
    size = text.size - 1
    reached, depth = np.zeros((2, size), np.int32)
    live = np.arange(size, dtype=np.int32)
    nodes = np.zeros(size, np.int32)
    while live.size:
        going = live + depth[live] < size
        live, nodes = live[going], nodes[going]
        nodes = trie.follow(nodes, text[live + depth[live]])
        alive = nodes >= 0
        live, nodes = live[alive], nodes[alive]
        reached[live] = nodes
        depth[live] += 1
    return reached, depth
