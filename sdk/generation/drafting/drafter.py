"""Guessing the next tokens, from the grammar and from the document.

Extraction writes two kinds of text that need no model to foresee: what the grammar forces (field names, punctuation)
and what is copied from the document. A guess strings them together, and goes on across fields:

    document    ...  Total: 9.00  Date: 3 March 2024  ...
    output      {"total": 9                               `9` stands in the document after a word boundary
    guess       .00  ,  "date": "  3 March 2024  "}       copied, ended, forced, copied from behind the label, ended

What is copied may also be the output itself, which small models like to repeat and lists of objects repeat by nature,
or a date of the document in the spelling of ISO 8601.

The guess is a text; what goes into the forward pass are the model's own tokens of it. Everything guessed is checked
by the sampler in that pass, so a bad guess costs time and nothing else. It goes on while the chance that its next
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

from schema_compiler import Vocabulary
from schema_compiler.errors import VocabularyError
from sdk.generation.drafting.dates import iso_dates
from sdk.generation.drafting.speller import Speller
from sdk.generation.reasoning import Cursor
from sdk.generation.trace import Origin

__all__ = ["NO_DRAFT", "DocumentDrafter", "Draft", "Drafter", "Guess", "NoDrafts"]

Guess: TypeAlias = Literal["forced", "start", "copied 1", "copied 2", "copied 3", "end"]
"""Why a token was guessed: the grammar leaves no other text; a value starts like the text behind its label; as many
tokens (or more) stand before it where it is copied from; the copied value ends here."""

_PRIORS: dict[Guess, float] = {
    "forced": 0.95,
    "start": 0.15,
    "copied 1": 0.6,
    "copied 2": 0.7,
    "copied 3": 0.93,
    "end": 0.6,
}
_COPIED: tuple[Guess, ...] = ("copied 1", "copied 2", "copied 3")
_ENDS = (b'"', b",", b"}", b"]")
_LEARNING = 0.1
_RECOVERY = 0.02
_LOOK_BACK = 6  # tokens that what was written may end with where it is copied from
_REMEMBERED = 1000  # tokens of output in which repeats are looked for
_LONGEST = 160  # bytes of a guess
_NEAR = 60  # bytes behind a label
_MOST_LABELS = 8


@dataclass(frozen=True, slots=True)
class Draft:
    """Tokens that may come next, all legal, and why each was guessed."""

    token_ids: list[int]
    guesses: list[Guess]

    def origin(self, index: int) -> Origin:
        """How a token came to be, if it turns out right."""
        return "forced" if self.guesses[index] == "forced" else "copied"


NO_DRAFT = Draft([], [])


class Drafter(Protocol):
    """The policy of one sequence."""

    def propose(self, matcher: Cursor, output: Sequence[int], limit: int, cost: float) -> Draft:
        """Guess at most ``limit`` tokens after ``output``, where ``matcher`` stands (and stands again afterwards).

        ``cost``: of a token in a forward pass, as a share of what it saves when it is right.
        """
        ...

    def learn(self, draft: Draft, hits: int) -> None:
        """Hear how many tokens of the draft were right before the first that was not."""
        ...


class NoDrafts:
    """Never guesses."""

    def propose(self, matcher: Cursor, output: Sequence[int], limit: int, cost: float) -> Draft:  # noqa: ARG002
        """See ``Drafter``."""
        return NO_DRAFT

    def learn(self, draft: Draft, hits: int) -> None:
        """See ``Drafter``."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """A text that may come next; ``place``: where it stands in what the drafter looks up, unless in the output."""

    text: bytes
    guess: Guess
    place: int | None = None


class DocumentDrafter:
    """Guesses from the grammar and the output, and from ``document``."""

    def __init__(self, document: bytes, vocabulary: Vocabulary, speller: Speller) -> None:
        self.vocabulary = vocabulary
        self.speller = speller
        dates = b"".join(date + b"\n" for date in iso_dates(document))
        self._source = dates + document
        self._start_of_document = len(dates)
        self._reached: int | None = None  # where in the source the last copy ended
        self._chances = _PRIORS.copy()
        self._awaited = (0, b"")  # where in the output a forced text begins, and what it is

    def propose(self, matcher: Cursor, output: Sequence[int], limit: int, cost: float) -> Draft:
        """See ``Drafter``."""
        if cost >= 1:
            return NO_DRAFT
        pieces = list(self._text(matcher, output))
        text = b"".join(piece for piece, _ in pieces)
        reasons = [guess for piece, guess in pieces for _ in piece]
        forced = len(pieces[0][0]) if pieces and pieces[0][1] == "forced" else 0
        before = self._last(output)
        self._watch(output, text[:forced])
        draft, chance, offset = Draft([], []), 1.0, 0
        for token_id in self.speller.following(before, text, forced)[:limit]:
            guess = reasons[offset]
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
            self._chances[guess] += _RECOVERY * (prior - self._chances[guess])
        for index, guess in enumerate(draft.guesses[: hits + 1]):
            self._chances[guess] += _LEARNING * ((index < hits) - self._chances[guess])

    def _last(self, output: Sequence[int]) -> bytes:
        return self.vocabulary.tokens[output[-1]] or b"" if output else b""

    def _watch(self, output: Sequence[int], forced: bytes) -> None:
        """See how the model spells a forced text when it does so in its own way."""
        start, awaited = self._awaited
        end, size = start, 0
        while size < len(awaited) and end < len(output):
            size += len(self.vocabulary.tokens[output[end]] or b"")
            end += 1
        if size < len(awaited):
            return
        before, token_ids = self._last(output[:start]), tuple(output[start:end])
        if size == len(awaited) and token_ids != self.speller.following(before, awaited, size):
            self.speller.learn(before, awaited, token_ids)
        self._awaited = len(output), forced

    def _text(self, matcher: Cursor, output: Sequence[int]) -> Iterator[tuple[bytes, Guess]]:
        """The guess, piece by piece."""
        reader = _Reader(matcher.fork(), self.vocabulary)
        tokens = [self.vocabulary.tokens[token_id] or b"" for token_id in output[-_REMEMBERED:]]
        written = b"".join(tokens)
        copied = self._continuation(tokens[-_LOOK_BACK:], written)
        length = 0
        while length < _LONGEST and not reader.matcher.is_complete():
            if forced := reader.read(reader.matcher.forced()):
                pieces: list[tuple[bytes, Guess]] = [(forced, "forced")]
            elif copied := copied or self._start(reader, written):
                pieces, copied = self._copy(reader, copied), None
            else:
                return
            yield from pieces
            text = b"".join(piece for piece, _ in pieces)
            if not text:
                return
            written, length = written + text, length + len(text)

    def _copy(self, reader: _Reader, copy: _Copy) -> list[tuple[bytes, Guess]]:
        """What of the copy is legal, and the end of the value."""
        text = reader.read(copy.text)
        if text and copy.place is not None:
            self._reached = copy.place + len(text)
        rest: Guess = "copied 3" if copy.guess == "start" else copy.guess
        return [(text[:1], copy.guess), (text[1:], rest), (reader.read_end(), "end")]

    def _line(self, place: int) -> bytes:
        """The source from there to the end of the line, or to what JSON spells otherwise."""
        return re.split(rb'["\\\x00-\x1f]', self._source[place : place + _LONGEST], maxsplit=1)[0].rstrip()

    def _continuation(self, tail: Sequence[bytes], written: bytes) -> _Copy | None:
        """What comes after the longest end of the output that stood before: in the output itself, or in the source."""
        for count in range(len(tail), 0, -1):
            end, guess = b"".join(tail[-count:]), _COPIED[min(count, len(_COPIED)) - 1]
            before = written.rfind(end, 0, -1)
            if before >= 0:
                repeated = written[before + len(end) :]
                return _Copy(repeated * (_LONGEST // len(repeated) + 1), guess)
            place = self._found(end, inside_word=count < len(tail) and tail[-count - 1][-1:].isalnum())
            if place is not None:
                return _Copy(self._line(place), guess, place)
        return None

    def _found(self, text: bytes, *, inside_word: bool) -> int | None:
        """Where ``text`` first ends in the source; at a word's start, unless it is inside a word of the output."""
        boundary = b"" if inside_word or not text[:1].isalnum() else rb"(?<![0-9A-Za-z])"
        found = re.search(boundary + re.escape(text), self._source)
        return None if found is None else found.end()

    def _start(self, reader: _Reader, written: bytes) -> _Copy | None:
        """The value of the field whose name was just written: behind its label, in the next line, or the first date.

        There the first word that could be a whole value.
        """
        name = re.search(rb'"([^"\\]+)": "?$', written)
        if name is None:
            return None
        label = re.compile(rb"(?i)\b" + re.escape(name[1].replace(b"_", b" ")) + rb"\b")
        labels = [match.end() for match in label.finditer(self._source, self._start_of_document)]
        for place in (*labels[:_MOST_LABELS], self._next_line(), 0):
            for word in re.finditer(rb"[^\s:]+", self._source[place : place + _NEAR]):
                if reader.admits(word.group()):
                    return _Copy(self._line(place + word.start()), "start", place + word.start())
        return None

    def _next_line(self) -> int:
        """After what was copied last; the first one before anything is."""
        if self._reached is None:
            return self._start_of_document
        return self._source.find(b"\n", self._reached) + 1


class _Reader:
    """Moves a matcher along a text."""

    def __init__(self, matcher: Cursor, vocabulary: Vocabulary) -> None:
        self.matcher = matcher
        self._vocabulary = vocabulary

    def read(self, text: bytes) -> bytes:
        """Read as much of ``text`` as is legal; that much."""
        done = 0
        for token_id in self._tokens(text):
            if not self.matcher.accept(token_id):
                break
            done += len(self._vocabulary.tokens[token_id] or b"")
        return text[:done]

    def read_end(self) -> bytes:
        """Read what ends a value here, if one can end."""
        return next((end for end in _ENDS if self.read(end)), b"")

    def admits(self, text: bytes) -> bool:
        """Whether ``text`` may come next, and a value end behind it."""
        fork = _Reader(self.matcher.fork(), self._vocabulary)
        return fork.read(text) == text and (fork.matcher.is_complete() or fork.read_end() != b"")

    def _tokens(self, text: bytes) -> list[int]:
        try:
            return self._vocabulary.tokenize(text)
        except VocabularyError:  # some vocabularies lack bytes that occur in no text
            return []
