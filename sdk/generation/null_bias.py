"""A bias towards null, or away from it: small models never say that a document does not say something.

{"shop": "Ace Books", "note":       here a token that begins ``null`` has its log-odds changed
{"shop": "nu                        not here: this is text
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from schema_compiler import Vocabulary

__all__ = ["NullBias"]

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)

_NULL = b"null"


class NullBias:
    """What to add to the log-odds of null, at each place in a document that is being written where it may stand.

    ``start``: how many tokens of output come before the document, ``None`` as long as it has not begun. ``token_ids``:
    the tokens that begin ``null``.
    """

    def __init__(self, bias: float, vocabulary: Vocabulary, start: Callable[[], int | None]) -> None:
        self.bias = bias
        self._vocabulary = vocabulary
        self._start = start
        self.token_ids = [token_id for token_id, text in enumerate(vocabulary.tokens) if _begins_null(text or b"")]

    def applies(self, output: Sequence[int]) -> bool:
        """Whether what comes next behind ``output`` is outside strings; whether null may stand there, the mask says."""
        start = self._start()
        if start is None or len(output) < start:
            return False
        text = b"".join(self._vocabulary.tokens[token_id] or b"" for token_id in output[start:])
        return b'"' not in _STRINGS.sub(b"", text)


def _begins_null(text: bytes) -> bool:
    word = text.lstrip(b" \t\r\n")
    return bool(word) and (word.startswith(_NULL) or _NULL.startswith(word))
