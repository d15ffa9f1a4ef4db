"""Guessing the next tokens, from the grammar and from the document.

Extraction writes two kinds of text that need no model to foresee: what the grammar forces (field names, punctuation)
and what is copied from the document. A draft strings them together, and goes on across fields:

    document    ...  Total: 9.00  Date: 3 March 2024  ...
    output      {"total": 9                               `9` stands in the document after a word boundary
    draft       .00  ,  "date": "  3 March 2024  "}       copied, ended, forced, copied from behind the label, ended

The output is copied, too, since small models like to repeat themselves and lists of objects repeat by nature; so are
dates of the document, in the spelling of ISO 8601.

A draft is guessed as a text, and put into the forward pass as the model's own tokens of it. The sampler checks every
token of it in that pass, so a bad guess costs time and nothing else. A draft goes on while the chance that its next
token will be used exceeds what the token costs; chances are learned as the sequence goes, so where nothing is copied
drafts shrink to nothing.

Sources: prompt look-up decoding (Saxena 2023, and Yang et al., "Inference with Reference", 2023), here on the text
instead of tokens, since the same words rarely have the same tokens in a document and between quotes; jump-forward
decoding is from SGLang (Zheng et al. 2024).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from schema_compiler import Vocabulary, VocabularyError
from sdk.generation.cursor import Cursor
from sdk.generation.drafting.dates import iso_dates
from sdk.generation.drafting.speller import Speller
from sdk.generation.trace import Origin

__all__ = ["NO_DRAFT", "DocumentDrafter", "Draft", "Drafter", "Guess", "NoDrafts"]

Guess: TypeAlias = Literal["forced", "start", "copied 1", "copied 2", "copied 3", "end"]
"""Why a token was guessed.

``"forced"``: the grammar leaves no other text. ``"start"``: a value begins like the text behind its label. ``"copied
n"``: the last n tokens of output (n = 3: or more) stand before it where it is copied from. ``"end"``: the copied value
ends here.
"""

_PRIORS: dict[Guess, float] = {
    "forced": 0.95,
    "start": 0.15,
    "copied 1": 0.6,
    "copied 2": 0.7,
    "copied 3": 0.93,
    "end": 0.6,
}
"""The chance that a guess of each kind is right, before a sequence has shown its own.

Chosen, not fitted: they decide how long first drafts are, and are corrected from there. With the embedded model, on
the documents in ``examples``, 77 % of 111 forced guesses are right, 86 %, 78 % and 100 % of 49, 9 and 5 copied ones,
82 % of 11 ends and none of 5 starts.
"""

_LEARNING_RATE = 0.1
"""How much one guess, right or wrong, moves the chance of its kind (an exponential moving average).

The last ten guesses or so decide, enough to notice within a field or two that nothing is copied; chosen, not measured.
"""

_RECOVERY_RATE = 0.02
"""How much each pass moves all chances back to their priors, so that a kind that was given up is tried again.

A fifth of the learning rate, so that what was learned lasts for some fields; chosen, not measured.
"""

_COPIED: tuple[Guess, ...] = ("copied 1", "copied 2", "copied 3")
"""The kinds of copied tokens by how many tokens before them agree, the last for all larger numbers."""

_VALUE_ENDS = (b'"', b",", b"}", b"]")
"""What may stand behind a value in JSON, in the order in which it is tried: a string's quote comes first."""

_LOOK_BACK = 6
"""How many of the last tokens of output are looked up, the longest run first.

Six tokens are two or three words, which rarely stand at two places; chosen, not measured.
"""

_SEARCHED_OUTPUT = 1000
"""Tokens of output in which repeats are looked for, so that a step's cost does not grow with the document.

Some dozen objects of a list fit; chosen, not measured.
"""

_LONGEST_DRAFT = 160
"""Bytes of a draft: more tokens than a pass takes for free on a CPU, even in words; chosen, not measured."""

_NEAR_LABEL = 60
"""Bytes behind a label in which its value is looked for, about a line of text; chosen, not measured."""

_MOST_LABELS = 8
"""How many places where a field's name stands in the document are looked at: a short name (``no``) stands everywhere.

Each costs some forks of the matcher; chosen, not measured.
"""


@dataclass(frozen=True, slots=True)
class Draft:
    """Tokens that may come next, each legal after those before it, and why each was guessed."""

    token_ids: list[int]
    guesses: list[Guess]

    def first(self, count: int) -> Draft:
        """The draft of the first ``count`` tokens."""
        return Draft(self.token_ids[:count], self.guesses[:count])

    def origin(self, index: int) -> Origin:
        """How the token at ``index`` came to be, if the sampler chooses it."""
        return "forced" if self.guesses[index] == "forced" else "copied"


