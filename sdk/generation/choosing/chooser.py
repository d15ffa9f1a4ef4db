"""When to compare whole values, and how each would be spelled in tokens.

Where the grammar lists the values that may come next, behind what it forces, each is spelled as the model would write
it there, with what stands behind it, up to the token that ends it:

    {"company": "  Ace Inc."  , "date": "        tokens  ` Ace`  ` Inc`  `.",`        the ending has a `.` of the value

Several tokens may end a value (`."`, `.",`); together they are its *ending*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from schema_compiler import Vocabulary
from sdk.generation.choosing.search import Value, ValueSearch
from sdk.generation.choosing.tree import Ending, Spelled
from sdk.generation.cursor import Cursor
from sdk.generation.drafting.speller import Speller
from sdk.generation.masking import allowed_tokens

__all__ = ["Chooser", "NoChoices", "ValueChooser"]

_MOST_VALUES = 1 << 10
"""How many values are compared; where there are more, tokens are chosen one by one.

The lines of a document of twenty pages, or the pieces of one to five lines of four. To spell them takes some dozens of
milliseconds. A power of two; chosen, not measured.
"""

_NAME = re.compile(rb'"((?:[^"\\]|\\.)*)"\s*:', re.DOTALL)
"""The name of a field, as it stands in JSON."""

_OTHER_NAME = b"text"
"""The name of a field that might hold any value: chosen, not measured against others."""

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

    def choosable(self, matcher: Cursor, token_ids: Sequence[int]) -> int:
        """How many of some legal tokens may be guessed, since the next one, too, is to be chosen by itself."""
        ...


class NoChoices:
    """Leaves all to the choice of tokens."""

    def search(self, matcher: Cursor, output: Sequence[int], *, branches: bool) -> ValueSearch | None:  # noqa: ARG002
        """See ``Chooser``."""
        return None

    def choosable(self, matcher: Cursor, token_ids: Sequence[int]) -> int:  # noqa: ARG002
        """See ``Chooser``."""
        return len(token_ids)


class ValueChooser:
    """Compares the values of one document where its grammar lists them.

    ``null_bias``: added to the log-odds of null.
    """

    def __init__(self, vocabulary: Vocabulary, speller: Speller, null_bias: float = 0.0) -> None:
        self._vocabulary = vocabulary
        self._speller = speller
        self._null_bias = null_bias
        self._known: dict[int, tuple[Cursor, bytes, list[list[bytes]]] | None] = {}  # by state

    def search(self, matcher: Cursor, output: Sequence[int], *, branches: bool) -> ValueSearch | None:
        """See ``Chooser``."""
        choices = self._choices(matcher)
        if choices is None:
            return None
        place, forced, groups = choices
        before = self._vocabulary.tokens[output[-1]] or b"" if output else b""
        endings: dict[bytes, _Endings] = {}
        for group in groups:
            endings.update(dict.fromkeys(group, _Endings(self._vocabulary, place, group[0])))

        def spelled(text: bytes, forced: bytes) -> Spelled:
            return self._spelled(before, forced, text, endings[text])

        elsewhere = _renamed(forced)
        return ValueSearch(
            [Value(text, spelled(text, forced)) for text in endings],
            len(forced),
            None if elsewhere is None else lambda value: spelled(value.text, elsewhere),
            branches=branches,
        )

    def choosable(self, matcher: Cursor, token_ids: Sequence[int]) -> int:
        """See ``Chooser``."""
        place = matcher.fork()
        for count, token_id in enumerate(token_ids):
            place.accept(token_id)
            if self._choices(place):
                return count
        return len(token_ids)

    def _choices(self, matcher: Cursor) -> tuple[Cursor, bytes, list[list[bytes]]] | None:
        """The place behind what is forced, that, and the values that may come there, if they are to be compared."""
        state = matcher.state_id
        if state not in self._known:
            place = matcher.fork()
            forced = place.forced()
            for token_id in self._vocabulary.tokenize(forced):
                place.accept(token_id)
            groups = place.choices(_MOST_VALUES)
            several = groups is not None and sum(map(len, groups)) > 1
            self._known[state] = (place, forced, groups) if groups and several else None
        return self._known[state]

    def _spelled(self, before: bytes, forced: bytes, text: bytes, endings: _Endings) -> Spelled:
        """A value in the tokens that follow ``before``, those of ``forced`` among them."""
        length = len(forced) + len(text) - endings.is_quoted
        token_ids, rest = self._cut(before, forced, text + endings.following, length)
        ending = endings.of(rest)
        if ending is None:
            token_ids, ending = (*token_ids, *self._vocabulary.tokenize(rest)), endings.of(b"")
        assert ending is not None
        return Spelled(token_ids, ending, self._null_bias if text == b"null" else 0.0)

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


def _renamed(forced: bytes) -> bytes | None:
    """A forced text with another name for the last field in it; ``None`` where there is none, or it has that name."""
    names = list(_NAME.finditer(forced))
    if not names or names[-1][1] == _OTHER_NAME:
        return None
    start, end = names[-1].span(1)
    return forced[:start] + _OTHER_NAME + forced[end:]


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
