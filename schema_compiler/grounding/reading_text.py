r"""A document as it is read: a line that is broken goes on behind a blank.

White space with a line break in it counts as one blank, so that a name that is set over two lines is one piece; all
other characters are as they stand. Each character of the text that is read knows where it stands in the document::

    document  "Ace \r\n Books"      read  "Ace Books"      the blank stands at 3:7, the B at 7:8

Line breaks are those of UAX #14 (Unicode Line Breaking Algorithm, classes BK, CR, LF and NL), CR LF being one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from schema_compiler.engine.tokens.trie import Int32Array
from schema_compiler.errors import DocumentError

__all__ = ["ReadingText", "codes_of", "flags_of"]

_BREAKS = frozenset("\n\v\f\r\x85\u2028\u2029")
_BLANK = ord(" ")


class ReadingText:
    """The text that is read of ``document``, and its places there.

    ``text``: what is read; ``codes``: uint32, its code points. ``begin`` and ``end``: int32 ``[characters]``, where in
    the document each character begins and ends. ``breaks``: int32 ``[characters]``, how many line breaks it stands for.
    Raises ``DocumentError`` for a lone surrogate.
    """

    def __init__(self, document: str) -> None:
        codes = codes_of(document)
        white, breaking = flags_of(codes, str.isspace), flags_of(codes, _BREAKS.__contains__)
        breaking[1:] &= ~((codes[1:] == ord("\n")) & (codes[:-1] == ord("\r")))
        white = np.append(white, False)
        first = np.flatnonzero(white & ~np.append(False, white[:-1]))
        behind = np.flatnonzero(~white & np.append(False, white[:-1]))
        counted = np.append(0, np.cumsum(breaking))
        counts = counted[behind] - counted[first]
        first, behind, counts = first[counts > 0], behind[counts > 0], counts[counts > 0]

        dropped = np.zeros(codes.size + 1, np.int32)
        np.add.at(dropped, np.minimum(first + 1, codes.size), 1)
        np.add.at(dropped, behind, -1)
        kept = np.flatnonzero(np.cumsum(dropped)[:-1] == 0).astype(np.int32)
        blanks = np.searchsorted(kept, first)
        self.document = document
        self.begin: Int32Array = kept
        self.end: Int32Array = kept + 1
        self.end[blanks] = behind
        self.breaks: Int32Array = np.zeros(kept.size, np.int32)
        self.breaks[blanks] = counts
        self.codes = codes[kept]
        self.codes[blanks] = _BLANK
        self.text = self.codes.tobytes().decode("utf-32-le") if first.size else document

    def __len__(self) -> int:
        """The number of characters that are read."""
        return self.codes.size

    def place(self, begin: int, end: int) -> tuple[int, int]:
        """Where in the document the characters from ``begin`` to before ``end`` stand; there is at least one."""
        return int(self.begin[begin]), int(self.end[end - 1])


def codes_of(document: str) -> npt.NDArray[np.uint32]:
    """The code points of a text: uint32. Raises ``DocumentError`` for a lone surrogate."""
    try:
        return np.frombuffer(document.encode("utf-32-le"), "<u4")
    except UnicodeEncodeError as error:
        code = ord(document[error.start])
        raise DocumentError(f"expected Unicode text, found the lone surrogate U+{code:04X}", error.start) from None


def flags_of(codes: npt.NDArray[np.uint32], holds: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    """For each of the code points whether ``holds`` of its character; asked once for each that occurs."""
    known, places = np.unique(codes, return_inverse=True)
    flags: npt.NDArray[np.bool_] = np.array([holds(chr(code)) for code in known.tolist()], np.bool_)[places]
    return flags