NO_DRAFT = Draft([], [])
"""The draft of no tokens."""


class Drafter(Protocol):
    """How drafts of one sequence are made."""

    def propose(self, matcher: Cursor, output: Sequence[int], limit: int, cost: float) -> Draft:
        """Guess at most ``limit`` tokens after ``output``, where ``matcher`` stands, before and after the call.

        ``cost``: of a token in a forward pass, as a share of what it saves when it is right.
        """
        ...

    def learn(self, draft: Draft, hits: int) -> None:
        """Be told that the first ``hits`` tokens of the draft were right, and the one after them was not."""
        ...


class NoDrafts:
    """Makes no drafts, so that each token takes a forward pass."""

    def propose(self, matcher: Cursor, output: Sequence[int], limit: int, cost: float) -> Draft:  # noqa: ARG002
        """See ``Drafter``."""
        return NO_DRAFT

    def learn(self, draft: Draft, hits: int) -> None:
        """See ``Drafter``."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """A text that may come next; ``offset``: where it stands in the source, ``None`` when it is the output's."""

    text: bytes
    guess: Guess
    offset: int | None = None


class DocumentDrafter:
    """Guesses from the grammar, the output, and ``document``; the source is its ISO dates, then itself."""

    def __init__(self, document: bytes, vocabulary: Vocabulary, speller: Speller) -> None:
        self.vocabulary = vocabulary
        self.speller = speller
        dates = b"".join(date + b"\n" for date in iso_dates(document))
        self._source = dates + document
        self._start_of_document = len(dates)
        self._last_copy_end: int | None = None  # in the source
        self._chances = _PRIORS.copy()
        self._expected = (0, b"")  # a forced text under way: where in the output it begins, and what it is

    def propose(self, matcher: Cursor, output: Sequence[int], limit: int, cost: float) -> Draft:
        """See ``Drafter``."""
        if cost >= 1:
            return NO_DRAFT
        pieces = list(self._pieces(matcher, output))
        text = b"".join(piece for piece, _ in pieces)
        guesses = [guess for piece, guess in pieces for _ in piece]  # one for each byte
        forced = len(pieces[0][0]) if pieces and pieces[0][1] == "forced" else 0
        self._learn_spelling(output, text[:forced])
        draft, chance, offset = Draft([], []), 1.0, 0
        for token_id in self.speller.following(self._last_text(output), text, forced)[:limit]:
            guess = guesses[offset]
            chance *= self._chances[guess]
            if chance < cost or not matcher.accept(token_id):
                break
            draft.token_ids.append(token_id)
            draft.guesses.append(guess)
            offset += len(self.vocabulary.tokens[token_id] or b"")
        matcher.rollback(len(draft.token_ids))
        return draft

    def learn(self, draft: Draft, hits: int) -> None:
        """See ``Drafter``."""
        for guess, prior in _PRIORS.items():
            self._chances[guess] += _RECOVERY_RATE * (prior - self._chances[guess])
        for index, guess in enumerate(draft.guesses[: hits + 1]):
            self._chances[guess] += _LEARNING_RATE * ((index < hits) - self._chances[guess])

    def _last_text(self, output: Sequence[int]) -> bytes:
        """The text of the last token; none before the first."""
        return self.vocabulary.tokens[output[-1]] or b"" if output else b""

    def _learn_spelling(self, output: Sequence[int], forced: bytes) -> None:
        """When the forced text under way is written, learn how the model spelled it, and go on to ``forced``."""
        start, expected = self._expected
        end, size = start, 0
        while size < len(expected) and end < len(output):
            size += len(self.vocabulary.tokens[output[end]] or b"")
            end += 1
        if size < len(expected):
            return
        before, token_ids = self._last_text(output[:start]), tuple(output[start:end])
        if size == len(expected) and token_ids != self.speller.following(before, expected, size):
            self.speller.learn(before, expected, token_ids)
        self._expected = len(output), forced

    def _pieces(self, matcher: Cursor, output: Sequence[int]) -> Iterator[tuple[bytes, Guess]]:
        """The text of the draft, cut by why each piece of it is guessed."""
        reader = _TextReader(matcher.fork(), self.vocabulary)
        tokens = [self.vocabulary.tokens[token_id] or b"" for token_id in output[-_SEARCHED_OUTPUT:]]
        written = b"".join(tokens)
        copy = self._continuation(tokens[-_LOOK_BACK:], written)
        length = 0
        while length < _LONGEST_DRAFT and not reader.matcher.is_complete():
            if forced := reader.read(reader.matcher.forced()):
                pieces: list[tuple[bytes, Guess]] = [(forced, "forced")]
            elif copy := copy or self._start(reader, written):
                pieces, copy = self._copied_pieces(reader, copy), None
            else:
                return
            yield from pieces
            text = b"".join(piece for piece, _ in pieces)
            if not text:
                return
            written, length = written + text, length + len(text)

    def _copied_pieces(self, reader: _TextReader, copy: _Copy) -> list[tuple[bytes, Guess]]:
        """As much of the copy as is legal, and what ends the value behind it."""
        text = reader.read(copy.text)
        if text and copy.offset is not None:
            self._last_copy_end = copy.offset + len(text)
        rest: Guess = "copied 3" if copy.guess == "start" else copy.guess
        return [(text[:1], copy.guess), (text[1:], rest), (reader.read_end(), "end")]

    def _line(self, offset: int) -> bytes:
        """The source from ``offset`` to the end of the line, or to a character that JSON escapes."""
        return re.split(rb'["\\\x00-\x1f]', self._source[offset : offset + _LONGEST_DRAFT], maxsplit=1)[0].rstrip()

    def _continuation(self, tail: Sequence[bytes], written: bytes) -> _Copy | None:
        """What comes after the longest end of the output that stood before: in the output itself, or in the source."""
        for count in range(len(tail), 0, -1):
            end, guess = b"".join(tail[-count:]), _COPIED[min(count, len(_COPIED)) - 1]
            before = written.rfind(end, 0, -1)
            if before >= 0:
                repeated = written[before + len(end) :]
                return _Copy(repeated * (_LONGEST_DRAFT // len(repeated) + 1), guess)
            offset = self._end_in_source(end, inside_word=count < len(tail) and tail[-count - 1][-1:].isalnum())
            if offset is not None:
                return _Copy(self._line(offset), guess, offset)
        return None

    def _end_in_source(self, text: bytes, *, inside_word: bool) -> int | None:
        """Where ``text`` first ends in the source; at a word's start, unless it is inside a word of the output."""
        boundary = b"" if inside_word or not text[:1].isalnum() else rb"(?<![0-9A-Za-z])"
        match = re.search(boundary + re.escape(text), self._source)
        return None if match is None else match.end()

    def _start(self, reader: _TextReader, written: bytes) -> _Copy | None:
        """The value of the field whose name was just written: the first word that could be a whole value.

        It is looked for behind the field's label, in the line after the last copy, and in the first date.
        """
        name = re.search(rb'"([^"\\]+)": "?$', written)
        if name is None:
            return None
        label = re.compile(rb"(?i)\b" + re.escape(name[1].replace(b"_", b" ")) + rb"\b")
        labels = [match.end() for match in label.finditer(self._source, self._start_of_document)]
        for offset in (*labels[:_MOST_LABELS], self._next_line(), 0):
            for word in re.finditer(rb"[^\s:]+", self._source[offset : offset + _NEAR_LABEL]):
                if reader.admits(word.group()):
                    return _Copy(self._line(offset + word.start()), "start", offset + word.start())
        return None

    def _next_line(self) -> int:
        """Where the line after the last copy begins; before any copy, the document."""
        if self._last_copy_end is None:
            return self._start_of_document
        return self._source.find(b"\n", self._last_copy_end) + 1


class _TextReader:
    """Moves a matcher along a text, whatever its tokens."""

    def __init__(self, matcher: Cursor, vocabulary: Vocabulary) -> None:
        self.matcher = matcher
        self._vocabulary = vocabulary

    def read(self, text: bytes) -> bytes:
        """Read as much of ``text`` as is legal, and give that much."""
        size = 0
        for token_id in self._tokens(text):
            if not self.matcher.accept(token_id):
                break
            size += len(self._vocabulary.tokens[token_id] or b"")
        return text[:size]

    def read_end(self) -> bytes:
        """Read what ends a value here, and give it; nothing where none can end."""
        return next((end for end in _VALUE_ENDS if self.read(end)), b"")

    def admits(self, text: bytes) -> bool:
        """Whether ``text`` may come next, and a value may end behind it."""
        fork = _TextReader(self.matcher.fork(), self._vocabulary)
        return fork.read(text) == text and (fork.matcher.is_complete() or fork.read_end() != b"")

    def _tokens(self, text: bytes) -> list[int]:
        try:
            return self._vocabulary.tokenize(text)
        except VocabularyError:  # some vocabularies lack bytes that occur in no text
            return []
