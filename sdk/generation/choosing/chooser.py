"""When to compare whole values, and how each would be spelled in tokens.

Where the grammar lists the values that may come next, behind what it forces, each is spelled as the model would write
it there, with what stands behind it, up to the token that ends it:

    {"company": "  Ace Inc."  , "date": "        tokens  ` Ace`  ` Inc`  `.",`        the ending has a `.` of the value

Several tokens may end a value (`."`, `.",`); together they are its *ending*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from schema_compiler import Vocabulary
from sdk.generation.choosing.search import Ending, Spelled, ValueSearch
from sdk.generation.cursor import Cursor
from sdk.generation.drafting.speller import Speller
from sdk.generation.masking import allowed_tokens

__all__ = ["Chooser", "NoChoices", "ValueChooser"]

_MOST_VALUES = 1 << 10
"""How many values are compared; where there are more, tokens are chosen one by one.

The lines of a document of twenty pages, or the pieces of one to five lines of four. To spell them takes some dozens of
milliseconds. A power of two; chosen, not measured.
"""

_QUOTE = b'"'

_BEHIND = frozenset(b",]} \t\r\n")
"""What stands behind a value that is no string."""


class Chooser(Protocol):
    """How whole values of one sequence are chosen."""

    def search(self, matcher: Cursor, output: Sequence[int], *, branches: bool) -> ValueSearch | None:
        """A search among the values that may come next; ``None`` where tokens are to be chosen one by one.

        ``matcher`` stands behind ``output``, before and after the call. ``branches``: see ``Slots``.
        """
        ...


class NoChoices:
    """Leaves all to the choice of tokens."""

    def search(self, matcher: Cursor, output: Sequence[int], *, branches: bool) -> ValueSearch | None:  # noqa: ARG002
        """See ``Chooser``."""
        return None


class ValueChooser:
    """Compares values where the grammar lists them. ``null_bias``: added to the log-probability of ``null``."""

    def __init__(self, vocabulary: Vocabulary, speller: Speller, null_bias: float = 0.0) -> None:
        self._vocabulary = vocabulary
        self._speller = speller
        self._null_bias = null_bias

    def search(self, matcher: Cursor, output: Sequence[int], *, branches: bool) -> ValueSearch | None:
        """See ``Chooser``."""
        place = matcher.fork()
        forced = place.forced()
        self._read(place, forced)
        groups = place.choices(_MOST_VALUES)
        if groups is None or sum(map(len, groups)) < 2:
            return None
        before = self._vocabulary.tokens[output[-1]] or b"" if output else b""
        values = [value for group in groups for value in self._spelled(place, before, forced, group)]
        return ValueSearch(values, len(forced), branches=branches)

    def _spelled(self, place: Cursor, before: bytes, forced: bytes, group: Sequence[bytes]) -> Iterator[Spelled]:
        """The values of a group, each in the tokens that follow ``before``, ``forced`` among them."""
        endings = _Endings(self._vocabulary, place, group[0])
        for text in group:
            length = len(forced) + len(text) - endings.is_quoted
            token_ids, rest = self._cut(before, forced, text + endings.following, length)
            ending = endings.of(rest)
            if ending is None:
                token_ids, ending = (*token_ids, *self._vocabulary.tokenize(rest)), endings.of(b"")
            assert ending is not None
            yield Spelled(text, token_ids, ending, self._null_bias if text == b"null" else 0.0)

    def _cut(self, before: bytes, forced: bytes, text: bytes, length: int) -> tuple[tuple[int, ...], bytes]:
        """The tokens that lie in the first ``length`` bytes of a text and what it is forced to begin with; the rest."""
        tokens = self._speller.following(before, forced + text)  # not as learned: no document depends on others
        if not tokens:
            tokens = tuple(self._vocabulary.tokenize(forced + text))
        end = 0
        for count, token_id in enumerate(tokens):
            after = end + len(self._vocabulary.tokens[token_id] or b"")
            if after > length:
                return tokens[:count], (forced + text)[end:length]
            end = after
        return tokens, (forced + text)[end:length]

    def _read(self, matcher: Cursor, text: bytes) -> None:
        for token_id in self._vocabulary.tokenize(text):
            matcher.accept(token_id)


class _Endings:
    """The tokens that end the values of a group. ``following``: what stands behind them, as far as it is certain."""

    def __init__(self, vocabulary: Vocabulary, place: Cursor, text: bytes) -> None:
        self.is_quoted = text.endswith(_QUOTE)
        self._vocabulary = vocabulary
        self._known: dict[bytes, Ending | None] = {}
        inside = place.fork()
        for token_id in vocabulary.tokenize(text.removesuffix(_QUOTE)):
            inside.accept(token_id)
        self._legal = np.flatnonzero(allowed_tokens(inside.mask(), len(vocabulary))).tolist()
        if self.is_quoted:
            inside.accept(vocabulary.tokenize(_QUOTE)[0])
        self.following = inside.forced() or inside.closing()

    def of(self, rest: bytes) -> Ending | None:
        """The tokens that begin with the ``rest`` of a value, and end it; ``None`` where there are none."""
        if rest not in self._known:
            token_ids = tuple(self._tokens(rest))
            self._known[rest] = Ending(token_ids) if token_ids else None
        return self._known[rest]

    @cached_property
    def _ends(self) -> list[int]:
        """The tokens that may stand right behind a value's last character."""
        return [token_id for token_id in self._legal if self._is_end(self._vocabulary.tokens[token_id])]

    def _is_end(self, text: bytes | None) -> bool:
        return not text or (text[:1] == _QUOTE if self.is_quoted else text[0] in _BEHIND)

    def _tokens(self, rest: bytes) -> Collection[int]:
        if not rest:
            return self._ends
        texts = (rest + (self._vocabulary.tokens[token_id] or b"") for token_id in self._ends)
        return [token_id for text in texts if text != rest for token_id in self._vocabulary.spelling(text)]
